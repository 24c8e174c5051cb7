import type { Accounts } from './accounts.ts';
import type { Faults } from './faults.ts';
import type { SimLog } from './log.ts';
import type { Person, StoredFile, World } from './world.ts';

/** Everything about the server that a test may choose, with the protocol page's own values as defaults. */
export interface Settings {
  /** Seconds told in the ping operation (protocol §3). */
  serverIntervalSec: number;
  /** Milliseconds between pings; default the told interval. */
  pingEveryMs: number;
  /** Milliseconds between the upgrade and `subscribed`; the real server says it at once. */
  subscribedDelayMs: number;
  /** Unknown on the real server (protocol §4): both are played. */
  minTimestamp: 'exclusive' | 'inclusive';
  limitedWindowEnd: 'newest' | 'oldest';
  /** How a bad cookie is refused at the socket: at the handshake, or by closing with a reason after it. */
  socketRefusal: 'http401' | 'http403' | 'close';
  xivaServiceName: string;
  serviceId: number;
  userAgent: string;
  /** Passport: `clicked` opens its window on a click alone; `unclicked` the page also opens windows by itself. */
  popups: 'clicked' | 'unclicked';
  /** Largest upload in bytes (413 above it) and quota in bytes (507 above it). */
  maxUploadBytes: number;
  quotaBytes: number;
  /** Pushes a second that are accepted before RATE_LIMIT_EXCEEDED(23); 0 is no limit. */
  pushesPerSecond: number;
  /** `WaitFor` told with RATE_LIMIT_EXCEEDED. */
  waitFor: number;
  /** Registry search: refuse more than this many. */
  searchCeiling: number;
  /** Registry: `uid` as a number or as a numeric string. */
  uidType: 'number' | 'string';
  /** How the registry refuses cookies (protocol §2: HTTP 401, or one of four codes). */
  registryRefusal: { http: number; code: 'invalid_cookies' | 'not_authorized' | 'no_credentials' | 'cookie_auth_failed' };
  /** Redirects inside the storage host after the first one. */
  storageHops: number;
  /** Password of every account on the Passport page. */
  password: string;
}

export interface Upload {
  name: string;
  size: number;
  chatId: string;
  person: Person;
  location: string | undefined;
  fileId: string | undefined;
}

export const DEFAULT_SETTINGS: Settings = {
  serverIntervalSec: 60,
  pingEveryMs: 0,
  subscribedDelayMs: 0,
  minTimestamp: 'exclusive',
  limitedWindowEnd: 'newest',
  socketRefusal: 'http401',
  xivaServiceName: 'messenger-prod',
  serviceId: 27,
  userAgent: 'chats-web/3.22.0',
  popups: 'clicked',
  maxUploadBytes: 1_000_000_000,
  quotaBytes: 10_000_000_000,
  pushesPerSecond: 0,
  waitFor: 1000,
  searchCeiling: 1000,
  uidType: 'number',
  registryRefusal: { http: 401, code: 'invalid_cookies' },
  storageHops: 0,
  password: 'password',
};

/** What the parts of the simulator share. */
export interface SimState {
  readonly settings: Settings;
  readonly world: World;
  readonly accounts: Accounts;
  readonly faults: Faults;
  readonly log: SimLog;
  /** `http://127.0.0.1:<port>`: Yandex's own host. */
  origin: string;
  /** `http://localhost:<port2>`: a foreign host (company sign-in, file storage). */
  foreignOrigin: string;
  /** By the token in the upload address. */
  readonly uploads: Map<string, Upload>;
  usedBytes: number;
  /** What arrived by upload. */
  readonly received: { fileId: string; name: string; size: number; sha256: string; chatId: string }[];
  /** Short-lived addresses on the storage host. */
  readonly storageTokens: Map<string, { file: StoredFile; hops: number }>;
  /** What the hostile page reported about its own attempts. */
  readonly hostileReports: string[];
  /** Guids of the people who can sign in. */
  readonly loginNames: Set<string>;
  /** One-time codes of the company sign-in → guid. */
  readonly ssoCodes: Map<string, string>;
  /** How often the Passport page was opened by a popup that nobody clicked. */
  unclickedPopups: number;
}
