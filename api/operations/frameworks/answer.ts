import { z } from 'zod';
import { fromJson, omitEmpty } from '../../../schema/answers/omit-empty.ts';
import { CEILING_SOURCES, FRAMEWORK_KINDS } from '../../../schema/catalogue/enums.ts';
import type { FrameworkDetail, FrameworkLot } from '../../../schema/catalogue/framework-details.ts';
import { placeOf } from '../../../schema/reference/regions.ts';
import type { ContractRow } from '../../reads/contracts.ts';
import type { FrameworkRow } from '../../reads/frameworks.ts';
import { issuedItem, partner } from '../contracts/item-shapes.ts';
import { toIssuedItem } from '../contracts/items.ts';
import { alsoOn, nation, participationFee, region } from '../shared/notice-shapes.ts';
import { LOT_SUPPLIERS_MAX } from '../shared/rows.ts';

export const frameworkKind = z.enum(FRAMEWORK_KINDS);
export const ceilingSource = z.enum(CEILING_SOURCES);

const supplier_count = z.int().describe('How many different suppliers');

const frameworkFields = {
  framework_id: z.string(),
  title: z.string(),
  buyer: z.string().nullable(),
  kind: frameworkKind,
  buyer_id: z.string().optional(),
  starts: z.string().optional(),
  ends: z.string().optional(),
  ceiling: z.number().optional().describe('The most that may be spent over all call-offs; never a sum of contracts'),
  currency: z.string().optional(),
  cpv: z.string().optional(),
  region: z.string().optional(),
  nation: nation.optional(),
  ocid: z.string(),
  notice_id: z.string(),
  published: z.string().describe('London day of the notice that notice_id names'),
  url: z.string().optional(),
  source: z.string(),
  also_on: alsoOn.optional(),
  evidence: z
    .array(z.string())
    .describe('What says that it is a framework: a flag, its notice type, words of its title'),
};

export const frameworkLot = z.object({
  lot_id: z.string(),
  title: z.string(),
  value: z.number().optional(),
  starts: z.string().optional(),
  ends: z.string().optional(),
  duration_days: z.number().optional(),
  duration_months: z.number().optional(),
  supplier_count: z.int(),
  suppliers: z.array(partner),
});

export const frameworkAnswer = z.object({
  ...frameworkFields,
  supplier_count,
  lots: z.array(frameworkLot),
  call_off_count: z.int(),
  call_offs: z.array(issuedItem).describe('Contracts called off, newest first'),
  next_cursor: z.string().optional(),
  description: z.string().optional(),
  method: z.string().optional(),
  type: z.string().optional(),
  who_may_use: z.string().optional(),
  buyers: z.array(z.string()).optional().describe('Buyers that it names as its own'),
  restricted_to: z.array(z.string()).optional().describe('Kinds and places of buyers that it is restricted to'),
  ceiling_from: ceilingSource
    .optional()
    .describe('Where the ceiling was read: awards only where all of them state the same'),
  extends_to: z.string().optional(),
  references: z.array(z.string()).optional(),
  max_suppliers: z.int().optional(),
  participation_fees: z
    .array(participationFee)
    .optional()
    .describe('What suppliers pay to take part or once they win, by the latest notice that states it of the whole'),
  regions: z.array(region).optional(),
  warnings: z.array(z.string()).optional(),
  notice_ids: z.array(z.string()).optional().describe('Every notice it was made from, oldest first'),
  open_framework: z
    .literal(true)
    .optional()
    .describe('It is one of several in turn, and new suppliers may join with the next'),
  call_off_terms: z.string().optional().describe('How contracts are called off, in the words of its notice'),
});

/** A framework in a search's answer. */
export const frameworkItem = z.object({
  ...frameworkFields,
  ocid: z.string().optional(),
  source: z.string().optional(),
  lot_count: z.int(),
  supplier_count,
  extract: z.string().optional(),
  highlight: z.string().optional(),
});

/** A framework with the newest of its call-offs, as they are at `now`. */
export function toFrameworkAnswer(
  row: FrameworkRow,
  callOffs: { rows: ContractRow[]; count: number },
  now: Date,
): z.input<typeof frameworkAnswer> {
  const detail = fromJson<FrameworkDetail>(row.detail);
  const all = lotsOf(row);
  const lots = limitSuppliers(all);
  return {
    ...toFields(row, detail),
    supplier_count: countSuppliers(all),
    lots: lots.listed,
    call_off_count: callOffs.count,
    call_offs: callOffs.rows.map((one) => toIssuedItem(one, now)),
    ...omitEmpty({
      description: detail.description,
      method: detail.method,
      call_off_terms: detail.call_off_terms,
      type: detail.type,
      who_may_use: detail.who_may_use,
      extends_to: detail.extends_to,
      references: detail.references,
      max_suppliers: detail.max_suppliers,
      open_framework: detail.open_framework,
      regions: detail.regions,
      warnings: [...detail.warnings, ...lots.warnings],
      buyers: detail.buyers,
      restricted_to: detail.restricted_to,
      ceiling_from: detail.ceiling_from,
      participation_fees: detail.participation_fees,
      notice_ids: detail.notice_ids,
    }),
  };
}

/** A framework as an entry in a search. */
export function toFrameworkItem(row: FrameworkRow): z.input<typeof frameworkItem> {
  const lots = lotsOf(row);
  return {
    ...toFields(row, fromJson<FrameworkDetail>(row.detail)),
    lot_count: lots.length,
    supplier_count: countSuppliers(lots),
  };
}

function countSuppliers(lots: readonly FrameworkLot[]): number {
  return new Set(lots.flatMap(({ suppliers }) => suppliers.map(({ company_id }) => company_id))).size;
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
    ...omitEmpty({
      buyer_id: row.buyer_id,
      starts: row.starts,
      ends: row.ends,
      ceiling: row.ceiling,
      currency: row.currency,
      cpv: row.cpv,
      region: placeOf(detail.regions)?.name ?? row.region,
      nation: row.nation,
      url: row.url,
      also_on: fromJson<string[]>(row.also_on ?? '[]'),
    }),
  };
}

/** The first suppliers of each lot; all lots get the same share of what one answer lists. */
function limitSuppliers(lots: readonly FrameworkLot[]): { listed: z.input<typeof frameworkLot>[]; warnings: string[] } {
  const all = lots.reduce((sum, { suppliers }) => sum + suppliers.length, 0);
  const isAll = all <= LOT_SUPPLIERS_MAX;
  const share = isAll ? all : Math.max(1, Math.floor(LOT_SUPPLIERS_MAX / lots.length));
  return {
    listed: lots.map(({ suppliers, ...lot }) => ({
      ...lot,
      supplier_count: suppliers.length,
      suppliers: suppliers.slice(0, share),
    })),
    warnings: isAll
      ? []
      : [`only the first ${share} suppliers of each lot are listed, of ${all} in ${lots.length} lots`],
  };
}

function lotsOf(row: FrameworkRow): FrameworkLot[] {
  return fromJson<FrameworkLot[]>(row.lots);
}
