import { BOUND_ROWS } from '../../../search/filters/read.ts';

/** The form field of a value band. The address has the bounds instead. */
export const BAND_FIELD = 'value_band';

const BAND = /^(\d+)(?:-(\d+)|\+)$/;

/** The filters that a band stands for: its lower and its upper bound. */
const BOUNDS = BOUND_ROWS.filter(({ facet }) => facet === BAND_FIELD);

/** Whether a filter is a bound of bands. */
export function isBandBound(name: string): boolean {
  return BOUNDS.some((row) => row.name === name);
}

/** The bounds of a band such as `10000-99999` or `100000000+` as filters, by name; null if invalid. */
export function bandBounds(band: string): Readonly<Record<string, string>> | null {
  const [, least, pounds] = BAND.exec(band) ?? [];
  if (least === undefined) return null;
  // The band counts what has pence as well, up to the next band.
  const most = pounds && `${pounds}.99`;
  const bounds = BOUNDS.map(({ name, comparison }) => [name, comparison === '>=' ? least : most] as const);
  return Object.fromEntries(bounds.filter(([, bound]) => bound !== undefined && bound !== '0')) as Record<
    string,
    string
  >;
}

/** The lower bound of a band, in pounds. */
export function lowerBoundOf(band: string): number {
  return Number(BAND.exec(band)?.[1] ?? 0);
}

/** A band in words: `£10,000 to £100,000`. */
export function formatBand(band: string): string {
  const [, least = '0', most] = BAND.exec(band) ?? [];
  if (most === undefined) return `${sayPounds(Number(least))} and more`;
  const until = sayPounds(Number(most) + 1);
  return least === '0' ? `Below ${until}` : `${sayPounds(Number(least))} to ${until}`;
}

function sayPounds(pounds: number): string {
  return pounds < 1_000_000 ? `£${pounds.toLocaleString('en-GB')}` : `£${pounds / 1_000_000} million`;
}
