import { cpvBranch, divisionOf } from '../../../schema/cpv.ts';
import { regionOfCode } from '../../../schema/regions.ts';
import type { Query } from '../find-hits.ts';
import { formatDay, formatMoney } from '../format.ts';
import { FILTER_NAMES, labelNoticeType, labelSource, labelStage } from '../labels.ts';
import { withQuery } from '../links.ts';

/** Beside open ones. */
export const STATUSES = [
  ['closed', 'Closed'],
  ['any', 'Open or closed'],
] as const;

/** What is so anyway. */
const PRESUMED = ['status=open', 'match=all'];

function activeFilters(query: Query): [name: string, value: string][] {
  const presumed = ([name, value]: [string, string]) => PRESUMED.includes(`${name}=${value}`);
  return Object.entries(query).filter((filter) => filter[0] in FILTER_NAMES && !presumed(filter));
}

/** Each filter in force, as a link that takes it away. */
export function ActiveFilters({ path, query, buyer }: { path: string; query: Query; buyer?: string | undefined }) {
  const active = activeFilters(query);
  if (active.length === 0) return null;
  return (
    <ul class="chips" aria-label="Filters in force">
      {active.map(([name, value]) => {
        const { [name]: _, cursor: __, ...rest } = query;
        const words = valueWords(name, value, buyer);
        return (
          <li key={name}>
            <a
              class="chip"
              href={withQuery(path, rest)}
              aria-label={`Remove the filter ${FILTER_NAMES[name]}: ${words}`}
            >
              {FILTER_NAMES[name]}: {words} <span aria-hidden="true">×</span>
            </a>
          </li>
        );
      })}
    </ul>
  );
}

/** The filters in force in one line, or an empty text. */
export function nameFilters(query: Query, buyer: string | undefined): string {
  return activeFilters(query)
    .map(([name, value]) => `${FILTER_NAMES[name]}: ${valueWords(name, value, buyer)}`)
    .join(', ');
}

/** @param buyer - the name behind `buyer_id`, where a result tells it. */
function valueWords(name: string, value: string, buyer: string | undefined): string {
  if (name === 'buyer_id') return buyer ?? value;
  const say = (one: string) => SAY[name]?.(one.trim()) ?? one.trim();
  return SEVERAL.includes(name) ? value.split(',').map(say).join(', ') : say(value);
}

/** Filters of which several values may be sent, with commas between. */
const SEVERAL = ['cpv', 'region', 'source', 'notice_type', 'stage'];

const sayPounds = (value: string) => formatMoney(Number(value), 'GBP');

/** The words for a value, where it has others than itself. */
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
