import { spawn, type ChildProcess } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { BridgeError, systemCode } from '../bridge/errors.ts';
import { isProcessAlive } from '../bridge/processes.ts';
import { endpointFile, readEndpoint } from '../bridge/endpoint.ts';
import { readLaunchCommand } from '../bridge/launch.ts';

/** How long one program's launch keeps the others from launching too. */
const LOCK_MS = 15_000;

/** Variables that would make Electron, or the Node inside it, something else than the app. */
const NOT_FOR_THE_APP = ['ELECTRON_RUN_AS_NODE', 'NODE_OPTIONS'];

/** Starts the app in the background, one launch at a time, also among several shims. */
export class Launcher {
  #child: ChildProcess | undefined;
  #hasLock = false;
  #failure: BridgeError | undefined;

  constructor(
    private readonly folder: string,
    private readonly log: (text: string) => void,
  ) {}

  /**
   * Starts the app unless a launch is under way. A program that cannot be started is reported by {@link takeFailure}.
   * @throws BridgeError `absent` if nobody knows how to start it, or what makes its command untrustworthy
   */
  launch(): void {
    if (this.#child && this.#child.exitCode === null && this.#child.signalCode === null) return;
    const launch = readLaunchCommand(this.folder);
    if (!launch) throw new BridgeError('absent', 'Vestnik is not running.', 'Ask the person to start Vestnik once; afterwards it is started by itself.');
    if (!this.#takeLock()) return;
    // Another shim's launch may have come to its end between our last look and the lock.
    if (this.#hasAppJustCome()) return this.releaseLock();
    this.#failure = undefined;
    this.log('starting Vestnik');
    const env = Object.fromEntries(Object.entries({ ...launch.env, ...process.env }).filter(([name]) => !NOT_FOR_THE_APP.includes(name.toUpperCase())));
    const child = spawn(launch.command, launch.args, { detached: true, stdio: 'ignore', windowsHide: true, cwd: os.homedir(), env });
    this.#child = child;
    child.once('error', (error) => {
      this.#child = undefined;
      this.releaseLock();
      this.#failure = new BridgeError(
        'absent',
        `Vestnik could not be started (${systemCode(error) ?? 'unknown error'}).`,
        'Ask the person to start Vestnik; if it was moved or removed, it has to be installed again.',
      );
    });
    child.unref();
  }

  /** Why the last launch failed at once, if it did; told once. */
  takeFailure(): BridgeError | undefined {
    const failure = this.#failure;
    this.#failure = undefined;
    return failure;
  }

  /** To be called when the app is there, or nobody waits for it any more. */
  releaseLock(): void {
    if (!this.#hasLock) return;
    this.#hasLock = false;
    fs.rmSync(this.#lockFile, { force: true });
  }

  /** Only an endpoint written a moment ago counts: an old one may name a process id that somebody else has by now. */
  #hasAppJustCome(): boolean {
    try {
      const endpoint = readEndpoint(this.folder);
      const ageMs = Date.now() - fs.statSync(endpointFile(this.folder)).mtimeMs;
      return endpoint !== undefined && ageMs < LOCK_MS && isProcessAlive(endpoint.pid);
    } catch {
      return false; // absent, or one that nobody may use: the connector says why
    }
  }

  get #lockFile(): string {
    return path.join(this.folder, 'launch.lock');
  }

  /** False if another shim is launching right now. A lock left by a dead shim counts for nothing, and any grows old. */
  #takeLock(): boolean {
    this.releaseLock();
    try {
      const stats = fs.statSync(this.#lockFile, { throwIfNoEntry: false });
      const owner = stats && fs.readFileSync(this.#lockFile, 'utf8');
      // An empty lock is one whose owner is just writing its name.
      if (stats && (Math.abs(Date.now() - stats.mtimeMs) > LOCK_MS || (owner && !isProcessAlive(Number(owner))))) {
        fs.rmSync(this.#lockFile, { force: true });
      }
      fs.writeFileSync(this.#lockFile, String(process.pid), { flag: 'wx', mode: 0o600 });
      this.#hasLock = true;
      return true;
    } catch (error) {
      // Without a lock a launch is still right: the app itself allows one instance only.
      return systemCode(error) !== 'EEXIST';
    }
  }
}
