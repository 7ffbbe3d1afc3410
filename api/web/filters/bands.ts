/** The form field of a value band. The address has the bounds instead. */
export const BAND_FIELD = 'value_band';

const BAND = /^(\d+)(?:-(\d+)|\+)$/;

/** The bounds of a band such as `10000-99999` or `100000000+` as filters; null if invalid. */
export function bandBounds(band: string): { value_min?: string; value_max?: string } | null {
  const [, least, most] = BAND.exec(band) ?? [];
  if (least === undefined) return null;
  return { ...(least !== '0' && { value_min: least }), ...(most !== undefined && { value_max: most }) };
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
