import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Database } from '../../../schema/db/interface.ts';
import { COLLECTIONS } from '../../../search/collections/index.ts';
import type { AnyHit, SearchEngine } from '../../../search/engine.ts';
import { readIndexLag, readLag } from '../../../search/index/health.ts';
import { syncSearch } from '../../../search/index/sync.ts';
import { openIndex } from '../../../search/open.ts';
import { makeDatabase, makeFolder } from '../../support/databases.ts';
import { companyRow, contractDetail, contractRows, registeredRow, row, supplier } from '../../support/seed.ts';
import { makeSharedReaders } from '../shared-readers.ts';
import { makeTestEngine } from '../test-engine.ts';
import { makeTrial } from '../trial.ts';
import { framework, notice, setSeq } from './notice-rows.ts';

/** One process for the indexes of all tests. */
const readers = makeSharedReaders();
afterAll(() => readers.close());

const acme = supplier('GB-COH-01234567', 'Acme Lifts Ltd');
let folder: Awaited<ReturnType<typeof makeFolder>>;
let catalogue: Database;
let engine: SearchEngine;

beforeEach(async () => {
  folder = await makeFolder();
  catalogue = await makeDatabase(folder.path, 'catalogue');
  const { index, url } = await openIndex(folder.path);
  engine = makeTestEngine(index, { catalogue, url, shared: readers });
});
afterEach(async () => {
  await engine.close();
  await catalogue.close();
  await folder.remove();
});

describe('sync', () => {
  it('brings every row over once, then nothing', async () => {
    await catalogue.write([notice('1', 1), notice('2', 2), setSeq(2)]);
    expect(await readLag(catalogue, engine)).toBe(2);
    expect(await syncSearch(catalogue, engine)).toMatchObject({ stored: 2, removed: 0, rebuilt: 'new', lagRows: 0 });
    expect(await syncSearch(catalogue, engine)).toMatchObject({ stored: 0, removed: 0, rebuilt: null, lagRows: 0 });
    expect((await makeTrial(engine).ids({ text: 'window' })).sort()).toEqual(['1', '2']);
  });

  it('follows changes, and rows that go', async () => {
    await catalogue.write([notice('1', 1), notice('2', 1), setSeq(1)]);
    await syncSearch(catalogue, engine);
    await catalogue.write([notice('1', 2, { title: 'Renamed' }), notice('2', 2, { gone: 1 }), setSeq(2)]);
    expect(await syncSearch(catalogue, engine)).toMatchObject({ stored: 1, removed: 1, rebuilt: null });
    expect(await makeTrial(engine).ids()).toEqual(['1']);
    expect(await makeTrial(engine).ids({ text: 'renamed' })).toEqual(['1']);
  });

  it('drains more rows than one batch, and reports progress', async () => {
    const rows = Array.from({ length: 4_100 }, (_, index) => notice(String(index), 1 + (index % 3)));
    await catalogue.write([...rows, setSeq(3)]);
    const progress: number[] = [];
    const report = await syncSearch(catalogue, engine, { onProgress: ({ done }) => progress.push(done) });
    expect(report).toMatchObject({ stored: 4_100, lagRows: 0 });
    expect(progress.at(-1)).toBe(4_100);
    expect(progress.length).toBe(3);
  });

  it('continues where it was stopped', async () => {
    const rows = Array.from({ length: 4_100 }, (_, index) => notice(String(index), 1));
    await catalogue.write([...rows, setSeq(1)]);
    const stop = new AbortController();
    const first = await syncSearch(catalogue, engine, { signal: stop.signal, onProgress: () => stop.abort() });
    expect(first).toMatchObject({ stored: 2_000, lagRows: 2_100 });
    expect(await syncSearch(catalogue, engine)).toMatchObject({ stored: 2_100, lagRows: 0, rebuilt: 'new' });
  });

  it('finds a framework through its own notice, also when that becomes another', async () => {
    await catalogue.write([
      notice('1', 1, { process_id: 'p-9' }),
      notice('2', 1, { process_id: 'p-9' }),
      framework('9', '1', 1),
      setSeq(1),
    ]);
    await syncSearch(catalogue, engine);
    const trial = makeTrial(engine);
    expect(await trial.ids({ scope: 'frameworks' })).toEqual(['1']);
    await catalogue.write([framework('9', '2', 2), setSeq(2)]);
    await syncSearch(catalogue, engine);
    const [hit, ...others] = (await trial.find({ scope: 'frameworks' })).hits;
    expect(hit).toMatchObject({ notice_id: '2', framework_id: 'p-9' });
    expect(others).toEqual([]);
  });

  it('finds frameworks by a reference that none of their texts has, also where two have it', async () => {
    await catalogue.write([
      ...['7', '8', '9'].map((number) => notice(number, 1)),
      framework('7', '7', 1, ['RM6011']),
      framework('8', '8', 1, ['RM6011', 'RM6012']),
      setSeq(1),
    ]);
    await syncSearch(catalogue, engine);
    const find = async (text: string) => (await makeTrial(engine).ids({ scope: 'frameworks', text })).sort();
    expect(await find('RM6011')).toEqual(['7', '8']);
    expect(await find('rm6012 ')).toEqual(['8']);
    expect(await find('RM6013')).toEqual([]);
    await catalogue.write([framework('7', '7', 2, ['RM6013']), setSeq(2)]);
    await syncSearch(catalogue, engine);
    expect(await find('RM6013')).toEqual(['7']);
  });

  it('empties and fills an index of another generation or version', async () => {
    await catalogue.write([notice('1', 1), setSeq(1)]);
    await syncSearch(catalogue, engine);
    await catalogue.write([
      { sql: "UPDATE meta SET value = 'another' WHERE name = 'generation'" },
      { sql: 'DELETE FROM notice' },
      notice('7', 1),
    ]);
    expect(await syncSearch(catalogue, engine)).toMatchObject({ rebuilt: 'generation', stored: 1 });
    expect(await makeTrial(engine).ids()).toEqual(['7']);
    await engine.store({
      documents: [],
      gone: [],
      cursor: { generation: 'another', version: 'older', seq: 1, id: 'x' },
    });
    expect(await syncSearch(catalogue, engine)).toMatchObject({ rebuilt: 'version', stored: 1 });
  });

  async function restoreOlder(): Promise<void> {
    await catalogue.write([notice('1', 1), setSeq(1)]);
    await catalogue.write([notice('lost', 2), setSeq(2)]);
    await syncSearch(catalogue, engine);
    await catalogue.write([
      { sql: 'DELETE FROM notice WHERE seq = 2' },
      { sql: 'DELETE FROM change_instant WHERE seq = 2' },
      setSeq(1),
    ]);
  }

  it('fills an index again where the catalogue was restored from a backup', async () => {
    await restoreOlder();
    expect(await syncSearch(catalogue, engine)).toMatchObject({ rebuilt: 'generation', stored: 1 });
    expect(await makeTrial(engine).ids()).toEqual(['1']);
  });

  it('fills an index again where the catalogue was restored from a backup and has come past it since', async () => {
    await restoreOlder();
    await catalogue.write([notice('other', 2), setSeq(2)]);
    await catalogue.write([notice('later', 3), setSeq(3)]);
    await catalogue.write([{ sql: 'UPDATE change_instant SET at = at + 60 WHERE seq > 1' }]);
    expect(await readLag(catalogue, engine)).toBe(3);
    expect(await syncSearch(catalogue, engine)).toMatchObject({ rebuilt: 'generation', stored: 3 });
    expect((await makeTrial(engine).ids()).toSorted()).toEqual(['1', 'later', 'other']);
    expect(await syncSearch(catalogue, engine)).toMatchObject({ rebuilt: null, stored: 0 });
  });
});

describe('sync of contracts', () => {
  let contracts: SearchEngine<AnyHit>;
  beforeEach(async () => {
    const { index, url } = await openIndex(folder.path, COLLECTIONS.contracts);
    contracts = makeTestEngine<AnyHit>(index, { catalogue, url, collection: COLLECTIONS.contracts, shared: readers });
  });
  afterEach(() => contracts.close());
  const find = async (text: string) => makeTrial(contracts, 'contracts').ids({ text });

  it('runs with that of notices, and lists the lag of both', async () => {
    await catalogue.write([notice('1', 1), ...contractRows('p-1/1', [acme]), setSeq(1)]);
    const both = { ...engine, contracts };
    const lag = async () =>
      (await readIndexLag(catalogue, both)).map(({ collection, lag_rows }) => [collection, lag_rows]);
    expect(await lag()).toEqual([
      ['notices', 1],
      ['contracts', 1],
    ]);
    expect(await syncSearch(catalogue, both)).toMatchObject({ stored: 1, contracts: { stored: 1, rebuilt: 'new' } });
    expect(await lag()).toEqual([
      ['notices', 0],
      ['contracts', 0],
    ]);
    await catalogue.write([{ sql: 'UPDATE contract SET gone = 1, seq = 2' }, setSeq(2)]);
    expect(await syncSearch(catalogue, both)).toMatchObject({ stored: 0, contracts: { removed: 1, rebuilt: null } });
  });

  it('brings contracts up to date while the index of notices is rebuilt', async () => {
    const many = Array.from({ length: 2_500 }, (_, number) => notice(`m-${number}`, 1));
    await catalogue.write([...many, ...contractRows('p-1/1', [acme]), setSeq(1)]);
    const both = { ...engine, contracts };
    await syncSearch(catalogue, both);
    const found: number[] = [];
    const openBuild = async () => {
      const build = await engine.openBuild();
      return {
        ...build,
        async store(batch: Parameters<typeof build.store>[0]) {
          found.push((await find('*')).length);
          if (found.length === 1) await catalogue.write([...contractRows('p-2/1', [acme], { seq: 2 }), setSeq(2)]);
          await build.store(batch);
        },
      };
    };
    await syncSearch(catalogue, { ...both, openBuild }, { rebuild: true });
    expect(found.slice(0, 2)).toEqual([1, 2]);
  });

  it('leads from the words of its own CPV codes to a contract', async () => {
    const of = (cpv: string) => ({ detail: { ...contractDetail, cpvs: [cpv] } });
    await catalogue.write([
      notice('1', 1),
      ...contractRows('p-1/1', [acme], { notice_id: '1', ...of('90911000') }),
      ...contractRows('p-1/2', [acme], { notice_id: '1', ...of('45000000') }),
      setSeq(1),
    ]);
    await syncSearch(catalogue, contracts);
    const { hits } = await makeTrial(contracts, 'contracts').find({ text: 'window cleaning' });
    expect(hits.map(({ id }) => id)).toEqual(['p-1/1']);
  });

  it('leads from a new or a former name in the register to the contracts of a supplier', async () => {
    await catalogue.write([
      ...contractRows('p-1/1', [acme], { notice_id: '1' }),
      companyRow(acme.company_id, acme.name, { company_number: '01234567' }),
      registeredRow('01234567', 'ACME LIFTS LIMITED', { match_seq: 1 }),
      setSeq(1),
    ]);
    await syncSearch(catalogue, contracts);
    expect([await find('acme'), await find('zenith')]).toEqual([['1'], []]);
    await catalogue.write([
      { sql: "UPDATE registered_company SET name = 'ZENITH ELEVATORS LIMITED', seq = 2, match_seq = 2" },
      row('previous_name', { name_key: 'paragon', company_number: '01234567', name: 'PARAGON HOISTS LIMITED' }),
      setSeq(2),
    ]);
    expect(await syncSearch(catalogue, contracts)).toMatchObject({ stored: 1, rebuilt: null });
    for (const text of ['acme', 'zenith', 'paragon hoists']) expect(await find(text)).toEqual(['1']);
    expect(await syncSearch(catalogue, contracts)).toMatchObject({ stored: 0 });
  });
});
