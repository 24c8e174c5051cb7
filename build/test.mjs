// `npm test`: every check there is, in the order in which one would want to hear of a failure. Ends with a plain line `N passed, N failed`.
//   node build/test.mjs [format] [lint] [types] [unit] [integration] [bundle] [e2e] …   only these stages
import { stages } from './test/stages.mjs';
import { closingLine, formatFailures } from './test/report.mjs';
import { killChildren } from './test/child.mjs';

for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
  process.on(signal, () => {
    killChildren();
    process.exit(1);
  });
}
process.on('exit', killChildren);

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !stages.some((stage) => stage.name === name));
if (unknown.length > 0) {
  console.error(`There is no stage ${unknown.join(', ')}. Stages: ${stages.map((stage) => stage.name).join(', ')}.`);
  process.exit(1);
}

const started = Date.now();
const total = { passed: 0, failed: 0, skipped: 0 };
/** @type {import('./test/report.mjs').Failure[]} */
const failures = [];
for (const stage of stages) {
  if (wanted.length > 0 && !wanted.includes(stage.name)) continue;
  console.log(`\n── ${stage.title}`);
  const stageStarted = Date.now();
  const result = await stage.run();
  for (const key of /** @type {const} */ (['passed', 'failed', 'skipped'])) total[key] += result[key];
  failures.push(...result.failures);
  console.log(`   ${closingLine(result)} (${((Date.now() - stageStarted) / 1000).toFixed(1)} s)`);
}

if (failures.length > 0) console.log(formatFailures(failures));
console.log(`\nAll of it took ${Math.round((Date.now() - started) / 1000)} s.`);
console.log(closingLine(total));
process.exitCode = total.failed > 0 || total.passed === 0 ? 1 : 0;
