import type { ComponentChildren } from 'preact';
import type { Usage } from '../../../schema/accounts/ledger/pages.ts';
import { formatCount, formatDayShort, formatNumbered, formatShort } from '../components/format.ts';
import { type Bar, Bars } from './bars.tsx';
import { RankedBars, type RankedRow } from './ranked-bars.tsx';

/** Credits spent by day, including days without any. */
export function UsageByDay({ days }: { days: readonly (Usage & { part: string })[] }) {
  return <Bars title="Credits by day" bars={days.map(toBar)} />;
}

function toBar({ part, calls, credits }: Usage & { part: string }): Bar {
  return {
    name: formatDayShort(part),
    amount: credits,
    short: credits === 0 ? '' : formatShort(credits),
    long: sayUsage({ calls, credits }),
  };
}

interface UsageRankedProps {
  /** The heading of the rows: `Operation`. */
  of: string;
  /** Most expensive first. */
  rows: readonly (Usage & { part: string; name: ComponentChildren })[];
}

/** Credits by operation or key, each with its share as a bar. */
export function UsageRanked({ of, rows }: UsageRankedProps) {
  const whole = rows.reduce((sum, { credits }) => sum + credits, 0);
  const toRow = ({ part, name, calls, credits }: UsageRankedProps['rows'][number]): RankedRow => ({
    key: part,
    name,
    amount: credits,
    meaning: `${sharePercent(credits, whole)} of the credits spent`,
    cells: [formatCount(calls), formatCount(credits)],
  });
  return (
    <RankedBars label={`Credits by ${of.toLowerCase()}`} heads={[of, 'Calls', 'Credits']} rows={rows.map(toRow)} />
  );
}

function sharePercent(part: number, whole: number): string {
  return `${whole > 0 ? Math.round((100 * part) / whole) : 0}%`;
}

/** `12 credits in 4 calls`. */
function sayUsage({ calls, credits }: Usage): string {
  return `${formatNumbered(credits, 'credit')} in ${formatNumbered(calls, 'call')}`;
}
