import { expect } from 'vitest';
import type { z } from 'zod';
import { checkFields, trimAnswer } from '../../api/answer/trim.ts';
import { makeOwnMachine } from '../../api/concurrency/machine.ts';
import type { LongReads } from '../../api/contract/long-reads.ts';
import type { Caller, Found, Operation, Services } from '../../api/contract/operation.ts';
import { listBuyersAt, listIds } from '../../api/find/lists.ts';
import { lookUpCompanies } from '../../api/find/many.ts';
import type { Rows } from '../../api/reads/export-rows/counter.ts';
import { countRows, readKeys } from '../../api/reads/export-rows/keys.ts';
import { openExports } from '../../schema/accounts/exports/open-storage.ts';
import { readSettings } from '../../schema/config/settings.ts';
import type { Database } from '../../schema/db/interface.ts';
import { readChangesPage } from '../../search/changes/page.ts';
import { listCompanies, prepareCompanies } from '../../search/directory/companies.ts';
import {
  type SearchAnswer,
  type SearchEngine,
  type Searches,
  type SearchQuery,
  SearchUnavailable,
} from '../../search/engine.ts';
import { syncSearch } from '../../search/index/sync.ts';
import { openSearch } from '../../search/open.ts';
import { type ColumnFile, openColumns } from '../../search/summary/file.ts';
import { followCatalogue } from '../../search/summary/follow.ts';
import type { Summaries } from '../../search/summary/open.ts';
import { summarise } from '../../search/summary/pass.ts';
import { standInForBoth } from '../search/both-engines.ts';
import { makeDatabase, makeFolder } from './databases.ts';
import { clocks } from './seed.ts';

export const caller: Caller = { accountId: 'acc', keyId: 'key' };

export interface Room {
  services: Services;
  /** What the search was asked, newest last. */
  asked: SearchQuery[];
  /** What it answers next. */
  answer: SearchAnswer;
  close(): Promise<void>;
}

/** Indexes what the catalogue of a room holds, and lets its services search that. */
export async function openIndexes({ services }: Room): Promise<void> {
  const { settings, catalogue } = services;
  const writer = await openSearch(settings, catalogue, 'writer');
  await syncSearch(catalogue, writer);
  await writer.close();
  services.search = await openSearch(settings, catalogue, 'reader');
}

/** Services without a server: both databases in a temporary folder and a search that answers what it is told to. */
export async function openRoom(): Promise<Room> {
  const folder = await makeFolder();
  const catalogue = await makeDatabase(folder.path, 'catalogue');
  const accounts = await makeDatabase(folder.path, 'accounts');
  const settings = readSettings({ DATA_DIR: folder.path, BASE_URL: 'https://api.example' });
  const room: Room = {
    services: {
      settings,
      clocks,
      catalogue,
      accounts,
      search: {} as Searches,
      rows: rowsOf(catalogue),
      longReads: longReadsOf(catalogue),
      summaries: summariesOf(catalogue, folder.path),
      machine: makeOwnMachine(),
      ...(await openExports(settings, accounts)),
      secret: 'a secret of at least thirty-two characters',
    },
    asked: [],
    answer: {
      hits: [],
      total: 0,
      exact: true,
      nextCursor: null,
      meta: { engine: 'embedded', bounded: false, corrections: [], matched: 'all', ignoredWords: 0 },
    },
    async close() {
      await room.services.summaries.close();
      await catalogue.close();
      await accounts.close();
      await folder.remove();
    },
  };
  room.services.search = standInForBoth({
    name: 'embedded',
    find: async (query: SearchQuery) => {
      room.asked.push(query);
      return room.answer;
    },
  } as unknown as SearchEngine);
  return room;
}

/** Parses, checks and runs as the doors do; the body is judged by the row's output schema and stripped by it. */
export async function ask<I extends z.ZodObject, O extends z.ZodObject>(
  room: Room,
  operation: Operation<I, O>,
  given: Record<string, unknown>,
  who: Caller = caller,
): Promise<{ found: Found<z.input<O>>; body: z.output<O>; needed: number }> {
  const input = operation.input.parse(given);
  const row = operation as unknown as Operation;
  checkFields(row, input);
  operation.check?.(input, room.services, who);
  const needed = operation.creditsNeeded?.(input, room.services, who) ?? operation.credits;
  const found = await operation.run(input, room.services, who);
  if (found.kind === 'nothing') return { found, body: {} as z.output<O>, needed };
  const body = operation.output.parse(found.body);
  expect(body, 'the row declares every field it answers').toEqual(JSON.parse(JSON.stringify(found.body)));
  return { found, body: trimAnswer(row, body, input) as z.output<O>, needed };
}

/** Look-ups and lists in this process, where the service asks processes of their own. */
export function longReadsOf(catalogue: Database): LongReads {
  return {
    lookUpCompanies: (asked) => lookUpCompanies(catalogue, asked),
    listBuyers: async (asked) => whole(await listBuyersAt(catalogue, asked)),
    listCompanies: async (asked) => whole(await listCompanies(catalogue, asked)),
    listIds: async (asked) => whole(await listIds(catalogue, asked)),
    prepareLists: () => prepareCompanies(catalogue),
    readChangesPage: (asked) => readChangesPage(catalogue, asked),
    close: async () => undefined,
  };
}

/** Summaries in this process, over columns in a folder. */
export function summariesOf(catalogue: Database, folder: string): Summaries {
  let opened: Promise<ColumnFile> | undefined;
  const follow = async () => {
    opened ??= openColumns(folder);
    const file = await opened;
    while (await followCatalogue(catalogue, file));
    return file;
  };
  return {
    async summarise(query) {
      const file = await follow();
      return summarise(file, whole(await file.readState()), query);
    },
    async follow() {
      await follow();
    },
    close: async () => (await opened)?.close(),
  };
}

/** @throws SearchUnavailable where nothing has been read yet, as the service does */
function whole<T>(read: T | null | undefined): T {
  if (!read) throw new SearchUnavailable('nothing has been read yet', { reason: 'behind' });
  return read;
}

/** The rows of a catalogue, read in this process. */
export function rowsOf(catalogue: Database): Rows {
  return {
    count: (query) => countRows(catalogue, query),
    keys: (query, after, rows) => readKeys(catalogue, query, after, rows),
    close: async () => undefined,
  };
}
