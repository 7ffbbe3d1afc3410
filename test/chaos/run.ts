import { makeFolder } from '../databases.ts';
import { makeSample } from '../upstream/sample.ts';
import { type ChaosReport, runChaos } from './harness.ts';

const KILLS = 200;
const SEED = 1;
const SAMPLE = { notices: 500, buyers: 60, companies: 2_600 };
const NICENESS = 10;
/** Of each list, how many are printed. */
const SHOWN = 20;

/** `npm run chaos [kills] [seed]`: exit code 1 where a killed ingest ends with anything but the undisturbed one's catalogue. */
const [kills, seed] = [Number(process.argv[2] ?? KILLS), Number(process.argv[3] ?? SEED)];
if (!Number.isSafeInteger(kills) || kills < 1 || !Number.isSafeInteger(seed)) {
  throw new Error('expected: npm run chaos [kills] [seed], both whole numbers');
}
const folder = await makeFolder();
const startedMs = performance.now();
const data = makeSample(SAMPLE);
console.log(`${data.about}\n${kills} kills, seed ${seed}, in ${folder.path}`);
const onLine = (line: string) => console.log(line);
const report = await runChaos({ data, kills, seed, folder: folder.path, niceness: NICENESS, onLine });
print(report);
const clean = [report.askedTwice, report.lost, report.doubled, report.unequal, report.faults].every(
  ({ length }) => length === 0,
);
if (clean) await folder.remove();
else console.log(`the folders are kept: ${folder.path}`);
process.exitCode = clean ? 0 : 1;

function print(figures: ChaosReport): void {
  const { askedTwice, lost, doubled, unequal, faults } = figures;
  console.log(`\nin ${((performance.now() - startedMs) / 1_000).toFixed(0)} s`);
  const { kills, restarts, folders, requests, releases, compared } = figures;
  console.log(`kills ${kills}, restarts ${restarts}, ingests ${folders} of ${releases} releases, requests ${requests}`);
  const lists = { 'asked twice although complete': askedTwice, lost, doubled, contradictions: faults };
  for (const [name, list] of Object.entries(lists)) {
    console.log(`${name}: ${list.length}`);
    for (const line of list.slice(0, SHOWN)) console.log(`  ${line}`);
  }
  const same =
    unequal.length === 0 ? `equal (${compared} kinds of rows)` : `NOT EQUAL: ${[...new Set(unequal)].join(', ')}`;
  console.log(`digests: ${same}`);
}
