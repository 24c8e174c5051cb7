import { Packr, Unpackr } from 'msgpackr';

/**
 * The simulator's own frame codec (protocol §3, L), written from the protocol page and with another MessagePack
 * library than the product's, so that one mistake cannot hide in both. It decodes by the header's own length.
 */

const TYPE_DATA = 0x01;
const TYPE_PROXY_STATUS = 0x02;
const TYPE_PUSH = 0x03;
const SECTION_MARK = 0x05;
const SECTION_BYTES = 12;
/** Bytes 4..7 after the mark as the server fills them; seen live as `19 bd 85 69` (a golden frame of protocol §3). */
const SERVER_SECTION = Buffer.from([SECTION_MARK, 0, 0, 0, 0x19, 0xbd, 0x85, 0x69, 0, 0, 0, 0]);
const CLIENT_SECTION = Buffer.from([SECTION_MARK, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);

const packr = new Packr({ useRecords: false, mapsAsObjects: true, encodeUndefinedAsNil: true });
const unpackr = new Unpackr({ useRecords: false, mapsAsObjects: true });

export type JsonBody = { [key: string]: unknown };

export type Frame =
  | { type: 'data'; serviceIndex: number; seq: number; method: string; section: Buffer; body: JsonBody }
  | { type: 'proxy_status'; seq: number; errorCode: number }
  | { type: 'push'; uid: string; service: string; event: string; transitId: string; body: JsonBody };

/** A frame that does not have the form of protocol §3; `seq` when the header could still be read. */
export class BadFrame extends Error {
  constructor(
    message: string,
    readonly seq?: number,
    readonly badSection = false,
  ) {
    super(message);
  }
}

function encode(type: number, header: unknown[], section: Buffer, body: unknown): Buffer {
  return Buffer.concat([Buffer.from([type]), packr.pack(header), section, Buffer.from(JSON.stringify(body), 'utf8')]);
}

/** A request as the web client sends it (used by the simulator's own tests). */
export function encodeRequest(seq: number, method: string, body: unknown): Buffer {
  return encode(TYPE_DATA, [0, seq, method], CLIENT_SECTION, body);
}

/** A response: the same header, and the server's own value in the data section. */
export function encodeResponse(seq: number, method: string, body: unknown): Buffer {
  return encode(TYPE_DATA, [0, seq, method], SERVER_SECTION, body);
}

/** A transport error. The tail is deliberately not JSON: a client has to ignore whatever follows the header. */
export function encodeProxyStatus(seq: number, errorCode: number): Buffer {
  return Buffer.concat([Buffer.from([TYPE_PROXY_STATUS]), packr.pack([seq, errorCode]), SERVER_SECTION, Buffer.from('not json')]);
}

/** A live event. */
export function encodePush(uid: string, service: string, event: string, transitId: string, body: unknown): Buffer {
  return encode(TYPE_PUSH, [uid, service, event, transitId], SERVER_SECTION, body);
}

/**
 * Length in bytes of the MessagePack array at the start of `bytes`: measured by walking its elements.
 * Only what headers may hold is walked: arrays of integers and strings.
 * @throws BadFrame for anything else or for a header that is cut.
 */
export function headerLength(bytes: Buffer): number {
  let offset = 0;
  const need = (count: number): void => {
    if (offset + count > bytes.length) throw new BadFrame('the header is cut');
  };
  need(1);
  const lead = bytes[offset++] as number;
  let elements: number;
  if ((lead & 0xf0) === 0x90) elements = lead & 0x0f;
  else if (lead === 0xdc) {
    need(2);
    elements = bytes.readUInt16BE(offset);
    offset += 2;
  } else throw new BadFrame('the header is not an array');
  for (let i = 0; i < elements; i += 1) {
    need(1);
    const tag = bytes[offset++] as number;
    let skip: number;
    if (tag <= 0x7f || tag >= 0xe0 || tag === 0xc0) skip = 0;
    else if ((tag & 0xe0) === 0xa0) skip = tag & 0x1f;
    else if (tag === 0xcc || tag === 0xd0) skip = 1;
    else if (tag === 0xcd || tag === 0xd1) skip = 2;
    else if (tag === 0xce || tag === 0xd2) skip = 4;
    else if (tag === 0xcf || tag === 0xd3) skip = 8;
    else if (tag === 0xd9) {
      need(1);
      skip = 1 + bytes.readUInt8(offset);
    } else if (tag === 0xda) {
      need(2);
      skip = 2 + bytes.readUInt16BE(offset);
    } else throw new BadFrame(`the header holds an element of type 0x${tag.toString(16)}`);
    need(skip);
    offset += skip;
  }
  return offset;
}

function parseBody(bytes: Buffer, seq?: number): { section: Buffer; body: JsonBody } {
  if (bytes.length < SECTION_BYTES || bytes[0] !== SECTION_MARK) throw new BadFrame('no data section', seq, true);
  const section = bytes.subarray(0, SECTION_BYTES);
  let body: unknown;
  try {
    body = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes.subarray(SECTION_BYTES)));
  } catch {
    throw new BadFrame('the body is not UTF-8 JSON', seq);
  }
  if (typeof body !== 'object' || body === null || Array.isArray(body)) throw new BadFrame('the body is not an object', seq);
  return { section, body: body as JsonBody };
}

/**
 * Decodes one binary frame of either direction.
 * @throws BadFrame when it does not have the form of protocol §3.
 */
export function decodeFrame(bytes: Buffer): Frame {
  if (bytes.length < 2) throw new BadFrame('the frame is too short');
  const length = headerLength(bytes.subarray(1));
  const header = unpackr.unpack(bytes.subarray(1, 1 + length)) as unknown[];
  const rest = bytes.subarray(1 + length);
  switch (bytes[0]) {
    case TYPE_DATA: {
      const [serviceIndex, seq, method] = header;
      if (header.length !== 3 || typeof serviceIndex !== 'number' || typeof seq !== 'number' || typeof method !== 'string') {
        throw new BadFrame('a DATA header is [serviceIndex, seq, method]');
      }
      return { type: 'data', serviceIndex, seq, method, ...parseBody(rest, seq) };
    }
    case TYPE_PROXY_STATUS: {
      const [seq, errorCode] = header;
      if (typeof seq !== 'number' || typeof errorCode !== 'number') throw new BadFrame('a PROXY_STATUS header is [seq, errorCode]');
      return { type: 'proxy_status', seq, errorCode };
    }
    case TYPE_PUSH: {
      const [uid, service, event, transitId] = header.map(String);
      return { type: 'push', uid: uid ?? '', service: service ?? '', event: event ?? '', transitId: transitId ?? '', body: parseBody(rest).body };
    }
    default:
      throw new BadFrame(`unknown frame type ${bytes[0]}`);
  }
}

/** True when a client's data section is what clients send: the mark and eleven zeros. */
export function isClientSection(section: Buffer): boolean {
  return section.equals(CLIENT_SECTION);
}
