import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, describe, expect, it } from 'vitest';
import { CHANGE_KINDS } from '../../../schema/catalogue/changes/kinds.ts';
import type { Database } from '../../../schema/db/interface.ts';
import { migrate } from '../../../schema/db/migrate.ts';
import { openDatabase } from '../../../schema/db/open.ts';
import { openReplica } from '../../../schema/db/replica/open.ts';
import { READER_START, readChangesPage } from '../../../search/changes/page.ts';
import { ask } from '../../support/client.ts';
import { makeFolder } from '../../support/databases.ts';
import { hasLibsql, startLibsql } from '../../support/libsql-process.ts';
import { type BuiltServer, buildServer } from '../../support/services.ts';
import { startChild } from '../../support/start-child.ts';
import { LIMITS_MS } from '../../support/time-limits.ts';
import { makeSample } from '../../upstream/sample/make.ts';
import { startUpstream } from '../../upstream/server.ts';
import { upstreamSettings } from '../../upstream/settings.ts';
import { readStoredItems } from './stored-items.ts';

const INGEST = 'test/chaos/ingest-process.ts';
const SOURCES = ['find_a_tender', 'contracts_finder'];
const SINCE = '2025-08-01T00:00:00Z';

interface Told {
  kind: string;
  id: string;
  change: string;
  item?: unknown;
}

/** The next page of changes; the position is remembered between two calls. */
type Next = () => Promise<{ changes: readonly Told[]; isDone: boolean }>;

const closing: (() => Promise<unknown>)[] = [];
afterAll(async () => {
  for (const close of closing.reverse()) await close();
});

function pagesOf(catalogue: Database, limit: number): Next {
  let position = READER_START;
  return async () => {
    const page = await readChangesPage(catalogue, { position, kinds: CHANGE_KINDS, filters: {}, limit });
    position = page.next;
    return page;
  };
}

function pagesOverRest({ url, key }: BuiltServer): Next {
  let since: string | undefined;
  return async () => {
    const { status, body } = await ask(url, `/v1/changes?limit=1000${since ? `&since=${since}` : ''}`, key);
    expect([status, body.message]).toEqual([200, undefined]);
    since = body.next_cursor;
    return { changes: body.items, isDone: !body.has_more };
  };
}

/** Keeps a copy until `isOver` and every change was received; a change received twice or never is a fault. */
async function keep(next: Next, isOver: () => boolean) {
  const copy = new Map<string, unknown>();
  const faults: string[] = [];
  for (;;) {
    const wasOver = isOver();
    const { changes, isDone } = await next();
    for (const { kind, id, change, item } of changes) {
      const key = `${kind} ${id}`;
      if ((change === 'new') === copy.has(key)) faults.push(`${key} is described as ${change}`);
      if (item === undefined) copy.delete(key);
      else copy.set(key, item);
    }
    if (wasOver && isDone) return { copy, faults };
    if (isDone) await pause(25);
  }
}

/** Ingests the sample, each source in a process of its own, all at once, while readers page through the changes. */
async function replay(
  server: BuiltServer,
  settings: Record<string, string>,
  catalogue: Database,
  readers: readonly Next[],
) {
  const data = makeSample({ notices: 50, buyers: 10, companies: 25 });
  const upstream = await startUpstream({ data });
  closing.push(() => upstream.close());
  // From an empty catalogue on, so that the log describes all of it.
  for (const next of readers) await expect.poll(next).toEqual(expect.objectContaining({ changes: [], isDone: true }));
  let isOver = false;
  const kept = Promise.all(readers.map((next) => keep(next, () => isOver)));
  const shared = {
    ...upstreamSettings(upstream.url),
    PROCUREMENT_GAP_SECONDS: '0',
    FIRST_WINDOW_DAYS: '500',
    AS_OF: data.asOf.toISOString(),
  };
  const ended = SOURCES.map(async (source) => {
    const child = startChild(INGEST, { ...shared, ...settings });
    child.begin({ folder: server.folder, source, since: SINCE });
    const { code, complained } = await child.ended;
    expect([source, code, complained]).toEqual([source, 0, '']);
  });
  await Promise.all(ended).finally(() => {
    isOver = true;
  });
  const stored = Object.fromEntries(await readStoredItems(catalogue, { kinds: CHANGE_KINDS }));
  expect(Object.keys(stored).length).toBeGreaterThan(80);
  for (const { copy, faults } of await kept) {
    expect(faults).toEqual([]);
    expect(Object.fromEntries(copy)).toEqual(stored);
  }
}

describe('copies that are kept by changes alone, while several processes ingest the sample at once', () => {
  it(
    'equal the catalogue in a file, with no row described twice',
    async () => {
      const server = await buildServer({ credits: 1_000_000 });
      closing.push(() => server.close());
      await replay(server, {}, server.catalogue, [pagesOverRest(server), pagesOf(server.catalogue, 37)]);
    },
    LIMITS_MS.long,
  );

  it.skipIf(!hasLibsql('changes of a catalogue on a server, and of a copy of it'))(
    'equal the catalogue on a server, read from it and from a copy of it',
    async () => {
      const folder = await makeFolder();
      closing.push(folder.remove);
      const libsql = await startLibsql({ folder: join(folder.path, 'server') });
      closing.push(libsql.kill);
      const catalogue = await openDatabase({ url: libsql.url, durability: 'normal' });
      closing.push(() => catalogue.close());
      await migrate(catalogue, 'catalogue');
      const settings = { CATALOGUE_URL: libsql.url, AUTH_SECRET: 'the same on every machine of this test' };
      const server = await buildServer({ credits: 1_000_000, settings });
      closing.push(() => server.close());
      const dataDir = join(folder.path, 'machine');
      const copy = await openReplica({ dataDir, server: { url: libsql.url }, say: () => undefined, everyMs: 50 });
      closing.push(() => copy.close());
      await expect
        .poll(() => copy.copyAge?.(), { timeout: LIMITS_MS.wait })
        .toMatchObject({ answers: true, fault: null });
      await replay(server, settings, catalogue, [pagesOverRest(server), pagesOf(copy, 100)]);
    },
    LIMITS_MS.long,
  );
});
