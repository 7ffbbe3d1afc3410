import type { z } from 'zod';
import { fromJson, omitEmpty } from '../../../schema/answers/omit-empty.ts';
import type { ContractDetail } from '../../../schema/catalogue/contract-details.ts';
import { nameSuppliers } from '../../../schema/catalogue/supplier-names.ts';
import type { ContractRow } from '../../reads/contracts.ts';
import { ITEM_LOTS_MAX, ITEM_SUPPLIERS_MAX, truncate } from '../shared/rows.ts';
import { alsoOn, regionName, standingOf, suppliersOf } from './fields.ts';
import type { issuedItem, wonItem } from './item-shapes.ts';
import { moneyOf } from './money.ts';

type WonItem = z.input<typeof wonItem>;
type IssuedItem = z.input<typeof issuedItem>;

/** A contract as an entry in a company's list. */
export function toWonItem(row: ContractRow, now: Date): WonItem {
  const suppliers = suppliersOf(row).length;
  return {
    ...toItem(row, now),
    ...moneyOf(row),
    ...omitEmpty({ buyer: row.buyer, buyer_id: row.buyer_id, supplier_count: suppliers > 1 ? suppliers : null }),
  } as WonItem;
}

/** A contract as an entry in a buyer's or framework's list. */
export function toIssuedItem(row: ContractRow, now: Date): IssuedItem {
  const awarded = suppliersOf(row);
  const suppliers = truncate(awarded, ITEM_SUPPLIERS_MAX, 'suppliers');
  const item = toItem(row, now);
  return {
    ...item,
    supplier: nameSuppliers(awarded) ?? row.supplier,
    supplier_count: awarded.length,
    suppliers: suppliers.listed.map(({ company_id, name, companies_house_number }) => ({
      company_id,
      name,
      ...omitEmpty({ companies_house_number }),
    })),
    ...omitEmpty(moneyOf(row)),
    ...omitEmpty({ warnings: [...(item.warnings ?? []), ...suppliers.warnings] }),
  } as IssuedItem;
}

function toItem(row: ContractRow, now: Date) {
  const detail = fromJson<ContractDetail>(row.detail);
  return {
    notice_id: row.notice_id,
    title: row.title,
    contract_id: row.id,
    ocid: row.ocid,
    source: row.source,
    dated: row.sort_date,
    ...omitEmpty({
      awarded: row.awarded,
      standstill_until: detail.standstill_until,
      signed: row.signed,
      starts: row.starts,
      ends: row.ends,
      ...standingOf(row, now),
      ends_latest: row.ends_latest,
      procedure: row.procedure,
      bids: briefBidsOf(row),
      cpv: row.cpv,
      region: regionName(row, detail.regions),
      nation: row.nation,
      framework_id: row.framework_id,
      framework_role: row.framework_role,
      lots: detail.lots.slice(0, ITEM_LOTS_MAX),
      warnings: detail.warnings,
      url: row.url,
      also_on: alsoOn(row),
    }),
  };
}

/** The numbers of bids as every list shows them, where there are any. */
function briefBidsOf({ bids_received, bids_from_smes }: ContractRow) {
  if (bids_received === null && bids_from_smes === null) return null;
  return omitEmpty({ received: bids_received, from_smes: bids_from_smes });
}
