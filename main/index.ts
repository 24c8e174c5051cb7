/**
 * Vestnik's main process, in the order in which it starts. Each step is a function with its own file; this one only puts them in a row.
 */
import { app } from 'electron';
import { registerAppScheme } from './app-scheme.ts';
import { VestnikApp } from './app.ts';
import { becomeOnlyInstance, followLinks, harden, quitGracefully, registerDeepLinks } from './lifecycle.ts';
import { parseLaunchOptions } from './launch-options.ts';
import { createLog, parseLogLevel } from './log.ts';
import { preparePaths } from './paths.ts';
import { ProtocolSourceError, readProtocolFile } from './protocol-config.ts';
import { answerProbe, PROBE_ARGUMENT } from './stores/keyring.ts';

function start(): void {
  const paths = preparePaths(process.env);
  registerAppScheme();
  harden();

  const launch = parseLaunchOptions(process.argv);
  const links = followLinks();
  if (!becomeOnlyInstance(launch)) {
    process.stderr.write('Vestnik is already running; its window was brought to the front.\n');
    app.exit(0);
    return;
  }

  const protocolFile = readProtocolOrStop();
  if (!protocolFile) return;

  const { log, close: closeLog } = createLog(paths.logFile, parseLogLevel(process.env['VESTNIK_LOG_LEVEL']));
  log.info('starting', { version: app.getVersion(), electron: process.versions.electron, platform: process.platform, hidden: launch.isHidden });

  // Not awaited at top level: with an ES module for main that would deadlock (Electron waits for the module before it is ready).
  void app.whenReady().then(async () => {
    const vestnik = new VestnikApp({ paths, protocolFile, log });
    quitGracefully(async () => {
      await vestnik.close();
      closeLog();
    });
    try {
      await vestnik.openStores();
      vestnik.prepareSession();
      vestnik.startCore();
      vestnik.openGate();
      vestnik.startTray();
      registerDeepLinks();
      links.deliverTo((request) => vestnik.handleLaunch(request));
      if (!launch.isHidden) vestnik.handleLaunch(launch);
      await vestnik.openBridge();
      await vestnik.signInQuietly();
      log.info('started');
    } catch (error) {
      log.error('start_failed', { error: error instanceof Error ? `${error.name}: ${error.message}` : 'unknown' });
      vestnik.reportStartFailure(error);
    }
  });
}

/** A file named on purpose and broken stops the start: falling back to the real Yandex would surprise whoever named it. */
function readProtocolOrStop(): Record<string, unknown> | undefined {
  try {
    return readProtocolFile(process.env['VESTNIK_PROTOCOL']);
  } catch (error) {
    if (!(error instanceof ProtocolSourceError)) throw error;
    process.stderr.write(`Vestnik cannot start: ${error.message}\n`);
    app.exit(1);
    return undefined;
  }
}

if (process.argv.includes(PROBE_ARGUMENT)) void answerProbe();
else start();
