import type { Database } from '../../schema/db/interface.ts';
import { nameKey } from '../../schema/names/spelling.ts';
import { isSmeByAccounts } from '../../schema/reference/company-size.ts';
import { bySize, type ListAsk, type ListPage, listPage } from './entries.ts';
import { directoryOf } from './follow.ts';
import {
  type CompanyEntry,
  describeRegistered,
  followRegister,
  REGISTERED,
  type Registered,
  readBeginning,
} from './register.ts';

export interface CompaniesAsk extends ListAsk {
  status?: readonly string[] | undefined;
  /** Codes in the form in which they are kept. */
  region?: readonly string[] | undefined;
  /** First digits of SIC codes. */
  sic?: readonly string[] | undefined;
  incorporated_from?: string | undefined;
  incorporated_to?: string | undefined;
  sme?: boolean | undefined;
  /** Whether it has contracts. */
  won?: boolean | undefined;
  /** With a contract of this day or later. */
  won_from?: string | undefined;
  won_value_min?: number | undefined;
}

const COLUMNS = `SELECT c.id, coalesce(r.name, c.name) AS name, c.name_key, c.company_number, c.is_sme, c.contract_count,
    c.framework_places, c.seq, c.gone, c.totals ->> '$.sum.GBP.value' AS value,
    c.detail ->> '$.also_known_as' AS others, coalesce(c.locality, r.locality) AS locality,
    coalesce(c.postcode, r.postcode) AS postcode, ${REGISTERED}, r.name_key AS registered_key,
    (SELECT json_group_array(p.name_key) FROM previous_name p WHERE p.company_number = c.company_number) AS former,
    (SELECT max(s.sort_date) FROM contract_supplier s WHERE s.company_id = c.id) AS last_award
  FROM company c LEFT JOIN registered_company r ON r.company_number = c.company_number`;
const SUPPLIERS = {
  rows: `${COLUMNS} WHERE (c.seq, c.id) > (?, ?) ORDER BY c.seq, c.id LIMIT ?`,
  again: `${COLUMNS} WHERE c.company_number IN (SELECT value FROM json_each(?))`,
  toEntry: toSupplier,
};

interface SupplierRow extends Registered {
  id: string;
  is_sme: number | null;
  contract_count: number;
  framework_places: number;
  seq: number;
  gone: number;
  value: number | null;
  others: string | null;
  registered_key: string | null;
  former: string;
  last_award: string | null;
}

function toSupplier(row: SupplierRow): CompanyEntry {
  const others = row.others === null ? [] : (JSON.parse(row.others) as string[]).map(nameKey);
  const keys = [
    ...others,
    ...(JSON.parse(row.former) as string[]),
    row.registered_key ?? row.name_key,
    (row.company_number ?? '').toLowerCase(),
  ];
  const { id, name, name_key: key, contract_count, framework_places, value, last_award } = row;
  const isSme = row.is_sme === null ? isSmeByAccounts(row.accounts) : row.is_sme === 1;
  return {
    ...describeRegistered(row),
    id,
    name,
    key,
    otherKeys: [...new Set(keys)].filter((one) => one !== key),
    size: contract_count + framework_places / 1_000_000,
    is_sme: isSme,
    contract_count,
    framework_places,
    value,
    last_award,
  };
}

/**
 * A page of companies: the nearest to the query first, then those with most contracts, then those that live. The register is
 * looked into for names and numbers that begin as the query does, and not at all without one. `isWhole` says whether the total
 * counts all there are.
 */
export async function listCompanies(
  catalogue: Database,
  asked: CompaniesAsk,
): Promise<ListPage<CompanyEntry> & { isWhole: boolean }> {
  const directory = await directoryOf<SupplierRow, CompanyEntry>(catalogue, SUPPLIERS);
  await followRegister(catalogue, async (numbers) => {
    const rows = await catalogue.read<SupplierRow>({ sql: SUPPLIERS.again, args: [JSON.stringify(numbers)] });
    directory.replace(rows.map(toSupplier));
  });
  const suppliers = directory.sorted();
  const isWon = asked.won === true || asked.won_from !== undefined || asked.won_value_min !== undefined;
  const register =
    asked.query === undefined || isWon ? null : await readBeginning(catalogue, asked.query, numbersOf(suppliers));
  const all = register ? [...suppliers, ...register.entries.sort(bySize)] : suppliers;
  const page = listPage(all, asked, (entry) => isWanted(entry, asked));
  return { ...page, isWhole: register ? !register.isCut : isWon };
}

function isWanted(entry: CompanyEntry, asked: CompaniesAsk): boolean {
  const { status, region, sic, sme, won, incorporated_from: from, incorporated_to: to } = asked;
  const { region_code: code, incorporated } = entry;
  return (
    (status === undefined || (entry.status !== null && status.includes(entry.status))) &&
    (region === undefined || (code !== null && region.some((one) => code.startsWith(one)))) &&
    (sic === undefined || entry.sic_codes.some((own) => sic.some((one) => own.startsWith(one)))) &&
    (sme === undefined || entry.is_sme === sme) &&
    (won === undefined || entry.contract_count > 0 === won) &&
    (from === undefined || (incorporated !== null && incorporated >= from)) &&
    (to === undefined || (incorporated !== null && incorporated <= to)) &&
    hasWon(entry, asked)
  );
}

function hasWon({ last_award: last, value }: CompanyEntry, { won_from: from, won_value_min: least }: CompaniesAsk) {
  return (from === undefined || (last !== null && last >= from)) && (least === undefined || (value ?? 0) >= least);
}

const numbers = new WeakMap<readonly CompanyEntry[], ReadonlySet<string>>();

/** The company numbers of the suppliers, gathered once for each state of their list. */
function numbersOf(suppliers: readonly CompanyEntry[]): ReadonlySet<string> {
  const known = numbers.get(suppliers) ?? new Set(suppliers.flatMap(({ company_number: number }) => number ?? []));
  numbers.set(suppliers, known);
  return known;
}
