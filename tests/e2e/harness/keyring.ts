import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { waitFor } from './wait.ts';

/** A session bus of its own with an unlocked keyring on it, as a person has who signed in to a desktop. */
export interface Keyring {
  /** For the app's environment. */
  readonly env: Readonly<Record<string, string>>;
  /** Chromium's switch that chooses it. */
  readonly switches: readonly string[];
  stop(): void;
}

/** Whether this machine has what {@link startKeyring} needs (`npm run setup -- --desktop` installs it as root on Debian). */
export function hasKeyring(): boolean {
  return process.platform === 'linux' && ['dbus-daemon', 'gnome-keyring-daemon'].every((program) => spawnSync('which', [program]).status === 0);
}

/** @param folder an existing one, for the keyring's files */
export async function startKeyring(folder: string): Promise<Keyring> {
  const runtime = path.join(folder, 'run');
  fs.mkdirSync(runtime, { recursive: true, mode: 0o700 });
  const children: ChildProcess[] = [];
  const stop = (): void => {
    for (const child of children.reverse()) child.kill('SIGKILL');
  };
  const bus = spawn('dbus-daemon', ['--session', '--nofork', '--print-address'], { stdio: ['ignore', 'pipe', 'ignore'] });
  children.push(bus);
  const address = await new Promise<string>((resolve, reject) => {
    createInterface({ input: bus.stdout }).once('line', resolve);
    bus.once('exit', () => reject(new Error('dbus-daemon ended before it named its address')));
  });
  const env = { DBUS_SESSION_BUS_ADDRESS: address, XDG_RUNTIME_DIR: runtime, XDG_DATA_HOME: path.join(folder, 'share') };
  const keyring = spawn('gnome-keyring-daemon', ['--unlock', '--foreground', '--components=secrets', `--control-directory=${path.join(runtime, 'keyring')}`], {
    env: { ...process.env, ...env },
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  children.push(keyring);
  keyring.stdin.end('a password\n');
  const owner = ['--session', '--dest=org.freedesktop.DBus', '--print-reply', '/', 'org.freedesktop.DBus.NameHasOwner', 'string:org.freedesktop.secrets'];
  await waitFor(() => spawnSync('dbus-send', owner, { env: { ...process.env, ...env }, encoding: 'utf8' }).stdout.includes('true'), {
    what: 'the keyring to be on the bus',
  }).catch((error: unknown) => {
    stop();
    throw error;
  });
  return { env, switches: ['--password-store=gnome-libsecret'], stop };
}
