/** Draws how many drafts wait into the tray's picture, where a system shows no words beside it. */

/** Digits of 5 × 7 dots, a row per string; the plus stands beside the nine. */
const GLYPHS: Readonly<Record<string, readonly string[]>> = {
  '1': ['..#..', '.##..', '..#..', '..#..', '..#..', '..#..', '.###.'],
  '2': ['.###.', '#...#', '....#', '...#.', '..#..', '.#...', '#####'],
  '3': ['.###.', '#...#', '....#', '..##.', '....#', '#...#', '.###.'],
  '4': ['...#.', '..##.', '.#.#.', '#..#.', '#####', '...#.', '...#.'],
  '5': ['#####', '#....', '####.', '....#', '....#', '#...#', '.###.'],
  '6': ['.###.', '#....', '#....', '####.', '#...#', '#...#', '.###.'],
  '7': ['#####', '....#', '...#.', '..#..', '..#..', '..#..', '..#..'],
  '8': ['.###.', '#...#', '#...#', '.###.', '#...#', '#...#', '.###.'],
  '9': ['.###.', '#...#', '#...#', '.####', '....#', '....#', '.###.'],
  '+': ['...', '...', '.#.', '###', '.#.', '...', '...'],
};
const GLYPH_ROWS = 7;
const BADGE_BGR = [0x2b, 0x2f, 0xd9] as const;
/** The picture's size in dots; a dot is one pixel of the smallest picture. */
const PICTURE_DOTS = 22;
const RADIUS_DOTS = 6.5;
const EDGE_SAMPLES = 4;

/** "1" to "9", then "9+". */
export function countLabel(count: number): string {
  return count > 9 ? '9+' : String(count);
}

/**
 * @param bitmap square picture of `side` pixels, four bytes each: blue, green, red, alpha, premultiplied. Not changed.
 * @param count at least 1
 * @returns the picture with a round badge in its lower right corner
 */
export function withCount(bitmap: Uint8Array, side: number, count: number): Buffer {
  const drawn = Buffer.from(bitmap);
  const dot = side / PICTURE_DOTS;
  const radius = RADIUS_DOTS * dot;
  const centre = side - radius;
  const isWhite = glyphAt(countLabel(count), centre, dot);
  for (let y = 0; y < side; y += 1) {
    for (let x = 0; x < side; x += 1) {
      const cover = coverage(x, y, centre, radius);
      if (cover === 0) continue;
      const at = (y * side + x) * 4;
      const isGlyph = isWhite(x, y);
      for (const [channel, value] of [...BADGE_BGR, 255].entries()) {
        const over = isGlyph ? 255 : value;
        drawn[at + channel] = Math.round(over * cover + (drawn[at + channel] ?? 0) * (1 - cover));
      }
    }
  }
  return drawn;
}

/** How much of a pixel lies in the badge, 0 to 1. */
function coverage(x: number, y: number, centre: number, radius: number): number {
  let inside = 0;
  for (let sample = 0; sample < EDGE_SAMPLES ** 2; sample += 1) {
    const dx = x + ((sample % EDGE_SAMPLES) + 0.5) / EDGE_SAMPLES - centre;
    const dy = y + (Math.floor(sample / EDGE_SAMPLES) + 0.5) / EDGE_SAMPLES - centre;
    if (dx * dx + dy * dy <= radius * radius) inside += 1;
  }
  return inside / EDGE_SAMPLES ** 2;
}

/** Whether a pixel belongs to the label, which stands in the middle of the badge. */
function glyphAt(label: string, centre: number, dot: number): (x: number, y: number) => boolean {
  const rows = Array.from({ length: GLYPH_ROWS }, (_, row) => [...label].map((sign) => GLYPHS[sign]?.[row] ?? '').join('.'));
  const left = Math.round(centre - ((rows[0]?.length ?? 0) * dot) / 2);
  const top = Math.round(centre - (GLYPH_ROWS * dot) / 2);
  return (x, y) => rows[Math.floor((y - top) / dot)]?.[Math.floor((x - left) / dot)] === '#';
}
