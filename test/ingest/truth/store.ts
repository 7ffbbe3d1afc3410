import { expect } from 'vitest';
import { readOcdsPage } from '../../../ingest/parse/page.ts';
import { storePage } from '../../../ingest/store/page.ts';
import type { Database, Statement } from '../../../schema/db/interface.ts';
import { openRoom, type Room } from '../../support/catalogue-services.ts';
import type { FrameworkCase } from './cases.ts';
import type { Json } from './releases/notice.ts';
import { releasePackage } from './releases/package.ts';

type Source = FrameworkCase['source'];

const TABLES = "SELECT name FROM sqlite_master WHERE type = 'table'";
type Row = Record<string, NonNullable<Statement['args']>[number]>;

export interface Store {
  /**
   * Fills an empty catalogue, reads from the API over it what is to be judged, and forgets it: firms, ids and titles recur
   * among the cases.
   */
  inOwnCatalogue<T>(fill: (catalogue: Database) => Promise<void>, read: (room: Room) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/** One catalogue below an API without doors, emptied after each case: opening another takes longer than most cases do. */
export async function openStore(): Promise<Store> {
  const room = await openRoom();
  const { catalogue } = room.services;
  const empty = await readEmptying(catalogue);
  return {
    async inOwnCatalogue(fill, read) {
      try {
        await fill(catalogue);
        return await read(room);
      } finally {
        await catalogue.write(empty);
      }
    },
    close: () => room.close(),
  };
}

/** What brings every table back to the rows that it has now. */
async function readEmptying(catalogue: Database): Promise<Statement[]> {
  const statements: Statement[] = [];
  for (const { name } of await catalogue.read<{ name: string }>({ sql: TABLES })) {
    statements.push({ sql: `DELETE FROM ${name}` });
    for (const row of await catalogue.read<Row>({ sql: `SELECT * FROM ${name}` })) {
      const values = Object.values(row);
      statements.push({ sql: `INSERT INTO ${name} VALUES (${values.map(() => '?')})`, args: values });
    }
  }
  return statements;
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
