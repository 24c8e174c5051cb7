import fs from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { launchApp, projectRoot, type LaunchedApp } from '../../tests/e2e/harness/app.ts';
import { mcpClient, shimFile } from '../../tests/e2e/harness/client.ts';
import { DEMO, startSimulator, type Simulator } from '../../tests/simulator/index.ts';
import { hasDisplay, startXvfb } from '../xvfb.mjs';
import { askForStatus, play, REPLY, waitForSession } from './agent.ts';
import { confirmCard, keepOutcome, openDrafts, openSignIn, signIn } from './person.ts';
import { showSnippets } from './snippets.ts';
import { tell } from './transcript.ts';

/**
 * `npm run demo [-- --auto] [-- --port N]`: the whole app against a Messenger that runs on this machine, with a scripted agent.
 * With a display a person signs in and clicks; without one (or with `--auto`) the demo does that itself, and ends.
 */

/** Of the demo alone: the person's own Vestnik is not touched. */
const userData = path.join(projectRoot, 'test-output/demo/data');
const AUTO_LIMIT_MS = 180_000;

const undo: (() => unknown)[] = [];
let isOver = false;

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { auto: { type: 'boolean', default: false }, port: { type: 'string', default: '0' } } });
  const isAuto = values.auto || !hasDisplay();
  if (isAuto) setTimeout(() => fail(new Error(`not over after ${AUTO_LIMIT_MS / 1000} s`)), AUTO_LIMIT_MS).unref();
  if (isAuto && process.platform === 'linux') await startDisplay();

  const simulator = await startMessenger(values.port);
  fs.rmSync(userData, { recursive: true, force: true });
  const app = await startApp(simulator);
  const agent = await mcpClient({ userData, name: 'demo-agent' });
  undo.push(() => agent.close());
  showSnippets(shimFile, userData);

  tell('demo', 'An agent has connected. Nobody is signed in yet, and it is told so at once.');
  await askForStatus(agent);
  const signInPage = await openSignIn(app);
  if (isAuto) await signIn(app, signInPage);
  else tell('demo', `Please sign in: "Log in" in the window that opened, then "${simulator.me.displayName}".`);
  await waitForSession(agent, () => !isOver);
  await openDrafts(app);

  tell('demo', `The agent looks around and drafts a reply to ${DEMO.anna}.`);
  const outcome = play(agent, DEMO.anna, () => !isOver);
  outcome.catch(() => undefined); // it is awaited below; until then the person's part may fail first
  if (isAuto) {
    await Promise.race([confirmCard(app), outcome]);
  } else tell('demo', 'In Vestnik’s window a card is waiting: read it and click Confirm, or change it, or reject it.');
  const status = await outcome;

  const arrived = simulator.pushes;
  tell('phone', arrived.length === 0 ? 'nothing arrived' : `${arrived.length} message arrived on ${DEMO.anna}’s phone: ${simulator.urls.phone}`);
  if (!isAuto) {
    tell('demo', `The agent was told: ${status}. The app stays open; quit it in the tray, or press Ctrl-C here.`);
    await new Promise<void>((resolve) => app.electron.on('close', () => resolve()));
    return;
  }
  await keepOutcome(app);
  if (status !== 'sent') throw new Error(`the agent was told "${status}" instead of "sent"`);
  if (arrived.length !== 1) throw new Error(`${arrived.length} messages arrived instead of one`);
  if (simulator.violations.length > 0) throw new Error(`the Messenger complains: ${simulator.violations.join('; ')}`);
  tell('demo', `Done: "${REPLY}" was sent once, after the click and not before.`);
}

async function startDisplay(): Promise<void> {
  const { display, stop } = await startXvfb();
  undo.push(stop);
  process.env['DISPLAY'] = display;
  delete process.env['WAYLAND_DISPLAY'];
  tell('demo', 'No display, or --auto: the person’s clicks are made by the demo itself.');
}

async function startMessenger(portText: string): Promise<Simulator> {
  const port = Number(portText);
  if (!Number.isInteger(port) || port < 0 || port > 65_535) throw new Error(`--port is a number from 0 to 65535, not ${portText}`);
  try {
    const simulator = await startSimulator({ world: 'demo', port });
    undo.push(() => simulator.stop());
    tell('demo', `A Messenger runs at ${simulator.urls.chat}; the other person’s phone: ${simulator.urls.phone}`);
    return simulator;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    throw new Error(`port ${port} is already taken; choose another with --port, or leave it out for any free one`, { cause: error });
  }
}

async function startApp(simulator: Simulator): Promise<LaunchedApp> {
  const app = await launchApp({ userData, protocol: { ...simulator.protocol } });
  undo.push(() => app.quit());
  app.electron.on('close', () => (isOver = true));
  return app;
}

/** Undoes all that was started, last things first; a failing one does not keep the others. */
async function cleanUp(): Promise<void> {
  isOver = true;
  for (const step of undo.splice(0).reverse()) {
    try {
      await step();
    } catch (error) {
      tell('demo', `(while ending: ${(error as Error).message})`);
    }
  }
}

function fail(error: Error): void {
  console.error(`\nThe demo failed: ${error.message}`);
  process.exitCode = 1;
  void cleanUp().finally(() => process.exit(1));
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => void cleanUp().finally(() => process.exit(130)));
main()
  .then(cleanUp)
  .then(() => process.exit())
  .catch((error: unknown) => fail(error instanceof Error ? error : new Error(String(error))));
