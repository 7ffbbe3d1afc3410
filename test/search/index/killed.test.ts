import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp } from 'node:fs/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Database, Statement } from '../../../schema/db/interface.ts';
import type { SearchEngine } from '../../../search/engine.ts';
import { type SyncReport, syncSearch } from '../../../search/index/sync.ts';
import { indexUrl, openIndex } from '../../../search/open.ts';
import { scriptArguments } from '../../support/compiled.ts';
import { makeDatabase, makeFolder } from '../../support/databases.ts';
import { makeEnvironment } from '../../support/environment.ts';
import { makeTestEngine } from '../test-engine.ts';
import { makeTrial } from '../trial.ts';
import { notice, setSeq } from './notice-rows.ts';

/** Three batches of a sync: a kill after the first leaves two to come. */
const NOTICES = 4_500;
const GONE = 700;

let filled: Awaited<ReturnType<typeof makeFolder>>;
let folder: Awaited<ReturnType<typeof makeFolder>>;
let catalogue: Database;
let reader: SearchEngine;

beforeAll(async () => {
  filled = await makeFolder();
  const first = await makeDatabase(filled.path, 'catalogue');
  await first.write([...manyNotices(1, 'Gravel', '2026-03-01'), setSeq(1)]);
  await first.close();
});
afterAll(() => filled.remove());
beforeEach(async () => {
  folder = await makeFolder();
  // A closed database has all of its rows in its file.
  await cp(`${filled.path}/catalogue.db`, `${folder.path}/catalogue.db`);
  catalogue = await makeDatabase(folder.path, 'catalogue');
  reader = makeTestEngine(null, { catalogue, url: indexUrl(folder.path), readers: 1 });
});
afterEach(async () => {
  await reader.close();
  await catalogue.close();
  await folder.remove();
});

function manyNotices(seq: number, word: string, published: string, gone = 0): Statement[] {
  return Array.from({ length: NOTICES }, (_, number) =>
    notice(String(number), seq, { title: `${word} ${number}`, published, gone: number < gone ? 1 : 0 }),
  );
}

/** A sync in a process of its own, killed once so many rows are in the index: while it stores the next ones. */
async function killAfter(rows: number): Promise<void> {
  const child = spawn(process.execPath, scriptArguments('test/search/index/sync-process.ts').concat(folder.path), {
    env: makeEnvironment({}),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  child.stdout.on('data', (bytes: Buffer) => {
    if (Number(bytes.toString().trim().split('\n').at(-1)) >= rows) child.kill('SIGKILL');
  });
  const [, signal] = await once(child, 'close');
  expect(signal).toBe('SIGKILL');
}

/** What the next turn of the jobs process does: it knows of nothing but the files. */
async function syncAgain(): Promise<SyncReport> {
  const { index, url } = await openIndex(folder.path);
  const engine = makeTestEngine(index, { catalogue, url });
  try {
    return await syncSearch(catalogue, engine);
  } finally {
    await engine.close();
  }
}

async function totalOf(text?: string): Promise<number> {
  return (await makeTrial(reader).find(text === undefined ? {} : { text: `"${text}"` })).total;
}

/** The files as they lie there, by every table and by FTS5's own look at itself. */
async function checkFiles(documents: number): Promise<void> {
  const { index } = await openIndex(folder.path);
  const live = await index.live();
  const [row] = await live.read({
    sql: `SELECT (SELECT count(*) FROM document) AS documents, (SELECT count(DISTINCT print) FROM document) AS prints,
      (SELECT count(*) FROM facet) AS facets, (SELECT count(*) FROM entry_docsize) AS entries`,
  });
  expect(row).toEqual({ documents, prints: documents, facets: documents, entries: documents });
  expect(await live.read({ sql: 'PRAGMA integrity_check' })).toEqual([{ integrity_check: 'ok' }]);
  await live.write([{ sql: "INSERT INTO entry (entry) VALUES ('integrity-check')" }]);
  await index.close();
}

describe('a process that is killed', () => {
  it('while it builds an index loses nothing and doubles nothing: the next process continues', async () => {
    await killAfter(2_000);
    await expect(totalOf()).rejects.toThrow('not there yet');
    const report = await syncAgain();
    expect(report).toMatchObject({ rebuilt: 'new', lagRows: 0 });
    expect(report.stored).toBeLessThan(NOTICES);
    expect([await totalOf(), await totalOf('gravel'), await totalOf(`gravel ${NOTICES - 1}`)]).toEqual([
      NOTICES,
      NOTICES,
      1,
    ]);
    await checkFiles(NOTICES);
  });

  it('while it brings an index up to date loses nothing and doubles nothing: the next process continues', async () => {
    await syncAgain();
    await catalogue.write([...manyNotices(2, 'Sand', '2026-03-02', GONE), setSeq(2)]);
    await killAfter(2_000);
    const totals = { old: await totalOf('gravel'), new: await totalOf('sand') };
    expect(totals.new).toBeGreaterThan(0);
    expect(totals.old).toBeGreaterThan(0);
    expect(await syncAgain()).toMatchObject({ rebuilt: null, lagRows: 0 });
    const left = NOTICES - GONE;
    expect([await totalOf(), await totalOf('sand'), await totalOf('gravel')]).toEqual([left, left, 0]);
    expect([await totalOf(`sand ${NOTICES - 1}`), await totalOf('sand 699')]).toEqual([1, 0]);
    await checkFiles(left);
  });

  it('while it rebuilds an index leaves the old one answering', async () => {
    await syncAgain();
    await catalogue.write([
      ...manyNotices(2, 'Sand', '2026-03-02'),
      { sql: "UPDATE meta SET value = 'another' WHERE name = 'generation'" },
      setSeq(2),
    ]);
    await killAfter(2_000);
    expect([await totalOf('gravel'), await totalOf('sand')]).toEqual([NOTICES, 0]);
    expect(await syncAgain()).toMatchObject({ rebuilt: 'generation', lagRows: 0 });
    expect([await totalOf('gravel'), await totalOf('sand')]).toEqual([0, NOTICES]);
    await checkFiles(NOTICES);
  });
});
