// What a run of the tests tells.

/** @typedef {{ where: string, title: string, text: string }} Failure */
/** @typedef {{ passed: number, failed: number, skipped: number, failures: Failure[] }} StageResult */

/** The line that machines read, too. @param {{ passed: number, failed: number, skipped: number }} counts */
export function closingLine({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}

/** @param {Failure[]} failures */
export function formatFailures(failures) {
  const blocks = failures.map(({ where, title, text }, index) => `${index + 1}) ${where}: ${title}\n${indent(text.trim())}`);
  return `\n── What failed\n${blocks.join('\n\n')}`;
}

/** @param {string} text */
function indent(text) {
  return text.replace(/^/gm, '     ');
}

/**
 * Counts from vitest's JSON report. A file that could not even be loaded has no tests in it and counts as one failure.
 * @param {any} report
 * @param {string} root
 * @returns {StageResult}
 */
export function readVitestReport(report, root) {
  /** @type {StageResult} */
  const result = { passed: 0, failed: 0, skipped: 0, failures: [] };
  for (const file of report.testResults) {
    const where = file.name.replace(`${root}/`, '');
    for (const test of file.assertionResults) {
      if (test.status === 'passed') result.passed += 1;
      else if (test.status === 'failed') {
        result.failed += 1;
        result.failures.push({ where, title: test.fullName || test.title, text: stripColours(test.failureMessages.join('\n')) });
      } else result.skipped += 1;
    }
    const hasFailedTest = file.assertionResults.some((/** @type {any} */ test) => test.status === 'failed');
    if (file.status === 'failed' && !hasFailedTest) {
      result.failed += 1;
      result.failures.push({ where, title: 'the file could not be run', text: stripColours(file.message || 'no message') });
    }
  }
  return result;
}

/** @param {string} text */
export function stripColours(text) {
  // eslint-disable-next-line no-control-regex -- terminal colours begin with an escape character
  return text.replace(/\u001b\[[0-9;]*m/g, '');
}
