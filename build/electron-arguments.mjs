// How Electron is started from a clone, by `npm start`, the demo and the e2e tests alike.
import path from 'node:path';

const projectRoot = path.resolve(import.meta.dirname, '..');

/**
 * @param {string[]} appArguments what the app itself is to see
 * @returns {string[]} the command line after the binary
 */
export function electronArguments(appArguments = []) {
  // Chromium refuses to run its sandbox as root. Development only: nobody runs the packaged app like this.
  const isRoot = process.platform === 'linux' && process.getuid?.() === 0;
  return [...(isRoot ? ['--no-sandbox'] : []), projectRoot, ...appArguments];
}
