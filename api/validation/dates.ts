const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const DAY_MS = 86_400_000;
/** Seconds since 1970 have ten digits until the year 2286, milliseconds thirteen. */
const STAMP = /^(\d{10})(\d{3})?$/;

/** A year, a month of it and a day of that; without the last two the whole year, without the last the whole month. */
type Named = [year: number, month?: number, day?: number];

/**
 * The day (YYYY-MM-DD) that a text in another form names: day before month as in Britain, months by number or name, instants, Unix
 * time. Of a month or a year the first day, or the last where `isLast`. Undefined where none is named.
 */
export function dayNamedBy(input: unknown, isLast = false): string | undefined {
  const text = String(input).trim();
  const named = readNumbers(text) ?? readWords(text);
  return named && toDay(named, isLast);
}

function readNumbers(text: string): Named | undefined {
  const [, seconds] = STAMP.exec(text) ?? [];
  if (seconds) return readNumbers(new Date(Number(seconds) * 1_000).toISOString());
  const british = /^(\d{1,2})[/. -](\d{1,2})[/. -](\d{4}|\d{2})$/.exec(text);
  if (british) return [fullYear(british[3]), Number(british[2]), Number(british[1])];
  const iso = /^(\d{4})(?:[-/.]?(\d{1,2})(?:[-/.]?(\d{1,2}))?)?(?:[T ]\d.*)?$/.exec(text);
  return iso ? named(iso[1], iso[2], iso[3]) : undefined;
}

/** `1st of May 2026`, `May 1, 2026`, `May 2026`. */
function readWords(text: string): Named | undefined {
  const month = MONTHS.findIndex((name) => new RegExp(`\\b${name}`, 'i').test(text)) + 1;
  const year = /\b(\d{4})\b/.exec(text)?.[1];
  if (month === 0 || year === undefined) return undefined;
  return named(year, String(month), /\b(\d{1,2})(?:st|nd|rd|th)?\b/i.exec(text.replace(year, ''))?.[1]);
}

function named(year?: string, month?: string, day?: string): Named {
  return [fullYear(year), month === undefined ? undefined : Number(month), day === undefined ? undefined : Number(day)];
}

function fullYear(year = ''): number {
  return Number(year.length === 2 ? `20${year}` : year);
}

/** A day that its month does not have is the month's last. */
function toDay([year, month, day]: Named, isLast: boolean): string | undefined {
  const ofYear = month ?? (isLast ? 12 : 1);
  if (ofYear < 1 || ofYear > 12 || day === 0 || (day ?? 1) > 31) return undefined;
  const last = new Date(Date.UTC(year, ofYear, 1) - DAY_MS).getUTCDate();
  const ofMonth = Math.min(day ?? (isLast ? last : 1), last);
  return [String(year), String(ofYear).padStart(2, '0'), String(ofMonth).padStart(2, '0')].join('-');
}
