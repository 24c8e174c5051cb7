import { fstatSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startSimulator } from './index.ts';

/**
 * `npm run simulator -- [--port N] [--foreign-port N] [--world demo|empty] [--popups clicked|unclicked] [--protocol-out FILE] [--cookie-out FILE]`
 * Prints one JSON line when ready and runs until SIGTERM, SIGINT or the end of stdin.
 */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      port: { type: 'string' },
      'foreign-port': { type: 'string' },
      world: { type: 'string', default: 'demo' },
      popups: { type: 'string', default: 'clicked' },
      'protocol-out': { type: 'string' },
      'cookie-out': { type: 'string' },
    },
  });
  const port = portOf(values.port, '--port');
  const foreignPort = portOf(values['foreign-port'], '--foreign-port');
  const { world, popups } = values;
  if (world !== 'demo' && world !== 'empty') throw new Error(`--world is demo or empty, not ${world}`);
  if (popups !== 'clicked' && popups !== 'unclicked') throw new Error(`--popups is clicked or unclicked, not ${popups}`);
  const sim = await startSimulator({ port, foreignPort, world, settings: { popups } });
  const protocolFile = values['protocol-out'] ?? join(tmpdir(), `vestnik-simulator-${process.pid}.json`);
  writeFileSync(protocolFile, `${JSON.stringify(sim.protocol, null, 2)}\n`, { mode: 0o600 });
  if (values['cookie-out']) writeFileSync(values['cookie-out'], `${sim.cookie}\n`, { mode: 0o600 });
  process.stdout.write(
    `${JSON.stringify({ ready: true, protocolFile, phoneUrl: sim.urls.phone, chatUrl: sim.urls.chat, controlUrl: sim.urls.control, cookie: sim.cookie, me: sim.me, urls: sim.urls })}\n`,
  );
  const stop = (): void => {
    if (values['protocol-out'] === undefined) rmSync(protocolFile, { force: true });
    void sim.stop().then(() => process.exit(0));
  };
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
  // A pipe that ends means the parent is gone; /dev/null ends at once and means nothing.
  const stdin = fstatSync(0);
  if (stdin.isFIFO() || stdin.isSocket()) process.stdin.once('end', stop).resume();
}

function portOf(text: string | undefined, flag: string): number {
  const port = Number(text ?? 0);
  if (!Number.isInteger(port) || port < 0 || port > 65_535) throw new Error(`${flag} is a port number from 0 to 65535, not ${text}`);
  return port;
}

main().catch((error: NodeJS.ErrnoException & { port?: number }) => {
  const reason = error.code === 'EADDRINUSE' ? `port ${error.port} is already taken; choose another with --port, or 0 for any free one` : error.message;
  process.stderr.write(`The simulator cannot start: ${reason}.\n`);
  process.exit(1);
});
