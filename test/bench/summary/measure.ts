import { rm } from 'node:fs/promises';
import { readSettings } from '../../../schema/config/settings.ts';
import type { Database } from '../../../schema/db/interface.ts';
import { openDatabase } from '../../../schema/db/open.ts';
import { joinPrints } from '../../../search/results/match-prints.ts';
import type { Summaries } from '../../../search/summary/open.ts';
import type { SummaryQuery } from '../../../search/summary/pass.ts';
import { fillContracts } from '../../generated/contracts/fill.ts';
import { needCompiled } from '../../support/compiled.ts';
import { makeDatabase } from '../../support/databases.ts';
import { fillFolder } from '../kept-folder.ts';
import { ownMegabytes, showBoth, showLoad, timeEach } from '../show-times.ts';

type Readers = typeof import('../../../search/summary/open.ts');

const EACH = 40;
/** Nobody waits here: a slow answer is to be measured, not refused. */
const PATIENT_MS = 60_000;

const BASE: SummaryQuery = {
  groupBy: ['buyer'],
  cpvLevel: 2,
  filters: {},
  measure: 'value',
  limit: 20,
  today: '2026-11-23',
};
const YEAR = { awarded_from: '2025-01-01', awarded_to: '2025-12-31' };
const QUERIES: Record<string, Partial<SummaryQuery>> = {
  'all by buyer': {},
  'a category and year by buyer': { filters: { cpv: ['45'], ...YEAR } },
  'a category and year by supplier': { groupBy: ['supplier'], filters: { cpv: ['72'], ...YEAR } },
  'all by supplier': { groupBy: ['supplier'] },
  'a region by year': { groupBy: ['year'], filters: { region: ['UKI'] } },
  'all by buyer and supplier': { groupBy: ['buyer', 'supplier'] },
};
/** What a search answers with whose words are in every fourth contract. */
const EVERY = 4;

/** The other design: one narrow table of what sums and common filters read, and its rows in the order of a year. */
const NARROW = `CREATE TABLE narrow AS SELECT sort_date AS dated, substr(cpv, 1, 2) AS division, buyer_id, value_class,
  currency, value FROM live.contract WHERE gone = 0 ORDER BY sort_date`;
const INDEX = 'CREATE INDEX narrow_by_day ON narrow (dated, division, buyer_id, value_class, currency, value)';
const BY_BUYER = `SELECT buyer_id, count(*) AS contracts,
  sum(iif(value_class = 'sum' AND currency = 'GBP', CAST(round(value * 100) AS INTEGER), 0)) AS pence`;
const SQL: Record<string, string> = {
  'all by buyer': `${BY_BUYER} FROM narrow GROUP BY buyer_id ORDER BY 3 DESC LIMIT 20`,
  'a category and year by buyer': `${BY_BUYER} FROM narrow WHERE dated BETWEEN '2025-01-01' AND '2025-12-31'
    AND division = '45' GROUP BY buyer_id ORDER BY 3 DESC LIMIT 20`,
};

/** Summaries of generated contracts: by columns in their process, and by SQL over a narrow table. */
export async function benchSummary(contracts = 1_000_000): Promise<void> {
  const { path, remove } = await fillFolder(`summary-${contracts}`, async (folder) => {
    const filled = await makeDatabase(folder, 'catalogue');
    await fillContracts(filled, contracts);
    await filled.close();
  });
  console.log(`\nsummaries of ${contracts} generated contracts, ${EACH} of each kind`);
  const catalogue = await makeDatabase(path, 'catalogue');
  const settings = readSettings({ DATA_DIR: path });
  // Readers are next to their module: through the loader they would run otherwise than in the service.
  const { makeSummaryReaders, openSummaries } = (await import(needCompiled('search/summary/open.ts'))) as Readers;
  const readers = makeSummaryReaders(settings, PATIENT_MS);
  const summaries = openSummaries(settings, readers);
  await fillColumns(summaries);
  const ids = await catalogue.read<{ id: string }>({
    sql: 'SELECT id FROM contract WHERE rowid % ? = 0',
    args: [EVERY],
  });
  const worded = { 'a quarter, by words, by buyer': { matches: joinPrints(ids.map(({ id }) => id)) } };
  for (const [kind, more] of Object.entries({ ...QUERIES, ...worded })) {
    const times = await timeEach(EACH, readers.pids, () => summaries.summarise({ ...BASE, ...more }));
    console.log(`    ${kind.padEnd(34)} ${showBoth(times)}`);
  }
  console.log(`  its process: ${ownMegabytes(readers.pids())} MB of its own  (${showLoad()})`);
  await summaries.close();
  await benchSql(path);
  await catalogue.close();
  await remove();
}

async function fillColumns(summaries: Summaries): Promise<void> {
  const startMs = performance.now();
  for (;;) {
    const [asked] = await Promise.allSettled([summaries.summarise(BASE)]);
    if (asked.status === 'fulfilled') break;
    // Of the compiled project, whose classes are others.
    if (asked.reason?.constructor.name !== 'SearchUnavailable') throw asked.reason;
    await new Promise((resolve) => setTimeout(resolve, 1_000));
  }
  console.log(`  columns filled in ${Math.round((performance.now() - startMs) / 1_000)} s`);
}

async function benchSql(folder: string): Promise<void> {
  await rm(`${folder}/narrow.db`, { force: true });
  const narrow: Database = await openDatabase({ url: `file:${folder}/narrow.db`, durability: 'normal' });
  await narrow.read({ sql: 'ATTACH DATABASE ? AS live', args: [`${folder}/catalogue.db`] });
  for (const sql of [NARROW, INDEX]) await narrow.write([{ sql }]);
  console.log('  SQL over a narrow table with an index of all its columns');
  for (const [kind, sql] of Object.entries(SQL)) {
    console.log(
      `    ${kind.padEnd(34)} ${showBoth(
        await timeEach(
          EACH,
          () => [process.pid],
          () => narrow.read({ sql }),
        ),
      )}`,
    );
  }
  await narrow.close();
}
