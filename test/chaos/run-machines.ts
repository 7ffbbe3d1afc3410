import { readRealAsks } from '../api/money/metered-calls.ts';
import { type KillReport, runKills, VICTIMS } from '../machines/kills.ts';
import { startLayout } from '../machines/layout.ts';
import { hasBucketServer } from '../support/bucket.ts';
import { setup as compile } from '../support/compiled.ts';
import { hasLibsql } from '../support/libsql-process.ts';
import { readNumbers } from './read-arguments.ts';

const SIZE = { kills: 10, seed: 1, clients: 16 };
/** Of each list, how many are printed. */
const SHOWN = 20;
const WHAT = 'killing the parts of several machines';

/** Each part of the layout of several machines is killed so often under load: true where the ledger and the exports are right. */
export async function runMachines(given: string[]): Promise<boolean> {
  if (![hasLibsql(WHAT), hasBucketServer(WHAT)].every(Boolean)) return true;
  const { clients, kills: each, seed } = { ...SIZE, ...readNumbers(given, SIZE) };
  const startedMs = performance.now();
  const removeCompiled = await compile();
  const layout = await startLayout();
  console.log(
    `${clients} clients, ${layout.apis.length} API machines, ${each} kills each of ${VICTIMS.join(', ')}, seed ${seed}`,
  );
  try {
    const asks = await readRealAsks(layout);
    const onKill = (victim: string, kills: number) => console.log(`  kill ${kills}: ${victim}`);
    const report = await runKills(layout, { each, clients, seed, asks, onKill });
    print(report, performance.now() - startedMs);
    return report.faults.length === 0;
  } finally {
    await layout.close();
    await removeCompiled();
  }
}

function print({ kills, seen, faults, unseen, ...figures }: KillReport, tookMs: number): void {
  const statuses = [...seen.statuses].sort(([a], [b]) => a - b).map(([status, calls]) => `${status}: ${calls}`);
  const killed = Object.entries(kills).map(([victim, count]) => `${victim} ${count}`);
  console.log(`\nin ${(tookMs / 1_000).toFixed(0)} s: ${killed.join(', ')}; ${seen.sent} calls over REST and MCP`);
  console.log(`  answers          ${statuses.join(', ')}; cut ${seen.cut}, nobody there ${seen.unheard}`);
  console.log(`  successes seen   ${figures.successes}`);
  console.log(`  charges          ${figures.charges}, of ${figures.credits} credits`);
  console.log(`  exports paid for ${figures.exports}, each the same from every machine`);
  console.log(`  ledger verify    ${figures.verified.trim()}`);
  list('unknown outcomes of calls without a key that were charged', unseen, Number.POSITIVE_INFINITY);
  list('faults', faults, SHOWN);
}

function list(name: string, lines: readonly string[], shown: number): void {
  console.log(`${name}: ${lines.length}`);
  for (const line of lines.slice(0, shown)) console.log(`  ${line}`);
}
