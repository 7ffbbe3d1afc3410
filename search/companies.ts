import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Database, SqlValue } from '../schema/database.ts';
import { parseCompanyNumber } from '../schema/ids.ts';
import { nameKey } from '../schema/names.ts';
import { type HeldName, type RankedName, rankNames } from './match-names.ts';
import { editDistance, slipsOf } from './similarity.ts';

const SAME_MAX = 50;
const NEAR_MAX = 100;
/** Longer names have too many slips to ask for each. */
const SLIPS_LENGTH_MAX = 40;
const AFTER_ALL = '\u{10ffff}';
/** Beginnings shared with a near name: long ones first, as they read little. */
const NEAR_BEGINNINGS = [8, 5, 3];
/** Of names that begin alike so many are compared: where there are more, a longer beginning tells them apart. */
const ALIKE_MAX = 400;
const ALIKE_BEGINNINGS = [6, 10, 16, 24];

const IDENTITY =
  'id AS company_id, company_number, name, name_key, contract_count, NULL AS status, NULL AS previous_name FROM company';
const REGISTERED = `NULL AS company_id, company_number, name, name_key, 0 AS contract_count, status, NULL AS previous_name
  FROM registered_company`;
const BY_KEY = [
  `SELECT ${IDENTITY} WHERE name_key = ? AND gone = 0 LIMIT ${SAME_MAX}`,
  `SELECT ${REGISTERED} WHERE name_key = ? AND gone = 0 LIMIT ${SAME_MAX}`,
  `SELECT NULL AS company_id, r.company_number, r.name, r.name_key, 0 AS contract_count, r.status, p.name AS previous_name
   FROM previous_name p JOIN registered_company r ON r.company_number = p.company_number AND r.gone = 0
   WHERE p.name_key = ? LIMIT ${SAME_MAX}`,
];
const BY_KEYS = [
  `SELECT ${IDENTITY} WHERE name_key IN (SELECT value FROM json_each(?)) AND gone = 0 LIMIT ${SAME_MAX}`,
  `SELECT ${REGISTERED} WHERE name_key IN (SELECT value FROM json_each(?)) AND gone = 0 LIMIT ${SAME_MAX}`,
];
const BY_BEGINNING = [
  `SELECT ${IDENTITY} WHERE name_key >= ? AND name_key < ? AND gone = 0 LIMIT ${NEAR_MAX}`,
  `SELECT ${REGISTERED} WHERE name_key >= ? AND name_key < ? AND gone = 0 LIMIT ${NEAR_MAX}`,
];
const KEYS_BY_BEGINNING = ['company', 'registered_company'].map(
  (table) => `SELECT name_key FROM ${table} WHERE name_key >= ? AND name_key < ? LIMIT ${ALIKE_MAX}`,
);
const BY_NUMBER = [
  `SELECT ${IDENTITY} WHERE company_number = ? AND gone = 0 LIMIT ${SAME_MAX}`,
  `SELECT ${REGISTERED} WHERE company_number = ? AND gone = 0`,
];
const IDENTITIES_OF = `SELECT id, company_number, contract_count FROM company
  WHERE company_number IN (SELECT value FROM json_each(?)) AND gone = 0`;

interface Row {
  company_id: string | null;
  company_number: string | null;
  name: string;
  name_key: string;
  contract_count: number;
  status: string | null;
  previous_name: string | null;
}

interface HeldCompany extends HeldName {
  company_id?: string;
  company_number?: string;
}

/** The company that a name means: its supplier identity, its register number, or both. */
export interface CompanyMatch {
  company_id?: string;
  company_number?: string;
  name: string;
  /** 0 to 1. */
  score: number;
  method: string;
  evidence: string[];
}

export interface FoundCompany {
  best: CompanyMatch | null;
  /** At most five, the best first; `id` is a company number where one is held. */
  candidates: { id: string; name: string }[];
}

/**
 * The company that a name means: by the same name, a cleaned, previous, longer or near one, among suppliers and the register.
 * A company number typed as a name is understood. `best` is null where nothing is near enough or two are equally near.
 */
export async function findCompany(catalogue: Database, name: string): Promise<FoundCompany> {
  const number = typedNumber(name);
  if (number) {
    const [held] = await collect(catalogue, await readAll(catalogue, BY_NUMBER, [number]));
    if (held) return fromNumber(held, number);
  }
  const key = nameKey(name);
  if (key === '') return { best: null, candidates: [] };
  const rows = await readAll(catalogue, BY_KEY, [key]);
  if (rows.length === 0) rows.push(...(await readNear(catalogue, key)));
  const { best, candidates } = rankNames(name, await collect(catalogue, rows));
  return { best: best && toMatch(best), candidates };
}

/** A number as somebody types it into a name field: four digits at least, so that `3M` and `Level 39` stay names. */
function typedNumber(name: string): string | null {
  return /^\s*[a-z]{0,2}\s?\d{4,8}[a-z]?\s*$/i.test(name) ? parseCompanyNumber(name) : null;
}

/**
 * Longer names, everything that begins so; else names that are one slip away, wherever it is; else names that share a
 * shorter and shorter beginning. Each asks an index for few rows, however many names there are, and lets others have their
 * turn before the next: on a file every read is synchronous.
 */
async function readNear(catalogue: Database, key: string): Promise<Row[]> {
  const longer = await readAll(catalogue, BY_BEGINNING, [key, key + AFTER_ALL]);
  if (longer.length > 0) return longer;
  await nextTurn();
  const slips = await readSlips(catalogue, key);
  await nextTurn();
  const slipped = slips.length > 0 ? await readAll(catalogue, BY_KEYS, [JSON.stringify(slips)]) : [];
  if (slipped.length > 0) return slipped;
  const near: Row[] = [];
  for (const length of NEAR_BEGINNINGS.filter((one) => one < key.length)) {
    await nextTurn();
    const beginning = key.slice(0, length);
    near.push(...(await readAll(catalogue, BY_BEGINNING, [beginning, beginning + AFTER_ALL])));
  }
  await nextTurn();
  return near;
}

/**
 * What a name with one slip may be: every slip within its beginning, as there are few, and of the rest only those that are
 * held by a name which begins so.
 */
async function readSlips(catalogue: Database, key: string): Promise<string[]> {
  for (const length of ALIKE_BEGINNINGS.filter((one) => one < key.length)) {
    const beginning = key.slice(0, length);
    const lists = await Promise.all(
      KEYS_BY_BEGINNING.map((sql) =>
        catalogue.read<Pick<Row, 'name_key'>>({ sql, args: [beginning, beginning + AFTER_ALL] }),
      ),
    );
    if (lists.some((list) => list.length === ALIKE_MAX)) continue;
    const alike = lists.flat().filter(({ name_key }) => editDistance(key, name_key, 1) === 1);
    return [...slipsOf(key, length), ...alike.map(({ name_key }) => name_key)];
  }
  return key.length <= SLIPS_LENGTH_MAX ? slipsOf(key) : [];
}

async function readAll(catalogue: Database, statements: string[], args: SqlValue[]): Promise<Row[]> {
  const lists = await Promise.all(statements.map((sql) => catalogue.read<Row>({ sql, args })));
  return lists.flat();
}

/** One entry per company: a register row and a supplier identity of the same number are one. */
async function collect(catalogue: Database, rows: Row[]): Promise<HeldCompany[]> {
  const numbers = [...new Set(rows.flatMap(({ company_number }) => company_number ?? []))];
  const identities = await catalogue.read<{ id: string; company_number: string; contract_count: number }>({
    sql: IDENTITIES_OF,
    args: [JSON.stringify(numbers)],
  });
  const identityOf = new Map(identities.map((one) => [one.company_number, one]));
  const statusOf = new Map(
    rows.flatMap(({ company_number, status }) => (company_number && status ? [[company_number, status] as const] : [])),
  );
  return rows.map((row) => {
    const number = row.company_number ?? undefined;
    const identity = number === undefined ? undefined : identityOf.get(number);
    const companyId = row.company_id ?? identity?.id;
    return {
      id: number ?? companyId ?? row.name_key,
      ...(companyId === undefined ? {} : { company_id: companyId }),
      ...(number === undefined ? {} : { company_number: number }),
      name: row.name,
      name_key: row.name_key,
      ...(row.previous_name === null ? {} : { previous_name: row.previous_name }),
      contract_count: Math.max(row.contract_count, identity?.contract_count ?? 0),
      markdowns: markdowns(number, number === undefined ? undefined : statusOf.get(number)),
    };
  });
}

function markdowns(number: string | undefined, status: string | undefined): string[] {
  return [
    ...(status && /dissolved|converted|closed|removed/i.test(status) ? ['dissolved'] : []),
    // FC and BR: an overseas company and its UK establishment.
    ...(number && /^(FC|BR|SF|NF)/.test(number) ? ['branch'] : []),
  ];
}

function fromNumber(held: HeldCompany, number: string): FoundCompany {
  const best = { held, score: 1, method: 'number' as const, evidence: [`company number ${number}`] };
  return { best: toMatch(best), candidates: [{ id: held.id, name: held.name }] };
}

function toMatch({ held, score, method, evidence }: RankedName<HeldCompany>): CompanyMatch {
  const { company_id, company_number, name } = held;
  return {
    ...(company_id === undefined ? {} : { company_id }),
    ...(company_number === undefined ? {} : { company_number }),
    name,
    score,
    method,
    evidence,
  };
}
