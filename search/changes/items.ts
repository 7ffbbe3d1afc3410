import { omitEmpty } from '../../schema/answers/omit-empty.ts';
import type { ChangeKind } from '../../schema/catalogue/changes/kinds.ts';
import type { SupplierDetail, ValueClass } from '../../schema/catalogue/details.ts';
import { COUNTED_AS, NO_VALUE } from '../../schema/catalogue/enums.ts';
import { nameSuppliers } from '../../schema/catalogue/supplier-names.ts';
import type { Database } from '../../schema/db/interface.ts';
import { isSme } from '../../schema/reference/company-size.ts';
import { placeOf, type Region } from '../../schema/reference/regions.ts';
import { chunksOf } from '../../schema/text/memoise.ts';
import { describeRegistered } from '../directory/register/describe.ts';
import { endOfDay } from '../documents/days.ts';
import {
  type BuyerItemRow,
  type CompanyItemRow,
  type ContractItemRow,
  type FrameworkItemRow,
  ITEM_COLUMNS,
  type ItemRow,
  type NoticeItemRow,
} from './columns.ts';

/** Suppliers that a brief item names with their ids. */
const SUPPLIERS_MAX = 10;
/** A brief item: its fields by name. */
export type BriefItem = Record<string, unknown>;

// Each lists its fields explicitly: copying the rest of a row takes several times as long, and the row may contain more.
function noticeItem(row: NoticeItemRow): BriefItem {
  const { value } = row;
  const place = placeOf(listOf<Region>(row.regions));
  const [cpv] = listOf(row.cpvs);
  return {
    notice_id: row.notice_id,
    ocid: row.ocid,
    title: row.title,
    buyer: row.buyer,
    buyer_id: row.buyer_id,
    buyer_kind: row.buyer_kind,
    published: row.published,
    published_at: row.published_at,
    deadline: row.deadline,
    deadline_at: row.deadline_at ?? endOfDay(row.deadline),
    tender_expected: row.tender_expected,
    source: row.source,
    stage: row.stage,
    notice_type: row.notice_type,
    url: row.url,
    nation: row.nation,
    framework_id: row.framework_id,
    value,
    currency: value === null ? null : row.currency,
    stated_status: row.status,
    is_tender: row.is_tender === 1,
    cpv,
    region: place?.name,
    region_code: place?.code,
    also_on: listOf(row.also_on),
  };
}

function contractItem(row: ContractItemRow): BriefItem {
  const { value_class, value } = row;
  const suppliers = JSON.parse(row.suppliers) as SupplierDetail[];
  return {
    notice_id: row.notice_id,
    ocid: row.ocid,
    title: row.title,
    buyer: row.buyer,
    buyer_id: row.buyer_id,
    buyer_kind: row.buyer_kind,
    currency: row.currency,
    value_basis: row.value_basis,
    awarded: row.awarded,
    signed: row.signed,
    starts: row.starts,
    ends: row.ends,
    ends_latest: row.ends_latest,
    procedure: row.procedure,
    bids_received: row.bids_received,
    bids_from_smes: row.bids_from_smes,
    cpv: row.cpv,
    framework_id: row.framework_id,
    framework_role: row.framework_role,
    source: row.source,
    url: row.url,
    nation: row.nation,
    region: placeOf(listOf<Region>(row.regions))?.name,
    contract_id: row.id,
    stated_status: row.status,
    dated: row.sort_date,
    supplier_count: suppliers.length,
    supplier: nameSuppliers(suppliers) ?? row.supplier,
    suppliers: suppliers.slice(0, SUPPLIERS_MAX).map(({ company_id, name }) => ({ company_id, name })),
    [NO_VALUE.has(value_class) ? 'stated_value' : 'value']: value,
    counted_as: COUNTED_AS[value_class as ValueClass],
    also_on: listOf(row.also_on),
  };
}

function companyItem(row: CompanyItemRow): BriefItem {
  const { sic_codes, company_number, postcode: _, ...registered } = describeRegistered(row);
  return {
    company_id: row.id,
    name: row.name,
    companies_house_number: company_number,
    ...registered,
    is_sme: isSme(row),
    sic_code_list: sic_codes,
    contract_count: row.contract_count,
    framework_places: row.framework_places,
    ...inPounds(row.pounds),
  };
}

function buyerItem(row: BuyerItemRow): BriefItem {
  return {
    buyer_id: row.id,
    name: row.name,
    region: row.region,
    region_code: row.region_code,
    nation: row.nation,
    contract_count: row.contract_count,
    framework_places: row.framework_places,
    scope: row.scope,
    kind: row.body,
    ...inPounds(row.pounds),
  };
}

function frameworkItem(row: FrameworkItemRow): BriefItem {
  return {
    framework_id: row.id,
    title: row.title,
    buyer: row.buyer,
    buyer_id: row.buyer_id,
    buyer_kind: row.buyer_kind,
    starts: row.starts,
    ends: row.ends,
    ceiling: row.ceiling,
    currency: row.currency,
    cpv: row.cpv,
    region: placeOf(listOf<Region>(row.regions))?.name,
    ocid: row.ocid,
    notice_id: row.notice_id,
    published: row.published,
    url: row.url,
    source: row.source,
    nation: row.nation,
    also_on: listOf(row.also_on),
    lot_count: row.lot_count,
    kind: row.form,
  };
}

const MAKERS = {
  notice: noticeItem,
  contract: contractItem,
  company: companyItem,
  buyer: buyerItem,
  framework: frameworkItem,
} satisfies Record<ChangeKind, (row: never) => BriefItem>;

/**
 * The brief item of a row, without what the clock decides. `stated_status` is the result of the notices; together with the dates
 * it gives the status of a day. Empty fields are absent.
 */
export function makeBriefItem(kind: ChangeKind, row: ItemRow): BriefItem {
  return omitEmpty(MAKERS[kind](row as never));
}

/** Rows read at once: a database server answers with 10 MB at most. */
const ROWS_AT_ONCE = 500;

/** A brief item, and the `seq` of the last change of its row. */
export interface ReadItem {
  item: BriefItem;
  seq: number;
}

/** The brief items of some rows as they are now, by id; a removed row has none. */
export async function readBriefItems(
  catalogue: Database,
  kind: ChangeKind,
  ids: readonly string[],
): Promise<Map<string, ReadItem>> {
  const { columns, join = '' } = ITEM_COLUMNS[kind];
  const sql = `SELECT n.id, n.seq, ${columns} FROM ${kind} n ${join} WHERE n.gone = 0 AND n.id IN (SELECT value FROM json_each(?))`;
  const items = new Map<string, ReadItem>();
  for (const some of chunksOf(ids, ROWS_AT_ONCE)) {
    const rows = await catalogue.read<ItemRow & { seq: number }>({ sql, args: [JSON.stringify(some)] });
    for (const row of rows) items.set(row.id, { item: makeBriefItem(kind, row), seq: row.seq });
  }
  return items;
}

function inPounds(value: number | null) {
  return value === null ? {} : { value, currency: 'GBP' };
}

const NO_LIST = '[]';

function listOf<One = string>(text: string | null): One[] {
  return text === null || text === NO_LIST ? [] : (JSON.parse(text) as One[]);
}
