import { describe, expect, it } from 'vitest';
import { BadFrame, decodeFrame, encodeProxyStatus, encodePush, encodeRequest, encodeResponse, headerLength } from '../simulator/codec.ts';

const ZEROS = '05' + '00'.repeat(11);
const golden: [string, number, string][] = [
  ['whoami', 1, '930001a677686f616d69'],
  ['history', 2, '930002a7686973746f7279'],
  ['push', 5, '930005a470757368'],
  ['subscribe', 9, '930009a9737562736372696265'],
];

describe('the simulator speaks the frames that were seen live', () => {
  it.each(golden)('%s with seq %i has the golden bytes', (method, seq, header) => {
    const expected = `01${header}${ZEROS}${Buffer.from('{"a":"ё"}').toString('hex')}`;
    expect(encodeRequest(seq, method, { a: 'ё' }).toString('hex')).toBe(expected);
    const frame = decodeFrame(Buffer.from(expected, 'hex'));
    expect(frame).toMatchObject({ type: 'data', serviceIndex: 0, seq, method, body: { a: 'ё' } });
  });

  it('answers with the server value in the data section', () => {
    expect(encodeResponse(2, 'history', {}).toString('hex')).toBe('01930002a7686973746f72790500000019bd8569000000007b7d');
  });

  it('is not confused by the byte 05 inside a header', () => {
    expect(decodeFrame(encodeRequest(5, 'push', { b: 1 }))).toMatchObject({ seq: 5, method: 'push', body: { b: 1 } });
    expect(decodeFrame(encodeRequest(0x0505, '\u0005\u0005', { b: 1 }))).toMatchObject({ seq: 0x0505, method: '\u0005\u0005' });
  });

  it.each([127, 128, 255, 256, 65_535, 65_536, 4_294_967_295])('keeps the sequence number %i', (seq) => {
    expect(decodeFrame(encodeRequest(seq, 'm'.repeat(40), {}))).toMatchObject({ seq, method: 'm'.repeat(40) });
  });

  it('decodes a transport error without looking at its tail', () => {
    expect(decodeFrame(encodeProxyStatus(300, 2))).toEqual({ type: 'proxy_status', seq: 300, errorCode: 2 });
  });

  it('decodes a live event', () => {
    expect(decodeFrame(encodePush('42', 'messenger-prod', 'message', 'abc', { ClientMessage: {} }))).toEqual({
      type: 'push',
      uid: '42',
      service: 'messenger-prod',
      event: 'message',
      transitId: 'abc',
      body: { ClientMessage: {} },
    });
  });

  it.each(['', '01', '0193', '0193000', '01930001a677', '01c0', '09930001a1610500', '01930001a161', `01930001a161${ZEROS}ff`, `01930001a161${ZEROS}31`])(
    'refuses the broken frame %s',
    (hex) => {
      expect(() => decodeFrame(Buffer.from(hex, 'hex'))).toThrow(BadFrame);
    },
  );

  it('measures a header by its own length', () => {
    expect(headerLength(Buffer.concat([Buffer.from('930001a161', 'hex'), Buffer.alloc(20, 5)]))).toBe(5);
  });
});
