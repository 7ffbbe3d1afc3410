import type { ExportDataset } from '../../../schema/accounts/exports/datasets.ts';
import { cpvBranch, divisionOf } from '../../../schema/reference/cpv.ts';
import { regionOfCode } from '../../../schema/reference/regions.ts';
import { formatMoney } from '../../../schema/text/money.ts';
import { RESERVED_MEANINGS } from '../../../search/filters/meanings.ts';
import { rowOf, rowsOf } from '../../../search/filters/read.ts';
import type { AnyFilterRow, ValueKind } from '../../../search/filters/row.ts';
import { splitList, splitRegions } from '../../../search/filters/shapes.ts';
import { inputOf } from '../../validation/inputs.ts';
import { formatDay } from '../components/format.ts';
import {
  labelBidStatus,
  labelBuyerKind,
  labelContractStatus,
  labelNation,
  labelNoticeType,
  labelPlain,
  labelProcedure,
  labelStage,
  labelSuited,
} from '../components/labels.ts';
import type { SourceTitles } from '../components/source-title.ts';

/** Whether a filter takes several values, separated by commas; a form repeats the field. */
export function isMultiValue(name: string): boolean {
  return rowOf(name)?.several ?? false;
}

/** Splits the values of a filter. */
export function splitValues(name: string, text: string | undefined): string[] {
  if (!text) return [];
  const row = rowOf(name);
  if (!row?.several) return [text.trim()];
  return row.values === 'region' ? splitRegions(text) : splitList(text);
}

/** The canonical form of a value: `London` and `TLI`, or `45` and `45000000`, are the same. */
export function canonicalValue(name: string, value: string): string {
  const row = rowOf(name);
  if (row?.kind === 'prefix') return row.parse(value)[0] ?? value;
  const parsed = row?.several ? inputOf(row).safeParse(value) : undefined;
  return parsed?.success ? String(parsed.data) : value;
}

/** Whether a filter accepts a value. */
export function isValidValue(name: string, value: string): boolean {
  const row = rowOf(name);
  return row !== undefined && inputOf(row).safeParse(value).success;
}

/** Whether the values of a filter are buyers or suppliers, whose names the catalogue holds. */
export function isParty(row: AnyFilterRow | undefined): boolean {
  return row?.values === 'buyer' || row?.values === 'company';
}

/** The values that a form offers for a filter without counts: for sources those in the catalogue. */
export function choicesOf(
  { kind, values, choices }: AnyFilterRow,
  titles: SourceTitles,
): readonly string[] | undefined {
  if (kind === 'flag') return ['true', 'false'];
  return values === 'source' ? [...titles.keys()] : choices;
}

/** The label of a value, or the value itself. @param dataset - whose filter it is, if several share the name */
export function labelValue(name: string, value: string, titles: SourceTitles, dataset?: ExportDataset): string {
  if (name === 'match' && value === 'any') return 'any of them';
  const row = rowOf(name, dataset);
  return row ? labelOf(row, value, titles) : value;
}

/** The label of a value of a filter, or the value itself. */
export function labelOf({ values }: AnyFilterRow, value: string, titles: SourceTitles): string {
  return LABELS[values]?.(value, titles) ?? value;
}

const LABELS: Partial<Record<ValueKind, (value: string, titles: SourceTitles) => string | null | undefined>> = {
  stage: labelStage,
  notice_type: labelNoticeType,
  source: (value, titles) => titles.get(value),
  region: (value) => regionOfCode(value)?.name,
  nation: labelNation,
  cpv: (value) => (cpvBranch(value).length === 2 ? divisionOf(cpvBranch(value))?.name : undefined),
  bid_status: labelBidStatus,
  contract_status: labelContractStatus,
  procedure: labelProcedure,
  buyer_kind: labelBuyerKind,
  suited: labelSuited,
  special_regime: labelPlain,
  reserved: (value) => RESERVED_MEANINGS[value as keyof typeof RESERVED_MEANINGS],
  direct_award_ground: labelPlain,
  framework_kind: labelPlain,
  flag: (value) => (value === 'true' ? 'Yes' : 'No'),
  // Text that is not a number is shown as typed.
  pounds: (value) => (Number.isFinite(Number(value)) ? formatMoney(Number(value), 'GBP') : null),
  day: formatDay,
};

/** The default values of a dataset's filters, by name. */
export function usualValues(dataset: ExportDataset): Readonly<Record<string, string>> {
  return Object.fromEntries(
    rowsOf(dataset).flatMap((row): [string, string][] => {
      const usual = inputOf(row).safeParse(undefined).data;
      return typeof usual === 'string' ? [[row.name, usual]] : [];
    }),
  );
}
