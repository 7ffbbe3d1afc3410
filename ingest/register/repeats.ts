import type { RegisterRecord } from '../../schema/catalogue/details.ts';
import type { Database } from '../../schema/db/interface.ts';
import type { IngestContext } from '../context.ts';
import type { RunParts } from '../runs/once.ts';
import type { RegisterSource } from '../source.ts';
import type { Listed } from './row.ts';

const RECORDS = `SELECT company_number, record FROM registered_company
  WHERE company_number IN (SELECT value FROM json_each(?))`;

/** The companies by number; for repeated ones, the fullest row. */
export function pickFullest(listed: readonly Listed[]): Map<string, Listed> {
  const byNumber = new Map<string, Listed>();
  for (const company of listed) {
    const other = byNumber.get(company.number);
    const isRepeat = other !== undefined && other.digest !== company.digest;
    if (!isRepeat || isFuller(company.read().record, other.read().record)) byNumber.set(company.number, company);
  }
  return byNumber;
}

/** Numbers of the companies that the same edition listed before in a fuller row than now. */
export async function readFuller(
  catalogue: Database,
  byNumber: ReadonlyMap<string, Listed>,
  stored: readonly { company_number: string; digest: string }[],
): Promise<Set<string>> {
  const rivals = stored.filter(({ company_number: number, digest }) =>
    isOtherRow(digest, byNumber.get(number)?.digest),
  );
  if (rivals.length === 0) return new Set();
  const rows = await catalogue.read<{ company_number: string; record: string }>({
    sql: RECORDS,
    args: [JSON.stringify(rivals.map(({ company_number: number }) => number))],
  });
  const isFullerThanNow = ({ company_number: number, record }: (typeof rows)[number]) => {
    const now = byNumber.get(number)?.read().record;
    return now !== undefined && isFuller(JSON.parse(record) as RegisterRecord, now);
  };
  return new Set(rows.filter(isFullerThanNow).map(({ company_number: number }) => number));
}

/** Whether these are two rows; a row that was read by another rule has another prefix, but is the same row. */
function isOtherRow(stored: string, now: string | undefined): boolean {
  return now !== undefined && stored !== now && stored.split(':')[0] === now.split(':')[0];
}

/** Whether one record says more than the other; if they say as much, the alphabetically later one counts. */
function isFuller(one: RegisterRecord, other: RegisterRecord): boolean {
  const [more, less] = [countValues(one), countValues(other)];
  return more === less ? JSON.stringify(one) > JSON.stringify(other) : more > less;
}

function countValues(value: unknown): number {
  if (typeof value !== 'object' || value === null) return value === undefined || value === null ? 0 : 1;
  return Object.values(value).reduce((sum: number, member) => sum + countValues(member), 0);
}

/**
 * Says whether a company's number occurs for the first time. Six digits after a prefix of two characters are a bit of that
 * prefix: all numbers of the register take some 8 MB.
 */
export function makeFirstSight(): (number: string) => boolean {
  const bits = new Map<string, Uint8Array>();
  const others = new Set<string>();
  return (number) => {
    const digits = number.slice(2);
    if (!/^\d{6}$/.test(digits)) return others.size < others.add(number).size;
    const prefix = number.slice(0, 2);
    const seen = bits.get(prefix) ?? new Uint8Array(125_000);
    bits.set(prefix, seen);
    const [at, bit] = [Number(digits) >> 3, 1 << (Number(digits) & 7)];
    const before = seen[at] ?? 0;
    seen[at] = before | bit;
    return (before & bit) === 0;
  };
}

/** One run of the register in progress. */
export interface RegisterRun extends RunParts {
  context: IngestContext;
  source: RegisterSource;
  /** Kinds and unlisted values already judged in this run: each is counted once a run. */
  judged: Set<string>;
  /** Whether a company's number is listed for the first time in this run. */
  isFirstListed: (number: string) => boolean;
}

/** The most values kept in memory, as a file may have a different one in every row. */
const JUDGED_MAX = 20_000;

/** Whether this is judged for the first time in the run. */
export function isFirstSight({ judged }: RegisterRun, kind: string): boolean {
  if (judged.has(kind) || judged.size >= JUDGED_MAX) return false;
  judged.add(kind);
  return true;
}
