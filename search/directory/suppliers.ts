import type { Database } from '../../schema/db/interface.ts';
import { nameKey } from '../../schema/names/spelling.ts';
import { isSme, sizeRankOf } from '../../schema/reference/company-size.ts';
import { companyStatusOf } from '../../schema/reference/company-status.ts';
import { regionCodeOfPostcode } from '../../schema/reference/regions.ts';
import { dayOf } from '../summary/columns.ts';
import { namesOf } from './listed.ts';
import { postcodeNumber } from './postcodes.ts';
import {
  describeRegistered,
  type ListedCompany,
  REGISTERED,
  type Registered,
  sicCodesOf,
} from './register/describe.ts';
import { sicNumber } from './register/follow.ts';
import { classOf } from './register/traits.ts';
import { mergeColumns, NO_SUPPLIERS, type SupplierEntry } from './supplier-columns.ts';

const VALUE = "c.totals ->> '$.sum.GBP.value' AS value";
const LAST_AWARD = '(SELECT max(s.sort_date) FROM contract_supplier s WHERE s.company_id = c.id) AS last_award';
const FROM = 'FROM company c LEFT JOIN registered_company r ON r.company_number = c.company_number';
const SUPPLIER_ROWS = `SELECT c.id, c.name_key, c.company_number, c.is_sme, c.contract_count, c.framework_places, c.seq, c.gone, ${VALUE},
    c.detail ->> '$.also_known_as' AS others, coalesce(c.postcode, r.postcode) AS postcode, ${REGISTERED},
    r.name_key AS registered_key, ${LAST_AWARD},
    (SELECT json_group_array(p.name_key) FROM previous_name p WHERE p.company_number = c.company_number) AS former ${FROM}`;
const LISTED = `SELECT c.id, coalesce(r.name, c.name) AS name, c.company_number, c.is_sme, c.contract_count, c.framework_places,
    ${VALUE}, coalesce(c.locality, r.locality) AS locality, coalesce(c.postcode, r.postcode) AS postcode, ${REGISTERED},
    ${LAST_AWARD} ${FROM} WHERE c.id IN (SELECT value FROM json_each(?)) AND c.gone = 0`;

/** How the suppliers of a catalogue are read into memory. */
export const SUPPLIERS = {
  table: 'company' as const,
  rows: `${SUPPLIER_ROWS} WHERE (c.seq, c.id) > (?, ?) ORDER BY c.seq, c.id LIMIT ?`,
  toEntry,
  columns: { none: NO_SUPPLIERS, merge: mergeColumns },
};
const OF_NUMBERS = `${SUPPLIER_ROWS} WHERE c.company_number IN (SELECT value FROM json_each(?))`;

interface Counted {
  id: string;
  is_sme: number | null;
  contract_count: number;
  framework_places: number;
  value: number | null;
  last_award: string | null;
}

export interface SupplierRow extends Counted, Omit<Registered, 'name' | 'locality'> {
  seq: number;
  gone: number;
  others: string | null;
  registered_key: string | null;
  former: string;
}

/** The suppliers of some company numbers. */
export async function readSuppliersOf(catalogue: Database, numbers: readonly string[]): Promise<SupplierEntry[]> {
  const rows = await catalogue.read<SupplierRow>({ sql: OF_NUMBERS, args: [JSON.stringify(numbers)] });
  return rows.map(toEntry);
}

function toEntry(row: SupplierRow): SupplierEntry {
  const { id, company_number: number, status, contract_count, sic } = row;
  const others = row.others === null ? [] : (JSON.parse(row.others) as string[]).map(nameKey);
  const former = JSON.parse(row.former) as string[];
  return {
    id,
    names: namesOf(
      row.name_key,
      ...others,
      ...former,
      row.registered_key ?? row.name_key,
      (number ?? '').toLowerCase(),
    ),
    size: sizeOf(row),
    company_number: number,
    status: status === null ? null : companyStatusOf(status, row.has_left === 1),
    region_code: regionCodeOfPostcode(row.postcode),
    is_sme: isSme(row),
    contract_count,
    incorporated: dayOf(row.incorporated),
    last_award: dayOf(row.last_award),
    value: row.value ?? 0,
    postcode: postcodeNumber(row.postcode),
    codes: sicCodesOf(sic).flatMap((code) => sicNumber(code) ?? []),
  };
}

/** One number that sorts by contracts, then framework places, then whether the company is active, then its size. */
function sizeOf({ contract_count, framework_places, status, has_left, accounts }: SupplierRow): number {
  const companyStatus = companyStatusOf(status ?? 'active', has_left === 1);
  const own = classOf({ status: companyStatus, size: sizeRankOf(accounts) });
  return contract_count + Math.min(framework_places, 9_999) / 1e4 - own / 1e7;
}

/** Suppliers by their ids, as lists show them. */
export async function readSuppliers(catalogue: Database, ids: readonly string[]): Promise<Map<string, ListedCompany>> {
  const rows = await catalogue.read<ListedRow>({ sql: LISTED, args: [JSON.stringify(ids)] });
  return new Map(rows.map((row) => [row.id, toListed(row)]));
}

type ListedRow = Counted & Omit<Registered, 'name_key'>;

function toListed(row: ListedRow): ListedCompany {
  const { id, name, contract_count, framework_places, value, last_award } = row;
  return {
    ...describeRegistered(row),
    id,
    name,
    is_sme: isSme(row),
    contract_count,
    framework_places,
    value,
    last_award,
  };
}
