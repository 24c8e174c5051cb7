// A display without a screen, for tests and the demo.
import { spawn } from 'node:child_process';

const START_LIMIT_MS = 15_000;

/**
 * Starts an Xvfb on a free display number.
 * @returns {Promise<{ display: string, stop: () => void }>} rejects with one clear sentence where Xvfb is missing or does not start
 */
export function startXvfb() {
  return new Promise((resolve, reject) => {
    const args = ['-displayfd', '3', '-screen', '0', '1600x1200x24', '-nolisten', 'tcp', '-noreset'];
    const child = spawn('Xvfb', args, { stdio: ['ignore', 'ignore', 'pipe', 'pipe'] });
    let complaint = '';
    let answer = '';
    const stop = () => {
      process.off('exit', stop);
      child.kill();
    };
    const fail = (/** @type {string} */ reason) => {
      clearTimeout(timer);
      stop();
      reject(new Error(`Xvfb did not start (${reason}). \`npm run setup -- --tests\` checks for it.`));
    };
    const timer = setTimeout(() => fail(`no answer within ${START_LIMIT_MS / 1000} s`), START_LIMIT_MS);
    process.on('exit', stop);
    child.on('error', (error) => fail(error.message));
    child.on('exit', (code) => fail(complaint.trim() || `exit code ${code}`));
    child.stderr?.on('data', (chunk) => (complaint = (complaint + chunk).slice(-2000)));
    child.stdio[3]?.on('data', (chunk) => {
      answer += chunk;
      if (!answer.includes('\n')) return;
      clearTimeout(timer);
      child.removeAllListeners('exit');
      child.unref();
      resolve({ display: `:${answer.trim()}`, stop });
    });
  });
}

/** Whether windows can be shown here. On macOS and Windows always. */
export function hasDisplay(environment = process.env) {
  return process.platform !== 'linux' || Boolean(environment.DISPLAY || environment.WAYLAND_DISPLAY);
}
