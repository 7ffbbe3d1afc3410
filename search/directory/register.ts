import type { Database } from '../../schema/db/interface.ts';
import { nameKey } from '../../schema/names/spelling.ts';
import { isSmeByAccounts } from '../../schema/reference/company-size.ts';
import { regionOfPostcode } from '../../schema/reference/regions.ts';
import { type CompanyStatus, companyStatusOf } from './company-status.ts';
import type { Entry } from './entries.ts';

/** A company as lists hold it: a supplier, or a row of the register that never won anything. */
export interface CompanyEntry extends Entry {
  company_number: string | null;
  status: CompanyStatus | null;
  region: string | null;
  region_code: string | null;
  locality: string | null;
  is_sme: boolean | null;
  incorporated: string | null;
  sic_codes: string[];
  contract_count: number;
  framework_places: number;
  /** Pounds: the sum of those contracts whose value may be added up; null where there are none. */
  value: number | null;
  /** The day of its newest contract. */
  last_award: string | null;
}

/** What a row of the register says of a company. */
export const REGISTERED = `r.status, r.gone AS has_left, r.incorporated, r.record ->> '$.accounts.category' AS accounts,
  r.record -> '$.sic_codes' AS sic`;
/** What both kinds of rows hold. */
export interface Registered {
  name: string;
  name_key: string;
  company_number: string | null;
  locality: string | null;
  postcode: string | null;
  status: string | null;
  has_left: number | null;
  incorporated: string | null;
  accounts: string | null;
  sic: string | null;
}

/** What the register says of a company, as lists hold it. */
export function describeRegistered({
  company_number,
  status,
  has_left,
  incorporated,
  postcode,
  locality,
  sic,
}: Registered) {
  const region = regionOfPostcode(postcode ?? undefined);
  return {
    company_number,
    status: status === null ? null : companyStatusOf(status, has_left === 1),
    region: region?.name ?? null,
    region_code: region?.code ?? null,
    locality,
    incorporated,
    sic_codes: [...(sic ?? '').matchAll(/"code":"(\d+)"/g)].map(([, code = '']) => code),
  };
}

/** Rows of the register that one question looks at, each way. */
const ROWS_MOST = 300;
/** Shorter beginnings are the beginning of too many names to say anything. */
const LETTERS_LEAST = 3;
const OWN = `SELECT r.company_number, r.name, r.name_key, r.locality, r.postcode, ${REGISTERED}, NULL AS former`;
const NAMED_SO = `${OWN} FROM registered_company r WHERE r.name_key >= ?1 AND r.name_key < ?1 || '~' ORDER BY r.name_key LIMIT ${ROWS_MOST}`;
const NUMBERED_SO = `${OWN} FROM registered_company r WHERE r.company_number >= ?1 AND r.company_number < ?1 || '~'
  ORDER BY r.company_number LIMIT ${ROWS_MOST}`;
const FORMERLY = `${OWN.replace('NULL AS former', 'p.name_key AS former')} FROM previous_name p
  JOIN registered_company r ON r.company_number = p.company_number
  WHERE p.name_key >= ?1 AND p.name_key < ?1 || '~' ORDER BY p.name_key LIMIT ${ROWS_MOST}`;

/** Companies of the register alone whose name, former name or number begins so. */
export async function readBeginning(catalogue: Database, query: string, suppliers: ReadonlySet<string>) {
  const key = nameKey(query);
  const number = query.trim().toUpperCase();
  const reads = [
    ...(key.length >= LETTERS_LEAST ? [[NAMED_SO, key] as const, [FORMERLY, key] as const] : []),
    ...(/^[A-Z]{0,2}\d{3,8}$/.test(number) ? [[NUMBERED_SO, number] as const] : []),
  ];
  const entries = new Map<string, CompanyEntry>();
  let isCut = false;
  for (const [sql, start] of reads) {
    const rows = await catalogue.read<Registered & { former: string | null }>({ sql, args: [start] });
    isCut ||= rows.length === ROWS_MOST;
    for (const row of rows) {
      const entry = toRegistered(row, start);
      if (!suppliers.has(entry.company_number ?? '') && !entries.has(entry.id)) entries.set(entry.id, entry);
    }
  }
  return { entries: [...entries.values()], isCut };
}

/** Those that live come before those that do not, and all after those that won. */
function toRegistered(row: Registered & { former: string | null }, start: string): CompanyEntry {
  const described = describeRegistered(row);
  const isNumber = row.company_number?.startsWith(start);
  return {
    ...described,
    id: `GB-COH-${row.company_number}`,
    name: row.name,
    key: row.name_key,
    otherKeys: [...(row.former === null ? [] : [row.former]), ...(isNumber ? [start.toLowerCase()] : [])],
    size: described.status === 'active' ? -1 : -2,
    is_sme: row.has_left === 1 ? null : isSmeByAccounts(row.accounts),
    contract_count: 0,
    framework_places: 0,
    value: null,
    last_award: null,
  };
}

/** Changed rows of the register that one question reads on: a whole edition is followed over several questions. */
const CHANGES_MOST = 20_000;
const CHANGED = `SELECT seq, company_number FROM registered_company WHERE (seq, company_number) > (?, ?)
  ORDER BY seq, company_number LIMIT ${CHANGES_MOST}`;
const NEWEST = 'SELECT seq, company_number FROM registered_company ORDER BY seq DESC, company_number DESC LIMIT 1';

interface Change {
  seq: number;
  company_number: string;
}

const followed = new WeakMap<Database, Change>();

/** Reads suppliers again whose row of the register changed since the last question. */
export async function followRegister(
  catalogue: Database,
  readAgain: (numbers: readonly string[]) => Promise<void>,
): Promise<void> {
  const since = followed.get(catalogue);
  if (!since) {
    // They have just been read.
    const [newest] = await catalogue.read<Change>({ sql: NEWEST });
    followed.set(catalogue, newest ?? { seq: -1, company_number: '' });
    return;
  }
  const changed = await catalogue.read<Change>({ sql: CHANGED, args: [since.seq, since.company_number] });
  const last = changed.at(-1);
  if (!last) return;
  await readAgain(changed.map(({ company_number: number }) => number));
  followed.set(catalogue, last);
}
