import type { company, registeredCompany, sicCode } from '../../schema/catalogue/tables/parties.ts';
import { type Database, readFirst } from '../../schema/db/interface.ts';
import { nameKey } from '../../schema/names/spelling.ts';

export type CompanyRow = typeof company.$inferSelect;
export type RegisteredRow = typeof registeredCompany.$inferSelect;

const BY_ID = 'SELECT * FROM company WHERE id = ? AND gone = 0';
const BY_NUMBER = 'SELECT * FROM company WHERE company_number = ? AND gone = 0 ORDER BY company_number LIMIT 1';
const BY_ALIAS = "SELECT target FROM alias WHERE kind = 'company' AND alias = ?";
const REGISTERED = 'SELECT * FROM registered_company WHERE company_number = ?';
const SIC_CODES = 'SELECT * FROM sic_code WHERE code IN (SELECT value FROM json_each(?))';

/** SIC code -> what it means. */
export type SicWords = ReadonlyMap<string, string>;

/** What the register's rows say that these codes mean; those it never described are left out. */
export async function readSicWords(catalogue: Database, codes: readonly string[]): Promise<SicWords> {
  if (codes.length === 0) return new Map();
  const rows = await catalogue.read<typeof sicCode.$inferSelect>({ sql: SIC_CODES, args: [JSON.stringify(codes)] });
  return new Map(rows.map(({ code, description }) => [code, description]));
}

/** The company with this id, unless it has gone. */
export function readCompany(catalogue: Database, id: string): Promise<CompanyRow | undefined> {
  return readFirst(catalogue, { sql: BY_ID, args: [id] });
}

/** @param number - in its 8-character form. */
export function readCompanyByNumber(catalogue: Database, number: string): Promise<CompanyRow | undefined> {
  return readFirst(catalogue, { sql: BY_NUMBER, args: [number] });
}

/** The company that an identifier (lower case) leads to. */
export async function readCompanyByAlias(catalogue: Database, identifier: string): Promise<CompanyRow | undefined> {
  const found = await readFirst<{ target: string }>(catalogue, { sql: BY_ALIAS, args: [identifier] });
  return found && readCompany(catalogue, found.target);
}

/** The Companies House record of a number, whether or not the company ever won anything; also one that left the register. */
export function readRegistered(catalogue: Database, number: string): Promise<RegisteredRow | undefined> {
  return readFirst(catalogue, { sql: REGISTERED, args: [number] });
}

export interface NamedCompany {
  id: string;
  name: string;
  company_number: string | null;
}

const NAMED_SO = `SELECT id, name, company_number FROM company
  WHERE name_key >= ?1 AND name_key < ?1 || '~' AND gone = 0 ORDER BY name_key LIMIT ?2`;
const NUMBERED_SO = `SELECT id, name, company_number FROM company
  WHERE company_number >= ?1 AND company_number < ?1 || '~' AND gone = 0 ORDER BY company_number LIMIT ?2`;

/** Suppliers whose cleaned name begins so, then those whose number does. */
export async function readCompaniesBeginning(catalogue: Database, text: string, most: number): Promise<NamedCompany[]> {
  const ask = (sql: string, start: string) => catalogue.read<NamedCompany>({ sql, args: [start, most] });
  const key = nameKey(text);
  const named = key ? await ask(NAMED_SO, key) : [];
  const numbered = text ? await ask(NUMBERED_SO, text.toUpperCase()) : [];
  return [...new Map([...named, ...numbered].map((company) => [company.id, company])).values()].slice(0, most);
}

/** Newest contracts to read: enough for as many different awarded suppliers. */
const CONTRACTS = 60;

export interface ActiveCompany {
  id: string;
  name: string;
  locality: string | null;
  contract_count: number;
  framework_places: number;
}

const NEWEST = `SELECT id, sort_date FROM contract WHERE sort_date <= ?1 AND gone = 0
  ORDER BY sort_date DESC, id DESC LIMIT ${CONTRACTS}`;
const WINNERS = `SELECT w.id, w.name, w.locality, w.contract_count, w.framework_places FROM (${NEWEST}) c
  JOIN contract_supplier s ON s.contract_id = c.id JOIN company w ON w.id = s.company_id AND w.gone = 0
  GROUP BY w.id ORDER BY max(c.sort_date) DESC, w.contract_count DESC, w.id LIMIT ?2`;

/** The companies that won most recently. @param today - `YYYY-MM-DD`: publishers also write future dates. */
export function readActiveCompanies(catalogue: Database, today: string, most: number): Promise<ActiveCompany[]> {
  return catalogue.read<ActiveCompany>({ sql: WINNERS, args: [today, most] });
}
