import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { extractFile } from '@electron/asar';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { packedApp } from '../../build/packaging/packed-paths.mjs';
import { writeLaunchCommand } from '../../app/bridge/launch.ts';
import { mcpClient, type McpClient, temporaryFolder, waitFor } from '../e2e/harness/index.ts';
import { startSimulator, type Simulator } from '../simulator/index.ts';

// The packed app with its real fuses: Playwright cannot look inside, so it is seen as an agent sees it.

const GONE_LIMIT_MS = 15_000;
// As root Chromium's sandbox does not run, and a keyring of the machine must not decide: matters of these tests, never of the product.
const isRoot = process.platform === 'linux' && process.getuid?.() === 0;
const testSwitches = [...(isRoot ? ['--no-sandbox'] : []), '--password-store=basic'];

let simulator: Simulator;
let agent: McpClient | undefined;
let userData: string;
let started: number | undefined;

beforeEach(async () => {
  simulator = await startSimulator({ world: 'demo' });
  userData = temporaryFolder();
  fs.mkdirSync(userData, { mode: 0o700 });
});
afterEach(async () => {
  await agent?.close();
  if (started !== undefined) await end(started);
  started = undefined;
  await simulator.stop();
});

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** Ends the app as a system does that shuts down, so that its helpers end, too. */
async function end(pid: number): Promise<void> {
  if (isAlive(pid)) process.kill(pid, 'SIGTERM');
  await waitFor(() => !isAlive(pid), { what: 'the packed app to end', limitMs: GONE_LIMIT_MS, detail: log });
}

/** Process id of the app that serves this data folder. */
function servingPid(): number {
  return (JSON.parse(fs.readFileSync(path.join(userData, 'bridge.json'), 'utf8')) as { pid: number }).pid;
}

const log = (): string => fs.readFileSync(path.join(userData, 'logs', 'vestnik.log'), 'utf8');

/** The shim as it lies in the package, beside a data folder that says how to start the app: an installation before its first start. */
async function install(): Promise<McpClient> {
  const shim = path.join(userData, 'packed-shim.cjs');
  fs.writeFileSync(shim, extractFile(packedApp.asar, 'out/shim/vestnik-mcp.cjs'));
  const protocol = `${userData}.protocol.json`;
  fs.writeFileSync(protocol, JSON.stringify(simulator.protocol));
  const home = `${userData}.home`;
  fs.mkdirSync(home);
  writeLaunchCommand(userData, { command: packedApp.binary, args: [...testSwitches, '--hidden'] });
  return mcpClient({ userData, shim, env: { HOME: home, VESTNIK_PROTOCOL: protocol } });
}

it('the packed app is started by its shim, lists its tools, says that nobody is signed in, and ends cleanly', async () => {
  agent = await install();
  const { tools } = await agent.client.listTools();
  expect(tools.length).toBeGreaterThan(20);
  expect(fs.existsSync(path.join(userData, 'bridge.json')), 'listing tools starts nothing').toBe(false);

  expect(await agent.call('list_chats')).toMatchObject({ isError: true, data: { code: 'not_signed_in' } });
  expect((await agent.call('session_status')).data).toMatchObject({ state: 'signed_out' });
  started = servingPid();
  expect(isAlive(started)).toBe(true);
  // The list the shim gave without the app is the app's own.
  expect((await agent.client.listTools()).tools.map((tool) => tool.name)).toEqual(tools.map((tool) => tool.name));

  await end(started);
  expect(log()).toContain('"closed"');
  expect(fs.readdirSync(userData).filter((name) => name === 'bridge.json' || name.endsWith('.sock'))).toEqual([]);
  expect(simulator.violations).toEqual([]);
});

it('the packed app leaves a shim in the data folder, for clients to run from there', async () => {
  agent = await install();
  await agent.call('session_status');
  started = servingPid();
  const copies = fs.readdirSync(path.join(userData, 'shim'), { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.cjs'));
  expect(copies).toContain('vestnik-mcp.cjs');
  expect(fs.readFileSync(path.join(userData, 'shim/vestnik-mcp.cjs')).equals(extractFile(packedApp.asar, 'out/shim/vestnik-mcp.cjs'))).toBe(true);
});

it('the packed program cannot be turned into Node, and takes no code from its environment or command line', async () => {
  const proof = path.join(`${userData}.home`, 'proof');
  const script = path.join(userData, 'intruder.cjs');
  fs.writeFileSync(script, `require('node:fs').writeFileSync(${JSON.stringify(proof)}, 'ran')`);
  agent = await install();
  const shimEnv = { ELECTRON_RUN_AS_NODE: '1', NODE_OPTIONS: `--require ${script}`, VESTNIK_USER_DATA: userData, HOME: `${userData}.home` };
  const child = spawn(packedApp.binary, [...testSwitches, '--hidden', '--require', script], {
    env: { ...process.env, ...shimEnv, VESTNIK_PROTOCOL: `${userData}.protocol.json` },
    stdio: 'ignore',
  });
  started = child.pid;
  await waitFor(() => fs.existsSync(path.join(userData, 'bridge.json')), { what: 'the app to start as itself', limitMs: GONE_LIMIT_MS });
  expect(fs.existsSync(proof)).toBe(false);
});
