import { open, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Database, DatabaseFault } from '../../../schema/db/interface.ts';
import { COLLECTIONS } from '../../../search/collections/index.ts';
import { layoutOf } from '../../../search/embedded/layout/tables.ts';
import { type AnyDocument, type AnyHit, type SearchEngine, SearchUnavailable } from '../../../search/engine.ts';
import { IndexIncomplete, syncSearch } from '../../../search/index/sync.ts';
import { indexUrl, openIndex } from '../../../search/open.ts';
import { makeDatabase, makeFolder } from '../../support/databases.ts';
import { contractRows, supplier } from '../../support/seed.ts';
import { someDocument } from '../documents.ts';
import { makeSharedReaders } from '../shared-readers.ts';
import { makeTestEngine } from '../test-engine.ts';
import { makeTrial } from '../trial.ts';
import { notice, setSeq } from './notice-rows.ts';

/** One process for the indexes of all tests. */
const readers = makeSharedReaders();
afterAll(() => readers.close());

let folder: Awaited<ReturnType<typeof makeFolder>>;
let catalogue: Database;
let engine: SearchEngine;
/** As the API has it: only reading. */
let reader: SearchEngine;

const openEngine = async () => {
  const { index, url } = await openIndex(folder.path);
  engine = makeTestEngine(index, { catalogue, url, shared: readers });
};
const LAYOUT = layoutOf(COLLECTIONS.notices);
/** The layout left out. */
const files = async () =>
  (await readdir(folder.path))
    .filter((name) => /^search.*\.(db|generation)$/.test(name))
    .map((name) => name.replace(`.${LAYOUT}`, ''))
    .sort();
const pathOf = (name: string) => join(folder.path, name.replace('search', `search.${LAYOUT}`));
const titles = async () => (await makeTrial(reader).find()).hits.map(({ title }) => title).sort();

beforeEach(async () => {
  folder = await makeFolder();
  catalogue = await makeDatabase(folder.path, 'catalogue');
  await openEngine();
  reader = makeTestEngine(null, { catalogue, url: indexUrl(folder.path), shared: readers });
  await catalogue.write([notice('1', 1, { title: 'One' }), notice('2', 1, { title: 'Two', gone: 1 }), setSeq(1)]);
  await syncSearch(catalogue, engine);
});
afterEach(async () => {
  await reader.close();
  await engine.close();
  await catalogue.close();
  await folder.remove();
});

describe('an index that is rebuilt', () => {
  it('takes the place of the old one under open readers, and leaves nothing behind', async () => {
    expect(await titles()).toEqual(['One']);
    await catalogue.write([notice('1', 2, { title: 'Anew' }), setSeq(2)]);
    expect(await syncSearch(catalogue, engine, { rebuild: true })).toMatchObject({ rebuilt: 'asked', stored: 1 });
    expect(await titles()).toEqual(['Anew']);
    expect(await files()).toEqual(['search-3.db', 'search.generation']);
  });

  it('answers meanwhile without what was removed, and with what is new', async () => {
    const many = Array.from({ length: 2_500 }, (_, number) => notice(`m-${number}`, 2, { title: 'Viaduct painting' }));
    await catalogue.write([...many, setSeq(2)]);
    await syncSearch(catalogue, engine);
    const totals: number[] = [];
    const openBuild = async () => {
      const build = await engine.openBuild();
      return {
        ...build,
        async store(batch: Parameters<typeof build.store>[0]) {
          totals.push((await makeTrial(reader).find({ text: 'viaduct' })).total);
          await build.store(batch);
          if (totals.length > 1) return;
          await catalogue.write([
            { sql: "UPDATE notice SET gone = 1, seq = 3 WHERE notice_id IN ('m-1', 'm-2')" },
            notice('new', 3, { title: 'Viaduct paint' }),
            setSeq(3),
          ]);
        },
      };
    };
    await syncSearch(catalogue, { ...engine, openBuild }, { rebuild: true });
    expect(totals.slice(0, 2)).toEqual([2_500, 2_499]);
    expect((await makeTrial(reader).find({ text: 'viaduct' })).total).toBe(2_499);
  });

  it('is built by the next sync once a search met a damaged page, and leaves nothing behind', async () => {
    const many = Array.from({ length: 500 }, (_, number) => notice(`m-${number}`, 2, { title: 'Viaduct painting' }));
    await catalogue.write([...many, setSeq(2)]);
    await syncSearch(catalogue, engine);
    await engine.close();
    const path = pathOf('search-2.db');
    const { size } = await stat(path);
    // The pages of the tables that say what is where stay.
    const file = await open(path, 'r+');
    await file.write(Buffer.alloc(size / 2, 'x'), 0, size / 2, size / 2);
    await file.close();
    await openEngine();
    const search = () => makeTrial(reader).find({ text: 'viaduct' });
    await expect(search()).rejects.toBeInstanceOf(DatabaseFault);
    expect(await syncSearch(catalogue, engine)).toMatchObject({ rebuilt: 'new', stored: 501 });
    expect((await search()).total).toBe(500);
    const left = (await readdir(folder.path)).filter((name) => name.startsWith('search') && !/-(wal|shm)$/.test(name));
    expect(left.sort()).toEqual([`search.${LAYOUT}-3.db`, `search.${LAYOUT}.generation`]);
    expect(await syncSearch(catalogue, engine)).toMatchObject({ rebuilt: null });
  });

  it('is filled with notices in any order of their days', async () => {
    const published = (number: number) =>
      new Date(Date.UTC(2026, 0, 1) - number * 86_400_000).toISOString().slice(0, 10);
    const many = Array.from({ length: 5_000 }, (_, number) =>
      notice(`d-${number}`, 2, { published: published(number) }),
    );
    await catalogue.write([...many, setSeq(2)]);
    expect(await syncSearch(catalogue, engine, { rebuild: true })).toMatchObject({ rebuilt: 'asked', stored: 5_001 });
  });

  it('is built while the old one answers, and continues where it was interrupted', async () => {
    const many = Array.from({ length: 4_500 }, (_, number) => notice(`m-${number}`, 2));
    await catalogue.write([...many, { sql: "UPDATE meta SET value = 'another' WHERE name = 'generation'" }, setSeq(2)]);
    const stop = new AbortController();
    const broken = await syncSearch(catalogue, engine, { signal: stop.signal, onProgress: () => stop.abort() });
    expect(broken).toMatchObject({ rebuilt: 'generation', stored: 1_999 });
    expect(await titles()).toEqual(['One']);
    // As after a kill: another process finds both files.
    await engine.close();
    expect(await files()).toEqual(['search-2.db', 'search-3.db', 'search.generation']);
    await openEngine();
    expect(await syncSearch(catalogue, engine)).toMatchObject({ rebuilt: 'generation', stored: 2_502, lagRows: 0 });
    expect((await makeTrial(reader).find()).total).toBe(4_501);
    expect(await files()).toEqual(['search-3.db', 'search.generation']);
  });

  it('is followed by another process that fills it, which removes nothing of it', async () => {
    const { index, url } = await openIndex(folder.path);
    const other = makeTestEngine(index, { catalogue, url, shared: readers });
    await syncSearch(catalogue, other, { rebuild: true });
    await catalogue.write([notice('3', 2, { title: 'Three' }), setSeq(2)]);
    expect(await syncSearch(catalogue, engine)).toMatchObject({ rebuilt: null, stored: 1 });
    expect(await syncSearch(catalogue, other)).toMatchObject({ rebuilt: null, stored: 0 });
    expect(await titles()).toEqual(['One', 'Three']);
    await rm(pathOf('search-3.db'));
    expect(await syncSearch(catalogue, engine)).toMatchObject({ rebuilt: 'new', stored: 2 });
    expect(await titles()).toEqual(['One', 'Three']);
    await other.close();
  });

  it('leaves that of another layout in place, which answers its readers for another hour', async () => {
    const asked = (one: SearchEngine) => makeTrial(one).find({ sort: 'published' });
    const layout = '0123456789ab';
    const { index, url } = await openIndex(folder.path, COLLECTIONS.notices, layout);
    const upgraded = makeTestEngine(index, { catalogue, url, shared: readers });
    await expect(asked(upgraded)).rejects.toBeInstanceOf(SearchUnavailable);
    expect((await asked(reader)).total).toBe(1);
    await catalogue.write([notice('3', 2, { title: 'Three' }), setSeq(2)]);
    expect(await syncSearch(catalogue, upgraded)).toMatchObject({ rebuilt: 'new', lagRows: 0 });
    expect((await asked(upgraded)).total).toBe(2);
    expect(await titles()).toEqual(['One']);
    expect((await files()).length).toBe(4);
    const atRest = new Date(Date.now() - 2 * 3_600_000);
    for (const name of await readdir(folder.path)) await utimes(join(folder.path, name), atRest, atRest);
    await syncSearch(catalogue, upgraded);
    expect(await files()).toEqual([`search.${layout}-2.db`, `search.${layout}.generation`]);
    expect((await asked(upgraded)).total).toBe(2);
    await upgraded.close();
  });

  it('is served as it is to a program of other documents, until it is built', async () => {
    const cursor = await engine.readCursor();
    if (!cursor) throw new Error('nothing is held');
    const version = engine.version.replace(/^\d+/, '0');
    await engine.store({ documents: [], gone: [], cursor: { ...cursor, version } });
    expect(await titles()).toEqual(['One']);
    expect(await syncSearch(catalogue, engine)).toMatchObject({ rebuilt: 'version', lagRows: 0 });
    expect(await titles()).toEqual(['One']);
  });

  it('does not answer where it lacks rows of the catalogue, and starts again', async () => {
    const forgetful: SearchEngine = {
      ...engine,
      async openBuild() {
        const build = await engine.openBuild();
        return { ...build, store: (batch) => build.store({ ...batch, documents: batch.documents.slice(1) }) };
      },
    };
    await expect(syncSearch(catalogue, forgetful, { rebuild: true })).rejects.toBeInstanceOf(IndexIncomplete);
    expect(await titles()).toEqual(['One']);
    expect(await syncSearch(catalogue, engine)).toMatchObject({ rebuilt: null });
    expect(await files()).toEqual(['search-2.db', 'search.generation']);
  });

  it.each<[string, (documents: AnyDocument[]) => AnyDocument[]]>([
    ['too few', (documents) => documents.slice(1)],
    ['too many', (documents) => [...documents, someDocument({ notice_id: 'removed' })]],
  ])('is built from the beginning by the next sync where it holds %s rows', async (_what, spoil) => {
    const openBuild = async () => {
      const build = await engine.openBuild();
      const store: typeof build.store = (batch) => build.store({ ...batch, documents: spoil(batch.documents) });
      return { ...build, store };
    };
    await catalogue.write([{ sql: "UPDATE meta SET value = 'another' WHERE name = 'generation'" }]);
    await expect(syncSearch(catalogue, { ...engine, openBuild })).rejects.toBeInstanceOf(IndexIncomplete);
    expect(await syncSearch(catalogue, engine)).toMatchObject({ rebuilt: 'generation', stored: 1 });
    expect(await titles()).toEqual(['One']);
  });

  it('leaves that of contracts as it is where it cannot follow, says so, and brings it up to date later', async () => {
    const { index, url } = await openIndex(folder.path, COLLECTIONS.contracts);
    const contracts = makeTestEngine<AnyHit>(index, {
      catalogue,
      url,
      collection: COLLECTIONS.contracts,
      shared: readers,
    });
    await syncSearch(catalogue, contracts);
    await catalogue.write([...contractRows('p-1/1', [supplier('GB-COH-01234567', 'Acme Ltd')], { seq: 2 }), setSeq(2)]);
    const said: unknown[] = [];
    const store: typeof contracts.store = (batch) =>
      said.length === 0 ? Promise.reject(new Error('no room')) : contracts.store(batch);
    const both = { ...engine, contracts: { ...contracts, store } };
    const log = { warn: (left: unknown) => said.push(left) };
    const report = await syncSearch(catalogue, both, { rebuild: true, log });
    expect(said).toEqual([{ job: 'search', engine: engine.name, collection: 'contracts', err: new Error('no room') }]);
    expect(report).toMatchObject({ rebuilt: 'asked', contracts: { stored: 1, lagRows: 0 } });
    await contracts.close();
  });

  it.each([
    ['file is gone', 'search-2.db', null],
    ['file is none', 'search-2.db', 'rubbish'],
    ['pointer is gone', 'search.generation', null],
    ['pointer is none', 'search.generation', 'rubbish'],
  ])('heals one whose %s', async (_what, name, rubbish) => {
    await engine.close();
    for (const companion of ['', '-wal', '-shm']) await rm(pathOf(name) + companion, { force: true });
    if (rubbish) await writeFile(pathOf(name), rubbish);
    await openEngine();
    expect(await syncSearch(catalogue, engine)).toMatchObject({ rebuilt: 'new', lagRows: 0 });
    expect(await titles()).toEqual(['One']);
    expect((await files()).length).toBe(2);
  });
});
