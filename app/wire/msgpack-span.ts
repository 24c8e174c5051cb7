/**
 * Where one MessagePack value ends. `@msgpack/msgpack` decodes values but does not say how many bytes a value took, and a frame's
 * data section starts right behind its header, whose bytes may look like the section's own marker (protocol §3, L).
 * Walks by the format's own lengths: https://github.com/msgpack/msgpack/blob/master/spec.md
 */

/** Headers are flat arrays; anything deeper is noise. */
const MAX_DEPTH = 8;

/** Thrown for bytes that end inside a value, nest too deep or use the one reserved type byte. */
export class MessagePackSpanError extends Error {
  readonly code = 'msgpack_span';
}

/** Byte counts behind the type byte for values of a fixed size: `c2`…`c3`, `ca`…`d3` and the fixed extensions. */
const FIXED_SIZES: Readonly<Record<number, number>> = {
  0xc0: 0, 0xc2: 0, 0xc3: 0,
  0xca: 4, 0xcb: 8,
  0xcc: 1, 0xcd: 2, 0xce: 4, 0xcf: 8,
  0xd0: 1, 0xd1: 2, 0xd2: 4, 0xd3: 8,
  0xd4: 2, 0xd5: 3, 0xd6: 5, 0xd7: 9, 0xd8: 17,
}; // prettier-ignore

/** Width of the length field, and what else follows it, for bin, ext and str. */
const SIZED: Readonly<Record<number, { width: 1 | 2 | 4; extra: 0 | 1 }>> = {
  0xc4: { width: 1, extra: 0 },
  0xc5: { width: 2, extra: 0 },
  0xc6: { width: 4, extra: 0 },
  0xc7: { width: 1, extra: 1 },
  0xc8: { width: 2, extra: 1 },
  0xc9: { width: 4, extra: 1 },
  0xd9: { width: 1, extra: 0 },
  0xda: { width: 2, extra: 0 },
  0xdb: { width: 4, extra: 0 },
};

/** Width of the count field and values per element, for array 16/32 and map 16/32. */
const CONTAINERS: Readonly<Record<number, { width: 2 | 4; perElement: 1 | 2 }>> = {
  0xdc: { width: 2, perElement: 1 },
  0xdd: { width: 4, perElement: 1 },
  0xde: { width: 2, perElement: 2 },
  0xdf: { width: 4, perElement: 2 },
};

function readLength(bytes: Uint8Array, at: number, width: 1 | 2 | 4): number {
  if (at + width > bytes.length) throw new MessagePackSpanError('cut inside a length');
  let length = 0;
  for (let index = at; index < at + width; index++) length = length * 256 + (bytes[index] ?? 0);
  return length;
}

/**
 * Index just behind the MessagePack value that starts at `start`.
 * @throws MessagePackSpanError
 */
export function endOfMessagePackValue(bytes: Uint8Array, start: number, depth = 0): number {
  if (depth > MAX_DEPTH) throw new MessagePackSpanError('nested too deep');
  const type = bytes[start];
  if (type === undefined) throw new MessagePackSpanError('cut before a value');
  const body = start + 1;

  if (type <= 0x7f || type >= 0xe0) return body;
  if (type <= 0x8f) return skipValues(bytes, body, (type & 0x0f) * 2, depth);
  if (type <= 0x9f) return skipValues(bytes, body, type & 0x0f, depth);
  if (type <= 0xbf) return within(bytes, body + (type & 0x1f));

  const fixed = FIXED_SIZES[type];
  if (fixed !== undefined) return within(bytes, body + fixed);
  const sized = SIZED[type];
  if (sized) return within(bytes, body + sized.width + sized.extra + readLength(bytes, body, sized.width));
  const container = CONTAINERS[type];
  if (container) return skipValues(bytes, body + container.width, readLength(bytes, body, container.width) * container.perElement, depth);
  throw new MessagePackSpanError('reserved type byte');
}

function within(bytes: Uint8Array, end: number): number {
  if (end > bytes.length) throw new MessagePackSpanError('cut inside a value');
  return end;
}

function skipValues(bytes: Uint8Array, start: number, count: number, depth: number): number {
  // Each value takes at least a byte, so a huge count in a short frame is refused before walking.
  if (count > bytes.length - start) throw new MessagePackSpanError('more values than bytes');
  let position = start;
  for (let index = 0; index < count; index++) position = endOfMessagePackValue(bytes, position, depth + 1);
  return position;
}
