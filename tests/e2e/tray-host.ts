import { type ChildProcess, spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import dbus from 'dbus-next';

/** A private session bus with a stand-in for the desktop: a tray host and a notification server, so that icon, menu, notification and clicks are real. */
export interface Desktop {
  /** For the app's environment. */
  readonly env: Readonly<Record<string, string>>;
  readonly notifications: readonly ShownNotification[];
  /** Bus name of the app's tray item, once it has registered. */
  trayItem(): string | undefined;
  tray(service: string): Promise<TrayPicture>;
  clickMenu(service: string, label: RegExp): Promise<void>;
  clickIcon(service: string): Promise<void>;
  clickNotification(id: number): void;
  /** Starts a keyring on the bus: `unlocked`, or `locked` with a login keyring whose password nobody types. */
  startKeyring(state: 'unlocked' | 'locked'): Promise<void>;
  stop(): Promise<void>;
}

export interface ShownNotification {
  readonly id: number;
  readonly title: string;
  readonly body: string;
}

export interface TrayPicture {
  readonly status: string;
  readonly tooltip: string;
  readonly hasIcon: boolean;
  /** The pixels (or the file that holds them), to be compared. */
  readonly pixels: string;
  readonly menu: readonly { readonly id: number; readonly label: string; readonly isEnabled: boolean; readonly isChecked: boolean }[];
}

const { Interface } = dbus.interface;
const MENU = 'com.canonical.dbusmenu';

class Watcher extends Interface {
  readonly items: string[] = [];
  constructor() {
    super('org.kde.StatusNotifierWatcher');
  }
  RegisterStatusNotifierItem(service: string): void {
    this.items.push(service);
  }
  RegisterStatusNotifierHost(): void {
    // the test itself is the host
  }
  get RegisteredStatusNotifierItems(): string[] {
    return this.items;
  }
  get IsStatusNotifierHostRegistered(): boolean {
    return true;
  }
  get ProtocolVersion(): number {
    return 0;
  }
}
Watcher.configureMembers({
  methods: { RegisterStatusNotifierItem: { inSignature: 's' }, RegisterStatusNotifierHost: { inSignature: 's' } },
  properties: {
    RegisteredStatusNotifierItems: { signature: 'as', access: 'read' },
    IsStatusNotifierHostRegistered: { signature: 'b', access: 'read' },
    ProtocolVersion: { signature: 'i', access: 'read' },
  },
});

class NotificationServer extends Interface {
  readonly shown: ShownNotification[] = [];
  constructor() {
    super('org.freedesktop.Notifications');
  }
  Notify(_app: string, _replaces: number, _icon: string, title: string, body: string): number {
    const id = this.shown.length + 1;
    this.shown.push({ id, title, body });
    return id;
  }
  GetCapabilities(): string[] {
    return ['body', 'actions'];
  }
  GetServerInformation(): string[] {
    return ['stand-in', 'tests', '1', '1.2'];
  }
  CloseNotification(): void {
    // nothing is drawn
  }
  ActionInvoked(id: number, key: string): [number, string] {
    return [id, key];
  }
  NotificationClosed(id: number, reason: number): [number, number] {
    return [id, reason];
  }
}
NotificationServer.configureMembers({
  methods: {
    Notify: { inSignature: 'susssasa{sv}i', outSignature: 'u' },
    GetCapabilities: { outSignature: 'as' },
    GetServerInformation: { outSignature: 'ssss' },
    CloseNotification: { inSignature: 'u' },
  },
  signals: { ActionInvoked: { signature: 'us' }, NotificationClosed: { signature: 'uu' } },
});

type Variants = Record<string, { value: unknown } | undefined>;

export async function startDesktop(): Promise<Desktop> {
  const home = fs.mkdtempSync(path.join(os.tmpdir(), 'vk-desktop-'));
  const daemon = spawn('dbus-daemon', ['--session', '--nofork', '--print-address=1'], { stdio: ['ignore', 'pipe', 'ignore'] });
  const busAddress = await firstLine(daemon);
  const bus = dbus.sessionBus({ busAddress });
  const watcher = new Watcher();
  const server = new NotificationServer();
  bus.export('/StatusNotifierWatcher', watcher);
  bus.export('/org/freedesktop/Notifications', server);
  await bus.requestName('org.kde.StatusNotifierWatcher', 0);
  await bus.requestName('org.freedesktop.Notifications', 0);
  const keyrings: ChildProcess[] = [];
  const env = { DBUS_SESSION_BUS_ADDRESS: busAddress, XDG_CURRENT_DESKTOP: 'GNOME', XDG_DATA_HOME: home };

  // Chromium exports no introspection data, so calls are raw messages instead of proxy objects.
  const call = async (destination: string, objectPath: string, iface: string, member: string, signature: string, body: unknown[]): Promise<unknown[]> => {
    const reply = await bus.call(new dbus.Message({ destination, path: objectPath, interface: iface, member, signature, body }));
    return (reply?.body ?? []) as unknown[];
  };
  const item = async (service: string): Promise<Variants> => {
    const [all] = await call(service, '/StatusNotifierItem', 'org.freedesktop.DBus.Properties', 'GetAll', 's', ['org.kde.StatusNotifierItem']);
    return all as Variants;
  };
  const layout = async (service: string, menu: string): Promise<TrayPicture['menu']> => {
    const [, root] = await call(service, menu, MENU, 'GetLayout', 'iias', [0, -1, []]);
    const children = (root as [number, Variants, { value: [number, Variants] }[]])[2];
    return children.map(({ value: [id, properties] }) => ({
      id,
      label: String(properties['label']?.value ?? ''),
      isEnabled: properties['enabled']?.value !== false,
      isChecked: properties['toggle-state']?.value === 1,
    }));
  };
  const runKeyring = async (unlockWith: string | undefined): Promise<ChildProcess> => {
    const keyring = spawn('gnome-keyring-daemon', ['--foreground', '--components=secrets', ...(unlockWith === undefined ? [] : ['--unlock'])], {
      env: { ...process.env, ...env },
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    if (unlockWith !== undefined) keyring.stdin.end(unlockWith);
    await nameOwned(call, 'org.freedesktop.secrets');
    return keyring;
  };

  return {
    env,
    notifications: server.shown,
    trayItem: () => watcher.items.at(-1),
    async tray(service) {
      const all = await item(service);
      const tooltip = (all['ToolTip']?.value as [string, unknown, string, string] | undefined)?.[2] ?? '';
      return {
        status: String(all['Status']?.value ?? ''),
        tooltip,
        // For GNOME Chromium hands the picture over as a file, elsewhere as pixels.
        hasIcon: ((all['IconPixmap']?.value as unknown[] | undefined)?.length ?? 0) > 0 || String(all['IconName']?.value ?? '') !== '',
        pixels: JSON.stringify([all['IconPixmap']?.value ?? null, all['IconName']?.value ?? null], (_key, value: unknown) =>
          Buffer.isBuffer(value) ? value.toString('base64') : value,
        ),
        menu: await layout(service, String(all['Menu']?.value)),
      };
    },
    async clickMenu(service, label) {
      const menu = String((await item(service))['Menu']?.value);
      const entry = (await layout(service, menu)).find((candidate) => label.test(candidate.label));
      if (!entry) throw new Error(`The tray's menu has no ${label}`);
      await call(service, menu, MENU, 'Event', 'isvu', [entry.id, 'clicked', new dbus.Variant('i', 0), 0]);
    },
    async clickIcon(service) {
      await call(service, '/StatusNotifierItem', 'org.kde.StatusNotifierItem', 'Activate', 'ii', [0, 0]);
    },
    clickNotification: (id) => void server.ActionInvoked(id, 'default'),
    async startKeyring(state) {
      let keyring = await runKeyring('the password');
      if (state === 'locked') {
        await stopProcess(keyring);
        keyring = await runKeyring(undefined);
      }
      keyrings.push(keyring);
    },
    async stop() {
      bus.disconnect();
      await Promise.all(keyrings.map(stopProcess));
      await stopProcess(daemon);
      fs.rmSync(home, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

async function nameOwned(call: (...parts: [string, string, string, string, string, unknown[]]) => Promise<unknown[]>, name: string): Promise<void> {
  for (let attempt = 0; attempt < 100; attempt += 1) {
    const [isOwned] = await call('org.freedesktop.DBus', '/org/freedesktop/DBus', 'org.freedesktop.DBus', 'NameHasOwner', 's', [name]);
    if (isOwned === true) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`nobody took the bus name ${name}`);
}

async function stopProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGKILL');
  await gone;
}

function firstLine(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    child.once('error', reject);
    child.stdout?.on('data', (chunk: Buffer) => {
      text += chunk.toString();
      if (text.includes('\n')) resolve(text.split('\n', 1)[0] ?? '');
    });
  });
}
