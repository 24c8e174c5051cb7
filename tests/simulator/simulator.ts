import { Accounts, type Session } from './accounts.ts';
import type { Chat, SimMessage } from './chat.ts';
import { buildDemo, type Demo } from './demo-world.ts';
import { Faults } from './faults.ts';
import { seededRandom } from './ids.ts';
import { SimLog, type LogEntry, type PushEntry } from './log.ts';
import { newYandexuid } from './passport.ts';
import { startServers } from './server.ts';
import { SocketSide } from './socket.ts';
import { DEFAULT_SETTINGS, type Settings, type SimState } from './state.ts';
import { World, type Person } from './world.ts';

/** The constants that the product is started with (design §8). */
export interface SimProtocol {
  registryUrl: string;
  csrfTokenUrl: string;
  socketUrl: string;
  messengerPageUrl: string;
  privateFilesUrl: string;
  publicFilesUrl: string;
  origin: string;
  cookieDomain: string;
  xivaServiceName: string;
  serviceId: number;
  userAgent: string;
  organizationId: string | null;
}

export interface SimulatorOptions {
  /** 0 (default): any free port. */
  port?: number;
  foreignPort?: number;
  /** `demo`: the deterministic demo world; `empty` (default): only the person and the self chat; or a world of one's own. */
  world?: 'demo' | 'empty' | World;
  settings?: Partial<Settings>;
  /** Guids of people besides `me` who can sign in on the Passport page. */
  accounts?: Person[];
  /** Seed of the empty world's names and ids; default random. */
  seed?: number;
}

/** A whole Messenger on loopback. */
export class Simulator {
  readonly state: SimState;
  readonly socketSide: SocketSide;
  /** Handles to the people, chats and messages of the demo world, when it is the one. */
  readonly demo: Demo | undefined;
  /** A signed-in `Cookie` header of `me`. */
  cookie = '';
  /** A guest's `Cookie` header: it has a `Session_id` too. */
  guestCookie = '';
  session!: Session;
  private stopServers: () => Promise<void> = async () => undefined;

  private constructor(options: SimulatorOptions) {
    const random = options.seed === undefined ? {} : { random: seededRandom(options.seed) };
    this.demo = options.world === 'demo' ? buildDemo() : undefined;
    const world = options.world instanceof World ? options.world : (this.demo?.world ?? new World(random));
    world.isScripting = false;
    this.state = {
      settings: { ...DEFAULT_SETTINGS, ...options.settings },
      world,
      accounts: new Accounts(world),
      faults: new Faults(),
      log: new SimLog(),
      origin: '',
      foreignOrigin: '',
      uploads: new Map(),
      usedBytes: 0,
      received: [],
      storageTokens: new Map(),
      hostileReports: [],
      loginNames: new Set([world.me.guid, ...(options.accounts ?? []).map((person) => person.guid)]),
      ssoCodes: new Map(),
      unclickedPopups: 0,
    };
    this.socketSide = new SocketSide(this.state);
    world.onChange = (chat, event) => {
      this.state.log.changed();
      this.socketSide.announce(chat, event);
    };
  }

  static async start(options: SimulatorOptions = {}): Promise<Simulator> {
    const sim = new Simulator(options);
    sim.stopServers = await startServers(sim, options.port ?? 0, options.foreignPort ?? 0);
    ({ header: sim.cookie, session: sim.session } = sim.cookieFor(sim.me));
    sim.guestCookie = `Session_id=${sim.state.accounts.guest().id}; yandexuid=${newYandexuid()}`;
    return sim;
  }

  /** A fresh signed-in cookie for anybody; with `isLongLived` the one that loading the page renews from comes along. */
  cookieFor(person: Person, options: { isLongLived?: boolean } = {}): { header: string; session: Session } {
    const { session, longLivedId } = this.state.accounts.signIn(person);
    const header = `Session_id=${session.id}; yandexuid=${newYandexuid()}${options.isLongLived ? `; sessionid2=${longLivedId}` : ''}`;
    return { header, session };
  }

  get me(): Person {
    return this.world.me;
  }
  get world(): World {
    return this.state.world;
  }
  get faults(): Faults {
    return this.state.faults;
  }
  get settings(): Settings {
    return this.state.settings;
  }
  get accounts(): Accounts {
    return this.state.accounts;
  }
  get log(): LogEntry[] {
    return this.state.log.entries;
  }
  get pushes(): PushEntry[] {
    return this.state.log.pushes;
  }
  get violations(): string[] {
    return this.state.log.violations;
  }
  get received(): SimState['received'] {
    return this.state.received;
  }
  get hostileReports(): string[] {
    return this.state.hostileReports;
  }

  get protocol(): SimProtocol {
    const { origin, settings } = this.state;
    return {
      registryUrl: `${origin}/messenger/api/registry/api/`,
      csrfTokenUrl: `${origin}/messenger/api/registry/csrf-token/`,
      socketUrl: `${origin.replace('http:', 'ws:')}/v2/subscribe/websocket`,
      messengerPageUrl: `${origin}/chat`,
      privateFilesUrl: origin,
      publicFilesUrl: origin,
      origin,
      cookieDomain: '127.0.0.1',
      xivaServiceName: settings.xivaServiceName,
      serviceId: settings.serviceId,
      userAgent: settings.userAgent,
      organizationId: null,
    };
  }

  get urls(): { chat: string; phone: string; passport: string; sso: string; hostile: string; control: string; foreign: string } {
    const { origin, foreignOrigin } = this.state;
    return {
      chat: `${origin}/chat`,
      phone: `${origin}/phone`,
      passport: `${origin}/passport/auth`,
      sso: `${origin}/passport/sso`,
      hostile: `${origin}/hostile`,
      control: `${origin}/__sim/`,
      foreign: foreignOrigin,
    };
  }

  /** Messages of a chat, oldest first, deleted ones included. */
  messagesIn(chat: string | Chat): SimMessage[] {
    return (typeof chat === 'string' ? this.world.chat(chat) : chat)?.messages ?? [];
  }

  /** Pushes of one variant (`Plain`, `Reaction`, …), or all but presence and typing. */
  pushesOf(variant?: string): PushEntry[] {
    return this.pushes.filter((push) => {
      const keys = Object.keys(push.clientMessage).filter((key) => key !== 'LogData');
      return variant ? keys.includes(variant) : !keys.includes('Heartbeat') && !keys.includes('Typing');
    });
  }

  /** Requests of one method, over the socket or to the registry. */
  requests(method: string): LogEntry[] {
    return this.log.filter((entry) => entry.method === method);
  }

  waitFor<T>(probe: () => T | undefined | false | null | 0 | '', timeoutMs?: number, what?: string): Promise<T> {
    return this.state.log.waitFor(probe, timeoutMs, what);
  }

  /** Ends the session of `me` everywhere; `closeSockets`: tells the sockets as well. */
  expireSession(options: { canRefresh?: boolean; closeSockets?: boolean } = {}): void {
    this.accounts.expire(this.me, options);
    if (options.closeSockets !== false) this.socketSide.closeAll(4401, 'cookie auth failed');
  }

  async stop(): Promise<void> {
    await this.stopServers();
  }
}
