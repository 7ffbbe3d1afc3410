import { hash } from 'node:crypto';
import { listServices } from '../../ingest/sources/index.ts';
import type { Database } from '../../schema/db/interface.ts';
import { catalogueDigest } from '../ingest/store/catalogue-digest.ts';

/** Everything a catalogue holds that must not depend on how often its ingest was killed. */
export interface Facts {
  /** One digest per kind of row. */
  digests: Record<string, string>;
  /** Keys of the rows that may be lost or doubled, by table. */
  keys: Record<string, string[]>;
  /** What contradicts itself within the catalogue; empty where all is well. */
  faults: string[];
}

/** Tables beside those that a catalogue's digest is made of; nothing here says when something was fetched. */
const BESIDE: Readonly<Record<string, string>> = {
  quarantine: `SELECT source, kind, reason, record_id, sha256, hex(bytes) AS bytes, state FROM quarantine
    ORDER BY source, sha256, reason`,
  register: `SELECT company_number, digest, edition, gone, profile FROM registered_company ORDER BY company_number`,
  former_names: 'SELECT * FROM previous_name ORDER BY name_key, company_number',
  identity_facts: 'SELECT * FROM identity_fact ORDER BY kind, token, field, value',
  unknown_values: 'SELECT source, field, value, sightings FROM unknown_value ORDER BY source, field, value',
  source_counts: 'SELECT id, releases, quarantined, as_of, last_error FROM source ORDER BY id',
  company_counts: 'SELECT id, contract_count, framework_places, totals FROM company WHERE gone = 0 ORDER BY id',
  buyer_counts: 'SELECT id, contract_count, framework_places, totals FROM buyer WHERE gone = 0 ORDER BY id',
  cursors: 'SELECT source, value FROM cursor ORDER BY source',
  cells: 'SELECT source, month, type, state, releases, digest FROM cell ORDER BY source, month, type',
};

const KEYS: Readonly<Record<string, string>> = {
  release: `SELECT ocid || ' ' || release_id || ' ' || digest AS key FROM release`,
  quarantine: `SELECT source || ' ' || sha256 || ' ' || reason AS key FROM quarantine`,
  process: 'SELECT id AS key FROM process WHERE gone = 0',
  notice: 'SELECT id AS key FROM notice WHERE gone = 0',
  contract: 'SELECT id AS key FROM contract WHERE gone = 0',
  framework: 'SELECT id AS key FROM framework WHERE gone = 0',
  company: 'SELECT id AS key FROM company WHERE gone = 0',
  buyer: 'SELECT id AS key FROM buyer WHERE gone = 0',
  registered_company: 'SELECT company_number AS key FROM registered_company WHERE gone = 0',
};

const PROCUREMENT = `('${listServices()
  .map(({ id }) => id)
  .join("', '")}')`;

/** Contracts, and awards that set up a framework. */
const COUNTS = `count(*) FILTER (WHERE c.framework_role IS NOT 'establishes'),
  count(*) FILTER (WHERE c.framework_role = 'establishes')`;

/** Each finds rows that contradict others: `what` is true of a catalogue only when it finds none. */
const CONTRADICTIONS: readonly { what: string; sql: string }[] = [
  {
    what: "a source's count of releases is not what is held",
    sql: `SELECT id FROM source WHERE id IN ${PROCUREMENT}
      AND releases <> (SELECT count(*) FROM release r WHERE r.source = source.id)`,
  },
  {
    what: "a source's days do not add up to its releases",
    sql: `SELECT id FROM source WHERE id IN ${PROCUREMENT}
      AND releases <> (SELECT coalesce(sum(releases), 0) FROM coverage_day c WHERE c.source = source.id)`,
  },
  {
    what: "a source's count of quarantined records is not what is held",
    sql: `SELECT id FROM source WHERE quarantined <>
      (SELECT count(*) FROM quarantine q WHERE q.source = source.id AND q.state = 'held')`,
  },
  {
    what: "a company's count of contracts, or of places on frameworks, is not what is held",
    sql: `SELECT id FROM company WHERE gone = 0 AND (contract_count, framework_places) <>
      (SELECT ${COUNTS} FROM contract_supplier s
        JOIN contract c ON c.id = s.contract_id WHERE s.company_id = company.id AND c.gone = 0)`,
  },
  {
    what: "a buyer's count of contracts, or of places on frameworks, is not what is held",
    sql: `SELECT id FROM buyer WHERE gone = 0 AND (contract_count, framework_places) <>
      (SELECT ${COUNTS} FROM contract c WHERE c.buyer_id = buyer.id AND c.gone = 0)`,
  },
  {
    what: 'one publication is held under two digests by one source',
    sql: `SELECT ocid FROM release GROUP BY source, ocid, release_id, date HAVING count(*) > 1`,
  },
  {
    what: 'a row is newer than the newest batch',
    sql: ['process', 'notice', 'contract', 'framework', 'company', 'buyer', 'registered_company']
      .map(
        (table) => `SELECT '${table}' AS id FROM ${table} WHERE seq > (SELECT value FROM counter WHERE name = 'seq')`,
      )
      .join(' UNION ALL '),
  },
  { what: 'a run is called running though nothing runs', sql: "SELECT id FROM run WHERE state = 'running'" },
  { what: 'a lease is held though nothing runs', sql: 'SELECT name FROM lease' },
  { what: 'the file is damaged', sql: "SELECT * FROM pragma_integrity_check WHERE integrity_check <> 'ok'" },
];

/** Reads what is compared. The catalogue must be at rest. */
export async function readFacts(catalogue: Database): Promise<Facts> {
  const digests = await catalogueDigest(catalogue);
  for (const [name, sql] of Object.entries(BESIDE)) digests[name] = digestOf(await catalogue.read({ sql }));
  const keys: Record<string, string[]> = {};
  for (const [table, sql] of Object.entries(KEYS))
    keys[table] = (await catalogue.read<{ key: string }>({ sql })).map(({ key }) => key);
  const faults: string[] = [];
  for (const { what, sql } of CONTRADICTIONS) {
    const rows = await catalogue.read({ sql });
    if (rows.length > 0) faults.push(`${what} (${rows.length}; the first: ${JSON.stringify(rows[0])})`);
  }
  return { digests, keys, faults };
}

function digestOf(rows: unknown): string {
  return hash('sha256', JSON.stringify(rows)).slice(0, 12);
}

interface Difference {
  lost: string[];
  doubled: string[];
  /** Kinds of rows whose digest is another one. */
  unequal: string[];
}

/** What `came` lacks of `due`, and what it has that `due` has not, or has less often. */
export function compareFacts(due: Facts, came: Facts): Difference {
  const tables = Object.keys(due.keys);
  return {
    lost: tables.flatMap((table) => surplus(table, due.keys[table] ?? [], came.keys[table] ?? [])),
    doubled: tables.flatMap((table) => surplus(table, came.keys[table] ?? [], due.keys[table] ?? [])),
    unequal: Object.keys(due.digests).filter((name) => due.digests[name] !== came.digests[name]),
  };
}

function surplus(table: string, keys: readonly string[], others: readonly string[]): string[] {
  const left = new Map<string, number>();
  for (const key of others) left.set(key, (left.get(key) ?? 0) + 1);
  return keys.flatMap((key) => {
    const count = left.get(key) ?? 0;
    left.set(key, count - 1);
    return count > 0 ? [] : [`${table} ${key}`];
  });
}
