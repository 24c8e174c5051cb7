import { describe, expect, it } from 'vitest';
import { durableCookie, isSessionDomain, socketCookies } from '../../main/login/cookies.ts';
import { firstProxyUrl } from '../../main/proxy-url.ts';

const cookie = (name: string, value: string, more: Record<string, unknown> = {}) => ({
  name,
  value,
  domain: '.yandex.ru',
  path: '/',
  sameSite: 'lax' as const,
  ...more,
});

describe('cookies for the socket', () => {
  it('are those of the socket, then those of the domain itself, each name once', () => {
    const result = socketCookies(
      [cookie('Session_id', 'a'), cookie('x', 'socket')],
      [
        cookie('Session_id', 'b'),
        cookie('yandexuid', '17'),
        cookie('deep', 'no', { domain: '.mail.yandex.ru' }),
        cookie('host', 'yes', { domain: 'yandex.ru' }),
      ],
      'yandex.ru',
    );
    expect(result).toEqual({ header: 'Session_id=a; x=socket; yandexuid=17; host=yes', yandexuid: '17' });
  });

  it('are none where there are none', () => expect(socketCookies([], [], 'yandex.ru')).toBeUndefined());
});

describe('a cookie that would die with the process', () => {
  it('gets thirty days and keeps everything else', () => {
    const kept = durableCookie(cookie('Session_id', 'a', { session: true, secure: true, httpOnly: true, sameSite: 'no_restriction' }), 1_000_000);
    expect(kept).toEqual({
      url: 'https://yandex.ru/',
      name: 'Session_id',
      value: 'a',
      path: '/',
      secure: true,
      httpOnly: true,
      sameSite: 'no_restriction',
      domain: '.yandex.ru',
      expirationDate: 1_000 + 30 * 24 * 3600,
    });
  });

  it('stays bound to its host if it was', () => {
    expect(durableCookie(cookie('a', 'b', { session: true, hostOnly: true, domain: 'yandex.ru' }), 0)).not.toHaveProperty('domain');
  });

  it('with an expiry of its own is left alone', () => expect(durableCookie(cookie('a', 'b', { expirationDate: 5 }), 0)).toBeUndefined());
});

it.each([
  ['.yandex.ru', true],
  ['passport.yandex.ru', true],
  ['yandex.ru', true],
  ['notyandex.ru', false],
  ['company.example', false],
])('a cookie of %s is of the session: %s', (domain, expected) => expect(isSessionDomain(domain, 'yandex.ru')).toBe(expected));

it.each([
  ['DIRECT', undefined],
  ['PROXY proxy.company.example:3128; DIRECT', 'http://proxy.company.example:3128'],
  ['HTTPS secure.example:443', 'https://secure.example:443'],
  ['SOCKS5 127.0.0.1:1080;DIRECT', 'socks5h://127.0.0.1:1080'],
  ['SOCKS old.example:1080', 'socks4://old.example:1080'],
  ['DIRECT; PROXY never:1', undefined],
  ['', undefined],
])('the proxy answer "%s" means %s', (answer, expected) => expect(firstProxyUrl(answer)).toBe(expected));
