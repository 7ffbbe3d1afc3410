import { type MoneyReport, runMoneyChaos } from '../api/money/harness.ts';
import { readRealAsks } from '../api/money/metered-calls.ts';
import { setup as compile } from '../support/compiled.ts';
import { buildSampleServer } from '../support/sample-services.ts';
import { readNumbers } from './read-arguments.ts';

const SIZE = { kills: 200, seed: 1, clients: 32, processes: 2, answersMost: 250 };
/** Of the faults, how many are printed; and after how many kills a line says how far it is. */
const SHOWN = 20;
const SPOKEN = 20;

/** API processes that are killed while they bill: true where the ledger is right. */
export async function runMoney(given: string[]): Promise<boolean> {
  const size = { ...SIZE, ...readNumbers(given, SIZE) };
  const startedMs = performance.now();
  // Compiled, a process starts in a third of the time; and what is changed here meanwhile does not matter.
  const removeCompiled = await compile();
  const built = await buildSampleServer();
  console.log(`${size.clients} clients, ${size.processes} API processes, ${size.kills} kills, seed ${size.seed}`);
  const onKill = (kills: number) => {
    if (kills % SPOKEN === 0) console.log(`  ${kills} kills`);
  };
  const asks = await readRealAsks(built);
  const report = await runMoneyChaos({ ...size, server: built, rows: 'all', asks, onKill });
  print(report, performance.now() - startedMs);
  await built.close();
  await removeCompiled();
  return report.faults.length === 0;
}

function print({ kills, seen, faults, ...ledger }: MoneyReport, tookMs: number): void {
  const statuses = [...seen.statuses].sort(([a], [b]) => a - b).map(([status, calls]) => `${status}: ${calls}`);
  console.log(`\nin ${(tookMs / 1_000).toFixed(0)} s: ${kills} kills, ${seen.sent} calls over REST and MCP`);
  console.log(`  answers          ${statuses.join(', ')}`);
  console.log(
    `  cut by a kill    ${seen.cut}, of them without a key ${seen.unknown.length}; nobody there ${seen.unheard}`,
  );
  console.log(`  keys             ${seen.keyed.length}, each asked until it was settled; ${seen.replays} replays`);
  console.log(`  successes seen   ${ledger.successes}, each charged once`);
  console.log(`  charges          ${ledger.charges}, of ${ledger.credits} credits`);
  console.log(`  charged and cut  ${ledger.unseen.length}, without a key: their answers were on their way`);
  for (const line of ledger.unseen) console.log(`    ${line}`);
  console.log(`faults: ${faults.length}`);
  for (const fault of faults.slice(0, SHOWN)) console.log(`  ${fault}`);
}
