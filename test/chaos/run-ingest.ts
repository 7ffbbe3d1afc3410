import { makeFolder } from '../support/databases.ts';
import { makeSample } from '../upstream/sample/make.ts';
import { runChaos } from './harness.ts';
import { readNumbers } from './read-arguments.ts';
import type { ChaosReport } from './report.ts';

const KILLS = 200;
const SEED = 1;
const SAMPLE = { notices: 500, buyers: 60, companies: 2_600 };
const NICENESS = 10;
/** Of each list, how many are printed. */
const SHOWN = 20;

/** Ingests that are killed: true where each ended with the undisturbed one's catalogue. */
export async function runIngest(given: string[]): Promise<boolean> {
  const { kills, seed } = readNumbers(given, { kills: KILLS, seed: SEED });
  const folder = await makeFolder();
  const startedMs = performance.now();
  const data = makeSample(SAMPLE);
  console.log(`${data.about}\n${kills} kills, seed ${seed}, in ${folder.path}`);
  const onLine = (line: string) => console.log(line);
  const report = await runChaos({ data, kills, seed, folder: folder.path, niceness: NICENESS, onLine });
  print(report, performance.now() - startedMs);
  const clean = [report.askedTwice, report.lost, report.doubled, report.unequal, report.faults].every(
    ({ length }) => length === 0,
  );
  if (clean) await folder.remove();
  else console.log(`the folders are kept: ${folder.path}`);
  return clean;
}

function print(figures: ChaosReport, tookMs: number): void {
  const { askedTwice, lost, doubled, unequal, faults } = figures;
  console.log(`\nin ${(tookMs / 1_000).toFixed(0)} s`);
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
