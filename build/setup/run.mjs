// Child processes of the set-up: nothing they print may reach our stdout.
import { spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { SetupError } from './report.mjs';

export const projectRoot = path.resolve(import.meta.dirname, '..', '..');

/**
 * Runs a program to its end, its output on our stderr.
 * @param {string} command
 * @param {string[]} args
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv, quiet?: boolean }} [options] `quiet`: output only if it fails
 * @returns {Promise<void>} rejects with SetupError when it cannot start or exits with anything but 0
 */
export function run(command, args, options = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd: options.cwd ?? projectRoot,
      env: options.env ?? process.env,
      stdio: ['ignore', options.quiet ? 'pipe' : 2, options.quiet ? 'pipe' : 2],
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (output += String(chunk)));
    child.on('error', (error) => reject(new SetupError(`${command} could not be started: ${error.message}`)));
    child.on('close', (status, signal) => {
      if (status === 0) return resolve();
      process.stderr.write(output);
      reject(new SetupError(`${command} ${args.join(' ')} ended with ${signal ?? `exit code ${status}`}`));
    });
  });
}

/** Output of a short program, or null where it is missing or fails. @param {string} command @param {string[]} args @param {NodeJS.ProcessEnv} [env] */
export function outputOf(command, args, env = process.env) {
  const result = spawnSync(command, args, { encoding: 'utf8', env, stdio: ['ignore', 'pipe', 'pipe'] });
  return result.status === 0 ? result.stdout : null;
}

/** Runs npm, by the very npm that started us if there is one (on Windows `npm` is a script that needs a shell). @param {string[]} args */
export function npm(args, options = {}) {
  const cli = process.env.npm_execpath;
  if (cli && /npm-cli\.[cm]?js$/.test(cli) && fs.existsSync(cli)) return run(process.execPath, [cli, ...args], options);
  const bundled = [
    path.join(path.dirname(process.execPath), 'node_modules/npm/bin/npm-cli.js'),
    path.join(path.dirname(process.execPath), '../lib/node_modules/npm/bin/npm-cli.js'),
  ].find((file) => fs.existsSync(file));
  if (bundled) return run(process.execPath, [bundled, ...args], options);
  return run('npm', args, options);
}

/** Whether a program of that name is on the PATH. @param {string} name */
export function isOnPath(name) {
  return (process.env.PATH ?? '').split(path.delimiter).some((folder) => folder !== '' && fs.existsSync(path.join(folder, name)));
}
