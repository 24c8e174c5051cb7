import { randomBytes } from 'node:crypto';

/** A source of random bytes; seeded for a world that must look the same every time. */
export type Random = (bytes: number) => Buffer;

/** The system's randomness: names and guids differ on every run. */
export const systemRandom: Random = (bytes) => randomBytes(bytes);

/** A repeatable stream (mulberry32). */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) & 0xff;
  };
  return (bytes) => Buffer.from(Array.from({ length: bytes }, next));
}

/** A lower-case UUID (protocol §1). */
export function newGuid(random: Random = systemRandom): string {
  const hex = random(16).toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

export function newHex(bytes: number, random: Random = systemRandom): string {
  return random(bytes).toString('hex');
}

/** `<guidA>_<guidB>` sorted by UTF-16 code unit (protocol §1, L). */
export function privateChatId(a: string, b: string): string {
  return a < b ? `${a}_${b}` : `${b}_${a}`;
}

/** Derived id of the thread under a message (protocol §1, B); undefined for business chats, which have none. */
export function threadId(chatId: string, ts: number): string | undefined {
  const general = /^(\d+)\/(\d+)\/(.+)$/.exec(chatId);
  if (!general) return `110/0/${chatId}_${ts}`;
  if (general[1] === '0') return `100/${general[2]}/${general[3]}_${ts}`;
  if (general[1] === '1') return `101/${general[2]}/${general[3]}_${ts}`;
  return undefined;
}

/** The parent of a thread id, or undefined when it is not one (protocol §1). */
export function parseThreadId(id: string): { chatId: string; ts: number } | undefined {
  const match = /^1(\d\d)\/(\d+)\/(.+)_(\d{16})$/.exec(id);
  if (!match) return undefined;
  const [, code, space, middle, ts] = match as unknown as [string, string, string, string, string];
  if (code === '10') return { chatId: middle, ts: Number(ts) };
  if (code === '00') return { chatId: `0/${space}/${middle}`, ts: Number(ts) };
  if (code === '01') return { chatId: `1/${space}/${middle}`, ts: Number(ts) };
  return undefined;
}
