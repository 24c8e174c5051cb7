import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { packedApp } from '../../build/packaging/packed-paths.mjs';
import { temporaryFolder, waitFor } from '../e2e/harness/index.ts';
import { startSimulator, type Simulator } from '../simulator/index.ts';

// The packed app among several users of one Linux system. Root can play them all; where the tests do not run as root, they are left out.

/** The user `nobody` of every Linux. */
const NOBODY = { uid: 65_534, gid: 65_534 };
const SECCOMP_FILTER = 2;
const LIMIT_MS = 20_000;

const isRoot = process.platform === 'linux' && process.getuid?.() === 0;
/** Whether an ordinary user may make a user namespace, which Chromium's sandbox needs, and reach the packed files. */
const canBeNobody =
  isRoot &&
  spawnSync('unshare', ['--user', 'true'], { ...NOBODY, cwd: '/' }).status === 0 &&
  spawnSync('test', ['-x', packedApp.binary], { ...NOBODY, cwd: '/' }).status === 0;

let simulator: Simulator;
let app: ChildProcess | undefined;
let userData: string;

beforeEach(async () => {
  simulator = await startSimulator();
  userData = temporaryFolder();
  fs.chmodSync(path.dirname(userData), 0o755); // what guards the data has to be the data folder itself
});
afterEach(async () => {
  app?.kill('SIGTERM');
  await waitFor(() => app?.exitCode !== null || app.signalCode !== null, { what: 'the app to end', limitMs: LIMIT_MS });
  await simulator.stop();
});

/** Starts the packed app as one of the users. Its window shows, so that there is a page. */
async function start(user: { uid: number; gid: number }, switches: string[]): Promise<number> {
  const home = `${userData}.home`;
  const protocol = `${userData}.protocol.json`;
  for (const folder of [home, userData]) {
    fs.mkdirSync(folder, { mode: 0o755 });
    fs.chownSync(folder, user.uid, user.gid);
  }
  fs.writeFileSync(protocol, JSON.stringify(simulator.protocol));
  const env = { PATH: process.env['PATH'], DISPLAY: process.env['DISPLAY'], HOME: home, VESTNIK_USER_DATA: userData, VESTNIK_PROTOCOL: protocol };
  app = spawn(packedApp.binary, ['--password-store=basic', ...switches], { ...user, cwd: home, env, stdio: 'ignore' });
  const { pid } = app;
  expect(pid).toBeDefined();
  await waitFor(() => fs.existsSync(path.join(userData, 'bridge.json')), { what: 'the app to serve agents', limitMs: LIMIT_MS });
  return pid ?? -1;
}

/** Processes below one, with their command lines. */
function descendants(root: number): { pid: number; command: string }[] {
  const { stdout } = spawnSync('ps', ['-eo', 'pid=,ppid=,args='], { encoding: 'utf8' });
  const all = stdout.split('\n').flatMap((line) => {
    const match = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line);
    return match ? [{ pid: Number(match[1]), parent: Number(match[2]), command: match[3] ?? '' }] : [];
  });
  const family = new Set([root]);
  for (let size = 0; size !== family.size;) {
    size = family.size;
    for (const { pid, parent } of all) if (family.has(parent)) family.add(pid);
  }
  return all.filter(({ pid }) => family.has(pid));
}

describe.runIf(canBeNobody)('on a computer with several users', () => {
  it("an ordinary user's app runs with Chromium's sandbox, nothing switched off", async () => {
    const pid = await start(NOBODY, []);
    const page = await waitFor(() => descendants(pid).find(({ command }) => command.includes('--type=renderer')), { what: 'the page', limitMs: LIMIT_MS });
    expect(page.command).not.toContain('--no-sandbox');
    const status = fs.readFileSync(`/proc/${page.pid}/status`, 'utf8');
    expect(status).toMatch(new RegExp(`^Seccomp:\\s+${SECCOMP_FILTER}$`, 'm'));
    expect(status).toMatch(/^NoNewPrivs:\s+1$/m);
    // A namespace of its own: what it could reach is not what its user could.
    expect(fs.readlinkSync(`/proc/${page.pid}/ns/net`)).not.toBe(fs.readlinkSync(`/proc/${pid}/ns/net`));
  });

  it('another user reads nothing of the data folder and does not get to the socket', async () => {
    await start({ uid: 0, gid: 0 }, ['--no-sandbox']);
    const { socket } = JSON.parse(fs.readFileSync(path.join(userData, 'bridge.json'), 'utf8')) as { socket: string };
    const tries: [string, string[]][] = [
      ['ls', [userData]],
      ['cat', [path.join(userData, 'bridge.json')]],
      ['cat', [path.join(userData, 'launch.json')]],
      ['touch', [path.join(userData, 'planted')]],
      [process.execPath, ['-e', `require('net').connect(${JSON.stringify(socket)}).on('connect', () => process.exit(0)).on('error', () => process.exit(1))`]],
    ];
    expect(spawnSync(process.execPath, ['-e', '0'], { ...NOBODY, cwd: '/' }).status, 'the other user can run what tries').toBe(0);
    for (const [command, args] of tries) {
      const outcome = spawnSync(command, args, { ...NOBODY, cwd: '/', encoding: 'utf8' });
      expect(outcome.status, `${command} ${args.join(' ')}`).not.toBe(0);
      expect(outcome.stdout).toBe('');
    }
  });
});
