/** File names that are safe on every system (design §4), whatever the sender called the file. Pure. */
import { withoutHiddenCharacters } from '../text.ts';

/** Room for a suffix like " (12)" within the 255 bytes that file systems take. */
const MAX_BYTES = 240;
const FALLBACK = 'attachment';
/** Longer "extensions" are part of a sentence. */
const MAX_EXTENSION_BYTES = 20;

/** Windows' device names, with or without an extension; the superscript digits count there too. */
const DEVICE_NAME = /^(con|prn|aux|nul|conin\$|conout\$|clock\$|com[0-9¹²³]|lpt[0-9¹²³])\s*(\.|$)/i;

/** One path segment: no separators, streams, device names, hidden characters, leading dots or trailing dots and spaces. */
export function safeFileName(name: string): string {
  const oneSegment = withoutHiddenCharacters(name.normalize('NFC'), '')
    // Separators of both worlds, NTFS streams, and what Windows refuses; tabs and line ends as well.
    .replace(/[/\\:*?"<>|\t\r\n]/g, '_')
    // Look-alikes of separators.
    .replace(/[\u2044\u2215\u29F5\u29F8\uFF0F\uFF3C\uFF1A]/g, '_');
  const trimmed = trimEnds(shorten(trimEnds(oneSegment)));
  if (trimmed === '') return FALLBACK;
  return DEVICE_NAME.test(trimmed) ? `_${trimmed}` : trimmed;
}

/** The same name with a number before its extension: `photo (2).jpg`. */
export function numberedName(name: string, number: number): string {
  const { stem, extension } = splitExtension(name);
  return number < 2 ? name : `${stem} (${number})${extension}`;
}

function trimEnds(name: string): string {
  return name.replace(/^[.\s~]+/u, '').replace(/[.\s]+$/u, '');
}

function shorten(name: string): string {
  if (Buffer.byteLength(name) <= MAX_BYTES) return name;
  const { stem, extension } = splitExtension(name);
  const room = MAX_BYTES - Buffer.byteLength(extension);
  let kept = '';
  let bytes = 0;
  for (const character of stem) {
    bytes += Buffer.byteLength(character);
    if (bytes > room) break;
    kept += character;
  }
  return kept.trimEnd() + extension;
}

function splitExtension(name: string): { stem: string; extension: string } {
  const at = name.lastIndexOf('.');
  if (at <= 0 || Buffer.byteLength(name.slice(at)) > MAX_EXTENSION_BYTES) return { stem: name, extension: '' };
  return { stem: name.slice(0, at), extension: name.slice(at) };
}
