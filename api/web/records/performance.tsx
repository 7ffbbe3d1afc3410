import type { z } from 'zod';
import { makeLookup } from '../../../schema/text/json-values.ts';
import { shorten } from '../../../search/documents/from-row.ts';
import type { kpi, kpiResult } from '../../operations/shared/notice-shapes.ts';
import { formatDay, formatNumbered } from '../components/format.ts';
import { labelPlain } from '../components/labels.ts';

type Kpi = z.input<typeof kpi>;
type Result = z.input<typeof kpiResult>;

const SHOWN_MAX = 20;
const RESULTS_MAX = 12;
const TEXT_MAX = 2_000;

/** How performance is measured, and what was measured, the newest first. */
export function Performance({ kpis = [] }: { kpis: readonly Kpi[] | undefined }) {
  if (kpis.length === 0) return null;
  const item = (each: Kpi, at: number) => (
    <li key={at}>
      {each.title ?? shorten(each.description ?? '', TEXT_MAX)}
      {nameInterval(each) && <span class="muted"> · reported {nameInterval(each)}</span>}
      {each.title && each.description && <p class="muted small">{shorten(each.description, TEXT_MAX)}</p>}
      {(each.results ?? [])
        .slice(-RESULTS_MAX)
        .toReversed()
        .map((result, place) => (
          <p key={place} class="small">
            {nameResult(result)}
          </p>
        ))}
    </li>
  );
  return (
    <section>
      <h2>How performance is measured</h2>
      <ul class="plain">{kpis.slice(0, SHOWN_MAX).map(item)}</ul>
      {kpis.length > SHOWN_MAX && (
        <details>
          <summary>and {kpis.length - SHOWN_MAX} more</summary>
          <ul class="plain">{kpis.slice(SHOWN_MAX).map(item)}</ul>
        </details>
      )}
    </section>
  );
}

/** `every 3 months`. */
function nameInterval({ every_days: days, every_months: months }: Kpi): string {
  if (months !== undefined) return months === 1 ? 'every month' : `every ${formatNumbered(months, 'month')}`;
  if (days !== undefined) return days === 1 ? 'every day' : `every ${formatNumbered(days, 'day')}`;
  return '';
}

/** `1 April 2026 to 30 June 2026: 75% (close to the target)`. */
function nameResult({ starts, ends, measured, rating = '' }: Result): string {
  const time = [starts, ends].flatMap((day) => (day ? [formatDay(day)] : [])).join(' to ');
  const words = rating && (RATED[rating] ?? labelPlain(rating).toLowerCase());
  const text = shorten(measured ?? '', TEXT_MAX);
  const said = text && words ? `${text} (${words})` : text || words;
  return [time, said].filter(Boolean).join(': ');
}

const RATED = makeLookup({
  met: 'target met',
  slightlyBelow: 'close to the target',
  below: 'below the target',
  significantlyBelow: 'far below the target',
  other: 'rated otherwise',
});
