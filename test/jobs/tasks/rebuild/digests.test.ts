import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { countDifferences, readDigests, readDigestsAside } from '../../../../ingest/rebuild/digests.ts';
import type { Database } from '../../../../schema/db/interface.ts';
import { openDatabase } from '../../../../schema/db/open.ts';
import { openBeside } from '../../../../schema/db/open-catalogue.ts';
import { makeDatabase, makeFolder } from '../../../support/databases.ts';
import { findTemplate } from './filled-services.ts';

let template: string;
let path: string;
let catalogue: Database;
beforeAll(async () => {
  template = await findTemplate();
  path = join(template, 'catalogue.db');
  catalogue = await openDatabase({ url: `file:${path}`, durability: 'normal', readOnly: true });
});
afterAll(async () => {
  await catalogue.close();
});

it('another process reads the same digests', async () => {
  const tables = await readDigests(catalogue);
  expect(tables.find(({ table }) => table === 'release')?.rows).toBe(70);
  const unread: Database = { ...catalogue, read: () => Promise.reject(new Error('read here')) };
  expect(await readDigestsAside(path, unread)).toEqual(tables);
});

it('this process reads them where the other one ends', async () => {
  const elsewhere = join(template, 'missing', 'catalogue.db');
  expect(await readDigestsAside(elsewhere, catalogue)).toEqual(await readDigests(catalogue));
});

it('the other process ends when the work is stopped', async () => {
  const stop = new AbortController();
  const read = readDigestsAside(path, catalogue, stop.signal);
  stop.abort(new Error('stopped'));
  await expect(read).rejects.toThrow('stopped');
});

it('differing rows are counted in chunks, between which a lease is renewed and the work can be stopped', async () => {
  const folders = [await makeFolder(), await makeFolder()];
  const [live, built] = await Promise.all(folders.map(({ path }) => makeDatabase(path, 'catalogue')));
  const sql = `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000)
    INSERT INTO party (process_id, party_id, role, name, sighting, identity_id, method, score, evidence)
    SELECT i, 'GB', 'buyer', 'x', '{}', 'unknown', 'number', 1, '{}' FROM n`;
  for (const each of [live, built]) await each?.write([{ sql }]);
  await live?.write([
    { sql: "UPDATE party SET identity_id = 'known' WHERE process_id IN ('1', '4000')" },
    { sql: "DELETE FROM party WHERE process_id = '5000'" },
  ]);
  const [livePath = '', path = ''] = folders.map((folder) => join(folder.path, 'catalogue.db'));
  const both = await openBeside(path, livePath, { changing: false });
  let turns = 0;
  const turning = setInterval(() => turns++);
  expect(await countDifferences(both, 'party')).toEqual({ live: 2, built: 3 });
  clearInterval(turning);
  expect(turns).toBeGreaterThan(0);
  const stop = new AbortController();
  const counted = countDifferences(both, 'party', stop.signal);
  stop.abort(new Error('stopped'));
  await expect(counted).rejects.toThrow('stopped');
  for (const each of [both, live, built]) await each?.close();
  for (const folder of folders) await folder.remove();
});
