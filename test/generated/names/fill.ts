import type { Database, SqlValue } from '../../../schema/db/interface.ts';
import { nameKey } from '../../../schema/names/spelling.ts';
import { type Dice, drawKind, makeDice } from '../draw.ts';
import { makeNamedCompanies, type NamedCompany } from './make.ts';

const BATCH_COMPANIES = 20_000;
/** What the bulk file says of a company takes about this much; names are looked for among rows of that size. */
const FURTHER = 'x'.repeat(500);
const STATUS = { active: 'Active', dissolved: 'Dissolved', gone: 'Active' } as const;
/** Of those that live, a few are being wound up. */
const WOUND_UP = { Active: 0.97, Liquidation: 0.02, 'In Administration': 0.01 } as const;
const ACCOUNTS = {
  'MICRO ENTITY': 0.33,
  'TOTAL EXEMPTION FULL': 0.28,
  'NO ACCOUNTS FILED': 0.22,
  DORMANT: 0.13,
  'UNAUDITED ABRIDGED': 0.02,
  FULL: 0.01,
  GROUP: 0.01,
} as const;
const AREAS = 'SW1A M1 B2 LS1 BS1 EH1 G2 CF10 BT1 NE1 NG1 CB2 EX4 SE1 N1 E14 RG1 OX1 L1 S1'.split(' ');
const TRADES = 800;
const FIRST_MS = Date.UTC(1970, 0, 1);
const DAYS = 20_700;

const INSERT = `INSERT INTO registered_company (company_number, name, name_key, status, gone, postcode, incorporated, record, category,
  digest, seq) SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5, value ->> 6, value ->> 7,
  'Private Limited Company', '', ?2 FROM json_each(?1)`;
const INSERT_SUPPLIERS = `INSERT INTO company (id, company_number, name, name_key, contract_count, digest, seq)
  SELECT 'GB-COH-' || (value ->> 0), value ->> 0, value ->> 1, value ->> 2, value ->> 3, '', ?2 FROM json_each(?1)`;
const COUNT = "INSERT OR REPLACE INTO counter (name, value) VALUES ('seq', ?)";
const INSERT_PREVIOUS = `INSERT OR IGNORE INTO previous_name (name_key, company_number, name)
  SELECT value ->> 0, value ->> 1, value ->> 2 FROM json_each(?1)`;

/** What grows at random while rows arrive in the order of their numbers is made after them, or not at all where no name asks it. */
const BEFORE = [
  'DROP INDEX registered_company_by_name_key',
  'DROP INDEX registered_company_by_block',
  'DROP INDEX registered_company_by_seq',
  'DROP INDEX company_by_seq',
  'DROP INDEX company_by_name_key',
  'DROP TRIGGER sic_code_listed',
];
const AFTER = [
  'CREATE INDEX registered_company_by_name_key ON registered_company (name_key, company_number)',
  'CREATE INDEX company_by_name_key ON company (name_key)',
  'CREATE INDEX registered_company_by_seq ON registered_company (seq, company_number)',
  'CREATE INDEX company_by_seq ON company (seq, id)',
];

/** Fills an empty catalogue with a generated register; gives companies of it at equal distances. */
export async function fillNames(catalogue: Database, companies: number, samples: number): Promise<NamedCompany[]> {
  await setPragmas(catalogue, ['journal_mode = OFF', 'synchronous = OFF', 'cache_size = -200000']);
  await catalogue.write(BEFORE.map((sql) => ({ sql })));
  const drawn: NamedCompany[] = [];
  const previous: SqlValue[][] = [];
  const gap = Math.max(1, Math.floor(companies / samples));
  let batch: NamedCompany[] = [];
  let [serial, seq] = [0, 0];
  const dice = makeDice(11);
  for (const company of makeNamedCompanies(companies)) {
    serial += 1;
    if (serial % gap === 0) drawn.push(company);
    if (company.previous) previous.push([nameKey(company.previous), company.number, company.previous]);
    batch.push(company);
    if (batch.length < BATCH_COMPANIES) continue;
    await store(catalogue, dice, batch, ++seq);
    batch = [];
  }
  await store(catalogue, dice, batch, ++seq);
  previous.sort(([one = ''], [other = '']) => (String(one) < String(other) ? -1 : 1));
  await catalogue.write([{ sql: INSERT_PREVIOUS, args: [JSON.stringify(previous)] }, ...AFTER.map((sql) => ({ sql }))]);
  await setPragmas(catalogue, ['journal_mode = WAL', 'synchronous = NORMAL', 'cache_size = -2000']);
  return drawn;
}

async function store(catalogue: Database, dice: Dice, companies: readonly NamedCompany[], seq: number): Promise<void> {
  const rows = companies.map(({ number, name, standing }) => [
    number,
    name,
    nameKey(name),
    standing === 'active' ? drawKind(dice, WOUND_UP) : STATUS[standing],
    standing === 'gone' ? 1 : 0,
    `${AREAS[dice.below(AREAS.length)]} 1AA`,
    new Date(FIRST_MS + dice.below(DAYS) * 86_400_000).toISOString().slice(0, 10),
    JSON.stringify(drawRecord(dice)),
  ]);
  const suppliers = companies.filter(({ contracts }) => contracts > 0);
  const won = suppliers.map(({ number, name, contracts }) => [number, name, nameKey(name), contracts]);
  await catalogue.write([
    { sql: INSERT, args: [JSON.stringify(rows), seq] },
    { sql: INSERT_SUPPLIERS, args: [JSON.stringify(won), seq] },
    { sql: COUNT, args: [seq] },
  ]);
}

/** What a list reads of the record, and as much again as the bulk file says besides. */
function drawRecord(dice: Dice) {
  const codes = Array.from({ length: 1 + dice.below(8) ** 2 / 25 }, () => String(10_000 + dice.below(TRADES) * 100));
  return {
    accounts: { category: drawKind(dice, ACCOUNTS) },
    sic_codes: codes.map((code) => ({ code, description: 'A trade' })),
    said: FURTHER,
  };
}

/** A file that is thrown away needs no journal while it is filled. */
export async function setPragmas(catalogue: Database, pragmas: readonly string[]): Promise<void> {
  for (const pragma of pragmas) await catalogue.read({ sql: `PRAGMA ${pragma}` });
}
