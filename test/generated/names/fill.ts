import type { Database, SqlValue } from '../../../schema/db/interface.ts';
import { nameKey } from '../../../schema/names/spelling.ts';
import { makeNamedCompanies, type NamedCompany } from './make.ts';

const BATCH_COMPANIES = 20_000;
/** What the bulk file says of a company takes about this much; names are looked for among rows of that size. */
const RECORD = JSON.stringify({ said: 'x'.repeat(600) });
const STATUS = { active: 'Active', dissolved: 'Dissolved', gone: 'Active' } as const;

const INSERT = `INSERT INTO registered_company (company_number, name, name_key, status, gone, category, record, digest, seq)
  SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, 'Private Limited Company', ?2, '', 1 FROM json_each(?1)`;
const INSERT_SUPPLIERS = `INSERT INTO company (id, company_number, name, name_key, contract_count, digest, seq)
  SELECT 'GB-COH-' || (value ->> 0), value ->> 0, value ->> 1, value ->> 2, value ->> 3, '', 1 FROM json_each(?1)`;
const INSERT_PREVIOUS = `INSERT OR IGNORE INTO previous_name (name_key, company_number, name)
  SELECT value ->> 0, value ->> 1, value ->> 2 FROM json_each(?1)`;

/** What grows at random while rows arrive in the order of their numbers is made after them, or not at all where no name asks it. */
const BEFORE = [
  'DROP INDEX registered_company_by_name_key',
  'DROP INDEX registered_company_by_block',
  'DROP INDEX registered_company_by_seq',
  'DROP INDEX company_by_name_key',
  'DROP TRIGGER sic_code_listed',
];
const AFTER = [
  'CREATE INDEX registered_company_by_name_key ON registered_company (name_key)',
  'CREATE INDEX company_by_name_key ON company (name_key)',
];

/** Fills an empty catalogue with a generated register; gives companies of it at equal distances. */
export async function fillNames(catalogue: Database, companies: number, samples: number): Promise<NamedCompany[]> {
  await setPragmas(catalogue, ['journal_mode = OFF', 'synchronous = OFF', 'cache_size = -200000']);
  await catalogue.write(BEFORE.map((sql) => ({ sql })));
  const drawn: NamedCompany[] = [];
  const previous: SqlValue[][] = [];
  const gap = Math.max(1, Math.floor(companies / samples));
  let batch: NamedCompany[] = [];
  let serial = 0;
  for (const company of makeNamedCompanies(companies)) {
    serial += 1;
    if (serial % gap === 0) drawn.push(company);
    if (company.previous) previous.push([nameKey(company.previous), company.number, company.previous]);
    batch.push(company);
    if (batch.length < BATCH_COMPANIES) continue;
    await store(catalogue, batch);
    batch = [];
  }
  await store(catalogue, batch);
  previous.sort(([one = ''], [other = '']) => (String(one) < String(other) ? -1 : 1));
  await catalogue.write([{ sql: INSERT_PREVIOUS, args: [JSON.stringify(previous)] }, ...AFTER.map((sql) => ({ sql }))]);
  await setPragmas(catalogue, ['journal_mode = WAL', 'synchronous = NORMAL', 'cache_size = -2000']);
  return drawn;
}

async function store(catalogue: Database, companies: readonly NamedCompany[]): Promise<void> {
  const rows = companies.map(({ number, name, standing }) => [
    number,
    name,
    nameKey(name),
    STATUS[standing],
    standing === 'gone' ? 1 : 0,
  ]);
  const suppliers = companies.filter(({ contracts }) => contracts > 0);
  const held = suppliers.map(({ number, name, contracts }) => [number, name, nameKey(name), contracts]);
  await catalogue.write([
    { sql: INSERT, args: [JSON.stringify(rows), RECORD] },
    { sql: INSERT_SUPPLIERS, args: [JSON.stringify(held)] },
  ]);
}

/** A file that is thrown away needs no journal while it is filled. */
async function setPragmas(catalogue: Database, pragmas: readonly string[]): Promise<void> {
  for (const pragma of pragmas) await catalogue.read({ sql: `PRAGMA ${pragma}` });
}
