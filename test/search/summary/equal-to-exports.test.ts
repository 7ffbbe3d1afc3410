import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { londonDate } from '../../../schema/config/clocks.ts';
import type { Database } from '../../../schema/db/interface.ts';
import { COLLECTIONS } from '../../../search/collections/index.ts';
import type { AnyHit, SearchEngine, Searches } from '../../../search/engine.ts';
import { syncSearch } from '../../../search/index/sync.ts';
import { openIndex } from '../../../search/open.ts';
import { type ColumnFile, openColumns } from '../../../search/summary/file.ts';
import { followCatalogue } from '../../../search/summary/follow.ts';
import { type SummaryAnswer, type SummaryQuery, summarise } from '../../../search/summary/pass.ts';
import { fillContracts } from '../../generated/contracts/fill.ts';
import { makeDice } from '../../generated/draw.ts';
import { copyRecorded } from '../../ingest/ingested.ts';
import { rowsOf } from '../../support/catalogue-services.ts';
import { makeDatabase, makeFolder } from '../../support/databases.ts';
import { findIngested } from '../../support/sample-services.ts';
import { haveRecordings, readKnownRecordings } from '../../upstream/recordings/known.ts';
import { SAMPLE_AS_OF } from '../../upstream/sample/make.ts';
import { makeTestEngine } from '../test-engine.ts';
import { addLines, groupLines, keyOf, readLines } from './added-by-hand.ts';
import { drawQuery, drawText, readSeen } from './random-queries.ts';

const present = haveRecordings('summaries of what was recorded');
const QUERIES = 100;
/** How often words narrow a query. */
const WITH_WORDS = 0.3;

let folder: Awaited<ReturnType<typeof makeFolder>>;
let columns: ColumnFile;
let contracts: SearchEngine<AnyHit>;

beforeEach(async () => {
  folder = await makeFolder();
});
afterEach(async () => {
  await columns.close();
  await contracts.close();
  await folder.remove();
});

/** A query with the words that narrow it too. */
type Asked = SummaryQuery & { text?: string };

async function ask({ text, ...query }: Asked, now: Date): Promise<SummaryAnswer> {
  const columnState = await columns.readState();
  if (!columnState) throw new Error('the columns are empty');
  if (text === undefined) return summarise(columns, columnState, query);
  const search = { scope: 'contracts', text, filters: query.filters, limit: 1, now } as const;
  return summarise(columns, columnState, { ...query, matches: (await contracts.matchAll(search)).prints });
}

/** Ids of all that the search pages through. */
async function listIds({ text = '*', filters }: Asked, now: Date): Promise<string[]> {
  const query = { scope: 'contracts', text, filters, limit: 500, now } as const;
  const ids: string[] = [];
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const { hits, nextCursor } = await contracts.find({ ...query, ...(cursor && { cursor }) });
    ids.push(...hits.map(({ id }) => id));
    cursor = nextCursor;
  }
  return ids;
}

async function openContracts(catalogue: Database, isFilled: boolean): Promise<void> {
  const { index, url } = await openIndex(folder.path, COLLECTIONS.contracts);
  contracts = makeTestEngine<AnyHit>(index, { catalogue, url, collection: COLLECTIONS.contracts, readers: 1 });
  if (isFilled) await syncSearch(catalogue, contracts);
}

/**
 * Asks many summaries and adds each up from the lines of an export with the same filters and words; where there are words, the
 * search lists these contracts too. Answers how many found something, and how many of these had words.
 */
async function checkAll(
  catalogue: Database,
  { now, queries, withWords }: { now: Date; queries: number; withWords: number },
): Promise<{ found: number; worded: number }> {
  columns = await openColumns(folder.path);
  while (await followCatalogue(catalogue, columns));
  await openContracts(catalogue, withWords > 0);
  const clocks = { catalogueNow: () => now, wallNow: () => now };
  const services = { catalogue, clocks, rows: rowsOf(catalogue), search: { contracts } as Searches };
  const exportLines = await readLines(services);
  const [dice, seen] = [makeDice(queries), await readSeen(catalogue)];
  const counts = { found: 0, worded: 0 };
  for (let asked = 0; asked < queries; asked++) {
    const drawn = drawQuery(dice, seen, londonDate(now));
    const query: Asked = dice.chance(withWords) ? { ...drawn, text: drawText(dice, seen) } : drawn;
    const [answer, lines] = [await ask(query, now), await exportLines(query)];
    expect({ query, total: answer.total }).toEqual({ query, total: addLines(lines) });
    checkGroups(query, answer, groupLines(lines, query));
    if (lines.length > 0) counts.found += 1;
    if (query.text === undefined || lines.length === 0) continue;
    counts.worded += 1;
    expect((await listIds(query, now)).sort()).toEqual(lines.map(({ contract_id }) => contract_id).sort());
  }
  return counts;
}

function checkGroups(query: SummaryQuery, answer: SummaryAnswer, all: ReturnType<typeof groupLines>) {
  expect(answer.groupCount).toBe(all.size);
  expect(answer.groups).toHaveLength(Math.min(query.limit, all.size));
  const measured = ({ contracts, added }: Pick<SummaryAnswer['total'], 'contracts' | 'added'>) =>
    query.measure === 'count' ? contracts : (added.GBP?.pence ?? 0);
  const groups = answer.groups.map(({ ids, ...sums }) => ({ ids, sums }));
  expect({ query, groups }).toEqual({
    query,
    groups: groups.map(({ ids }) => ({ ids, sums: all.get(keyOf({ ids })) })),
  });
  const order = [...all.values()].map(measured).sort((a, b) => b - a);
  expect(answer.groups.map(measured)).toEqual(order.slice(0, answer.groups.length));
  const listed = new Set(answer.groups.map(keyOf));
  const rest = [...all].filter(([key]) => !listed.has(key)).map(([, sums]) => sums);
  expect(answer.others.contracts).toBe(rest.reduce((sum, { contracts }) => sum + contracts, 0));
  expect(answer.others.added.GBP?.pence ?? 0).toBe(rest.reduce((sum, { added }) => sum + (added.GBP?.pence ?? 0), 0));
}

describe('a summary equals, to the penny, what an export with the same filters and words adds up to', () => {
  it('on the sample', async () => {
    await cp(join(await findIngested(), 'catalogue.db'), join(folder.path, 'catalogue.db'));
    const catalogue = await makeDatabase(folder.path, 'catalogue');
    const { found, worded } = await checkAll(catalogue, { now: SAMPLE_AS_OF, queries: QUERIES, withWords: WITH_WORDS });
    expect([found > QUERIES / 4, worded > QUERIES / 20]).toEqual([true, true]);
    await catalogue.close();
  });

  it.skipIf(!present)('on what was recorded', async () => {
    await copyRecorded(folder.path);
    const catalogue = await makeDatabase(folder.path, 'catalogue');
    const { asOf: now } = await readKnownRecordings();
    const { found, worded } = await checkAll(catalogue, { now, queries: QUERIES, withWords: WITH_WORDS });
    expect([found > QUERIES / 4, worded > QUERIES / 20]).toEqual([true, true]);
    await catalogue.close();
  });

  it('on made-up contracts of every kind, in more than one piece', async () => {
    const catalogue = await makeDatabase(folder.path, 'catalogue');
    await fillContracts(catalogue, 17_000);
    expect((await checkAll(catalogue, { now: SAMPLE_AS_OF, queries: 12, withWords: 0 })).found).toBeGreaterThan(3);
    await catalogue.close();
  });
});
