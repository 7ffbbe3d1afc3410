import { readRealAsks } from '../api/money/metered-calls.ts';
import { type KillReport, listVictims, runKills } from '../machines/kills.ts';
import { startLayout } from '../machines/layout.ts';
import { hasServers } from '../machines/servers.ts';
import { hasBucketServer } from '../support/bucket.ts';
import { setup as compile } from '../support/compiled.ts';
import { readNumbers } from './read-arguments.ts';

const SIZE = { kills: 10, seed: 1, clients: 16 };
/** Of each list, how many are printed. */
const SHOWN = 20;
const COPIES = 'copies';
const WHAT = 'killing the parts of several machines';

/**
 * Each part of the layout of several machines is killed so often under load: true where the ledger and the exports are right.
 * With `copies` among the arguments, API machines read from a copy of the catalogue and fill their own index.
 */
export async function runMachines(words: string[]): Promise<boolean> {
  const given = words.filter((word) => word !== COPIES);
  const copies = given.length < words.length;
  if (![hasServers(WHAT), hasBucketServer(WHAT)].every(Boolean)) return true;
  const { clients, kills: each, seed } = { ...SIZE, ...readNumbers(given, SIZE) };
  const startedMs = performance.now();
  const removeCompiled = await compile();
  const layout = await startLayout({ copies });
  console.log(
    `${clients} clients, ${layout.apis.length} API machines${copies ? ' with copies of the catalogue' : ''}, ${each} kills each of ${listVictims(layout).join(', ')}, seed ${seed}`,
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
