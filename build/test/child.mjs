// Child processes of the test run: each in a process group of its own, so that nothing outlives us.
import { spawn } from 'node:child_process';
import path from 'node:path';

export const projectRoot = path.resolve(import.meta.dirname, '..', '..');

/** @type {Set<import('node:child_process').ChildProcess>} */
const running = new Set();

/**
 * Runs one of our Node tools to its end.
 * @param {string[]} args script and arguments
 * @param {{ isShown?: boolean, limitMs: number }} options `isShown`: its output goes to the terminal, too
 * @returns {Promise<{ status: number, output: string }>} status 124 when the time was over
 */
export function runNode(args, { isShown = false, limitMs }) {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, args, {
      cwd: projectRoot,
      env: { ...process.env, FORCE_COLOR: process.stdout.isTTY ? '1' : '0' },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: process.platform !== 'win32',
    });
    running.add(child);
    let output = '';
    let isTimedOut = false;
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk) => {
        output += chunk;
        if (isShown) process.stdout.write(chunk);
      });
    }
    const timer = setTimeout(() => {
      isTimedOut = true;
      output += `\nStopped after ${limitMs / 1000} s.`;
      kill(child, 'SIGTERM');
      setTimeout(() => kill(child, 'SIGKILL'), 5000).unref();
    }, limitMs);
    const finish = (/** @type {number} */ status) => {
      clearTimeout(timer);
      running.delete(child);
      resolve({ status: isTimedOut ? 124 : status, output });
    };
    child.on('error', (error) => {
      output += error.message;
      finish(1);
    });
    child.on('exit', () => kill(child, 'SIGKILL')); // what is left of its group would keep the pipes open
    child.on('close', (status) => finish(status ?? 1));
  });
}

/** Ends all that still runs. */
export function killChildren() {
  for (const child of running) kill(child, 'SIGKILL');
}

/** @param {import('node:child_process').ChildProcess} child @param {NodeJS.Signals} signal */
function kill(child, signal) {
  if (child.pid === undefined) return;
  try {
    if (process.platform === 'win32') child.kill(signal);
    else process.kill(-child.pid, signal);
  } catch (error) {
    if (error.code !== 'ESRCH') throw error; // already gone, which is what we want
  }
}
