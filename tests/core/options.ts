import { parseArgs } from 'node:util';
import type { AccessMode } from '../../app/approvals/index.ts';

/** Command line of `npm run core` (design §8). */
export interface CoreOptions {
  readonly protocolFile: string;
  readonly cookie: string;
  readonly policy: 'human' | 'agent';
  readonly mode: AccessMode;
  readonly dataFolder: string | undefined;
  readonly timeZone: string;
  readonly allowedFolders: readonly string[];
  readonly downloadsFolder: string | undefined;
  readonly draftTtlSeconds: number;
  readonly controlSocket: string | undefined;
}

export const USAGE = `usage: npm run --silent core -- --protocol FILE --cookie "Session_id=…; yandexuid=…" [--policy human|agent] [--mode full|read_only|paused]
  [--data DIR] [--tz Europe/Moscow] [--allow DIR]… [--downloads DIR] [--draft-ttl SECONDS] [--control SOCKET]`;

/** @throws Error naming the option that cannot be used. */
export function parseOptions(argv: readonly string[]): CoreOptions {
  const text = { type: 'string' } as const;
  const { values } = parseArgs({
    args: [...argv],
    options: {
      protocol: text,
      cookie: text,
      policy: text,
      mode: text,
      data: text,
      tz: text,
      allow: { type: 'string', multiple: true },
      downloads: text,
      'draft-ttl': text,
      control: text,
    },
  });
  if (values.protocol === undefined) throw new Error('--protocol FILE is missing: a JSON file with the protocol constants');
  if (values.cookie === undefined) throw new Error('--cookie is missing: the cookies of a signed-in session, as "name=value; name=value"');
  const draftTtlSeconds = values['draft-ttl'] === undefined ? 24 * 3600 : Number(values['draft-ttl']);
  if (!Number.isFinite(draftTtlSeconds) || draftTtlSeconds <= 0) throw new Error(`--draft-ttl must be a number of seconds above 0, not ${values['draft-ttl']}`);
  const timeZone = values.tz ?? Intl.DateTimeFormat().resolvedOptions().timeZone;
  try {
    new Intl.DateTimeFormat('en', { timeZone });
  } catch {
    throw new Error(`--tz must be an IANA time zone such as Europe/Moscow, not ${timeZone}`);
  }
  return {
    protocolFile: values.protocol,
    cookie: values.cookie,
    policy: oneOf('--policy', values.policy, ['human', 'agent'], 'human'),
    mode: oneOf('--mode', values.mode, ['full', 'read_only', 'paused'], 'full'),
    dataFolder: values.data,
    timeZone,
    allowedFolders: values.allow ?? [],
    downloadsFolder: values.downloads,
    draftTtlSeconds,
    controlSocket: values.control,
  };
}

function oneOf<T extends string>(option: string, value: string | undefined, allowed: readonly T[], fallback: T): T {
  if (value === undefined) return fallback;
  const found = allowed.find((candidate) => candidate === value);
  if (found === undefined) throw new Error(`${option} must be one of ${allowed.join(', ')}, not ${value}`);
  return found;
}
