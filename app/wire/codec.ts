import { decode, encode } from '@msgpack/msgpack';
import type { JsonObject } from './api.ts';
import { isJsonObject, parseJson } from './json.ts';
import { endOfMessagePackValue } from './msgpack-span.ts';

/**
 * Binary frames of the socket (protocol §3, L; golden bytes in the tests):
 * one type byte, one MessagePack array, a 12-byte data section header, UTF-8 JSON.
 */

const FRAME_TYPE = { data: 0x01, proxyStatus: 0x02, push: 0x03 } as const;

/** Our service index in DATA headers (L). */
const SERVICE_INDEX = 0;
const DATA_SECTION_MARKER = 0x05;
const DATA_SECTION_HEADER_BYTES = 12;

export type Frame =
  /** A response to the request with the same `seq`; `payload` is its still unread JSON. */
  | { readonly type: 'data'; readonly seq: number; readonly method: string; readonly payload: Uint8Array }
  /** Layer 1 for the request `seq`; whatever follows the header is ignored. */
  | { readonly type: 'proxy_status'; readonly seq: number; readonly status: number }
  /** The server speaks first: a live event. */
  | { readonly type: 'push'; readonly event: string | undefined; readonly transitId: string | undefined; readonly payload: Uint8Array };

/** Thrown for a frame that cannot be read. `reason` is ours, never content of the frame. */
export class FrameError extends Error {
  readonly code = 'frame';
  constructor(readonly reason: string) {
    super(`undecodable frame: ${reason}`);
  }
}

/** Encodes a request frame. `seq` starts at 1 on each connection; MessagePack widens it, and long method names become str8 (L). */
export function encodeRequest(seq: number, method: string, body: JsonObject): Uint8Array {
  const header = encode([SERVICE_INDEX, seq, method]);
  const json = new TextEncoder().encode(JSON.stringify(body));
  const frame = new Uint8Array(1 + header.length + DATA_SECTION_HEADER_BYTES + json.length);
  frame[0] = FRAME_TYPE.data;
  frame.set(header, 1);
  frame[1 + header.length] = DATA_SECTION_MARKER;
  frame.set(json, 1 + header.length + DATA_SECTION_HEADER_BYTES);
  return frame;
}

/**
 * Decodes one frame of the server. The header's end is found by MessagePack's own lengths: the marker byte 05 also occurs inside headers.
 * @throws FrameError, and nothing else, for any bytes.
 */
export function decodeFrame(bytes: Uint8Array): Frame {
  const type = bytes[0];
  if (type !== FRAME_TYPE.data && type !== FRAME_TYPE.proxyStatus && type !== FRAME_TYPE.push) throw new FrameError('unknown type byte');
  const { header, end } = readHeader(bytes);

  if (type === FRAME_TYPE.proxyStatus) {
    const [seq, status] = header;
    if (!isCount(seq) || !isCount(status)) throw new FrameError('proxy status header');
    return { type: 'proxy_status', seq, status };
  }
  if (type === FRAME_TYPE.data) {
    const [, seq, method] = header;
    if (!isCount(seq) || typeof method !== 'string') throw new FrameError('data header');
    return { type: 'data', seq, method, payload: dataSection(bytes, end) };
  }
  const [, , event, transitId] = header;
  return { type: 'push', event: textOf(event), transitId: textOf(transitId), payload: dataSection(bytes, end) };
}

/** Reads a frame's JSON; undefined unless it is valid UTF-8 holding a JSON object. */
export function parsePayload(payload: Uint8Array): JsonObject | undefined {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(payload);
  } catch {
    return undefined;
  }
  const value = parseJson(text);
  return isJsonObject(value) ? value : undefined;
}

function readHeader(bytes: Uint8Array): { header: unknown[]; end: number } {
  let end: number;
  let header: unknown;
  try {
    end = endOfMessagePackValue(bytes, 1);
    header = decode(bytes.subarray(1, end));
  } catch {
    throw new FrameError('header is not MessagePack');
  }
  if (!Array.isArray(header)) throw new FrameError('header is not an array');
  return { header: header as unknown[], end };
}

function dataSection(bytes: Uint8Array, start: number): Uint8Array {
  if (bytes.length < start + DATA_SECTION_HEADER_BYTES) throw new FrameError('data section is cut');
  if (bytes[start] !== DATA_SECTION_MARKER) throw new FrameError('data section marker');
  return bytes.subarray(start + DATA_SECTION_HEADER_BYTES);
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

function textOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'bigint' ? String(value) : undefined;
}
