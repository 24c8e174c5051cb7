import fs from 'node:fs';
import { isLoopbackHost, parseProtocol, type Protocol, ProtocolConfigError } from '../app/wire/protocol.ts';

/** The business front door (protocol §2, L): the same client under another host. */
const BUSINESS_PAGE_URL = 'https://messenger.360.yandex.ru';

/** Constants that cannot be used, with where they came from, so that the person knows which file to mend. */
export class ProtocolSourceError extends Error {
  readonly code = 'protocol_config';
  constructor(
    readonly source: 'file' | 'settings',
    message: string,
    /** The keys that cannot be used, where it is about single ones. */
    readonly keys: readonly string[] = [],
  ) {
    super(message);
  }
}

function parseJsonObject(text: string, source: 'file' | 'settings', name: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new ProtocolSourceError(source, `${name} is not valid JSON`);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new ProtocolSourceError(source, `${name} must be a JSON object`);
  return value as Record<string, unknown>;
}

/** Names of the bad keys alone: they read the same in every language. */
function keysOf(error: ProtocolConfigError): string[] {
  return error.problems.map((problem) => problem.split(':', 1)[0] ?? problem);
}

/** What to show a person of constants that were refused. */
export function refusedConstants(error: unknown): string {
  return error instanceof ProtocolSourceError && error.keys.length > 0 ? error.keys.join(', ') : 'JSON';
}

/** Checks what a person typed into the settings; "" means no overrides. @throws ProtocolSourceError */
export function parseOverrides(text: string): Record<string, unknown> {
  if (text.trim() === '') return {};
  const overrides = parseJsonObject(text, 'settings', 'the protocol constants in the settings');
  try {
    parseProtocol(overrides);
  } catch (error) {
    if (error instanceof ProtocolConfigError) throw new ProtocolSourceError('settings', error.message, keysOf(error));
    throw error;
  }
  return overrides;
}

/** Reads the file `VESTNIK_PROTOCOL` names. @throws ProtocolSourceError naming the file and each bad key. */
export function readProtocolFile(file: string | undefined): Record<string, unknown> {
  if (!file) return {};
  let text: string;
  try {
    text = fs.readFileSync(file, 'utf8');
  } catch (error) {
    throw new ProtocolSourceError('file', `VESTNIK_PROTOCOL names ${file}, which cannot be read (${(error as NodeJS.ErrnoException).code ?? 'error'})`);
  }
  const overrides = parseJsonObject(text, 'file', `the file ${file} named by VESTNIK_PROTOCOL`);
  try {
    parseProtocol(overrides);
  } catch (error) {
    if (error instanceof ProtocolConfigError) throw new ProtocolSourceError('file', `the file ${file} named by VESTNIK_PROTOCOL: ${error.message}`);
    throw error;
  }
  return overrides;
}

/**
 * The constants in force: defaults, then the front door, then the settings, then the file. The file wins because whoever starts the app with it
 * (a test, the demo) must be sure that nothing goes to the real Yandex.
 */
export function resolveProtocol(sources: {
  readonly frontDoor: 'personal' | 'business';
  readonly settings: Record<string, unknown>;
  readonly file: Record<string, unknown>;
}): { protocol: Protocol; unknownKeys: string[] } {
  const door = sources.frontDoor === 'business' ? { messengerPageUrl: BUSINESS_PAGE_URL } : {};
  return parseProtocol({ ...door, ...sources.settings, ...sources.file });
}

/** Whether the constants describe a Messenger on this machine; only then is plain http a place to sign in. */
export function isLoopbackProtocol(protocol: Protocol): boolean {
  return isLoopbackHost(new URL(protocol.messengerPageUrl).hostname);
}
