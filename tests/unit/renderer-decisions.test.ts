import { describe, expect, it } from 'vitest';
import { card } from '../../renderer/dev/fixtures.ts';
import { BRIEF_END_MS, decisionContent, hasFoldedText, shownCards } from '../../renderer/src/drafts/cards.ts';
import { searchChats } from '../../renderer/src/lib/access.ts';
import { clientState } from '../../renderer/src/connect/clients.ts';
import { checkOverrides, parseDownloadsDays, parseDraftHours, parseFeedUrl, parseMaxFile, parseTimeZone } from '../../renderer/src/settings/validation.ts';

const now = 1_800_000_000_000;

describe('the list of cards', () => {
  it('keeps a card in its place while its end is shown, then lets it go', () => {
    const cards = [
      card(now, { id: 'b', tool: 'send_message', createdAt: now - 2 }),
      card(now, { id: 'a', tool: 'send_message', createdAt: now - 3, status: 'sent', finishedAt: now - 1000 }),
    ];
    expect(shownCards(cards, now).map(({ id }) => id)).toEqual(['a', 'b']);
    expect(shownCards(cards, now + BRIEF_END_MS).map(({ id }) => id)).toEqual(['b']);
  });

  it('leaves a failure to be read', () => {
    const failed = card(now, { id: 'a', tool: 'send_message', status: 'failed', finishedAt: now });
    expect(shownCards([failed], now + BRIEF_END_MS)).toHaveLength(1);
  });

  it('knows which cards hide a part of what goes out', () => {
    const long = 'я'.repeat(5000);
    expect(hasFoldedText(card(now, { id: 'a', tool: 'send_message', text: 'коротко' }))).toBe(false);
    expect(hasFoldedText(card(now, { id: 'a', tool: 'send_message', text: long }))).toBe(true);
    expect(hasFoldedText(card(now, { id: 'a', tool: 'create_poll', poll: { title: 'x', answers: ['y', long], isAnonymous: false, isMultiple: false } }))).toBe(
      true,
    );
  });

  it('takes another text or another chat for another card', () => {
    const first = card(now, { id: 'a', tool: 'send_message', text: 'один' });
    expect(decisionContent({ ...first, text: 'два' })).not.toBe(decisionContent(first));
    expect(decisionContent({ ...first, chat: { ...first.chat, id: 'other' } })).not.toBe(decisionContent(first));
    expect(decisionContent({ ...first })).toBe(decisionContent(first));
  });
});

describe('settings as typed', () => {
  it('take what the contract takes', () => {
    expect(parseDraftHours('0,5')).toBe(0.5);
    expect(parseDownloadsDays('0')).toBe(0);
    expect(parseMaxFile('100')).toBe(104_857_600);
    expect(parseTimeZone(' Europe/Moscow ')).toBe('Europe/Moscow');
    expect([parseTimeZone('system'), parseTimeZone(' ')]).toEqual(['system', 'system']);
    expect(parseFeedUrl('')).toBe('');
    expect(parseFeedUrl('https://updates.example.org/feed')).toBe('https://updates.example.org/feed');
    expect(checkOverrides('{"serviceId": 28}')).toEqual({ ok: true });
    expect(checkOverrides('  ')).toEqual({ ok: true });
  });

  it('refuse what it does not', () => {
    expect([parseDraftHours('0'), parseDraftHours('721'), parseDraftHours('-1'), parseDraftHours('day')]).toEqual([undefined, undefined, undefined, undefined]);
    expect([parseDownloadsDays('1.5'), parseDownloadsDays('3651'), parseDownloadsDays('')]).toEqual([undefined, undefined, undefined]);
    expect([parseMaxFile('0'), parseMaxFile('1e3')]).toEqual([undefined, undefined]);
    expect(parseTimeZone('Moscow')).toBeUndefined();
    expect(parseFeedUrl('http://updates.example.org')).toBeUndefined();
    expect(checkOverrides('[1]')).toMatchObject({ ok: false, problem: 'object' });
    expect(checkOverrides('{"a":')).toMatchObject({ ok: false, problem: 'json' });
  });
});

describe('looking things up', () => {
  const chat = (id: string, name: string | null, hint: string | null = null) =>
    ({ id, name, kind: 'private', access: 'default', lastActivity: null, hint }) as const;

  it('finds a chat by any of its words, whatever the case', () => {
    const rows = [chat('1', 'Мария Соколова', 'отдел закупок'), chat('2', 'Мария Соколова', 'бухгалтерия'), chat('3', null)];
    expect(searchChats(rows, 'СОКОЛОВА закуп').map(({ id }) => id)).toEqual(['1']);
    expect(searchChats(rows, '')).toHaveLength(3);
  });

  it('says the most telling thing about a client', () => {
    const client = { id: 'cursor', detected: true, configured: true, outdated: false, connected: false, configPath: '/x', problem: null } as const;
    expect(clientState({ ...client, connected: true }).key).toBe('connect.connected');
    expect(clientState({ ...client, outdated: true }).key).toBe('connect.outdated');
    expect(clientState({ ...client, configured: false }).key).toBe('connect.detected');
    expect(clientState({ ...client, configured: false, detected: false }).key).toBe('connect.notFound');
  });
});
