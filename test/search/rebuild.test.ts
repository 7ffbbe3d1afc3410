import { readdir, rm, writeFile } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Database } from '../../schema/database.ts';
import { makeEmbeddedEngine } from '../../search/embedded/engine.ts';
import { type SearchEngine, SearchUnavailable } from '../../search/engine.ts';
import { openIndex } from '../../search/open.ts';
import { IndexIncomplete } from '../../search/rebuild.ts';
import { syncSearch } from '../../search/sync.ts';
import { makeDatabase, makeFolder } from '../databases.ts';
import { notice, setSeq } from './notice-rows.ts';
import { makeTrial } from './trial.ts';

let folder: Awaited<ReturnType<typeof makeFolder>>;
let catalogue: Database;
let engine: SearchEngine;
/** As the API has it: only reading, in processes of its own. */
let reader: SearchEngine;

const openEngine = async () => {
  const { index, url } = await openIndex(folder.path);
  engine = makeEmbeddedEngine(index, { url, readers: 1 });
};
const files = async () =>
  (await readdir(folder.path)).filter((name) => /^search.*\.(db|generation)$/.test(name)).sort();
const titles = async () => (await makeTrial(reader).find({ sort: 'published' })).hits.map(({ title }) => title);

beforeEach(async () => {
  folder = await makeFolder();
  catalogue = await makeDatabase(folder.path, 'catalogue');
  await openEngine();
  reader = makeEmbeddedEngine(null, { url: `file:${folder.path}/search.db`, readers: 1 });
  await catalogue.write([notice('1', 1, { title: 'One' }), notice('2', 1, { title: 'Two', gone: 1 }), setSeq(1)]);
  await syncSearch(catalogue, engine);
});
afterEach(async () => {
  await reader.close();
  await engine.close();
  await catalogue.close();
  await folder.remove();
});

describe('an index built anew', () => {
  it('takes the place of the old one under open readers, and leaves nothing behind', async () => {
    expect(await titles()).toEqual(['One']);
    await catalogue.write([notice('1', 2, { title: 'Anew' }), setSeq(2)]);
    expect(await syncSearch(catalogue, engine, { rebuild: true })).toMatchObject({ rebuilt: 'asked', stored: 1 });
    expect(await titles()).toEqual(['Anew']);
    expect(await files()).toEqual(['search-3.db', 'search.generation']);
  });

  it('is begun beside while the old one answers, and goes on where it was broken off', async () => {
    const many = Array.from({ length: 4_500 }, (_, number) => notice(`m-${number}`, 2));
    await catalogue.write([...many, { sql: "UPDATE meta SET value = 'another' WHERE name = 'generation'" }, setSeq(2)]);
    const stop = new AbortController();
    const broken = await syncSearch(catalogue, engine, { signal: stop.signal, onProgress: () => stop.abort() });
    expect(broken).toMatchObject({ rebuilt: 'generation', stored: 3_999 });
    expect(await titles()).toEqual(['One']);
    // As after a kill: another process finds both files.
    await engine.close();
    expect(await files()).toEqual(['search-2.db', 'search-3.db', 'search.generation']);
    await openEngine();
    expect(await syncSearch(catalogue, engine)).toMatchObject({ rebuilt: 'generation', stored: 502, lagRows: 0 });
    expect((await makeTrial(reader).find()).total).toBe(4_501);
    expect(await files()).toEqual(['search-3.db', 'search.generation']);
  });

  it('is followed by another process that fills it, which removes nothing of it', async () => {
    const { index, url } = await openIndex(folder.path);
    const other = makeEmbeddedEngine(index, { url, readers: 1 });
    await syncSearch(catalogue, other, { rebuild: true });
    await catalogue.write([notice('3', 2, { title: 'Three' }), setSeq(2)]);
    expect(await syncSearch(catalogue, engine)).toMatchObject({ rebuilt: null, stored: 1 });
    expect(await syncSearch(catalogue, other)).toMatchObject({ rebuilt: null, stored: 0 });
    expect(await titles()).toEqual(['One', 'Three']);
    await rm(`${folder.path}/search-3.db`);
    expect(await syncSearch(catalogue, engine)).toMatchObject({ rebuilt: 'new', stored: 2 });
    expect(await titles()).toEqual(['One', 'Three']);
    await other.close();
  });

  it('is waited for where the tables are those of another program; other documents are served meanwhile', async () => {
    const store = async (version: string) => {
      const held = await engine.readCursor();
      if (!held) throw new Error('nothing is held');
      await engine.store({ documents: [], gone: [], cursor: { ...held, version } });
    };
    await store(engine.version.replace(/^\d+/, '0'));
    expect(await titles()).toEqual(['One']);
    await store('1-tables-of-another-program');
    const upgraded = makeEmbeddedEngine(null, { url: `file:${folder.path}/search.db`, readers: 1 });
    await expect(makeTrial(upgraded).find()).rejects.toBeInstanceOf(SearchUnavailable);
    expect(await upgraded.readCursor()).toBeNull();
    expect(await syncSearch(catalogue, engine)).toMatchObject({ rebuilt: 'version', lagRows: 0 });
    expect((await makeTrial(upgraded).find()).total).toBe(1);
    await upgraded.close();
  });

  it('does not answer where it holds less than the catalogue, and is begun anew', async () => {
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

  it.each([
    ['file is gone', 'search-2.db', null],
    ['file is none', 'search-2.db', 'rubbish'],
    ['pointer is gone', 'search.generation', null],
    ['pointer is none', 'search.generation', 'rubbish'],
  ])('heals one whose %s', async (_what, name, rubbish) => {
    await engine.close();
    for (const companion of ['', '-wal', '-shm']) await rm(`${folder.path}/${name}${companion}`, { force: true });
    if (rubbish) await writeFile(`${folder.path}/${name}`, rubbish);
    await openEngine();
    expect(await syncSearch(catalogue, engine)).toMatchObject({ rebuilt: 'new', lagRows: 0 });
    expect(await titles()).toEqual(['One']);
    expect((await files()).length).toBe(2);
  });
});
