import { type ReleaseToStore, storePage } from '../../../ingest/store/page.ts';
import type { Database } from '../../../schema/db/interface.ts';
import { type JsonObject, packText } from '../../../schema/text/json-values.ts';
import { actRelease, BRIGHT, noticeDocument, packageOf, read, reference } from '../compile/releases.ts';

const TABLES =
  "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%' AND name NOT LIKE 'libsql%'";
/** Numbers of batches, and what counts those. */
const COUNTED = new Set(['seq', 'at', 'changed']);
const OTHERS = new Set(['counter', 'change_instant', 'change']);
const LOG = `SELECT kind, id, change, changed, former FROM change WHERE kind IN ('notice', 'contract', 'framework')
  ORDER BY kind, id, seq`;

interface Entry {
  kind: string;
  id: string;
  change: string;
  changed: string;
  former: string | null;
}

/** A log in which updates of a row that follow each other are one: with more batches, the kind of its buyer may come before the rest. */
function joinUpdates(log: readonly Entry[]): Entry[] {
  const joined: Entry[] = [];
  for (const entry of log) {
    const last = joined.at(-1);
    const isNext = last?.kind === entry.kind && last.id === entry.id;
    if (!isNext || last.change !== 'updated' || entry.change !== 'updated') joined.push({ ...entry });
    else last.changed = [...new Set(`${last.changed} ${entry.changed}`.split(' '))].sort().join(' ');
  }
  return joined;
}

/** Everything that a catalogue holds, without the numbers of its batches. */
export async function readAll(catalogue: Database): Promise<Record<string, unknown>> {
  const tables = (await catalogue.read<{ name: string }>({ sql: TABLES })).map(({ name }) => name);
  const all: Record<string, unknown> = { log: joinUpdates(await catalogue.read<Entry>({ sql: LOG })) };
  for (const table of tables.filter((name) => !OTHERS.has(name))) {
    const rows = await catalogue.read<Record<string, unknown>>({ sql: `SELECT * FROM "${table}"` });
    const texts = rows.map((row) => JSON.stringify(Object.entries(row).filter(([name]) => !COUNTED.has(name))));
    all[table] = texts.sort();
  }
  return all;
}

/** The database, where something happens before its write number `at`. */
export function beforeWrite(catalogue: Database, at: number, happens: () => unknown): Database {
  let writes = 0;
  return {
    ...catalogue,
    read: (statement) => catalogue.read(statement),
    async write(statements) {
      if (writes++ === at) await happens();
      return catalogue.write(statements);
    },
  };
}

/** The database as a process sees it that is killed there. */
export function killedAt(catalogue: Database, at: number): Database {
  return beforeWrite(catalogue, at, () => {
    throw new Error('killed');
  });
}

/** One buyer, without a number and with one. */
export const NAMED = { id: 'own-1', name: 'Ministry of Invented Affairs', roles: ['buyer'] };
export const NUMBERED = {
  ...NAMED,
  id: 'GB-PPON-PBCD-9999-FGHJ',
  identifier: { scheme: 'GB-PPON', id: 'PBCD-9999-FGHJ' },
};
export const AT = {
  source: 'find_a_tender',
  fetchedAt: '2026-11-20T00:00:00Z',
  quarantined: [],
  before: [],
  after: [],
};
export const NOTICES = 7;

/** A notice of an award of its own. */
export function noticeBy(number: number, buyer: JsonObject, winner: JsonObject = BRIGHT): ReleaseToStore[] {
  const id = `00000${number}-2026`;
  const release = actRelease(id, `2026-03-0${number}T09:00:00Z`, {
    ocid: `ocds-h6vhtk-00000${number}`,
    tag: ['award', 'contract'],
    parties: [buyer, winner],
    buyer: reference(buyer),
    tender: { documents: [noticeDocument(id, 'UK6')] },
    awards: [{ id: '1', status: 'active', suppliers: [reference(winner)], value: { amount: number, currency: 'GBP' } }],
  });
  return [...read(packageOf([release])).releases];
}

export const store = (catalogue: Database, releases: ReleaseToStore[], movedMost?: number) =>
  storePage(catalogue, { ...AT, releases, movedMost });

/** Leaves a process that can no longer be compiled, as an upgrade may. */
export const breakProcess = (catalogue: Database, ocid: string) =>
  catalogue.write([{ sql: 'UPDATE release SET body = ? WHERE ocid = ?', args: [packText('null'), ocid] }]);
