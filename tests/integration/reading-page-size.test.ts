/** Pages stay under about 8k tokens (design §5), and hold as much as that allows. */
import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { estimateTokens } from '../../app/mcp/budget.ts';
import { World, type Chat, type Person } from '../simulator/index.ts';
import { startCore, type Answer, type RunningCore } from './support.ts';

const TEXTS: Readonly<Record<string, (index: number) => string>> = {
  'short Russian': (index) => `накладная номер ${index}`,
  'long Russian': () => 'Коллеги, завтра состоится совещание по проекту, просьба подготовить отчёты и презентации заранее. '.repeat(5),
  'long English': () => 'The quarterly report needs to be finished by Friday; please send me your figures as soon as possible. '.repeat(5),
  code: () => 'const x = await fetch(`https://api.example.com/v1/items/${id}?limit=10`); if (!x.ok) throw new Error(x.statusText);',
  emoji: () => '🎉🔥👍😂❤️ ура!! 🎉🔥👍',
  numbers: (index) => `+7 999 123-45-${index} 2026-01-0${index % 9} 18:30 12 345,67 руб`,
};

describe('the size of a page', () => {
  let core: RunningCore;
  const chats = new Map<string, Chat>();

  beforeAll(async () => {
    const world = new World({ me: { displayName: 'Вика' } });
    const people: Person[] = ['Анна Каренина', 'John Smith'].map((displayName) => world.person({ displayName }));
    const fill = (name: string, text: (index: number) => string) => {
      const chat = world.group({ name, members: people });
      for (let index = 0; index < 150; index += 1) chat.say(people[index % 2]!, text(index));
      return chat;
    };
    for (const [name, text] of Object.entries(TEXTS)) chats.set(name, fill(name, text));
    core = await startCore({ simulator: { world } });
  });
  afterAll(() => core.close());

  it.each(Object.keys(TEXTS).flatMap((name) => (['compact', 'full'] as const).map((detail) => [name, detail] as const)))(
    '%s, %s: under 8k tokens, and the cursor leads on',
    async (name, detail) => {
      const chat = chats.get(name)!;
      const text = await core.text('get_history', { chat: chat.id, limit: 200, detail });
      const tokens = encode(text).length;
      expect(tokens).toBeLessThan(8000);
      expect(tokens).toBeGreaterThan(5000);
      const page = JSON.parse(text) as Answer;
      const ratio = estimateTokens(page) / tokens;
      expect(ratio).toBeGreaterThan(1.02);
      expect(page).toMatchObject({
        truncated: true,
        truncation_reason: expect.stringContaining('size'),
        has_more: true,
        next_before: page['messages'][0]['id'],
      });
      const next = await core.call('get_history', { chat: chat.id, limit: 200, detail, before: page['next_before'] });
      const last = next['messages'][next['messages'].length - 1];
      expect(last['id']).toBe(String(chat.messages[chat.messages.length - page['messages'].length - 1]!.ts));
    },
  );

  it.each(['short Russian', 'emoji', 'numbers', 'code'])('the default page of 40 is whole: %s', async (name) => {
    const page = await core.call('get_history', { chat: chats.get(name)!.id });
    expect(page['messages']).toHaveLength(40);
    expect(page['truncated']).toBeUndefined();
  });
});
