// The stages of `npm test`, in order. A stage never throws: whatever goes wrong in it is one of its failures.
import fs from 'node:fs';
import path from 'node:path';
import { projectRoot, runNode } from './child.mjs';
import { readVitestReport, stripColours } from './report.mjs';

/** @typedef {import('./report.mjs').StageResult} StageResult */
/** @typedef {{ name: string, title: string, run: () => Promise<StageResult> }} Stage */

const MINUTE_MS = 60_000;
const modules = path.join(projectRoot, 'node_modules');
const reports = path.join(projectRoot, 'test-output/reports');

/** @type {Stage[]} */
export const stages = [
  check('format', 'Format', [`${modules}/prettier/bin/prettier.cjs`, '--check', '.', '--log-level', 'warn'], MINUTE_MS),
  check('lint', 'Lint', [`${modules}/eslint/bin/eslint.js`, '.'], 2 * MINUTE_MS),
  check('types', 'Types', [`${modules}/typescript/bin/tsc`, '--noEmit'], 2 * MINUTE_MS),
  vitest('unit', 'Unit tests', 3 * MINUTE_MS),
  vitest('integration', 'Integration tests: the core against the simulator', 5 * MINUTE_MS),
  check('bundle', 'Bundle', ['build/bundle.mjs'], 2 * MINUTE_MS),
  vitest('e2e', 'End-to-end tests: the real app in a real Electron', 6 * MINUTE_MS),
  check('pack', 'Pack the app', ['build/packaging/dist.mjs', '--dir'], 3 * MINUTE_MS),
  vitest('dist', 'Tests of the packed app', 3 * MINUTE_MS),
];

/** A tool that is content or not: one check. @param {string} name @param {string} title @param {string[]} args @param {number} limitMs @returns {Stage} */
function check(name, title, args, limitMs) {
  return {
    name,
    title,
    run: async () => {
      const { status, output } = await runNode(args, { limitMs });
      if (status === 0) return { passed: 1, failed: 0, skipped: 0, failures: [] };
      return { passed: 0, failed: 1, skipped: 0, failures: [{ where: title, title: `exit code ${status}`, text: stripColours(output) }] };
    },
  };
}

/** A project of vitest.config.ts: as many checks as it has tests. @param {string} project @param {string} title @param {number} limitMs @returns {Stage} */
function vitest(project, title, limitMs) {
  return {
    name: project,
    title,
    run: async () => {
      const file = path.join(reports, `${project}.json`);
      fs.rmSync(file, { force: true });
      const args = [`${modules}/vitest/vitest.mjs`, 'run', '--project', project, '--reporter=default', '--reporter=json', `--outputFile.json=${file}`];
      const { status, output } = await runNode(args, { isShown: true, limitMs });
      const result = fs.existsSync(file) ? readVitestReport(JSON.parse(fs.readFileSync(file, 'utf8')), projectRoot) : empty();
      // A crash, a time-out or an error outside of any test leaves a bad exit code without a failed test.
      if (status !== 0 && result.failed === 0) {
        result.failed += 1;
        result.failures.push({ where: title, title: `vitest ended with exit code ${status}`, text: stripColours(output).slice(-4000) });
      }
      return result;
    },
  };
}

/** @returns {StageResult} */
function empty() {
  return { passed: 0, failed: 0, skipped: 0, failures: [] };
}
