import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type ReadRelease, readOcdsPage } from '../../../ingest/parse/page.ts';
import { storePage } from '../../../ingest/store/page.ts';
import { workAhead } from '../../../ingest/workers/ahead.ts';
import { type Compiler, openCompiler } from '../../../ingest/workers/compiler.ts';
import type { Database } from '../../../schema/db/interface.ts';
import { extension } from '../../../schema/process/child.ts';
import { makeDatabase, makeFolder } from '../../support/databases.ts';
import { makeSample } from '../../upstream/sample/make.ts';
import { makeNotice } from '../small-world.ts';
import { catalogueDigest } from '../store/catalogue-digest.ts';

const DYING = new URL(`./dying-process${extension()}`, import.meta.url);
const FETCHED_AT = '2026-11-20T00:00:00.000Z';
let folder: Awaited<ReturnType<typeof makeFolder>>;
let catalogue: Database;
let compiler: Compiler;
beforeEach(async () => {
  folder = await makeFolder();
  catalogue = await makeDatabase(folder.path, 'catalogue');
});
afterEach(async () => {
  await compiler.close();
  await catalogue.close();
  await folder.remove();
});

const read = (releases: unknown[]) =>
  readOcdsPage(Buffer.from(JSON.stringify({ releases })), { source: 'find_a_tender', url: 'http://127.0.0.1/x' })
    .releases;
const notice = (number: number, more = {}) => makeNotice(number, new Date('2026-11-19T12:00:00Z'), more).release;

/** Stores batches of one fetch, as a run does: all are handed to the compiler, then each is stored. */
async function storeAll(
  into: Database,
  batches: readonly ReadRelease[][],
  fetchedAt: string,
  meanwhile?: () => unknown,
) {
  const sent = batches.map((batch) =>
    batch.map(({ body, json: _, ...release }) => ({ ...release, fetchedAt, bytes: Buffer.from(body) })),
  );
  const compiled = compiler.compileBatches(into, sent);
  const reports: unknown[] = [];
  let used = 0;
  for (const releases of batches) {
    const { value: ahead } = await compiled.next();
    if (!ahead) throw new Error('nothing was compiled ahead');
    await meanwhile?.();
    const readReady: typeof ahead.readReady = async (...known) => {
      const ready = await ahead.readReady(...known);
      used += ready.size;
      return ready;
    };
    const page = { source: 'find_a_tender', fetchedAt, quarantined: [], before: [], after: [] };
    reports.push(await storePage(into, { ...page, releases, ahead: { ...ahead, readReady } }));
  }
  return { reports, used };
}

const cut = (releases: ReadRelease[], size: number) =>
  Array.from({ length: Math.ceil(releases.length / size) }, (_, at) => releases.slice(at * size, (at + 1) * size));

describe('what other processes compile', () => {
  it('is the catalogue that one process makes, also where releases of a process come later', async () => {
    const { findATender } = makeSample({ notices: 40, buyers: 8, companies: 20 });
    const all = read(Array.from(findATender, ({ release }) => release));
    const late = all.filter((_, place) => place % 3 === 0);
    const early = all.filter((_, place) => place % 3 !== 0);
    compiler = openCompiler({ workers: 2 });
    const first = await storeAll(catalogue, cut(early, 20), FETCHED_AT);
    const second = await storeAll(catalogue, cut(late, 20), '2026-11-21T00:00:00.000Z');
    const alone = await makeDatabase((await makeFolder()).path, 'catalogue');
    for (const [releases, fetchedAt] of [
      [early, FETCHED_AT],
      [late, '2026-11-21T00:00:00.000Z'],
    ] as const)
      await storePage(alone, { source: 'find_a_tender', fetchedAt, releases, quarantined: [], before: [], after: [] });
    expect(await catalogueDigest(catalogue)).toEqual(await catalogueDigest(alone));
    await alone.close();
    expect(first.used).toBe(new Set(early.map(({ ocid }) => ocid)).size);
    expect(second.used).toBeGreaterThan(late.length / 2);
  });

  it('is compiled again where another version of a release came meanwhile', async () => {
    compiler = openCompiler({ workers: 1 });
    const [before, after] = ['Roofs', 'Walls'].map((title) => read([notice(1, { tender: { title } })]));
    const page = { source: 'find_a_tender', quarantined: [], before: [], after: [] };
    const meanwhile = () =>
      storePage(catalogue, { ...page, releases: after ?? [], fetchedAt: '2026-11-22T00:00:00.000Z' });
    expect((await storeAll(catalogue, [before ?? []], FETCHED_AT, meanwhile)).used).toBe(0);
    expect(await catalogue.read({ sql: 'SELECT title FROM notice' })).toEqual([{ title: 'Walls' }]);
  });

  it('names nobody whom a takedown takes out meanwhile', async () => {
    compiler = openCompiler({ workers: 1 });
    const releases = read([notice(1, { tender: { title: 'Roofs for Zebedee Quillfeather' } })]);
    const target = { salt: 's', names: ['Zebedee Quillfeather'], texts: [], emails: [], telephones: [] };
    const sql = `INSERT INTO takedown (id, kind, target, reason, taken_at, taken_by) VALUES ('t', 'person', ?, 'x', 'now', 'me')`;
    const meanwhile = () => catalogue.write([{ sql, args: [JSON.stringify(target)] }]);
    expect((await storeAll(catalogue, [releases], FETCHED_AT, meanwhile)).used).toBe(0);
    const [row] = await catalogue.read<{ title: string }>({ sql: 'SELECT title FROM notice' });
    expect(row?.title).toMatch(/^Roofs for \[withheld /);
  });
});

describe('a release that ends the process that compiles it', () => {
  it('is quarantined; the others of its batch are compiled and stored', async () => {
    compiler = openCompiler({ workers: 2, script: DYING });
    const releases = read([11, 12, 13, 14, 15].map((number) => notice(number)));
    const { reports, used } = await storeAll(catalogue, [releases], FETCHED_AT);
    expect(reports).toEqual([{ stored: 4, unchanged: 0, refused: 1 }]);
    expect(used).toBe(4);
    expect(await catalogue.read({ sql: 'SELECT reason, url FROM quarantine' })).toEqual([
      {
        reason: 'it cannot be compiled: it ended the processes that compiled it',
        url: releases[2]?.ocid,
      },
    ]);
  });
});

describe('a compiler that is closed over a job', () => {
  it('hands out nothing, starts no other process and compiles nothing here', async () => {
    compiler = openCompiler({ workers: 2 });
    const [release] = read([notice(1)]);
    if (!release) throw new Error('the notice is a release');
    const { body, ...head } = release;
    const sent = { ...head, fetchedAt: FETCHED_AT, body: Buffer.from(body), isPacked: false };
    const job = compiler.compile({ processes: [{ ocid: head.ocid, releases: [sent] }], of: 'changes' });
    await compiler.close();
    expect(await job).toEqual({ compiled: [], faults: [] });
  });
});

describe('where no process can be started', () => {
  it('everything is compiled in this one', async () => {
    compiler = openCompiler({ workers: 2, script: new URL(`../small-world${extension()}`, import.meta.url) });
    const { reports } = await storeAll(catalogue, [read([notice(1), notice(2)])], FETCHED_AT);
    expect(reports).toEqual([{ stored: 2, unchanged: 0, refused: 0 }]);
  });
});

it('of two faults of work ahead the first ends it, and the other is no error that nobody caught', async () => {
  compiler = openCompiler({ workers: 2 });
  const uncaught: unknown[] = [];
  const note = (error: unknown) => void uncaught.push(error);
  process.on('unhandledRejection', note);
  const fail = (name: string) => Promise.reject(new Error(`${name} cannot be read`));
  await expect(workAhead(['first', 'second', 'third'], compiler.workers, fail).next()).rejects.toThrow(
    'first cannot be read',
  );
  // Node calls an error uncaught once its promises had their turn.
  await new Promise((resolve) => setImmediate(resolve));
  process.off('unhandledRejection', note);
  expect(uncaught).toEqual([]);
});
