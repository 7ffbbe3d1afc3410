import type { z } from 'zod';
import type { buyerProfileAnswer } from '../../../operations/buyers/shapes.ts';
import { ByYear } from './by-year.tsx';
import { Counterparties, type CounterpartiesProps, FrameworkList, TotalFigures } from './parts.tsx';

interface OverviewProps {
  /** What the profiles of both kinds hold alike. */
  profile: Pick<z.input<typeof buyerProfileAnswer>, 'totals' | 'by_year' | 'frameworks'>;
  /** All of its contracts, and places on frameworks. */
  count: number;
  places: number;
  /** `won` or `issued`. */
  verb: string;
  years: string;
  parties: Pick<CounterpartiesProps, 'title' | 'parties' | 'path'>;
  now: Date;
}

/** What a company or a buyer amounts to, before its contracts one by one. */
export function Overview({ profile, count, places, verb, years, parties, now }: OverviewProps) {
  const { totals, by_year, frameworks } = profile;
  return (
    <>
      <TotalFigures count={count} places={places} totals={totals} verb={verb} />
      <ByYear title={years} years={by_year} totals={totals} thisYear={String(now.getUTCFullYear())} />
      <Counterparties count={count} {...parties} />
      <FrameworkList frameworks={frameworks} />
    </>
  );
}
