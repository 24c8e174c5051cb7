/*
 * vestnik-mcp: the program that an MCP client starts. It speaks MCP over stdin and stdout, and passes everything on to the
 * running Vestnik. It lives as long as its client, however often Vestnik comes and goes. stdout carries JSON-RPC and
 * nothing else; a word to the person who reads the client's log goes to stderr.
 */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { dataFolder } from '../bridge/data-folder.ts';
import { MESSAGE_LINE_BYTES } from '../bridge/handshake.ts';
import { LAUNCH_FILE } from '../bridge/launch.ts';
import { LineSplitter } from '../bridge/line-splitter.ts';
import { SHIM_FOLDER } from '../bridge/shim-copy.ts';
import { errorLine, PARSE_ERROR } from './json-rpc.ts';
import { Launcher } from './launcher.ts';
import { Shim } from './shim.ts';
import { bundledSnapshot, shimVersion } from './snapshot.ts';

/** From a click on an icon to a listening app, with room for a slow disk (design §6). */
const LAUNCH_WAIT_MS = 15_000;

function log(text: string): void {
  process.stderr.write(`vestnik-mcp: ${text}\n`);
}

/** The installed copy lies in `shim/` of the data folder, so it finds that folder even where the client hides variables from it. */
function ownFolder(): string | undefined {
  try {
    const place = path.dirname(fs.realpathSync(process.argv[1] ?? process.execPath));
    const folder = path.dirname(place);
    return path.basename(place) === SHIM_FOLDER && fs.existsSync(path.join(folder, LAUNCH_FILE)) ? folder : undefined;
  } catch {
    return undefined;
  }
}

function main(): void {
  if (process.argv.includes('--version')) {
    process.stdout.write(`${shimVersion()}\n`);
    return;
  }
  const { stdin, stdout } = process;
  const ownPlace = process.env.VESTNIK_USER_DATA ? undefined : ownFolder();
  const folder = ownPlace ?? dataFolder(process.env, process.platform, os.homedir());
  const shim = new Shim({
    folder,
    version: shimVersion(),
    client: {
      write: (line) => {
        if (typeof line === 'string') return stdout.write(`${line}\n`);
        stdout.write(line);
        return stdout.write('\n');
      },
      hold: (isHeld) => void (isHeld ? stdin.pause() : stdin.resume()),
    },
    launcher: new Launcher(folder, log),
    loadSnapshot: bundledSnapshot,
    launchWaitMs: Number(process.env.VESTNIK_LAUNCH_WAIT_MS) || LAUNCH_WAIT_MS,
    log,
  });
  const lines = new LineSplitter(
    MESSAGE_LINE_BYTES,
    (line) => {
      try {
        shim.receive(line);
      } catch (error) {
        // One odd message must not end the program that all the others depend on.
        log(`could not pass a message on (${error instanceof Error ? error.name : 'unknown error'})`);
      }
    },
    () => stdout.write(`${errorLine(null, PARSE_ERROR, 'Parse error: the line is longer than 16 MB.')}\n`),
  );
  stdout.on('drain', () => shim.clientDrained());
  stdout.on('error', () => process.exit(0)); // the client is gone
  process.stderr.on('error', () => undefined); // nobody reads the log
  stdin.on('data', (chunk: Buffer) => lines.push(chunk));
  stdin.on('error', () => void leave());
  stdin.on('end', () => {
    lines.push(Buffer.from('\n')); // a last line without its newline counts
    void leave();
  });

  async function leave(): Promise<void> {
    await shim.farewell();
    stdout.write('', () => process.exit(0));
  }
}

main();
