import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { ActivityJournal, type Draft } from '../../app/approvals/index.ts';
import { createCore, type Core } from '../../app/core.ts';
import { parseProtocol } from '../../app/wire/index.ts';
import packageJson from '../../package.json' with { type: 'json' };
import { serveControl } from './control.ts';
import { createCookieWire } from './cookie-session.ts';
import { parseOptions, USAGE, type CoreOptions } from './options.ts';
import { DataFolder } from './data-folder.ts';
import { FileDraftStore, FilePolicyStore } from './stores.ts';
import { stderrLog, systemClock } from './system.ts';

const LINGER_MS = 5000;

/**
 * The core without Electron, serving MCP on stdin and stdout with a cookie in place of the login window (design §8).
 * stdout carries JSON-RPC alone; everything else goes to stderr.
 */
async function main(): Promise<void> {
  const options = readOptions();
  const protocol = readProtocol(options.protocolFile);
  const scratch = mkdtempSync(path.join(os.tmpdir(), 'vestnik-core-'));
  process.once('exit', () => rmSync(scratch, { recursive: true, force: true }));
  const dataFolder = path.resolve(options.dataFolder ?? scratch);
  const holding = new DataFolder(dataFolder);
  await holding.take();
  const log = stderrLog(process.env['VESTNIK_LOG_LEVEL']);
  const { wire, close: closeSession } = createCookieWire({ protocol, cookie: options.cookie, log });
  const core = createCore({
    protocol,
    wire,
    clock: systemClock,
    log,
    draftStore: new FileDraftStore(path.join(dataFolder, 'drafts.json')),
    policyStore: new FilePolicyStore(path.join(dataFolder, 'policy.json'), {
      mode: options.mode,
      defaultAccess: options.policy === 'agent' ? 'agent_confirms' : 'default',
    }),
    activity: new ActivityJournal({ file: path.join(dataFolder, 'activity.jsonl') }),
    settings: () => ({
      timeZone: options.timeZone,
      allowedFolders: options.allowedFolders.map((folder) => path.resolve(folder)),
      maxFileBytes: 2 * 1024 ** 3,
      downloadsFolder: path.resolve(options.downloadsFolder ?? path.join(dataFolder, 'downloads')),
      downloadsDays: 7,
      draftLifetimeMs: options.draftTtlSeconds * 1000,
    }),
    appVersion: packageJson.version,
  });
  const control = options.controlSocket === undefined ? undefined : await serveControl(options.controlSocket, core);
  const connection = await core.serve(new StdioServerTransport());
  void core.start();

  let isClosing = false;
  const close = () => {
    if (isClosing) return;
    isClosing = true;
    control?.close();
    void Promise.all([core.close(), closeSession()]).finally(() => process.exit(0));
  };
  const leave = () => void untilDecided(core, control !== undefined, holding).then(close);
  connection.onClose(leave);
  const disconnect = () => void connection.close();
  process.stdin.once('end', disconnect).once('close', disconnect);
  process.stdout.once('error', disconnect); // nobody reads any more
  process.once('SIGTERM', close).once('SIGINT', close);
}

/** A click needs no client (design §3): when the client has gone, the person at the control socket may decide a moment longer, and what is being sent is finished. */
async function untilDecided(core: Core, isPersonThere: boolean, holding: DataFolder): Promise<void> {
  const isOpen = ({ status }: Draft) => status === 'committing' || (status === 'pending' && isPersonThere);
  for (const until = Date.now() + LINGER_MS; Date.now() < until && core.approvals.list().some(isOpen);) {
    await new Promise((resolve) => setTimeout(resolve, 25));
    if (!holding.isMine) process.exit(0);
  }
}

function readOptions(): CoreOptions {
  try {
    return parseOptions(process.argv.slice(2));
  } catch (error) {
    return fail(`${(error as Error).message}\n${USAGE}`);
  }
}

function readProtocol(file: string) {
  if (!existsSync(file)) return fail(`--protocol: there is no file ${file}`);
  try {
    const { protocol, unknownKeys } = parseProtocol(JSON.parse(readFileSync(file, 'utf8')));
    if (unknownKeys.length > 0) console.error(`core: ignoring unknown protocol constants: ${unknownKeys.join(', ')}`);
    return protocol;
  } catch (error) {
    return fail(`--protocol ${file}: ${(error as Error).message}`);
  }
}

function fail(message: string): never {
  console.error(`core: ${message}`);
  process.exit(2);
}

main().catch((error: unknown) => fail(error instanceof Error ? error.message : String(error)));
