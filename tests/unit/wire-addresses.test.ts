import { describe, expect, it } from 'vitest';
import { suggestedFileName } from '../../app/wire/content-name.ts';
import { fileUrl, isOwnHost, isSignInRedirect, redirectTarget } from '../../app/wire/file-urls.ts';
import { mcsToJson, mcsToString } from '../../app/wire/numbers.ts';
import { parseProtocol } from '../../app/wire/protocol.ts';
import { encodeForm } from '../../app/wire/registry.ts';
import { newRequestId, newSocketSessionId } from '../../app/wire/request-id.ts';
import { socketUrl } from '../../app/wire/socket-url.ts';
import { UnexpectedAnswerError } from '../../app/wire/errors.ts';

describe('the socket', () => {
  it('is addressed byte for byte as the web client does it', () => {
    const { protocol } = parseProtocol();
    expect(socketUrl(protocol, '0123-4567-89ab-cdef', '1130000000000001')).toBe(
      'wss://push.yandex.ru/v2/subscribe/websocket?service=messenger-prod%3Aversion5*common%2Bversion5*main&session=0123-4567-89ab-cdef&client=web_main&user=1130000000000001',
    );
  });
  it('gets random ids in their own groups', () => {
    expect(newRequestId()).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{8}$/);
    expect(newRequestId()).toHaveLength(27);
    expect(newSocketSessionId()).toMatch(/^[0-9a-f]{4}(-[0-9a-f]{4}){3}$/);
    expect(new Set(Array.from({ length: 100 }, newRequestId)).size).toBe(100);
  });
});

describe('a registry request', () => {
  it('is a multipart form with the one field `request`', async () => {
    const { contentType, body } = await encodeForm({ method: 'search', params: { query: 'ёж "x"\r\n--y' } });
    const boundary = /^multipart\/form-data; boundary=(.+)$/.exec(contentType)?.[1] ?? '';
    const parts = Buffer.from(body).toString('utf8').split(`--${boundary}`);
    expect(parts).toHaveLength(3);
    expect(parts[1]).toMatch(/^\r\nContent-Disposition: form-data; name="request"\r\n\r\n/);
    expect(JSON.parse(parts[1]?.split('\r\n\r\n')[1]?.trim() ?? '')).toEqual({ method: 'search', params: { query: 'ёж "x"\r\n--y' } });
  });
});

describe('an attachment', () => {
  const host = 'https://files.messenger.yandex.ru';
  it('is addressed segment by segment', () => {
    expect(fileUrl(host, 'bucket/0a-1b', undefined)?.href).toBe(`${host}/file_shortterm/bucket/0a-1b?attach=true`);
    expect(fileUrl(`${host}/base/`, 'b#1/ё %2F?', 'SMALL')?.href).toBe(`${host}/base/file_shortterm/b%231/%D1%91%20%252F%3F?size=SMALL`);
  });
  it.each(['', 'a//b', '../x', 'a/..', '.', 'a/\ud800'])('with the id %j has no address', (id) => {
    expect(fileUrl(host, id, undefined)).toBeUndefined();
  });

  it('is followed over https alone, and over http within this machine', () => {
    expect(redirectTarget('https://storage.example/x', host)?.href).toBe('https://storage.example/x');
    expect(redirectTarget('/y?z', `${host}/a/b`)?.href).toBe(`${host}/y?z`);
    expect(redirectTarget('http://127.0.0.1:9/x', 'http://localhost:8/')?.href).toBe('http://127.0.0.1:9/x');
    const refused = [
      undefined,
      'http://storage.example/x',
      'http://127.0.0.1/x',
      'file:///etc/passwd',
      'https://a:b@storage.example/',
      'http://',
      'javascript:1',
    ];
    for (const location of refused) expect(redirectTarget(location, host), location).toBeUndefined();
  });

  it('gets the session at hosts of the cookie domain alone', () => {
    const own = (url: string) => isOwnHost(new URL(url), 'yandex.ru');
    expect(own('https://yandex.ru/')).toBe(true);
    expect(own('https://uploader.disk.YANDEX.ru/')).toBe(true);
    expect(own('https://notyandex.ru/')).toBe(false);
    expect(own('https://yandex.ru.evil.example/')).toBe(false);
    expect(own('https://storage.yandex.net/')).toBe(false);
    const local = (url: string) => isOwnHost(new URL(url), '127.0.0.1', ['http://127.0.0.1:8080/api']);
    expect([local('http://127.0.0.1:8080/x'), local('http://127.0.0.1:8081/x'), local('http://localhost:8080/x')]).toEqual([true, false, false]);
  });

  it('that turns out to be the sign-in page is none', () => {
    const leadsTo = (location: string, status = 302) => isSignInRedirect({ status, headers: { location } });
    expect(leadsTo('https://passport.yandex.ru/auth?retpath=x')).toBe(true);
    expect(leadsTo('https://storage.yandex.net/passport.txt')).toBe(false);
    expect(leadsTo('/passport.')).toBe(false);
    expect(leadsTo('https://passport.yandex.ru/auth', 201)).toBe(false);
  });

  it.each([
    ['attachment; filename="plain.txt"', 'plain.txt'],
    ['attachment; filename="x"; filename*=UTF-8\'\'%D0%9E%D1%82%D1%87%D1%91%D1%82.pdf', 'Отчёт.pdf'],
    ["attachment; filename*=UTF-8''..%2F..%2Fetc%2Fpasswd", '../../etc/passwd'],
    ['attachment', undefined],
    ['attachment; filename=', undefined],
    ["attachment; filename*=UTF-8''%E0%A4%A", undefined],
    ['', undefined],
    [undefined, undefined],
  ])('of the header %j suggests the name %j', (header, name) => {
    expect(suggestedFileName(header)).toBe(name);
  });
});

describe('a timestamp', () => {
  it('comes off the wire as a string and goes back without loss', () => {
    expect(mcsToString(1_785_000_000_123_457)).toBe('1785000000123457');
    expect(mcsToString('1785000000123457')).toBe('1785000000123457');
    expect(mcsToString(10n ** 16n)).toBe('10000000000000000');
    expect(mcsToJson('9007199254740991')).toBe(9_007_199_254_740_991);
  });
  it.each([1.5, -1, 2 ** 53, Number.NaN, '', '1e3', '-1', ' 1', 'x', null, undefined, {}, true])('is not made of %j', (value) => {
    expect(mcsToString(value)).toBeUndefined();
  });
  it.each(['9007199254740992', '12345678901234567890', '', '1.5', '-1', 'x'])('is refused on its way out as %j', (value) => {
    expect(() => mcsToJson(value)).toThrow(UnexpectedAnswerError);
  });
});
