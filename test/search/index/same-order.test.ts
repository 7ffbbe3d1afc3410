import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Database } from '../../../schema/db/interface.ts';
import { COLLECTIONS } from '../../../search/collections/index.ts';
import type { SearchEngine, SearchQuery } from '../../../search/engine.ts';
import { syncSearch } from '../../../search/index/sync.ts';
import { openIndex } from '../../../search/open.ts';
import { makeDatabase, makeFolder } from '../../support/databases.ts';
import { makeSharedReaders } from '../shared-readers.ts';
import { makeTestEngine } from '../test-engine.ts';
import { makeTrial } from '../trial.ts';
import { notice, setSeq } from './notice-rows.ts';

const readers = makeSharedReaders();
afterAll(() => readers.close());

let catalogue: Database;
const closing: (() => Promise<void>)[] = [];
beforeEach(async () => {
  const folder = await makeFolder();
  catalogue = await makeDatabase(folder.path, 'catalogue');
  closing.push(() => catalogue.close(), folder.remove);
});
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

/** The embedded index of one more machine. */
async function openMachine(): Promise<SearchEngine> {
  const folder = await makeFolder();
  const { index, url } = await openIndex(folder.path);
  const engine = makeTestEngine(index, { catalogue, url, shared: readers, collection: COLLECTIONS.notices });
  closing.push(folder.remove, () => engine.close());
  return engine;
}

const COUNT = 300;
const numbers = Array.from({ length: COUNT }, (_, number) => number);

/** Notices of three days. One in three has no time; the others come in groups of the same instant. */
function publish(which: readonly number[], seq: number) {
  const rows = which.map((number) => {
    const day = `2026-03-0${1 + (number % 3)}`;
    const time = number % 3 === 0 ? '00:00:00' : `${10 + (number % 7)}:00:00`;
    const value = number % 5 === 0 ? 10 * (number % 2) : null;
    return notice(String(number), seq, { published: day, published_at: `${day}T${time}Z`, value, currency: 'GBP' });
  });
  return catalogue.write([...rows, setSeq(seq)]);
}

/** Ids of all pages of a query, asked of the machines in turn. */
async function readInTurn(machines: readonly SearchEngine[], query: Partial<SearchQuery>): Promise<string[]> {
  const seen: string[] = [];
  let cursor: string | undefined;
  for (let page = 0; page <= COUNT; page++) {
    const trial = makeTrial(machines[page % machines.length] as SearchEngine);
    const answer = await trial.find({ ...query, limit: 20, ...(cursor && { cursor }) });
    seen.push(...answer.hits.map(({ notice_id }) => notice_id));
    if (answer.nextCursor === null) return seen;
    cursor = answer.nextCursor;
  }
  throw new Error('pages without end');
}

describe('indexes of machines that were filled at different times', () => {
  it.each<[string, Partial<SearchQuery>]>([
    ['everything', {}],
    ['words', { text: 'window' }],
    ['words by day', { text: 'window', sort: '-published' }],
    ['everything by value', { sort: 'value' }],
  ])('continue a cursor of each other, for %s: no page repeats or omits a result', async (_what, query) => {
    const early = await openMachine();
    await publish(numbers.slice(100), 1);
    await syncSearch(catalogue, early);
    await publish(numbers.slice(0, 150), 2);
    await syncSearch(catalogue, early);
    const late = await openMachine();
    await syncSearch(catalogue, late);
    const seen = await readInTurn([early, late], query);
    expect([seen.length, new Set(seen).size]).toEqual([COUNT, COUNT]);
  });

  it('have what was published later in a day before what was published earlier', async () => {
    const machine = await openMachine();
    const times = ['17:30:00', '09:00:00', '11:15:00'];
    const rows = times.map((time, number) => notice(String(number), 1, { published_at: `2026-03-01T${time}Z` }));
    await catalogue.write([...rows, setSeq(1)]);
    await syncSearch(catalogue, machine);
    expect(await makeTrial(machine).ids()).toEqual(['0', '2', '1']);
  });
});
