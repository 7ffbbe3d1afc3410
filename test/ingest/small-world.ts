import { pino } from 'pino';
import type { IngestContext, RunOptions, RunReport } from '../../ingest/context.ts';
import { runCells } from '../../ingest/crawl/cells/run.ts';
import { runSource } from '../../ingest/run.ts';
import { findService } from '../../ingest/sources/index.ts';
import { readSettings, type Settings } from '../../schema/config/settings.ts';
import type { Database } from '../../schema/db/interface.ts';
import { makeDatabase, makeFolder } from '../support/databases.ts';
import type { Json, PublishedRelease, RegisterRow, UpstreamData } from '../upstream/data.ts';
import { startUpstream, type Upstream, type UpstreamOptions } from '../upstream/server.ts';
import { upstreamSettings } from '../upstream/settings.ts';

/** A clock that only sleeping moves. */
export interface VirtualClock {
  nowMs(): number;
  /** What was slept, in order. */
  slept: number[];
  sleep(waitMs: number, signal?: AbortSignal): Promise<void>;
}

export function makeVirtualClock(startMs = Date.parse('2026-11-20T12:00:00Z')): VirtualClock {
  let nowMs = startMs;
  const slept: number[] = [];
  return {
    nowMs: () => nowMs,
    slept,
    async sleep(waitMs, signal) {
      signal?.throwIfAborted();
      slept.push(waitMs);
      nowMs += waitMs;
    },
  };
}

/** A Find a Tender notice of our own, planning by default: small, whole, and unlike its neighbours. */
export function makeNotice(number: number, publishedAt: Date, more: Json = {}): PublishedRelease {
  const id = `${String(number).padStart(6, '0')}-2026`;
  const release = {
    ocid: `ocds-h6vhtk-${number.toString(16).padStart(6, '0')}`,
    id,
    date: publishedAt.toISOString(),
    tag: ['planning'],
    language: 'en',
    initiationType: 'tender',
    parties: [{ id: 'GB-PPON-PBCD-1234-FGHJ', name: 'Little Example Council', roles: ['buyer'] }],
    buyer: { id: 'GB-PPON-PBCD-1234-FGHJ', name: 'Little Example Council' },
    tender: {
      id: `ref-${number}`,
      title: `Paving of square ${number}`,
      legalBasis: { scheme: 'UKPGA', id: '2023/54' },
    },
    planning: { documents: [{ id, documentType: 'plannedProcurementNotice', noticeType: 'UK3' }] },
    ...more,
  };
  return { release, publishedAt };
}

export const AS_OF = new Date('2026-11-20T12:00:00Z');

export function makeData(parts: Partial<UpstreamData> = {}): UpstreamData {
  return {
    asOf: AS_OF,
    about: 'invented for a test',
    findATender: [],
    contractsFinder: [],
    byMonth: new Map(),
    bulk: [],
    bulkEdition: '2026-11-01',
    profiles: new Map(),
    ...parts,
  };
}

/** Notices one after another, `gapMs` apart, the last one ten minutes before the world's now. */
export function makeNotices(count: number, gapMs: number): PublishedRelease[] {
  const lastMs = AS_OF.getTime() - 600_000;
  return Array.from({ length: count }, (_, index) =>
    makeNotice(index + 1, new Date(lastMs - (count - 1 - index) * gapMs)),
  );
}

export function makeRegisterRow(number: string, name: string, more: RegisterRow = {}): RegisterRow {
  return {
    CompanyName: name,
    CompanyNumber: number,
    CompanyCategory: 'Private Limited Company',
    CompanyStatus: 'Active',
    IncorporationDate: '03/02/2001',
    'RegAddress.PostTown': 'LEEDS',
    'SICCode.SicText_1': '42110 - Construction of roads and motorways',
    ...more,
  };
}

export interface World {
  catalogue: Database;
  upstream: Upstream;
  clock: VirtualClock;
  context: IngestContext;
  count(table: string): Promise<number>;
  rows<T>(sql: string): Promise<T[]>;
  close(): Promise<void>;
}

export interface WorldOptions extends Omit<UpstreamOptions, 'data'> {
  settings?: Record<string, string>;
}

/** A catalogue in a folder of its own, an upstream on loopback, and a context whose sleep takes no time. */
export async function makeWorld(data: UpstreamData, options: WorldOptions = {}): Promise<World> {
  const folder = await makeFolder();
  const catalogue = await makeDatabase(folder.path, 'catalogue');
  const upstream = await startUpstream({ data, ...options });
  const clock = makeVirtualClock();
  const settings = worldSettings(upstream.url, folder.path, options.settings);
  const context: IngestContext = {
    catalogue,
    clocks: { catalogueNow: () => new Date(data.asOf), wallNow: () => new Date(clock.nowMs()) },
    settings,
    log: pino({ level: 'silent' }),
    fence: null,
    sleep: clock.sleep,
  };
  return {
    catalogue,
    upstream,
    clock,
    context,
    count: async (table) =>
      (await catalogue.read<{ n: number }>({ sql: `SELECT count(*) AS n FROM ${table}` }))[0]?.n ?? 0,
    rows: (sql) => catalogue.read({ sql }),
    async close() {
      await upstream.close();
      await catalogue.close();
      await folder.remove();
    },
  };
}

/** One run of any service that publishes notices, however it is asked. */
export function runService(context: IngestContext, id: string, options: RunOptions = {}): Promise<RunReport> {
  const source = findService(id);
  return source?.asked === 'by_cell' ? runCells(context, source, options) : runSource(context, id, options);
}

export function worldSettings(url: string, folder: string, more: Record<string, string> = {}): Settings {
  return readSettings({
    DATA_DIR: folder,
    ...upstreamSettings(url),
    CONTACT: 'ingest@example.org',
    ...more,
  });
}
