// Reads vitest's report: prints how many tests were skipped and what they need, then the result as the last line.
import { existsSync, readFileSync } from 'node:fs';

const REPORT = 'test-results/report.json';
/** What a test file says when it asks for something that a machine may lack. The first that fits counts. */
const NEEDS = [
  [/hasChromium/, 'Chromium: set CHROMIUM_PATH'],
  [/hasLibsql/, 'a libSQL server: set LIBSQL_BIN'],
  [/hasBucketServer/, 'an S3 server: set S3_URL'],
  [/MEILI_URL/, 'a Meilisearch server: set MEILI_URL and MEILI_KEY'],
  [/LIBSQL_URL/, 'either a libSQL server or none: LIBSQL_URL decides which'],
  [/promtool/, 'promtool on the PATH'],
  [/'strace'/, 'strace on the PATH, allowed to trace'],
  [/'prlimit'/, 'prlimit on the PATH'],
  [/'python3'/, 'python3 on the PATH'],
  [/'openssl'/, 'openssl on the PATH'],
  [/SOMEBODY/, 'a checkout that other users may read'],
  [/haveRecordings|recordings\/known|RECORDED|readRecorded/, 'genuine recordings, which are not part of the project'],
];
const NOTHING = 'nothing: the case does not apply there';

/** The number of skipped tests for each need, the greatest first. */
function countSkipped(files) {
  const counts = new Map();
  for (const { name, assertionResults } of files) {
    const skipped = assertionResults.filter(({ status }) => status === 'pending' || status === 'skipped').length;
    if (skipped === 0) continue;
    const text = readFileSync(name, 'utf8');
    const need = NEEDS.find(([pattern]) => pattern.test(text))?.[1] ?? NOTHING;
    counts.set(need, (counts.get(need) ?? 0) + skipped);
  }
  return [...counts].sort(([, left], [, right]) => right - left);
}

if (!existsSync(REPORT)) {
  // A run that stopped before its report counts as failed.
  console.log('0 passed, 1 failed');
  process.exit(1);
}
const { numPassedTests, numFailedTests, numPendingTests, testResults } = JSON.parse(readFileSync(REPORT, 'utf8'));
// A file that failed outside its tests counts as one failure.
const broken = testResults.filter(
  ({ status, assertionResults }) => status === 'failed' && assertionResults.every((test) => test.status !== 'failed'),
);
if (numPendingTests > 0) {
  console.log(`${numPendingTests} skipped, because they need:`);
  for (const [need, count] of countSkipped(testResults)) console.log(`  ${count}  ${need}`);
}
console.log(`${numPassedTests} passed, ${numFailedTests + broken.length} failed`);
