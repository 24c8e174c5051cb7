import { encode } from '@msgpack/msgpack';
import { describe, expect, it } from 'vitest';
import { decodeFrame, encodeRequest, FrameError, parsePayload } from '../../app/wire/codec.ts';
import { endOfMessagePackValue, MessagePackSpanError } from '../../app/wire/msgpack-span.ts';

const fromHex = (hex: string): Uint8Array => Uint8Array.from(Buffer.from(hex.replaceAll(' ', ''), 'hex'));
const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);
const join = (...parts: Uint8Array[]): Uint8Array => Uint8Array.from(Buffer.concat(parts));
const EMPTY_SECTION = fromHex('05 0000000000000000000000');

describe('frames we send', () => {
  it.each([
    ['whoami', 1, '01 93 00 01 a6 77 68 6f 61 6d 69'],
    ['history', 2, '01 93 00 02 a7 68 69 73 74 6f 72 79'],
    ['push', 5, '01 93 00 05 a4 70 75 73 68'],
    ['subscribe', 9, '01 93 00 09 a9 73 75 62 73 63 72 69 62 65'],
  ])('are, for %s, the bytes seen live', (method, seq, header) => {
    expect(encodeRequest(seq, method, { RequestId: 'x', Text: 'Привет' })).toEqual(
      join(fromHex(header), EMPTY_SECTION, utf8('{"RequestId":"x","Text":"Привет"}')),
    );
  });

  it.each([
    [127, '7f'],
    [128, 'cc 80'],
    [256, 'cd 0100'],
    [65_536, 'ce 00010000'],
  ])('widen the seq at %i as MessagePack does', (seq, bytes) => {
    expect(encodeRequest(seq, 'push', {})).toEqual(join(fromHex(`01 93 00 ${bytes} a4 70757368`), EMPTY_SECTION, utf8('{}')));
  });

  it('carry a method name over 31 bytes as str8', () => {
    const method = 'a_method_of_thirty_two_bytes_len';
    expect(encodeRequest(1, method, {})).toEqual(join(fromHex('01 93 00 01 d9 20'), utf8(method), EMPTY_SECTION, utf8('{}')));
  });

  it('carry a 16-digit timestamp as an integer literal without loss', () => {
    const frame = encodeRequest(1, 'history', { MaxTimestamp: 1_785_000_000_123_457 });
    expect(Buffer.from(frame).toString('latin1')).toContain('{"MaxTimestamp":1785000000123457}');
  });
});

describe('frames we receive', () => {
  it('are read by the length of the header, also where it holds the byte 05', () => {
    const frame = decodeFrame(join(fromHex('01 93 00 05 a4 70757368 05 000000 19bd8569 00000000'), utf8('{"Status":1}')));
    expect(frame).toMatchObject({ type: 'data', seq: 5, method: 'push' });
    expect(parsePayload((frame as { payload: Uint8Array }).payload)).toEqual({ Status: 1 });
  });

  it.each([5, 127, 128, 261, 1285, 66_053, 5 * 2 ** 32])('answer the request %i whatever its width', (seq) => {
    const bytes = join(fromHex('01'), encode([0, seq, 'history']), EMPTY_SECTION, utf8('{"a":"\\u0005"}'));
    expect(decodeFrame(bytes)).toMatchObject({ type: 'data', seq, method: 'history' });
  });

  it('tell a proxy status whatever follows its header', () => {
    expect(decodeFrame(join(fromHex('02 92 05 02'), utf8('anything')))).toEqual({ type: 'proxy_status', seq: 5, status: 2 });
    expect(decodeFrame(fromHex('02 92 cd0100 07'))).toEqual({ type: 'proxy_status', seq: 256, status: 7 });
  });

  it('bring a live event with its transit id, whatever the uid looks like', () => {
    for (const uid of ['1130000000000001', 1_130_000_000_000_001]) {
      const frame = decodeFrame(join(fromHex('03'), encode([uid, 'messenger-prod', 'message', 'transit-05']), EMPTY_SECTION, utf8('{"ClientMessage":{}}')));
      expect(frame).toMatchObject({ type: 'push', event: 'message', transitId: 'transit-05' });
    }
  });

  it.each([
    ['nothing', ''],
    ['an unknown type', '07 93 00 01 a1 61'],
    ['a header that is no array', '01 05'],
    ['a header of the wrong types', '01 93 00 a1 61 a1 61 05 0000000000000000000000'],
    ['a reserved MessagePack byte', '01 c1 ff 05 05'],
    ['a data section that is cut', '01 93 00 01 a4 70757368 05 0000'],
    ['a data section without its marker', '01 93 00 01 a4 70757368 06 0000000000000000000000 7b7d'],
    ['a string longer than the frame', '01 93 00 01 bf 70757368'],
    ['an array that claims four billion values', '01 dd ffffffff 00 01'],
    ['a negative seq', '01 93 00 ff a1 61 05 0000000000000000000000 7b7d'],
  ])('with %s are refused with a typed error', (_what, hex) => {
    expect(() => decodeFrame(fromHex(hex))).toThrow(FrameError);
  });

  it('cut anywhere are refused or read, never anything else', () => {
    const whole = join(fromHex('01'), encode([0, 300, 'list_reactions']), EMPTY_SECTION, utf8('{"Status":0,"Text":"Ёж"}'));
    for (let length = 0; length < whole.length; length++) expectDecodedOrRefused(whole.subarray(0, length));
  });

  it('of random bytes are refused or read, never anything else', () => {
    let seed = 42;
    const next = () => (seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0) >>> 16;
    for (let round = 0; round < 20_000; round++) {
      const bytes = Uint8Array.from({ length: next() % 48 }, () => next() & 0xff);
      if (bytes.length > 0) bytes[0] = 1 + (next() % 3);
      if (bytes.length > 1 && next() % 2 === 0) bytes[1] = 0x90 + (next() % 5);
      expectDecodedOrRefused(bytes);
    }
  });

  it('that nest without end do not exhaust the stack', () => {
    expect(() => decodeFrame(join(fromHex('01'), new Uint8Array(100_000).fill(0x91)))).toThrow(FrameError);
  });
});

function expectDecodedOrRefused(bytes: Uint8Array): void {
  try {
    const frame = decodeFrame(bytes);
    if (frame.type !== 'proxy_status') parsePayload(frame.payload);
  } catch (error) {
    expect(error).toBeInstanceOf(FrameError);
  }
}

describe('the end of a MessagePack value', () => {
  it.each([
    null, true, 0, 127, 128, 70_000, -1, -33, -40_000, 1.5, 2 ** 40, 'a', 'я'.repeat(20), 'x'.repeat(300), 'x'.repeat(70_000),
    [], [1, 'two', [3]], Array.from({ length: 20 }, () => 5), { a: 1, b: { c: [2] } }, new Uint8Array(5), new Uint8Array(300), new Date(5000),
  ])('is found for value no. %#', (value) => {
    const bytes = encode(value);
    expect(endOfMessagePackValue(join(fromHex('05'), bytes, fromHex('05 05')), 1)).toBe(1 + bytes.length);
    if (bytes.length > 1) expect(() => endOfMessagePackValue(bytes.subarray(0, -1), 0)).toThrow(MessagePackSpanError);
  }); // prettier-ignore
});

describe('a payload', () => {
  it.each(['', '[]', '"text"', 'null', '{"a":'])('of %j is no body', (text) => {
    expect(parsePayload(utf8(text))).toBeUndefined();
  });
  it('of broken UTF-8 is no body', () => {
    expect(parsePayload(fromHex('7b 22 61 22 3a 22 ff 22 7d'))).toBeUndefined();
  });
});
