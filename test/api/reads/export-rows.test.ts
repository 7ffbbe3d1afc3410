import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeRowReaders, openRows, type Rows } from '../../../api/reads/export-rows/counter.ts';
import { KEYSET_START } from '../../../api/reads/export-rows/keys.ts';
import { readSettings } from '../../../schema/config/settings.ts';
import { type Database, DatabaseAway } from '../../../schema/db/interface.ts';
import { SearchUnavailable } from '../../../search/engine.ts';
import { rowsOf } from '../../support/catalogue-services.ts';
import { makeDatabase, makeFolder } from '../../support/databases.ts';
import { startHrana } from '../../support/libsql-server.ts';
import { noticeRow, seed } from '../../support/seed.ts';

/** Rows are counted in a process of their own, with a deadline. */

const ALL = { dataset: 'notices' as const, conditions: [], bounds: [] };
const ENDLESS =
  'WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1e12) SELECT count(*) FROM n';

let folder: Awaited<ReturnType<typeof makeFolder>>;
let catalogue: Database;
let rows: Rows;
beforeAll(async () => {
  folder = await makeFolder();
  catalogue = await makeDatabase(folder.path, 'catalogue');
  await seed(
    catalogue,
    Array.from({ length: 30 }, (_, index) => noticeRow(`${100_000 + index}-2026`, `ocds-h6vhtk-${index}`)),
  );
  rows = openRows(readSettings({ DATA_DIR: folder.path }), makeRowReaders(500));
});
afterAll(async () => {
  await rows.close();
  await catalogue.close();
  await folder.remove();
});

describe('rows', () => {
  it('are counted and read as in this process', async () => {
    const here = rowsOf(catalogue);
    expect([await rows.count(ALL), await here.count(ALL)]).toEqual([30, 30]);
    const first = await rows.keys(ALL, KEYSET_START, 20);
    const rest = await rows.keys(ALL, first.at(-1) ?? KEYSET_START, 20);
    expect([...first, ...rest]).toEqual(await here.keys(ALL, KEYSET_START, 100));
    expect([first.length, rest.length]).toEqual([20, 10]);
  });

  it('are not counted past the deadline, and the next question is answered', async () => {
    const slow = { ...ALL, conditions: [{ sql: `(${ENDLESS}) > 0`, args: [] }] };
    await expect(rows.count(slow)).rejects.toBeInstanceOf(SearchUnavailable);
    expect(await rows.count(ALL)).toBe(30);
  });

  it('are away where the server of the catalogue is', async () => {
    const server = await startHrana(join(folder.path, 'catalogue.db'));
    const remote = openRows({ CATALOGUE_URL: server.url, CATALOGUE_AUTH_TOKEN: undefined }, makeRowReaders());
    expect(await remote.count(ALL)).toBe(30);
    server.goAway();
    await expect(remote.count(ALL)).rejects.toThrow(DatabaseAway);
    await server.comeBack();
    expect(await remote.count(ALL)).toBe(30);
    await remote.close();
    server.close();
  });

  it('say that they failed, and are called again', async () => {
    await expect(rows.count({ ...ALL, conditions: [{ sql: 'no such column', args: [] }] })).rejects.toThrow('failed');
    expect(await rows.count(ALL)).toBe(30);
  });
});
