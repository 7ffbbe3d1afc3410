import type { company, registeredCompany, sicCode } from '../catalogue/tables/parties.ts';
import { type Database, readFirst } from '../db/interface.ts';
import { bareSicCodes, type Registered, registeredNameOf, toRegistered } from './register/record.ts';

export type CompanyRow = typeof company.$inferSelect;
type RegisteredRow = typeof registeredCompany.$inferSelect;

/** A known company: a supplier, a row of the Companies House register, or both. */
export type KnownCompany =
  | { company: CompanyRow; registered: Registered | undefined }
  | { company: undefined; registered: Registered };

/** SIC code -> what it means. */
export type SicWords = ReadonlyMap<string, string>;

const BY_NUMBER = 'SELECT * FROM company WHERE company_number = ? AND gone = 0 ORDER BY company_number LIMIT 1';
const REGISTERED = 'SELECT * FROM registered_company WHERE company_number = ?';
const SIC_CODES = 'SELECT * FROM sic_code WHERE code IN (SELECT value FROM json_each(?))';

/** The company with a number in its 8-character form; undefined where neither a supplier nor the register has it. */
export async function readKnownCompany(catalogue: Database, number: string): Promise<KnownCompany | undefined> {
  const company = await readFirst<CompanyRow>(catalogue, { sql: BY_NUMBER, args: [number] });
  const registered = await readRegistered(catalogue, number);
  if (company) return { company, registered };
  return registered && { company: undefined, registered };
}

const BY_NUMBERS = `SELECT c.* FROM json_each(?) n CROSS JOIN company c ON c.company_number = n.value
  WHERE c.gone = 0`;
const REGISTERED_OF = 'SELECT * FROM registered_company WHERE company_number IN (SELECT value FROM json_each(?))';

/** The companies with these numbers (in their 8-character form), by number; unknown numbers are absent. */
export async function readKnownCompanies(
  catalogue: Database,
  numbers: readonly string[],
): Promise<Map<string, KnownCompany>> {
  const args = [JSON.stringify([...new Set(numbers)])];
  const registered = await catalogue.read<RegisteredRow>({ sql: REGISTERED_OF, args });
  const companies = await catalogue.read<CompanyRow>({ sql: BY_NUMBERS, args });
  const known = new Map<string, KnownCompany>(
    registered.map((row) => [row.company_number, { company: undefined, registered: toRegistered(row) }]),
  );
  // If several share a number, the first in the index is returned, as in a single look-up.
  for (const company of companies.toReversed()) {
    const number = company.company_number ?? '';
    known.set(number, { company, registered: known.get(number)?.registered });
  }
  return known;
}

/** The Companies House record with this number, whether or not the company ever won anything, or has left the register. */
export async function readRegistered(catalogue: Database, number: string): Promise<Registered | undefined> {
  const row = await readFirst<RegisteredRow>(catalogue, { sql: REGISTERED, args: [number] });
  return row && toRegistered(row);
}

/** Descriptions, learned from the register, of SIC codes that companies' own records give without one. */
export async function readSicWordsOf(catalogue: Database, ...known: readonly KnownCompany[]): Promise<SicWords> {
  const codes = [...new Set(known.flatMap(({ registered }) => (registered ? bareSicCodes(registered) : [])))];
  if (codes.length === 0) return new Map();
  const rows = await catalogue.read<typeof sicCode.$inferSelect>({ sql: SIC_CODES, args: [JSON.stringify(codes)] });
  return new Map(rows.map(({ code, description }) => [code, description]));
}

/** The id of a known company: its id as a supplier, otherwise the id that its register number would give it. */
export function idOf({ company, registered }: KnownCompany): string {
  return company ? company.id : `GB-COH-${registered.company_number}`;
}

/** The name of a company: the register's where it is listed. */
export function nameOf({ company, registered }: KnownCompany): string {
  return registered ? registeredNameOf(registered) : (company?.name ?? '');
}

/** How many contracts and framework places a company has; none where it appears in the register only. */
export function awardsOf({ company }: KnownCompany): { contract_count: number; framework_places: number } {
  return { contract_count: company?.contract_count ?? 0, framework_places: company?.framework_places ?? 0 };
}
