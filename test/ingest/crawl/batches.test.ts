import { afterEach, describe, expect, it } from 'vitest';
import type { IngestContext } from '../../../ingest/context.ts';
import type { HttpClient } from '../../../ingest/http/client.ts';
import { runWindows } from '../../../ingest/run.ts';
import { makeTally, registerSources } from '../../../ingest/runs/record.ts';
import { findATender } from '../../../ingest/sources/find-a-tender.ts';
import { sources } from '../../../ingest/sources/index.ts';
import type { Statement } from '../../../schema/db/interface.ts';
import { AS_OF, makeData, makeNotices, makeWorld, type World } from '../small-world.ts';
import { catalogueDigest } from '../store/catalogue-digest.ts';

const HOUR_MS = 3_600_000;
const PROCESSES = 400;
/** Two notices of each process, the second long after the first. */
const NOTICES = makeNotices(2 * PROCESSES, HOUR_MS / 10).map((notice, index) => ({
  ...notice,
  release: { ...notice.release, ocid: `ocds-h6vhtk-${String(index % PROCESSES).padStart(6, '0')}` },
}));
let world: World;
const open = async () => {
  world = await makeWorld(makeData());
  await registerSources(world.catalogue, sources);
};
afterEach(() => world.close());

/** Answers at once, or when it may. */
function makeHttpClient(mayAnswer: () => Promise<void> = () => Promise.resolve()): HttpClient {
  let requests = 0;
  const instant = (text: string | null) => new Date(`${text}Z`);
  return {
    async fetch({ url }) {
      await mayAnswer();
      requests += 1;
      const { searchParams } = new URL(url);
      const [from, until] = ['updatedFrom', 'updatedTo'].map((name) => instant(searchParams.get(name)));
      const releases = NOTICES.filter(
        ({ publishedAt }) => from && until && publishedAt >= from && publishedAt <= until,
      ).map(({ release }) => release);
      return { bytes: Buffer.from(JSON.stringify({ releases: releases.slice(0, 100) })), url, requests: 1 };
    },
    requests: () => requests,
    refused: () => 0,
    waitedMs: () => 0,
    close: () => Promise.resolve(),
  };
}

function crawl(context: IngestContext, client: HttpClient, days = 4): Promise<string[]> {
  const options = { since: new Date(AS_OF.getTime() - days * 24 * HOUR_MS) };
  return runWindows(context, findATender, { runId: 'crawl', job: 'ingest', tally: makeTally(), options, client });
}

/** Tools whose batches are counted by what they write; the one with this number is refused. */
function watchBatches(refused = 0) {
  const batches: { windows: number; releases: number; ocids: Set<unknown>; last: string }[] = [];
  const count = (statements: readonly Statement[], into: RegExp) =>
    statements.filter(({ sql }) => into.test(sql)).length;
  const context: IngestContext = {
    ...world.context,
    catalogue: {
      ...world.catalogue,
      async write(statements) {
        const windows = count(statements, /INTO window/);
        const releases = count(statements, /INTO release/);
        const last = statements.at(-1)?.sql ?? '';
        const ocids = new Set(statements.flatMap(({ sql, args = [] }) => (/INTO release/.test(sql) ? [args[1]] : [])));
        const isCounted = windows + releases > 0;
        if (isCounted && batches.push({ windows, releases, ocids, last }) === refused)
          throw new Error('the disk is full');
        return world.catalogue.write(statements);
      },
    },
  };
  return { context, batches };
}

describe('windows whose answers come at once', () => {
  it('are stored by process in batches of up to 400 releases, their rows and the cursor last of all', async () => {
    await open();
    const { context, batches } = watchBatches();
    expect(await crawl(context, makeHttpClient())).toEqual([]);
    expect(await world.count('release')).toBe(800);
    expect(batches.map(({ releases }) => releases <= 400)).toEqual([true, true]);
    expect(batches.map(({ ocids }) => ocids.size).reduce((a, b) => a + b)).toBe(PROCESSES);
    expect(batches.map(({ windows }) => windows)).toEqual([0, await world.count('window')]);
    expect(batches.at(-1)?.last).toMatch(/INTO cursor/);
  });

  it('leave no hole where a batch is refused: the next crawl stores it and what follows', async () => {
    await open();
    const { context } = watchBatches(2);
    await expect(crawl(context, makeHttpClient())).rejects.toThrow('the disk is full');
    expect(await world.count('release')).toBeGreaterThan(0);
    expect(await world.count('window')).toBe(0);
    expect(await world.count('cursor')).toBe(0);
    await crawl(world.context, makeHttpClient());
    const after = await catalogueDigest(world.catalogue);
    await world.close();
    await open();
    await crawl(world.context, makeHttpClient());
    expect(after).toEqual(await catalogueDigest(world.catalogue));
  });
});

describe('windows whose answers are waited for', () => {
  it('are each stored before the next answer comes, and once', async () => {
    await open();
    let asked = 0;
    const client = makeHttpClient(async () => {
      // For ever, where what was read is not stored while the next answer is waited for.
      while ((await world.count('window')) < asked) await new Promise((resolve) => setTimeout(resolve, 5));
      asked += 1;
    });
    const { context, batches } = watchBatches();
    await crawl(context, client, 1);
    expect(asked).toBeGreaterThan(2);
    expect(await world.count('window')).toBe(asked);
    expect(batches.map(({ windows }) => windows)).toEqual(Array(asked).fill(1));
  });
});
