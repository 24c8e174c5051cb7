import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { chatRow } from '../../main/chat-list.ts';
import { parseDeepLink, parseLaunchOptions } from '../../main/launch-options.ts';
import { parseLogLevel } from '../../main/log.ts';
import { isLoopbackProtocol, parseOverrides, ProtocolSourceError, resolveProtocol } from '../../main/protocol-config.ts';
import { checkSettings } from '../../main/settings-check.ts';
import { countLabel, withCount } from '../../main/tray-count.ts';
import { type TrayState, trayView } from '../../main/tray-menu.ts';
import { chooseLanguage, countDrafts } from '../../main/words.ts';

describe('the tray', () => {
  const state: TrayState = { session: 'online', isSignedIn: true, isPaused: false, pendingDrafts: 0, language: 'en' };
  const labels = (change: Partial<TrayState>) => trayView({ ...state, ...change }).items.flatMap((item) => (item.kind === 'separator' ? [] : [item.label]));

  it('shows the state, the drafts and what can be done', () => {
    expect(labels({})).toEqual(['Online', 'No drafts wait', 'Open Vestnik', 'Pause agents', 'Sign out', 'Quit Vestnik']);
    expect(labels({ session: 'signed_out', isSignedIn: false })).toContain('Sign in…');
    expect(labels({ language: 'ru', pendingDrafts: 2 })[1]).toBe('2 черновика ждут вас');
  });

  it.each([
    [{}, 'online'],
    [{ session: 'reconnecting' }, 'online'],
    [{ session: 'signed_out' }, 'signed-out'],
    [{ isPaused: true }, 'paused'],
    [{ isPaused: true, pendingDrafts: 1 }, 'attention'],
  ] as const)('in the state %j shows the icon %s', (change, icon) => expect(trayView({ ...state, ...change }).icon).toBe(icon));

  it('marks the pause and names the count beside the icon', () => {
    const view = trayView({ ...state, isPaused: true, pendingDrafts: 3 });
    expect(view.items).toContainEqual(expect.objectContaining({ command: 'togglePause', isChecked: true }));
    expect(view.title).toBe('3');
    expect(view.tooltip).toBe('Vestnik — Agents are paused — 3 drafts wait for you');
    expect(trayView({ ...state, language: 'ru' }).tooltip).toMatch(/^Вестник — /);
  });

  it('draws the count into the lower right corner of the picture and leaves the rest of it alone', () => {
    expect([1, 9, 10, 200].map(countLabel)).toEqual(['1', '9', '9+', '9+']);
    for (const side of [22, 44]) {
      const empty = new Uint8Array(side * side * 4);
      const pictures = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10].map((count) => withCount(empty, side, count));
      expect(new Set(pictures.map((picture) => picture.toString('hex'))).size).toBe(10);
      expect(empty.every((byte) => byte === 0)).toBe(true);
      for (const picture of pictures) {
        expect(picture.length).toBe(empty.length);
        expect(picture.subarray(0, (side / 4) * side * 4).every((byte) => byte === 0)).toBe(true);
        expect(picture.includes(255)).toBe(true);
      }
    }
  });

  it.each([
    [1, '1 черновик ждёт вас'],
    [5, '5 черновиков ждут вас'],
    [21, '21 черновик ждёт вас'],
  ])('counts %i in Russian as "%s"', (count, words) => expect(countDrafts('ru', count)).toBe(words));
});

describe('a link', () => {
  it('names one draft and nothing more', () => {
    expect(parseDeepLink('vestnik://draft/3f0c-AZ_9')).toBe('3f0c-AZ_9');
    for (const bad of [
      'vestnik://draft/',
      'vestnik://draft/a/b',
      'vestnik://draft/a?confirm=1',
      'vestnik://confirm/a',
      'https://draft/a',
      'vestnik://draft/%2e%2e',
      'x',
    ]) {
      expect(parseDeepLink(bad), bad).toBeUndefined();
    }
  });

  it('is found among the arguments of a launch', () => {
    expect(parseLaunchOptions(['app', '--hidden'])).toEqual({ isHidden: true, draftId: undefined });
    expect(parseLaunchOptions(['app', 'vestnik://draft/abc'])).toEqual({ isHidden: false, draftId: 'abc' });
  });
});

describe('protocol constants', () => {
  it('the file wins over the settings, the settings over the front door', () => {
    const { protocol } = resolveProtocol({ frontDoor: 'business', settings: { serviceId: 3, cookieDomain: 'a.example' }, file: { serviceId: 4 } });
    expect(protocol).toMatchObject({ messengerPageUrl: 'https://messenger.360.yandex.ru', cookieDomain: 'a.example', serviceId: 4 });
    expect(isLoopbackProtocol(protocol)).toBe(false);
  });

  it('typed wrongly in the settings are refused by name', () => {
    expect(() => parseOverrides('{ nope')).toThrow(ProtocolSourceError);
    expect(checkSettings({ protocolOverrides: '{"socketUrl":"ws://push.yandex.ru"}' })).toMatchObject({
      ok: false,
      code: 'protocol_invalid',
      detail: expect.stringContaining('socketUrl') as string,
    });
    expect(parseOverrides('  ')).toEqual({});
  });
});

it('settings that make no sense are refused with a code', () => {
  expect(checkSettings({ timeZone: 'Mars/Olympus' })).toMatchObject({ code: 'time_zone_unknown' });
  expect(checkSettings({ allowedFolders: ['/a', 'b'] })).toMatchObject({ code: 'folder_not_absolute', detail: 'b' });
  expect(checkSettings({ updateFeedUrl: 'http://feed.example' })).toMatchObject({ code: 'feed_not_https' });
  expect(checkSettings({ timeZone: 'Europe/Moscow', allowedFolders: [path.resolve('/a')], updateFeedUrl: '' })).toBeUndefined();
});

it('the language follows the setting, then the system', () => {
  expect(chooseLanguage('system', 'ru-RU')).toBe('ru');
  expect(chooseLanguage('system', 'uk')).toBe('en');
  expect(chooseLanguage('en', 'ru')).toBe('en');
});

it('an unknown log level counts as info', () => {
  expect(parseLogLevel('debug')).toBe('debug');
  expect(parseLogLevel('loud')).toBe('info');
});

describe('a chat in the window’s list', () => {
  const policy = { accessOf: () => 'default' as const };
  it('is named after the partner, the group, or oneself', () => {
    expect(
      chatRow(
        { ChatId: 'a_b', PrivateChatInfo: {}, PartnerInfo: { Guid: 'b', DisplayName: 'Анна', Nickname: 'anna' }, LastTsMcs: 1_700_000_000_000_000 },
        'a',
        policy,
      ),
    ).toEqual({
      id: 'a_b',
      name: 'Анна',
      kind: 'private',
      access: 'default',
      lastActivity: 1_700_000_000_000,
      hint: 'anna',
    });
    expect(chatRow({ ChatId: '0/0/x', ChatInfo: { Name: 'Релиз' } }, 'a', policy)).toMatchObject({ name: 'Релиз', kind: 'group', lastActivity: null });
    expect(chatRow({ ChatId: 'a_a', PrivateChatInfo: {}, PartnerInfo: { Guid: 'a' } }, 'a', policy)).toMatchObject({ kind: 'self' });
    expect(chatRow({ Status: 4 }, 'a', policy)).toBeUndefined();
    expect(chatRow('odd', 'a', policy)).toBeUndefined();
  });
});
