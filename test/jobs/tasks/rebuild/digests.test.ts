import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readDigests, readDigestsAside } from '../../../../ingest/rebuild/digests.ts';
import type { Database } from '../../../../schema/db/interface.ts';
import { openDatabase } from '../../../../schema/db/open.ts';
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
