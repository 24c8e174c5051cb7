import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fillChat, World, type Chat, type Person } from '../simulator/index.ts';
import { expandCompact } from './expand-compact.ts';
import { startCore, type Answer, type RunningCore } from './support.ts';

/** Pages through a chat to its beginning; newest page first. */
async function readAll(core: RunningCore, args: Record<string, unknown>): Promise<Answer[]> {
  const pages: Answer[] = [];
  let before: string | undefined;
  do {
    const page = await core.call('get_history', { ...args, ...(before !== undefined && { before }) });
    expect(page['status']).toBe('ok');
    pages.push(page);
    before = page['next_before'];
    expect(page['has_more']).toBe(before !== undefined);
  } while (before !== undefined);
  return pages;
}
const ids = (messages: { id: string }[]) => messages.map(({ id }) => id);
const told = (chat: Chat) => chat.messages.map((message) => String(message.ts));

describe('reading a chat', () => {
  let core: RunningCore;
  let anna: Person;
  let big: Chat, long: Chat, dated: Chat;
  const at = (iso: string) => Date.parse(iso) * 1000;

  beforeAll(async () => {
    const world = new World();
    anna = world.person({ displayName: 'Анна' });
    const bob = world.person({ displayName: 'Bob' });
    big = world.group({ name: 'Большой', members: [anna, bob] });
    fillChat(big, [anna, bob, world.me], 5000);
    long = world.group({ name: 'Длинный', members: [anna] });
    for (let index = 0; index < 60; index += 1) long.say(anna, `${index} ${'Слово за слово. '.repeat(100)}`, { at: at('2026-01-01T00:00:00Z') + index * 1e9 });
    dated = world.group({ name: 'По дням', members: [anna] });
    for (const iso of [
      '2026-02-28T20:59:59.999Z',
      '2026-02-28T21:00:00.000Z',
      '2026-03-01T12:00:00.000Z',
      '2026-03-01T20:59:59.999Z',
      '2026-03-01T21:00:00.000Z',
    ])
      dated.say(anna, iso, { at: at(iso) });
    core = await startCore({ simulator: { world } });
  });
  afterAll(() => core.close());

  it('5,000 messages page through without a gap or a double', async () => {
    const from = core.sim.log.length;
    const pages = await readAll(core, { chat: big.id, limit: 200 });
    expect([...pages].reverse().flatMap((page) => ids(page['messages']))).toEqual(told(big));
    // On the wire: each page continues at the oldest message of the one before, and no request brings a second copy of a window.
    const requests = core.sim.log.slice(from).filter((entry) => entry.method === 'history');
    expect(requests).toHaveLength(pages.length);
    expect(requests.map((entry) => entry.params['MaxTimestamp'])).toEqual([undefined, ...pages.slice(0, -1).map((page) => Number(page['messages'][0].id))]);
    expect(new Set(requests.map((entry) => entry.params['Limit']))).toEqual(new Set([200]));
    expect(core.sim.violations).toEqual([]);
  }, 120_000);

  it('a literal id costs one request, and its cursor keeps every digit', async () => {
    const from = core.sim.log.length;
    const page = await core.call('get_history', { chat: big.id, limit: 3, before: told(big)[100] });
    expect(ids(page['messages'])).toEqual(told(big).slice(97, 100));
    expect(core.sim.log.slice(from).map((entry) => entry.method)).toEqual(['history']);
  });

  it('pages stay under 8k tokens in both details, and the cursor goes on where the page was cut', async () => {
    for (const detail of ['compact', 'full']) {
      const text = await core.text('get_history', { chat: long.id, limit: 200, detail });
      expect(encode(text).length).toBeLessThan(8000);
      expect(JSON.parse(text)).toMatchObject({ truncated: true, has_more: true, truncation_reason: expect.stringContaining('size') });
      const pages = await readAll(core, { chat: long.id, limit: 200, detail });
      expect([...pages].reverse().flatMap((page) => ids(page['messages']))).toEqual(told(long));
    }
  });

  it.each([
    ['a whole day in the zone of the person', { from_date: '2026-03-01', to_date: '2026-03-02' }, [1, 2, 3]],
    ['from a moment, which is included', { from_date: '2026-03-01T21:00:00Z' }, [4]],
    ['after a moment, which is not', { after: '2026-03-01T23:59:59.999+03:00' }, [4]],
    ['up to a moment, which is not', { to_date: '2026-03-01T21:00:00Z' }, [0, 1, 2, 3]],
    ['after wins over from_date', { from_date: '2026-01-01', after: '2026-03-01T20:59:59.999Z' }, [4]],
    ['an empty window', { from_date: '2026-05-01' }, []],
  ])('%s', async (_name, window, expected) => {
    const page = await core.call('get_history', { chat: dated.id, ...window });
    expect(ids(page['messages'])).toEqual(expected.map((index) => told(dated)[index]));
    expect(page['has_more']).toBe(false);
  });

  it('the cursor wins over to_date, and paging stops at from_date', async () => {
    const window = { chat: dated.id, from_date: '2026-03-01', to_date: '2026-03-02', limit: 2 };
    const first = await core.call('get_history', window);
    expect(ids(first['messages'])).toEqual(told(dated).slice(2, 4));
    const second = await core.call('get_history', { ...window, before: first['next_before'] });
    expect(ids(second['messages'])).toEqual(told(dated).slice(1, 2));
    expect(second).toMatchObject({ has_more: false });
    expect(second['next_before']).toBeUndefined();
  });

  it('a limit outside its bounds is clamped, and the answer says so', async () => {
    expect(await core.call('get_history', { chat: dated.id, limit: 0 })).toMatchObject({ clamped: { limit: { requested: 0, used: 1 } }, messages: [{}] });
    const from = core.sim.log.length;
    expect(await core.call('get_history', { chat: big.id, limit: 100_000 })).toMatchObject({ clamped: { limit: { used: 200 } } });
    expect(core.sim.log[from]?.params['Limit']).toBe(200);
  });

  it.each([
    ['chat', {}],
    ['limit', { limit: '5' }],
    ['limit', { limit: 1.5 }],
    ['before', { before: '2026-01-01' }],
    ['from_date', { from_date: 'вчера' }],
    ['to_date', { from_date: '2026-03-02', to_date: '2026-03-01' }],
    ['detail', { detail: 'huge' }],
    ['bogus', { bogus: 1 }],
  ])('a wrong %s is refused by its name, and nothing is sent', async (argument, args) => {
    const from = core.sim.log.length;
    const failure = await core.fail('get_history', argument === 'chat' ? args : { chat: dated.id, ...args });
    expect(failure).toMatchObject({ code: 'invalid_argument', message: expect.stringContaining(argument) });
    expect(failure['next_step']).toBeTruthy();
    expect(core.sim.log.slice(from)).toEqual([]);
  });

  it('exactly the neighbours of a message, whatever the server means by MinTimestamp', async () => {
    const all = told(big);
    for (const minTimestamp of ['exclusive', 'inclusive'] as const) {
      for (const limitedWindowEnd of ['newest', 'oldest'] as const) {
        Object.assign(core.sim.settings, { minTimestamp, limitedWindowEnd });
        for (const [index, before, after] of [
          [2500, 3, 4],
          [0, 10, 10],
          [4999, 10, 10],
          [4990, 0, 20],
          [30, 20, 0],
          [4000, 0, 0],
        ] as const) {
          const around = await core.call('get_message_context', { chat: big.id, message_id: all[index], before, after });
          expect(ids(around['before'])).toEqual(all.slice(Math.max(0, index - before), index));
          expect(around['message'].id).toBe(all[index]);
          expect(ids(around['after'])).toEqual(all.slice(index + 1, index + 1 + after));
          expect(around['pivot_timestamp_mcs']).toBe(all[index]);
        }
      }
    }
    const between = await core.call('get_message_context', { chat: big.id, message_id: String(Number(all[2000]) + 1), before: 1, after: 1 });
    expect(between['message']).toBeUndefined();
    expect([...ids(between['before']), ...ids(between['after'])]).toEqual([all[2000], all[2001]]);
  });

  it('a wide context is cut to size around its message and says where to go on', async () => {
    const text = await core.text('get_message_context', { chat: long.id, message_id: told(long)[30], before: 200, after: 200 });
    expect(encode(text).length).toBeLessThan(8000);
    const around = JSON.parse(text) as Answer;
    expect(around).toMatchObject({ truncated: true });
    const all = told(long);
    const first = all.indexOf(around['before'][0].id);
    expect([...ids(around['before']), around['message'].id, ...ids(around['after'])]).toEqual(
      all.slice(first, first + around['before'].length + around['after'].length + 1),
    );
    expect(around['next_before']).toBe(around['before'][0].id);
    expect(around['next_after']).toBe(around['after'].at(-1).id);
  });
});

describe('compact and full on the demo world', () => {
  let core: RunningCore;
  beforeAll(async () => {
    core = await startCore({ simulator: { world: 'demo' } });
  });
  afterAll(() => core.close());

  it('compact takes at least 40% fewer tokens for the same messages', async () => {
    let [compact, full] = [0, 0];
    for (const [name, chat] of Object.entries(core.sim.demo!.chats)) {
      if (name === 'foreign') continue;
      let before: string | undefined;
      do {
        const args = { chat: chat.id, limit: 10, ...(before !== undefined && { before }) };
        const [small, whole] = [await core.text('get_history', args), await core.text('get_history', { ...args, detail: 'full' })];
        expect(ids(JSON.parse(small).messages)).toEqual(ids(JSON.parse(whole).messages));
        compact += encode(small).length;
        full += encode(whole).length;
        before = JSON.parse(small).next_before;
      } while (before !== undefined);
    }
    console.log(`history of the demo world: full ${full} tokens, compact ${compact} tokens, ${Math.round((1 - compact / full) * 100)}% fewer`);
    expect(compact).toBeLessThanOrEqual(full * 0.6);
  });

  it('compact loses no fact: the full messages can be rebuilt from it', async () => {
    let compared = 0;
    for (const [name, chat] of Object.entries(core.sim.demo!.chats)) {
      if (name === 'foreign') continue;
      const threads = [...core.sim.world.chats.values()].filter((each) => each.parent?.chat === chat);
      for (const each of [chat, ...threads]) {
        let before: string | undefined;
        do {
          const args = { chat: each.id, limit: 10, ...(before !== undefined && { before }) };
          const [small, whole] = [await core.call('get_history', args), await core.call('get_history', { ...args, detail: 'full' })];
          const normal = (messages: Answer[]) =>
            messages.map((message) => ({ ...message, mentions: [...message['mentions']].sort((a, b) => (a.guid < b.guid ? -1 : 1)) }));
          expect(normal(expandCompact(small, core.sim.me.guid, 'Europe/Moscow'))).toEqual(normal(whole['messages']));
          compared += whole['messages'].length;
          before = small['next_before'];
        } while (before !== undefined);
      }
    }
    expect(compared).toBeGreaterThan(60);
  });
});
