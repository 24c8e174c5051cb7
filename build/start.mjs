// `npm start`: the app, for real. Starts the Electron binary itself: a signal sent to a wrapper such as npx would not reach it.
import { spawn } from 'node:child_process';
import { electronArguments } from './electron-arguments.mjs';
import { requireElectron } from './electron-path.mjs';
import { hasDisplay } from './xvfb.mjs';

if (!hasDisplay()) {
  console.error(
    'Vestnik has a window, and there is no display here (neither DISPLAY nor WAYLAND_DISPLAY is set).\n' +
      'Run this in a desktop session, or as `xvfb-run -a npm start`. `npm run demo` and `npm test` bring a display of their own.',
  );
  process.exit(1);
}

const electron = requireElectron();
const env = { ...process.env };
delete env.ELECTRON_RUN_AS_NODE; // set by some editors' terminals: Electron would start as plain Node
// A process group of its own: Ctrl-C reaches it once, through us. A second signal would cut its shutdown short.
const child = spawn(electron.binary, electronArguments(process.argv.slice(2)), { stdio: 'inherit', env, detached: process.platform !== 'win32' });
for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) process.on(signal, () => child.kill(signal));
child.on('error', (error) => {
  console.error(`Electron could not be started: ${error.message}`);
  process.exitCode = 1;
});
child.on('exit', (status, signal) => {
  process.exitCode = status ?? (signal === 'SIGINT' || signal === 'SIGTERM' ? 0 : 1);
});
