import type { CompanyRow } from '../../schema/answers/known-company.ts';
import { type Database, readFirst } from '../../schema/db/interface.ts';
import { nameKey } from '../../schema/names/spelling.ts';

const BY_ID = 'SELECT * FROM company WHERE id = ? AND gone = 0';
const BY_ALIAS = "SELECT target FROM alias WHERE kind = 'company' AND alias = ?";

/** The company with this id, unless it has gone. */
export function readCompany(catalogue: Database, id: string): Promise<CompanyRow | undefined> {
  return readFirst(catalogue, { sql: BY_ID, args: [id] });
}

/** The company with an identifier (lower case). */
export async function readCompanyByAlias(catalogue: Database, identifier: string): Promise<CompanyRow | undefined> {
  const found = await readFirst<{ target: string }>(catalogue, { sql: BY_ALIAS, args: [identifier] });
  return found && readCompany(catalogue, found.target);
}

interface NamedCompany {
  id: string;
  name: string;
  company_number: string | null;
}

const NAMED_SO = `SELECT id, name, company_number FROM company
  WHERE name_key >= ?1 AND name_key < ?1 || '~' AND gone = 0 ORDER BY name_key LIMIT ?2`;
const NUMBERED_SO = `SELECT id, name, company_number FROM company
  WHERE company_number >= ?1 AND company_number < ?1 || '~' AND gone = 0 ORDER BY company_number LIMIT ?2`;

/** Suppliers whose cleaned name begins with the text, then those whose number does. */
export async function readCompaniesBeginning(catalogue: Database, text: string, most: number): Promise<NamedCompany[]> {
  const ask = (sql: string, start: string) => catalogue.read<NamedCompany>({ sql, args: [start, most] });
  const key = nameKey(text);
  const named = key ? await ask(NAMED_SO, key) : [];
  const numbered = text ? await ask(NUMBERED_SO, text.toUpperCase()) : [];
  return [...new Map([...named, ...numbered].map((company) => [company.id, company])).values()].slice(0, most);
}
