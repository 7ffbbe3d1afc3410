import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runSource } from '../../../ingest/run.ts';
import { registerSources } from '../../../ingest/runs/record.ts';
import { sources } from '../../../ingest/sources/index.ts';
import { londonDate } from '../../../schema/config/clocks.ts';
import type { Database } from '../../../schema/db/interface.ts';
import { type ColumnFile, openColumns } from '../../../search/summary/file.ts';
import { followCatalogue } from '../../../search/summary/follow.ts';
import { type SummaryAnswer, type SummaryQuery, summarise } from '../../../search/summary/pass.ts';
import { fillContracts } from '../../generated/contracts/fill.ts';
import { makeDice } from '../../generated/draw.ts';
import { makeWorld, type World } from '../../ingest/small-world.ts';
import { makeDatabase, makeFolder } from '../../support/databases.ts';
import type { UpstreamData } from '../../upstream/data.ts';
import { haveRecordings, readKnownRecordings } from '../../upstream/recordings/known.ts';
import { makeSample, SAMPLE_AS_OF } from '../../upstream/sample/make.ts';
import { addLines, exportLines, groupLines, keyOf } from './added-by-hand.ts';
import { drawQuery, readSeen } from './random-queries.ts';

const present = haveRecordings('summaries of what was recorded');
const QUERIES = 500;

let folder: Awaited<ReturnType<typeof makeFolder>>;
let columns: ColumnFile;
let world: World | undefined;

beforeEach(async () => {
  folder = await makeFolder();
});
afterEach(async () => {
  await columns.close();
  await world?.close();
  world = undefined;
  await folder.remove();
});

/** A catalogue that all of some published data went into. */
async function ingest(data: UpstreamData): Promise<Database> {
  world = await makeWorld(data);
  await registerSources(world.catalogue, sources);
  const since = new Date('2014-01-01T00:00:00Z');
  await runSource(world.context, 'contracts_finder', { since });
  await runSource(world.context, 'find_a_tender', { since });
  return world.catalogue;
}

async function ask(query: SummaryQuery): Promise<SummaryAnswer> {
  const standing = await columns.readStanding();
  if (!standing) throw new Error('the columns are empty');
  return summarise(columns, standing, query);
}

/** Asks many summaries and adds each up from the lines of an export with the same filters. Answers how many found something. */
async function checkAll(catalogue: Database, now: Date, queries: number): Promise<number> {
  columns = await openColumns(folder.path);
  while (await followCatalogue(catalogue, columns));
  const [dice, seen] = [makeDice(queries), await readSeen(catalogue)];
  let found = 0;
  for (let asked = 0; asked < queries; asked++) {
    const query = drawQuery(dice, seen, londonDate(now));
    const [answer, lines] = [await ask(query), await exportLines(catalogue, query.filters, now)];
    expect({ query, total: answer.total }).toEqual({ query, total: addLines(lines) });
    checkGroups(query, answer, groupLines(lines, query));
    if (lines.length > 0) found += 1;
  }
  return found;
}

function checkGroups(query: SummaryQuery, answer: SummaryAnswer, all: ReturnType<typeof groupLines>) {
  expect(answer.groupCount).toBe(all.size);
  expect(answer.groups).toHaveLength(Math.min(query.limit, all.size));
  const measured = ({ contracts, added }: Pick<SummaryAnswer['total'], 'contracts' | 'added'>) =>
    query.measure === 'count' ? contracts : (added.GBP?.pence ?? 0);
  for (const { ids, ...sums } of answer.groups)
    expect({ query, ids, sums }).toEqual({ query, ids, sums: all.get(keyOf({ ids })) });
  const order = [...all.values()].map(measured).sort((a, b) => b - a);
  expect(answer.groups.map(measured)).toEqual(order.slice(0, answer.groups.length));
  const listed = new Set(answer.groups.map(keyOf));
  const rest = [...all].filter(([key]) => !listed.has(key)).map(([, sums]) => sums);
  expect(answer.others.contracts).toBe(rest.reduce((sum, { contracts }) => sum + contracts, 0));
  expect(answer.others.added.GBP?.pence ?? 0).toBe(rest.reduce((sum, { added }) => sum + (added.GBP?.pence ?? 0), 0));
}

describe('a summary equals, to the penny, what an export with the same filters adds up to', () => {
  it('on the sample', async () => {
    const catalogue = await ingest(makeSample({ notices: 300, buyers: 30, companies: 120 }));
    expect(await checkAll(catalogue, SAMPLE_AS_OF, QUERIES)).toBeGreaterThan(QUERIES / 4);
  });

  it.skipIf(!present)('on what was recorded', async () => {
    const data = await readKnownRecordings();
    expect(await checkAll(await ingest(data), data.asOf, QUERIES)).toBeGreaterThan(QUERIES / 4);
  });

  it('on made-up contracts of every kind, in more than one piece', async () => {
    const catalogue = await makeDatabase(folder.path, 'catalogue');
    await fillContracts(catalogue, 17_000);
    expect(await checkAll(catalogue, SAMPLE_AS_OF, 12)).toBeGreaterThan(3);
    await catalogue.close();
  });
});
