import { InvalidArgumentError } from 'commander';
import { isOnCalendar, londonInstant } from '../../../schema/config/clocks.ts';
import { UsageFault } from '../../process/services.ts';

/** Non-empty text from the operator. @throws InvalidArgumentError for empty text: an empty variable in a script names nothing. */
export function parseWords(text: string): string {
  if (text.trim() !== '') return text.trim();
  throw new InvalidArgumentError('Expected some text, not an empty one.');
}

/** @throws InvalidArgumentError */
export function parseEmail(text: string): string {
  if (/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text.trim())) return text.trim();
  throw new InvalidArgumentError('Expected an e-mail address.');
}

/** A reader of whole numbers within bounds (inclusive). It throws InvalidArgumentError for any other text. */
export function parseWhole(least: number, most: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (/^\d{1,15}$/.test(text) && value >= least && value <= most) return value;
    throw new InvalidArgumentError(`Expected a whole number from ${least} to ${most}.`);
  };
}

/** Reads a count: of rows, lines, ids. @throws InvalidArgumentError */
export const parseCount = parseWhole(1, 1_000_000);

/** Reads the number of a row or a line. @throws InvalidArgumentError */
export const parseNumber = parseWhole(1, 999_999_999_999_999);

/** The start of a London day (`YYYY-MM-DD`), or an instant with a zone. @throws InvalidArgumentError */
export function parseSince(text: string): Date {
  return parseMoment(text, '00:00:00');
}

/** The end of a London day (`YYYY-MM-DD`), or an instant with a zone. @throws InvalidArgumentError */
export function parseUntil(text: string): Date {
  return parseMoment(text, '23:59:59');
}

/** @throws UsageFault for a span that ends before it begins, or that has not begun */
export function assertSpan({ since, until }: { since?: Date; until?: Date }, now: Date): void {
  if (since && until && since > until) throw new UsageFault('--since must not be after --until');
  if (since && since > now) throw new UsageFault('--since must not lie in the future');
}

const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2})$/;

function parseMoment(text: string, time: string): Date {
  if (isOnCalendar(text)) return londonInstant(`${text}T${time}`);
  if (INSTANT.test(text) && !Number.isNaN(Date.parse(text))) return new Date(text);
  throw new InvalidArgumentError('Expected a date (2026-11-21) or an instant with a zone (2026-11-21T09:00:00Z).');
}
