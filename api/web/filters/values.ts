import { cpvBranch, divisionOf } from '../../../schema/reference/cpv.ts';
import { codeOfRegionName, regionOfCode } from '../../../schema/reference/regions.ts';
import { splitList, splitRegions } from '../../operations/filters/effective.ts';
import { noticeFilters } from '../../operations/search/inputs.ts';
import { formatDay, formatMoney } from '../components/format.ts';
import { labelNoticeType, labelSource, labelStage } from '../components/labels.ts';

/** Filters that take several values, with commas between; a form sends each under the same name. */
export const SEVERAL = ['stage', 'region', 'cpv', 'notice_type', 'source'] as const;
export type Several = (typeof SEVERAL)[number];

export const STATUSES = [
  ['closed', 'Closed'],
  ['any', 'Open or closed'],
] as const;

export function isSeveral(name: string): name is Several {
  return (SEVERAL as readonly string[]).includes(name);
}

/** The values of a filter, one by one. */
export function splitValues(name: string, text: string | undefined): string[] {
  if (!text) return [];
  if (name === 'region') return splitRegions(text);
  return isSeveral(name) ? splitList(text) : [text.trim()];
}

/** A value in its one form, so that `London` and `TLI`, or `45` and `45000000`, are known to be the same. */
export function keptValue(name: string, value: string): string {
  if (name === 'region') return codeOfRegionName(value) ?? regionOfCode(value)?.code ?? value;
  if (name === 'cpv') return cpvBranch(value);
  if (name === 'notice_type') return value.replace(/^uk(?=\d)/i, 'UK');
  return name === 'stage' || name === 'source' ? value.toLowerCase() : value;
}

/** Whether the API takes a value of a filter that takes several. */
export function isTaken(name: Several, value: string): boolean {
  return noticeFilters[name].safeParse(value).success;
}

/** The words for a value, or the value itself. */
export function sayValue(name: string, value: string): string {
  return SAY[name]?.(value) ?? value;
}

/** What is no number is shown as it was typed. */
const sayPounds = (value: string) => (Number.isFinite(Number(value)) ? formatMoney(Number(value), 'GBP') : null);

const SAY: Readonly<Record<string, (value: string) => string | null | undefined>> = {
  stage: labelStage,
  notice_type: labelNoticeType,
  source: labelSource,
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
