import { pino } from 'pino';
import { withLease } from '../../../jobs/process/lease.ts';
import { matchWatches } from '../../../jobs/watches/match.ts';
import type { WatchCollection } from '../../../schema/accounts/watches/row.ts';
import type { SearchFilters } from '../../../search/filters/index.ts';
import { makeNotices } from '../../generated/notices/make.ts';
import { addWatch, openAccount } from '../../jobs/watches/seed.ts';
import { makeJobServices } from '../../support/job-services.ts';
import { processorMs } from '../../support/processor-time.ts';
import { makeRandom, type Random } from '../../upstream/sample/random.ts';
import { fillProcurement } from '../pages/world.ts';

const WATCHES = 10_000;
const CHANGES = 1_000;
const WATCHES_AN_ACCOUNT = 10;
const SEED = 11;

type Sought = ReturnType<typeof makeNotices> extends Generator<infer One> ? One : never;

/** So many distinct watches, each of what somebody may look for, matched with new notices and their contracts. */
export async function benchMatches(): Promise<void> {
  const built = await makeJobServices();
  const { accounts, catalogue } = built.services;
  console.log(`\n${WATCHES} distinct watches against ${CHANGES} new notices and their contracts`);
  // Nothing of what is set up is timed.
  await accounts.read({ sql: 'PRAGMA synchronous = OFF' });
  await fillWatches(accounts, WATCHES);
  await accounts.read({ sql: 'PRAGMA synchronous = FULL' });
  const seq = await fillProcurement(catalogue, CHANGES);
  await catalogue.write([{ sql: "UPDATE counter SET value = ? WHERE name = 'seq'", args: [seq] }]);
  const [startMs, startCpuMs] = [performance.now(), processorMs()];
  const done = await withLease(accounts, 'watches', { holder: 'a benchmark' }, (holding) =>
    matchWatches({ ...built.services, log: pino({ level: 'silent' }) }, holding),
  );
  if (!done.acquired) throw new Error('another process has the lease');
  const [tookMs, cpuMs] = [performance.now() - startMs, processorMs() - startCpuMs];
  const { changes, deliveries, items, watches: moved } = done.result;
  console.log(`    ${moved} watches, ${changes} changed rows: ${deliveries} deliveries of ${items} items`);
  console.log(`    ${(tookMs / 1_000).toFixed(1)} s, of one core ${(cpuMs / 1_000).toFixed(1)} s`);
  await built.close();
}

async function fillWatches(accounts: Parameters<typeof addWatch>[0], count: number): Promise<void> {
  const random = makeRandom(SEED);
  // Another world than the one that is matched: what people look for is not made from what comes.
  const sought = [...makeNotices(2_000, SEED)];
  const made = new Set<string>();
  let account = '';
  while (made.size < count) {
    const collection = random.weigh<WatchCollection>([
      [6, 'tenders'],
      [2, 'notices'],
      [2, 'contracts'],
    ]);
    const filters = JSON.stringify(drawFilters(random, random.pick(sought), collection));
    if (filters === '{}' || made.has(collection + filters)) continue;
    if (made.size % WATCHES_AN_ACCOUNT === 0) account = await openAccount(accounts, 1_000_000);
    made.add(collection + filters);
    await addWatch(accounts, { account_id: account, collection, filters });
  }
}

/** Filters such as people save: a word or two of their trade, its codes, where they work, what is worth a bid. */
function drawFilters(random: Random, notice: Sought, collection: WatchCollection): SearchFilters & { query?: string } {
  const { cpvs, regions, title, buyer_id: buyer, subjects } = notice;
  const words = `${title} ${subjects.join(' ')}`.split(' ').filter((word) => word.length > 3);
  const digits = random.pick([2, 3, 4, 5]);
  const region = regions[0]?.code;
  return {
    ...(random.chance(0.5) && cpvs[0] ? { cpv: [...new Set(cpvs.map((code) => code.slice(0, digits)))] } : {}),
    ...(random.chance(0.05) && buyer ? { buyer_id: buyer } : {}),
    ...(random.chance(0.65) && words.length > 0 ? { query: random.some(words, random.int(1, 2)).join(' ') } : {}),
    ...(random.chance(0.35) && region ? { region: [region.slice(0, random.pick([3, 4]))] } : {}),
    ...(random.chance(0.1) ? { source: [random.pick(['find_a_tender', 'contracts_finder'])] } : {}),
    ...(random.chance(0.3) ? { value_min: random.pick([10_000, 25_000, 50_000, 100_000, 250_000, 1_000_000]) } : {}),
    ...(random.chance(0.1) ? { value_max: random.pick([1_500_000, 5_000_000]) } : {}),
    ...(collection === 'contracts' || random.chance(0.9) ? {} : { deadline_from: '2026-12-01' }),
  };
}
