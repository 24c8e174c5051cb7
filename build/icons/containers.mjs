// Two picture containers, both of which take PNGs as they are.

/** Largest side an ICO can name. */
const ICO_MAX_PX = 256;

/** ICNS types that hold PNG data, by side in pixels; each size that Finder, Dock and Launchpad ask for, the second ones for Retina. */
const ICNS_TYPES = [
  { type: 'ic11', px: 32 },
  { type: 'ic12', px: 64 },
  { type: 'ic07', px: 128 },
  { type: 'ic13', px: 256 },
  { type: 'ic08', px: 256 },
  { type: 'ic14', px: 512 },
  { type: 'ic09', px: 512 },
  { type: 'ic10', px: 1024 },
];

/** Sides in pixels that {@link icns} needs. */
export const icnsSizes = [...new Set(ICNS_TYPES.map(({ px }) => px))];

/**
 * A Windows icon of PNG entries (Windows Vista and later).
 * @param {readonly { px: number, png: Buffer }[]} pictures square ones, 256 px at most
 * @returns {Buffer}
 */
export function ico(pictures) {
  const HEADER_BYTES = 6;
  const ENTRY_BYTES = 16;
  const header = Buffer.alloc(HEADER_BYTES + ENTRY_BYTES * pictures.length);
  header.writeUInt16LE(1, 2); // 1: an icon, 2 would be a cursor
  header.writeUInt16LE(pictures.length, 4);
  let offset = header.length;
  for (const [index, { px, png }] of pictures.entries()) {
    if (px > ICO_MAX_PX) throw new RangeError(`An ICO holds ${ICO_MAX_PX} px at most, not ${px}.`);
    const at = HEADER_BYTES + ENTRY_BYTES * index;
    header.writeUInt8(px % ICO_MAX_PX, at); // 0 stands for 256
    header.writeUInt8(px % ICO_MAX_PX, at + 1);
    header.writeUInt16LE(1, at + 4); // colour planes
    header.writeUInt16LE(32, at + 6); // bits per pixel
    header.writeUInt32LE(png.length, at + 8);
    header.writeUInt32LE(offset, at + 12);
    offset += png.length;
  }
  return Buffer.concat([header, ...pictures.map(({ png }) => png)]);
}

/**
 * An icon of macOS.
 * @param {(px: number) => Buffer} png the square picture of that side
 * @returns {Buffer}
 */
export function icns(png) {
  const blocks = ICNS_TYPES.map(({ type, px }) => block(type, png(px)));
  return block('icns', Buffer.concat(blocks));
}

/** @param {string} type four letters @param {Buffer} data */
function block(type, data) {
  const head = Buffer.alloc(8);
  head.write(type, 0, 'latin1');
  head.writeUInt32BE(head.length + data.length, 4); // the length counts the head
  return Buffer.concat([head, data]);
}
