import { cpvBranch, divisionOf } from '../../../schema/reference/cpv.ts';
import { codeOfRegionName, regionOfCode } from '../../../schema/reference/regions.ts';
import { splitList, splitRegions } from '../../../search/filters/shapes.ts';
import { noticeFilters } from '../../operations/search/inputs.ts';
import { formatDay, formatMoney } from '../components/format.ts';
import { labelNoticeType, labelStage } from '../components/labels.ts';
import type { SourceTitles } from '../components/source-title.ts';

/** Filters that take several values, separated by commas; a form repeats the field. */
export const MULTI_VALUE = ['stage', 'region', 'cpv', 'notice_type', 'source'] as const;
export type Several = (typeof MULTI_VALUE)[number];

export const STATUSES = [
  ['closed', 'Closed'],
  ['any', 'Open or closed'],
] as const;

/** Whether a filter takes several values. */
export function isMultiValue(name: string): name is Several {
  return (MULTI_VALUE as readonly string[]).includes(name);
}

/** Splits the values of a filter. */
export function splitValues(name: string, text: string | undefined): string[] {
  if (!text) return [];
  if (name === 'region') return splitRegions(text);
  return isMultiValue(name) ? splitList(text) : [text.trim()];
}

/** The canonical form of a value: `London` and `TLI`, or `45` and `45000000`, are the same. */
export function canonicalValue(name: string, value: string): string {
  if (name === 'region') return codeOfRegionName(value) ?? regionOfCode(value)?.code ?? value;
  if (name === 'cpv') return cpvBranch(value);
  if (name === 'notice_type') return value.replace(/^uk(?=\d)/i, 'UK');
  return name === 'stage' || name === 'source' ? value.toLowerCase() : value;
}

/** Whether a value of a multi-value filter is valid. */
export function isValidValue(name: Several, value: string): boolean {
  return noticeFilters[name].safeParse(value).success;
}

/** The label of a value, or the value itself. */
export function labelValue(name: string, value: string, titles: SourceTitles): string {
  return SAY[name]?.(value, titles) ?? value;
}

/** Text that is not a number is shown as typed. */
const sayPounds = (value: string) => (Number.isFinite(Number(value)) ? formatMoney(Number(value), 'GBP') : null);

const SAY: Readonly<Record<string, (value: string, titles: SourceTitles) => string | null | undefined>> = {
  stage: labelStage,
  notice_type: labelNoticeType,
  source: (value, titles) => titles.get(value),
  region: (value) => regionOfCode(value)?.name,
  cpv: (value) => (cpvBranch(value).length === 2 ? divisionOf(cpvBranch(value))?.name : undefined),
  match: (value) => (value === 'any' ? 'any of them' : undefined),
  status: (value) => STATUSES.find(([known]) => known === value)?.[1],
  value_min: sayPounds,
  value_max: sayPounds,
  published_from: formatDay,
  published_to: formatDay,
  deadline_from: formatDay,
  deadline_to: formatDay,
};
