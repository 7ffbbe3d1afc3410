import { copyFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { readOcdsPage } from '../../../ingest/parse/page.ts';
import { storePage } from '../../../ingest/store/page.ts';
import type { Database } from '../../../schema/db/interface.ts';
import { openDatabase } from '../../../schema/db/open.ts';
import { openRoom, type Room } from '../../support/catalogue-services.ts';
import { makeDatabase, makeFolder } from '../../support/databases.ts';
import type { FrameworkCase } from './cases.ts';
import type { Json } from './releases/notice.ts';
import { releasePackage } from './releases/package.ts';

type Source = FrameworkCase['source'];

export interface Store {
  /**
   * Fills an empty catalogue, reads from the API over it what is to be judged, and forgets it: firms, ids and titles recur
   * among the cases.
   */
  inOwnCatalogue<T>(fill: (catalogue: Database) => Promise<void>, read: (room: Room) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/** Empty catalogues, each a copy of one that was migrated once, below one API without doors. */
export async function openStore(): Promise<Store> {
  const room = await openRoom();
  const folder = await makeFolder();
  const empty = join(folder.path, 'catalogue.db');
  const migrated = await makeDatabase(folder.path, 'catalogue');
  await migrated.close();
  let made = 0;
  return {
    async inOwnCatalogue(fill, read) {
      made += 1;
      const path = join(folder.path, `case-${made}.db`);
      await copyFile(empty, path);
      const catalogue = await openDatabase({ url: `file:${path}`, durability: 'normal' });
      try {
        await fill(catalogue);
        return await read({ ...room, services: { ...room.services, catalogue } });
      } finally {
        await catalogue.close();
        await rm(path, { force: true });
      }
    },
    async close() {
      await room.close();
      await folder.remove();
    },
  };
}

/** Stores a page as ingest does. No release may be refused or lost. */
export async function storeReleases(catalogue: Database, source: Source, releases: Json[]): Promise<void> {
  const bytes = Buffer.from(JSON.stringify(releasePackage(source, releases)));
  const page = readOcdsPage(bytes, { source, url: 'https://example.test/page' });
  const fetchedAt = String(releases.at(-1)?.date);
  const done = await storePage(catalogue, { source, fetchedAt, ...page, before: [], after: [] });
  expect([page.quarantined, done.refused, done.stored], 'every release is stored').toEqual([[], 0, releases.length]);
}

/** One page for each release, in order of publication, as the publisher serves them on the day. */
export async function storeOneByOne(catalogue: Database, source: Source, releases: Json[]): Promise<void> {
  for (const release of releases) await storeReleases(catalogue, source, [release]);
}
