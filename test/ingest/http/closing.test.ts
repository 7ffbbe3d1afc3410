import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { IngestContext } from '../../../ingest/context.ts';
import { type HttpClient, makeHttpClient, makeNote } from '../../../ingest/http/client.ts';
import { makeClosing, readClosedUntil, reopen } from '../../../ingest/http/refusals.ts';
import { readQuarantinedRows, resolvePages, retryQuarantined } from '../../../ingest/quarantine/retry.ts';
import { quarantineStatements } from '../../../ingest/runs/record.ts';
import { findATender } from '../../../ingest/sources/find-a-tender.ts';
import { listWindowed, sources } from '../../../ingest/sources/index.ts';
import { readSettings } from '../../../schema/config/settings.ts';
import type { Database } from '../../../schema/db/interface.ts';
import { makeDatabase, makeFolder } from '../../support/databases.ts';

const NOW = new Date('2026-11-21T12:00:00Z');
const MIDNIGHT = '2026-11-22T00:00:00Z';
let folder: Awaited<ReturnType<typeof makeFolder>>;
let catalogue: Database;
beforeAll(async () => {
  folder = await makeFolder();
  catalogue = await makeDatabase(folder.path, 'catalogue');
});
afterAll(async () => {
  await catalogue.close();
  await folder.remove();
});

/** A client before a service that answers these statuses, the last of them for ever. */
function openHttpClient({
  statuses,
  byHand = false,
  runId,
  onAsked,
}: {
  statuses: number[];
  byHand?: boolean;
  runId?: string;
  onAsked?: () => Promise<void>;
}) {
  let asked = 0;
  const client = makeHttpClient({
    fetcher: {
      fetch: async () => {
        const status = statuses[Math.min(asked, statuses.length - 1)] ?? 200;
        asked += 1;
        await onAsked?.();
        return { status, retryAfter: null, bytes: new TextEncoder().encode('{}') };
      },
      close: async () => undefined,
    },
    limiter: { acquire: async () => 0, hold: async () => undefined },
    sleep: async () => undefined,
    wallNow: () => NOW,
    log: pino({ level: 'silent' }),
    forbiddenWaitSeconds: 300,
    note: runId === undefined ? undefined : makeNote(catalogue, runId),
    closing: { ...makeClosing(catalogue, { wallNow: () => NOW, byHand }, findATender), times: 3 },
  });
  return {
    fetch: () => client.fetch({ url: 'http://127.0.0.1/x' }) as ReturnType<HttpClient['fetch']>,
    asked: () => asked,
  };
}

const closedUntil = () => readClosedUntil(catalogue, findATender.id, NOW);

describe('a source that forbids us again and again', () => {
  beforeEach(() => reopen(catalogue, findATender.id));

  it('is closed until midnight, and says what opens it sooner', async () => {
    const first = openHttpClient({ statuses: [403] });
    const said = /nothing more is asked before 2026-11-22T00:00:00Z, unless `cli reopen find-a-tender` opens it/;
    await expect(first.fetch()).rejects.toThrow(said);
    expect(first.asked()).toBe(3);
    expect(await closedUntil()).toEqual(new Date(MIDNIGHT));
    const next = openHttpClient({ statuses: [200] });
    await expect(next.fetch()).rejects.toThrow(said);
    expect(next.asked()).toBe(0);
  });

  it('may be tried once by hand: an answer opens it for everybody, another 403 does not', async () => {
    await expect(openHttpClient({ statuses: [403] }).fetch()).rejects.toThrow();
    const again = openHttpClient({ statuses: [403, 200], byHand: true });
    await expect(again.fetch()).rejects.toThrow('nothing more is asked');
    await expect(again.fetch()).rejects.toThrow('nothing more is asked');
    expect(again.asked()).toBe(1);
    expect(await closedUntil()).not.toBeNull();
    const good = openHttpClient({ statuses: [200], byHand: true });
    await good.fetch();
    await good.fetch();
    expect(await closedUntil()).toBeNull();
    await openHttpClient({ statuses: [200] }).fetch();
  });

  it('by hand too is closed after three, where it was open', async () => {
    const client = openHttpClient({ statuses: [403], byHand: true });
    await expect(client.fetch()).rejects.toThrow('nothing more is asked');
    expect(client.asked()).toBe(3);
  });
});

it('a request is counted in its run before it leaves, so that a run that is killed has counted it', async () => {
  await reopen(catalogue, findATender.id);
  await startRun('killed', NOW);
  const read = () => catalogue.read({ sql: "SELECT requests, state FROM run WHERE id = 'killed'" });
  let counted: unknown;
  const client = openHttpClient({
    statuses: [200],
    runId: 'killed',
    onAsked: async () => {
      counted = await read();
    },
  });
  await client.fetch();
  expect(counted).toEqual([{ requests: 1, state: 'running' }]);
});

const startRun = (id: string, at: Date) =>
  catalogue.write([
    {
      sql: "INSERT INTO run (id, job, source, started_at, state) VALUES (?, 'ingest', 'find_a_tender', ?, 'running')",
      args: [id, at.toISOString()],
    },
  ]);

describe('a page in quarantine', () => {
  const from = new Date('2026-10-24T22:00:00Z');
  const until = new Date('2026-10-25T04:00:00Z');
  const hour = (hours: number) => new Date(from.getTime() + hours * 3_600_000).toISOString();
  const seenAt = '2026-11-20T12:00:00Z';
  const settings = readSettings({});
  const base = findATender.baseUrl(settings);
  const context = (): IngestContext => ({
    catalogue,
    settings,
    clocks: { wallNow: () => NOW, catalogueNow: () => NOW },
    log: pino({ level: 'silent' }),
    fence: null,
  });
  const hold = (url: string, text: string) =>
    catalogue.write(
      quarantineStatements(
        catalogue,
        findATender.id,
        [{ kind: 'page', reason: 'a web page', url, bytes: new TextEncoder().encode(text) }],
        seenAt,
      ),
    );
  const readWindow = (run: string, start: number, end: number, state = 'complete') =>
    catalogue.write([
      {
        sql: `INSERT OR REPLACE INTO window (source, "from", until, run_id, state, requests, releases, digest, completed_at)
              VALUES ('find_a_tender', ?, ?, ?, ?, 1, 0, '', ?)`,
        args: [hour(start), hour(end), run, state, seenAt],
      },
    ]);
  const states = () =>
    catalogue.read<{ url: string; state: string; gone: number }>({
      sql: 'SELECT url, state, bytes IS NULL AS gone FROM quarantine ORDER BY id',
    });

  it('is settled when its whole span was read by a later run, and kept again when it comes again', async () => {
    const url = findATender.listRequests(base, { from, until })[0] as string;
    await hold(url, 'nothing useful');
    await startRun('before', new Date('2026-11-20T11:00:00Z'));
    await startRun('after', new Date('2026-11-20T13:00:00Z'));
    await readWindow('before', -1, 7);
    expect(await resolvePages(context(), findATender)).toBe(0);
    await readWindow('after', 0, 3);
    await readWindow('after', 3, 9, 'split');
    expect(await resolvePages(context(), findATender)).toBe(0);
    await readWindow('after', 2, 8);
    expect(await resolvePages(context(), findATender)).toBe(1);
    expect(await states()).toEqual([{ url, state: 'resolved', gone: 1 }]);
    await hold(url, 'nothing useful');
    expect(await states()).toEqual([{ url, state: 'held', gone: 0 }]);
    await catalogue.write([{ sql: 'DELETE FROM quarantine' }]);
  });

  it('is neither settled nor read again by a process whose lease went to another', async () => {
    const url = findATender.listRequests(base, { from, until })[0] as string;
    const profile = 'https://api.company-information.service.gov.uk/company/SC123456';
    const bytes = Buffer.from('{"company_name":"AN OLDER NAME LIMITED","company_number":"SC123456"}');
    await hold(url, '{"releases":[]}');
    await catalogue.write(
      quarantineStatements(
        catalogue,
        'companies_house',
        [{ kind: 'row', reason: 'unread', url: profile, recordId: 'SC123456', bytes }],
        seenAt,
      ),
    );
    await readWindow('after', 0, 9);
    const robbed: IngestContext = { ...context(), fence: { sql: 'INSERT INTO fence (ok) VALUES (0)' } };
    await expect(resolvePages(robbed, findATender)).rejects.toThrow(/lease lost/);
    for (const source of [findATender.id, 'companies_house'])
      for await (const row of readQuarantinedRows(catalogue, { source }))
        await expect(retryQuarantined(robbed, row)).rejects.toThrow(/lease lost/);
    expect((await states()).map(({ state }) => state)).toEqual(['held', 'held']);
    await catalogue.write([{ sql: 'DELETE FROM quarantine' }]);
  });

  it('of one notice is settled when that notice was fetched since', async () => {
    await hold(findATender.byId.url(base, '000001-2026'), 'one');
    await hold(findATender.byId.url(base, '000002-2026'), 'two');
    await catalogue.write([
      {
        sql: `INSERT INTO probe (source, notice_id, reason, state, noticed_at, asked_at) VALUES
          ('find_a_tender', '000001-2026', 'sequence_gap', 'fetched', '2026-11-01', '2026-11-21T00:00:00Z'),
          ('find_a_tender', '000002-2026', 'sequence_gap', 'failed', '2026-11-01', '2026-11-21T00:00:00Z')`,
      },
    ]);
    expect(await resolvePages(context(), findATender)).toBe(1);
    expect((await states()).map(({ state }) => state)).toEqual(['resolved', 'held']);
  });
});

describe.each(listWindowed(sources).map((source) => [source.id, source] as const))(
  'an address of %s',
  (_id, source) => {
    it('tells the span it asks for, in summer and in winter; any other tells none', () => {
      const base = 'https://example.org';
      for (const day of ['2026-01-10T09:30:15Z', '2026-07-10T09:30:15Z']) {
        const span = { from: new Date(day), until: new Date(Date.parse(day) + 7_200_000) };
        expect(source.listRequests(base, span).map((url) => source.readSpan(url))).toEqual([span]);
      }
      for (const other of [source.byId.url(base, '000001-2026'), `${base}/?updatedFrom=x&publishedFrom=x`])
        expect(source.readSpan(other)).toBeNull();
    });

    it('is of a source that began on a day that exists', () => {
      expect(new Date(`${source.firstDay}T00:00:00Z`).toISOString().slice(0, 10)).toBe(source.firstDay);
    });
  },
);
