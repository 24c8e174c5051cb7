import fs from 'node:fs';
import path from 'node:path';
import { _electron, type ElectronApplication, type Page } from 'playwright-core';
import { electronArguments } from '../../../build/electron-arguments.mjs';
import { requireElectron } from '../../../build/electron-path.mjs';
import { waitFor } from './wait.ts';

export const projectRoot = path.resolve(import.meta.dirname, '../../..');

const LAUNCH_LIMIT_MS = 20_000;
const WINDOW_LIMIT_MS = 20_000;
const QUIT_LIMIT_MS = 15_000;

export interface LaunchOptions {
  /** Data folder of the app; lives on between launches. */
  readonly userData: string;
  /** Protocol constants (any subset), or the path of a JSON file with them. */
  readonly protocol?: string | Readonly<Record<string, unknown>>;
  readonly env?: Readonly<Record<string, string>>;
  /** The person's home folder as the app sees it; default an empty one beside `userData`. */
  readonly home?: string;
  /** Arguments for the app itself, after its folder. */
  readonly args?: readonly string[];
  /** Another app folder than ours: for tests of the harness. */
  readonly appFolder?: string;
  /** A packed app's program instead of Electron with our folder; its inspect fuse has to be on. */
  readonly packedBinary?: string;
}

/** A running app, seen from outside. */
export interface LaunchedApp {
  readonly electron: ElectronApplication;
  readonly userData: string;
  /** Process id of Electron's main process. */
  readonly pid: number;
  /** What the app printed since the launch returned, and its log file: for the text of failures. */
  output(): string;
  /** Asks the app to quit as its own menu does; throws if it is still there after 15 s. */
  quit(): Promise<void>;
  /** SIGKILL, as a crash: no handler of the app runs. Resolves when the process is gone; harmless if it already is. */
  kill(): Promise<void>;
}

/**
 * Starts the real app in a real Electron. Nothing of the person's own is seen or touched: data lives in `userData`, and the
 * configurations of MCP clients, Downloads and the like are looked for in `home`.
 */
export async function launchApp(options: LaunchOptions): Promise<LaunchedApp> {
  fs.mkdirSync(options.userData, { recursive: true, mode: 0o700 });
  const electron = await launchOnceMore({
    executablePath: options.packedBinary ?? requireElectron().binary,
    args: commandLine(options),
    cwd: projectRoot,
    env: environment(options),
    timeout: LAUNCH_LIMIT_MS,
  });
  const child = electron.process();
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk: Buffer) => (printed += chunk.toString()));
  const output = (): string => `${printed}${readLog(options.userData)}`;
  const isGone = (): boolean => child.exitCode !== null || child.signalCode !== null;
  const kill = async (): Promise<void> => {
    if (!isGone()) child.kill('SIGKILL');
    await waitFor(isGone, { what: 'the killed app to be gone', limitMs: QUIT_LIMIT_MS });
  };
  const quit = async (): Promise<void> => {
    if (isGone()) return;
    // The answer may be lost with the process: what counts is that it goes.
    const asked = electron.evaluate(({ app }) => setImmediate(() => app.quit())).catch(() => undefined);
    await waitFor(isGone, { what: 'the app to quit', limitMs: QUIT_LIMIT_MS, detail: () => output().slice(-2000) }).finally(kill);
    await asked;
  };
  return { electron, userData: options.userData, pid: child.pid ?? -1, output, quit, kill };
}

/**
 * Playwright's own attaching hangs in about one of forty launches of an app that shows a window at once (our log says `started` by then).
 * It kills what it launched, so a second launch starts clean; a fault of the app itself fails both.
 */
async function launchOnceMore(options: Parameters<typeof _electron.launch>[0]): Promise<ElectronApplication> {
  try {
    return await _electron.launch(options);
  } catch (error) {
    if (!(error instanceof Error && error.name === 'TimeoutError')) throw error;
    return _electron.launch(options);
  }
}

/** Kills whatever is still running; for `afterEach`. */
export async function killApp(launched: LaunchedApp | undefined): Promise<void> {
  await launched?.kill();
}

/** Our own window. Hidden and foreign windows are passed over: only its URL tells it apart. */
export function appWindow(launched: LaunchedApp): Promise<Page> {
  return pageWhere(launched, 'our own window', (url) => url.startsWith('app://'));
}

/** The window in which the person signs in: a page from the network. */
export function loginWindow(launched: LaunchedApp): Promise<Page> {
  return pageWhere(launched, 'the sign-in window', (url) => /^https?:/.test(url));
}

/** The first open page whose URL fits, waiting up to 20 s for it. */
export async function pageWhere(launched: LaunchedApp, what: string, fits: (url: string) => boolean): Promise<Page> {
  const find = (): Page | undefined => launched.electron.windows().find((page) => !page.isClosed() && fits(page.url()));
  const seen = (): string =>
    `Windows: ${
      launched.electron
        .windows()
        .map((page) => page.url())
        .join(', ') || 'none'
    }. Output:\n${launched.output().slice(-3000)}`;
  const page = await waitFor(find, { what, limitMs: WINDOW_LIMIT_MS, detail: seen });
  await page.waitForLoadState('domcontentloaded');
  return page;
}

function commandLine({ args = [], appFolder, packedBinary }: LaunchOptions): string[] {
  const all = electronArguments([...args]).filter((argument) => !packedBinary || argument !== projectRoot);
  // A keyring of the machine must not decide what is tested (a locked one even blocks): the plain store unless a test says otherwise.
  const store = args.some((argument) => argument.startsWith('--password-store')) ? [] : ['--password-store=basic'];
  return [...store, ...all.map((argument) => (argument === projectRoot && appFolder ? appFolder : argument))];
}

function environment({ userData, protocol, home = `${userData}.home`, env = {} }: LaunchOptions): Record<string, string> {
  fs.mkdirSync(home, { recursive: true });
  const inherited = Object.entries(process.env).filter((entry): entry is [string, string] => {
    const [name, value] = entry;
    return value !== undefined && !/^(VESTNIK_|ELECTRON_RUN_AS_NODE|NODE_OPTIONS|VITEST|XDG_(CONFIG|DATA|CACHE)_HOME|npm_)/.test(name);
  });
  return {
    ...Object.fromEntries(inherited),
    HOME: home,
    USERPROFILE: home,
    VESTNIK_USER_DATA: userData,
    ...(protocol === undefined ? {} : { VESTNIK_PROTOCOL: protocolFile(userData, protocol) }),
    ...env,
  };
}

function readLog(userData: string): string {
  const file = path.join(userData, 'logs', 'vestnik.log');
  return fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : '';
}

function protocolFile(userData: string, protocol: string | Readonly<Record<string, unknown>>): string {
  if (typeof protocol === 'string') return protocol;
  const file = `${userData}.protocol.json`; // beside the data folder: the app owns what is inside
  fs.writeFileSync(file, JSON.stringify(protocol));
  return file;
}
