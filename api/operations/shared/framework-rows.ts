import type { z } from 'zod';
import type { FrameworkDetail, FrameworkLot } from '../../../schema/framework-details.ts';
import type { ContractRow } from '../../reads/contracts.ts';
import type { FrameworkRow } from '../../reads/frameworks.ts';
import { toIssuedItem } from './contract-rows.ts';
import type { frameworkAnswer, frameworkItem } from './framework-shapes.ts';
import { fromJson, held } from './held.ts';

/** A framework with the newest of its call-offs. */
export function toFrameworkAnswer(
  row: FrameworkRow,
  callOffs: { rows: ContractRow[]; count: number },
): z.input<typeof frameworkAnswer> {
  const detail = fromJson<FrameworkDetail>(row.detail);
  return {
    ...toFields(row, detail),
    lots: lotsOf(row),
    call_off_count: callOffs.count,
    call_offs: callOffs.rows.map(toIssuedItem),
    evidence: detail.evidence,
    ...held({ description: detail.description, method: detail.method, type: detail.type }),
    ...held({ who_may_use: detail.who_may_use, extends_to: detail.extends_to, references: detail.references }),
    ...held({ max_suppliers: detail.max_suppliers, regions: detail.regions, warnings: detail.warnings }),
    ...held({ buyers: detail.buyers, restricted_to: detail.restricted_to, ceiling_from: detail.ceiling_from }),
    ...held({ notice_ids: detail.notice_ids }),
  };
}

/** A framework as a line of a search. */
export function toFrameworkItem(row: FrameworkRow): z.input<typeof frameworkItem> {
  const lots = lotsOf(row);
  const suppliers = new Set(lots.flatMap((lot) => lot.suppliers.map(({ company_id }) => company_id)));
  return { ...toFields(row, fromJson<FrameworkDetail>(row.detail)), lots: lots.length, suppliers: suppliers.size };
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
    ...held({ buyer_id: row.buyer_id, starts: row.starts, ends: row.ends, ceiling: row.ceiling }),
    ...held({ currency: row.currency, cpv: row.cpv, region: detail.regions[0]?.name ?? row.region, url: row.url }),
  };
}

function lotsOf(row: FrameworkRow): FrameworkLot[] {
  return fromJson<FrameworkLot[]>(row.lots);
}
