import { omitEmpty } from '../../schema/answers/omit-empty.ts';
import type { ChangeKind } from '../../schema/catalogue/changes/kinds.ts';
import type { SupplierDetail } from '../../schema/catalogue/details.ts';
import { nameSuppliers } from '../../schema/catalogue/supplier-names.ts';
import type { company } from '../../schema/catalogue/tables/parties.ts';
import type { contract, notice } from '../../schema/catalogue/tables/procurement.ts';
import { isoInstant, londonInstant } from '../../schema/config/clocks.ts';
import type { Database } from '../../schema/db/interface.ts';
import { isSmeByAccounts } from '../../schema/reference/company-size.ts';
import type { Region } from '../../schema/reference/regions.ts';
import { describeRegistered, REGISTERED, type Registered } from '../directory/register/describe.ts';

/** Suppliers that a brief item names with their ids. */
const SUPPLIERS_MOST = 10;
const POUNDS_WON = "n.totals ->> '$.sum.GBP.value' AS pounds";
const ofRow = (...names: string[]) => names.map((name) => `n.${name}`).join(', ');

/** What a brief item is made from, read with its row `n`: nothing but the row, and of a supplier what the register says of it. */
export const ITEM_COLUMNS: Readonly<Record<ChangeKind, { columns: string; join?: string }>> = {
  notice: {
    columns: `${ofRow('notice_id', 'ocid', 'title', 'buyer', 'buyer_id', 'published', 'published_at', 'deadline')},
      ${ofRow('deadline_at', 'value', 'currency', 'cpvs', 'regions', 'source', 'stage', 'notice_type', 'status', 'url')},
      n.nation, n.is_tender, n.also_on, n.detail ->> '$.framework_id' AS framework_id`,
  },
  contract: {
    columns: `${ofRow('notice_id', 'ocid', 'title', 'buyer', 'buyer_id', 'supplier', 'suppliers', 'value', 'currency')},
      ${ofRow('value_basis', 'value_class', 'awarded', 'signed', 'starts', 'ends', 'ends_latest', 'procedure', 'status')},
      ${ofRow('bids_received', 'bids_from_smes', 'cpv', 'framework_id', 'framework_role', 'sort_date', 'source', 'url')}, n.nation,
      n.also_on, coalesce(n.detail ->> '$.regions[0].name', n.region) AS region`,
  },
  company: {
    columns: `coalesce(r.name, n.name) AS name, n.company_number, n.is_sme, coalesce(n.locality, r.locality) AS locality,
      coalesce(n.postcode, r.postcode) AS postcode, ${ofRow('contract_count', 'framework_places')}, ${POUNDS_WON}, ${REGISTERED}`,
    join: 'LEFT JOIN registered_company r ON r.company_number = n.company_number',
  },
  buyer: {
    columns: `${ofRow('name', 'region', 'region_code', 'nation', 'contract_count', 'framework_places')}, n.kind AS body,
      n.detail ->> '$.scope' AS scope, ${POUNDS_WON}`,
  },
  framework: {
    columns: `${ofRow('title', 'buyer', 'buyer_id', 'starts', 'ends', 'ceiling', 'currency', 'cpv', 'region', 'ocid')},
      ${ofRow('notice_id', 'published', 'url', 'source', 'nation')}, n.kind AS form, json_array_length(n.lots) AS lot_count`,
  },
};

type Select<Table extends { $inferSelect: object }, Names extends keyof Table['$inferSelect']> = Pick<
  Table['$inferSelect'],
  Names
>;
type NoticeItemRow = Select<typeof notice, 'id' | 'status' | 'is_tender' | 'cpvs' | 'regions' | 'deadline'> &
  Select<typeof notice, 'deadline_at' | 'value' | 'currency' | 'also_on'>;
type ContractItemRow = Select<typeof contract, 'id' | 'status' | 'supplier' | 'suppliers' | 'value' | 'value_class'> &
  Select<typeof contract, 'sort_date' | 'also_on'>;
type CompanyItemRow = Select<typeof company, 'id' | 'is_sme' | 'contract_count' | 'framework_places'> &
  Omit<Registered, 'name_key'> & { pounds: number | null };
type BuyerItemRow = { id: string; body: string | null; pounds: number | null };
type FrameworkItemRow = { id: string; form: string };

/** A row as `ITEM_COLUMNS` reads it, with its id. */
export type ItemRow = NoticeItemRow | ContractItemRow | CompanyItemRow | BuyerItemRow | FrameworkItemRow;
/** A brief item: its fields by name. */
export type BriefItem = Record<string, unknown>;

function noticeItem({
  id: _id,
  status,
  is_tender,
  also_on,
  cpvs,
  regions,
  value,
  currency,
  ...row
}: NoticeItemRow): BriefItem {
  const [region] = JSON.parse(regions) as Region[];
  return {
    ...row,
    ...{ value, currency: value === null ? null : currency, stated_status: status, is_tender: is_tender === 1 },
    deadline_at: row.deadline_at ?? endOfDay(row.deadline),
    cpv: (JSON.parse(cpvs) as string[])[0],
    ...{ region: region?.name, region_code: region?.code },
    also_on: JSON.parse(also_on ?? '[]') as string[],
  };
}

function contractItem({
  id,
  status,
  supplier,
  suppliers,
  value,
  sort_date,
  also_on,
  ...row
}: ContractItemRow): BriefItem {
  const { value_class, ...same } = row;
  const winners = JSON.parse(suppliers) as SupplierDetail[];
  const isValue = value_class !== 'framework_ceiling' && value_class !== 'absurd';
  return {
    ...same,
    ...{ contract_id: id, stated_status: status, dated: sort_date, supplier_count: winners.length },
    supplier: nameSuppliers(winners) ?? supplier,
    suppliers: winners.slice(0, SUPPLIERS_MOST).map(({ company_id, name }) => ({ company_id, name })),
    ...(isValue ? { value } : { stated_value: value }),
    counted_as: COUNTED_AS[value_class] ?? value_class,
    also_on: JSON.parse(also_on ?? '[]') as string[],
  };
}

function companyItem({ id, is_sme, contract_count, framework_places, pounds, ...row }: CompanyItemRow): BriefItem {
  const { sic_codes, company_number, ...registered } = describeRegistered(row);
  return {
    ...{ company_id: id, name: row.name, companies_house_number: company_number, ...registered },
    is_sme: is_sme === null ? isSmeByAccounts(row.accounts) : is_sme === 1,
    sic_code_list: sic_codes,
    ...{ contract_count, framework_places },
    ...inPounds(pounds),
  };
}

const MAKERS = {
  notice: noticeItem,
  contract: contractItem,
  company: companyItem,
  buyer: ({ id, body, pounds, ...row }: BuyerItemRow) => ({ buyer_id: id, ...row, kind: body, ...inPounds(pounds) }),
  framework: ({ id, form, ...row }: FrameworkItemRow) => ({ framework_id: id, ...row, kind: form }),
} satisfies Record<ChangeKind, (row: never) => BriefItem>;

/** The words of answers for classes of values. */
const COUNTED_AS: Readonly<Record<string, string>> = { absurd: 'not_believed', unstated: 'not_stated' };

/**
 * The brief item of a row: what it says, without what the clock decides. `stated_status` is what the notices add up to, from
 * which the status of a day follows with its dates. Empty fields are absent.
 */
export function makeBriefItem(kind: ChangeKind, row: ItemRow): BriefItem {
  return omitEmpty(MAKERS[kind](row as never));
}

/** Rows that are read at once: a database server answers with 10 MB at most. */
const ROWS_AT_ONCE = 500;

/** The brief items of some rows as they are now, by id; a row that is gone has none. */
export async function readBriefItems(
  catalogue: Database,
  kind: ChangeKind,
  ids: readonly string[],
): Promise<Map<string, BriefItem>> {
  const { columns, join = '' } = ITEM_COLUMNS[kind];
  const sql = `SELECT n.id, ${columns} FROM ${kind} n ${join} WHERE n.gone = 0 AND n.id IN (SELECT value FROM json_each(?))`;
  const items = new Map<string, BriefItem>();
  for (let at = 0; at < ids.length; at += ROWS_AT_ONCE) {
    const args = [JSON.stringify(ids.slice(at, at + ROWS_AT_ONCE))];
    for (const row of await catalogue.read<ItemRow>({ sql, args })) items.set(row.id, makeBriefItem(kind, row));
  }
  return items;
}

function inPounds(value: number | null) {
  return value === null ? {} : { value, currency: 'GBP' };
}

function endOfDay(date: string | null): string | null {
  return date ? isoInstant(londonInstant(`${date}T23:59:59`)) : null;
}
