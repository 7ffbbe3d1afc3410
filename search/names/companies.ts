import type { MatchMethod } from '../../schema/catalogue/enums.ts';
import type { Database, SqlValue } from '../../schema/db/interface.ts';
import { nameKey } from '../../schema/names/spelling.ts';
import { parseCompanyNumber } from '../../schema/text/ids.ts';
import { type RankedName, rankNames, type StoredName } from './match.ts';
import { type NameTable, readNearNames } from './neighbours.ts';

const SAME_MAX = 50;
const COMPANIES = { each: 'companies' } as const;
const TABLES: readonly NameTable[] = ['company', 'registered_company', 'previous_name'];

const IDENTITY =
  'id AS company_id, company_number, name, name_key, postcode, contract_count + framework_places AS award_count, NULL AS previous_name FROM company';
/** A company that left the register, such as a dissolved one, is still found. */
const REGISTERED = `NULL AS company_id, company_number, name, name_key, postcode, 0 AS award_count, NULL AS previous_name
  FROM registered_company`;
const RENAMED = `NULL AS company_id, r.company_number, r.name, r.name_key, r.postcode, 0 AS award_count, p.name AS previous_name
  FROM previous_name p JOIN registered_company r ON r.company_number = p.company_number`;
const byKey = (condition: string) => [
  `SELECT ${IDENTITY} WHERE name_key ${condition} AND gone = 0 LIMIT ${SAME_MAX}`,
  `SELECT ${REGISTERED} WHERE name_key ${condition} LIMIT ${SAME_MAX}`,
  `SELECT ${RENAMED} WHERE p.name_key ${condition} LIMIT ${SAME_MAX}`,
];
const BY_KEY = byKey('= ?');
const BY_KEYS = byKey('IN (SELECT value FROM json_each(?))');
const BY_NUMBER = [
  `SELECT ${IDENTITY} WHERE company_number = ? AND gone = 0 LIMIT ${SAME_MAX}`,
  `SELECT ${REGISTERED} WHERE company_number = ?`,
];
const IDENTITIES_OF = `SELECT id, company_number, contract_count + framework_places AS award_count FROM company
  WHERE company_number IN (SELECT value FROM json_each(?)) AND gone = 0`;
const REGISTER_STATES_OF = `SELECT company_number, name, status, gone FROM registered_company
  WHERE company_number IN (SELECT value FROM json_each(?))`;

/** The register's words for a company that has ended, as in `schema/reference/company-status`, which a look-up does not load. */
const DISSOLVED = /dissolved|converted|closed|removed/i;
/** What people write before a company number. */
const BEFORE_NUMBER = /^(?:company (?:registration )?(?:number|no\.?)|crn|gb-coh)[\s:#-]*/i;

interface Row {
  company_id: string | null;
  company_number: string | null;
  name: string;
  name_key: string;
  postcode: string | null;
  award_count: number;
  previous_name: string | null;
}

interface StoredCompany extends StoredName {
  company_id?: string;
  company_number?: string;
  postcode?: string;
}

/** The company that a name means: its supplier identity, its register number, or both. */
interface CompanyMatch {
  company_id?: string;
  company_number?: string;
  name: string;
  /** 0 to 1. */
  score: number;
  method: MatchMethod;
  evidence: string[];
}

export interface FoundCompany {
  best: CompanyMatch | null;
  /** At most five, the best first; `id` is a company number where one is known. */
  candidates: { id: string; name: string }[];
}

/**
 * The company that a name means: by the exact name, a cleaned, previous, longer or similar one, among suppliers and the
 * register. A company number typed as a name is understood. `best` is null where none is similar enough or two are equally
 * similar. @param postcode - among several with the name, those at this postcode are preferred, then those in its district; if
 * there are none it has no effect @param isAlone - whether nothing else waits in this process
 */
export async function findCompany(
  catalogue: Database,
  name: string,
  postcode?: string,
  isAlone = false,
): Promise<FoundCompany> {
  const number = typedNumber(name);
  if (number) {
    const [stored] = await collect(catalogue, await readAll(catalogue, BY_NUMBER, [number]));
    if (stored) return fromNumber(stored, number);
  }
  const key = nameKey(name);
  if (key === '') return { best: null, candidates: [] };
  const same = await readLists(catalogue, BY_KEY, [key]);
  return same.some((list) => list.length > 0)
    ? findSame(catalogue, { name, postcode }, same)
    : findNear(catalogue, name, key, isAlone);
}

async function findSame(
  catalogue: Database,
  { name, postcode }: { name: string; postcode: string | undefined },
  lists: Row[][],
): Promise<FoundCompany> {
  const rows = lists.flat();
  const bearers = await collect(catalogue, rows);
  const there = postcode === undefined ? null : findThere(bearers, postcode);
  const { best, candidates } = rankNames(name, there?.bearers ?? bearers, COMPANIES);
  const isCut = lists.some((list) => list.length === SAME_MAX);
  const more = isCut ? [`of more that have the name ${rows.length} were compared`] : [];
  return { best: best && toMatch(best, [...(there ? [there.evidence] : []), ...more]), candidates };
}

/** Those at a postcode, otherwise in its district, and the evidence; null where all or none are. */
function findThere(bearers: StoredCompany[], postcode: string): { bearers: StoredCompany[]; evidence: string } | null {
  const all = new Set(bearers.map(({ id }) => id)).size;
  const ways = [
    { of: barePostcode, said: `at postcode ${postcode}` },
    { of: districtOf, said: `in postcode district ${districtOf(postcode)}` },
  ];
  for (const { of, said } of ways) {
    const ids = new Set(bearers.filter((one) => one.postcode && of(one.postcode) === of(postcode)).map(({ id }) => id));
    // A supplier and its row of the register share an id, and each may have a different postcode.
    if (ids.size === all) return null;
    if (ids.size > 0) {
      const evidence = `of ${all} companies under this name ${ids.size} ${said}`;
      return { bearers: bearers.filter(({ id }) => ids.has(id)), evidence };
    }
  }
  return null;
}

function barePostcode(postcode: string): string {
  return postcode.toUpperCase().replace(/[^A-Z0-9]/g, '');
}

/** The outward half of a postcode; the whole of a text that is a district. */
function districtOf(postcode: string): string {
  const bare = barePostcode(postcode);
  return bare.length > 4 ? bare.slice(0, -3) : bare;
}

async function findNear(catalogue: Database, name: string, key: string, isAlone: boolean): Promise<FoundCompany> {
  const { keys, compared, crowded } = await readNearNames(catalogue, TABLES, key, isAlone);
  const rows = keys.length === 0 ? [] : await readAll(catalogue, BY_KEYS, [JSON.stringify(keys)]);
  const { best, candidates } = rankNames(name, await collect(catalogue, rows), COMPANIES);
  if (!best || (crowded && best.method === 'prefix')) return { best: null, candidates };
  return { best: toMatch(best, [`the nearest of ${compared} names compared`]), candidates };
}

/** A number that somebody types into a name field: four digits at least, so that `3M` and `Level 39` stay names. */
function typedNumber(name: string): string | null {
  const bare = name
    .trim()
    .replace(BEFORE_NUMBER, '')
    .replace(/[\s.-]/g, '');
  return /^[a-z]{0,2}\d{4,8}[a-z]{0,2}$/i.test(bare) ? parseCompanyNumber(bare) : null;
}

async function readAll(catalogue: Database, statements: string[], args: SqlValue[]): Promise<Row[]> {
  return (await readLists(catalogue, statements, args)).flat();
}

function readLists(catalogue: Database, statements: string[], args: SqlValue[]): Promise<Row[][]> {
  return Promise.all(statements.map((sql) => catalogue.read<Row>({ sql, args })));
}

/** One entry per row, with what is stored elsewhere about its company: a register row and a supplier identity with the same number are one. */
async function collect(catalogue: Database, rows: Row[]): Promise<StoredCompany[]> {
  const args = [JSON.stringify([...new Set(rows.flatMap(({ company_number }) => company_number ?? []))])];
  const identities = await catalogue.read<Identity>({ sql: IDENTITIES_OF, args });
  const states = await catalogue.read<RegisterState>({ sql: REGISTER_STATES_OF, args });
  const identityOf = new Map(identities.map((one) => [one.company_number, one]));
  const stateOf = new Map(states.map((one) => [one.company_number, one]));
  return rows.map((row) => {
    const number = row.company_number ?? '';
    return toStored(row, identityOf.get(number), stateOf.get(number));
  });
}

interface Identity {
  id: string;
  company_number: string;
  award_count: number;
}

interface RegisterState {
  company_number: string;
  name: string;
  status: string;
  gone: number;
}

function toStored(row: Row, identity: Identity | undefined, state: RegisterState | undefined): StoredCompany {
  const number = row.company_number ?? undefined;
  const companyId = row.company_id ?? identity?.id;
  return {
    id: number ?? companyId ?? row.name_key,
    ...(companyId === undefined ? {} : { company_id: companyId }),
    ...(number === undefined ? {} : { company_number: number }),
    name: row.name,
    name_key: row.name_key,
    ...(state === undefined ? {} : { registered_name: state.name }),
    ...(row.postcode === null ? {} : { postcode: row.postcode }),
    ...(row.previous_name === null ? {} : { previous_name: row.previous_name }),
    award_count: Math.max(row.award_count, identity?.award_count ?? 0),
    markdowns: markdowns(number ?? '', state),
  };
}

function markdowns(number: string, state: RegisterState | undefined): string[] {
  const ended = state && markdownOfState(state);
  // FC and BR: an overseas company and its UK establishment.
  const isBranch = /^(FC|BR|SF|NF)/.test(number);
  return [...(ended ? [ended] : []), ...(isBranch ? ['branch'] : [])];
}

function markdownOfState({ status, gone }: RegisterState): string | null {
  if (DISSOLVED.test(status)) return 'dissolved';
  return gone === 1 ? 'left the register' : null;
}

function fromNumber(stored: StoredCompany, number: string): FoundCompany {
  const best = { stored, score: 1, method: 'number' as const, evidence: [`company number ${number}`] };
  return { best: toMatch(best), candidates: [{ id: stored.id, name: stored.name }] };
}

function toMatch({ stored, score, method, evidence }: RankedName<StoredCompany>, more: string[] = []): CompanyMatch {
  const { company_id, company_number, name } = stored;
  return {
    ...(company_id === undefined ? {} : { company_id }),
    ...(company_number === undefined ? {} : { company_number }),
    name,
    score,
    method,
    evidence: [...evidence, ...more],
  };
}
