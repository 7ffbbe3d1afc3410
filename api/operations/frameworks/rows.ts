import type { z } from 'zod';
import type { FrameworkDetail, FrameworkLot } from '../../../schema/catalogue/framework-details.ts';
import type { ContractRow } from '../../reads/contracts.ts';
import type { FrameworkRow } from '../../reads/frameworks.ts';
import { toIssuedItem } from '../contracts/rows.ts';
import { fromJson, omitEmpty } from '../shared/omit-empty.ts';
import { LOT_SUPPLIERS_MOST } from '../shared/rows.ts';
import type { frameworkAnswer, frameworkItem } from './shapes.ts';

/** A framework with the newest of its call-offs. */
export function toFrameworkAnswer(
  row: FrameworkRow,
  callOffs: { rows: ContractRow[]; count: number },
): z.input<typeof frameworkAnswer> {
  const detail = fromJson<FrameworkDetail>(row.detail);
  const lots = limitSuppliers(lotsOf(row));
  const warnings = [...detail.warnings, ...lots.warnings];
  return {
    ...toFields(row, detail),
    lots: lots.kept,
    call_off_count: callOffs.count,
    call_offs: callOffs.rows.map(toIssuedItem),
    ...omitEmpty({ description: detail.description, method: detail.method, type: detail.type }),
    ...omitEmpty({ who_may_use: detail.who_may_use, extends_to: detail.extends_to, references: detail.references }),
    ...omitEmpty({ max_suppliers: detail.max_suppliers, regions: detail.regions, warnings }),
    ...omitEmpty({ buyers: detail.buyers, restricted_to: detail.restricted_to, ceiling_from: detail.ceiling_from }),
    ...omitEmpty({ notice_ids: detail.notice_ids }),
  };
}

/** A framework as a line of a search. */
export function toFrameworkItem(row: FrameworkRow): z.input<typeof frameworkItem> {
  const lots = lotsOf(row);
  const suppliers = new Set(lots.flatMap((lot) => lot.suppliers.map(({ company_id }) => company_id)));
  return {
    ...toFields(row, fromJson<FrameworkDetail>(row.detail)),
    lot_count: lots.length,
    supplier_count: suppliers.size,
  };
}

function toFields(row: FrameworkRow, detail: FrameworkDetail) {
  return {
    framework_id: row.id,
    title: row.title,
    buyer: row.buyer,
    kind: row.kind,
    ocid: row.ocid,
    notice_id: row.notice_id,
    published: row.published,
    source: row.source,
    evidence: detail.evidence,
    ...omitEmpty({ buyer_id: row.buyer_id, starts: row.starts, ends: row.ends, ceiling: row.ceiling }),
    ...omitEmpty({ currency: row.currency, cpv: row.cpv, region: detail.regions[0]?.name ?? row.region, url: row.url }),
  };
}

/** Of each lot its first suppliers, all lots getting the same share of what one answer lists. */
function limitSuppliers(lots: readonly FrameworkLot[]): { kept: FrameworkLot[]; warnings: string[] } {
  const all = lots.reduce((sum, { suppliers }) => sum + suppliers.length, 0);
  if (all <= LOT_SUPPLIERS_MOST) return { kept: [...lots], warnings: [] };
  const share = Math.max(1, Math.floor(LOT_SUPPLIERS_MOST / lots.length));
  const kept = lots.map((lot) => ({ ...lot, suppliers: lot.suppliers.slice(0, share) }));
  return {
    kept,
    warnings: [`only the first ${share} suppliers of each lot are listed, of ${all} in ${lots.length} lots`],
  };
}

function lotsOf(row: FrameworkRow): FrameworkLot[] {
  return fromJson<FrameworkLot[]>(row.lots);
}
