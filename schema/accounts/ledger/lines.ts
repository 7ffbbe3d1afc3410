import type { Database } from '../../db/interface.ts';
import { LINES_MAX, linesOf, REVENUE, receivedLines } from './transfers.ts';

/**
 * Charges that are committed together are one row of `transfer`: those of one key for one action at one price. Each is a line
 * of its own to everybody who reads the ledger. A row's lines end with its `id`, so that lines are numbered without gaps.
 */

/** The kinds of line in a ledger. */
export const LINE_KINDS = ['charge', 'refund', 'grant', 'top_up'] as const;

export interface LedgerLine {
  id: number;
  key: string;
  kind: (typeof LINE_KINDS)[number];
  /** Signed from the account's point of view: a charge is negative. */
  credits: number;
  action: string | null;
  request_id: string | null;
  key_id: string | null;
  corrects: number | null;
  note: string | null;
  created_at: string;
}

/** All lines of the ledger, with the columns of `transfer`, as a query. */
export const LEDGER_LINES = linesOf('transfer');

/** Which lines a page has: those below a line and newest first, or those above it and oldest first. */
type PageOrder = 'below' | 'above';

/**
 * The first lines that fit a condition on their rows, as a query with the columns of a `LedgerLine`. It reads no more rows than
 * these lines need. @param where - a condition on columns of `transfer`. @param than - the line below or above which they are
 */
export function pageOf(
  where: string,
  { order, than, limit, sign }: { order: PageOrder; than: string; limit: string; sign: '-' | '' },
): string {
  const [direction, ofRow, ofLine] =
    order === 'below'
      ? ['DESC', `id < ${than} + ${LINES_MAX - 1} AND id - lines + 1 < ${than}`, `id < ${than}`]
      : ['ASC', `id > ${than}`, `id > ${than}`];
  // Of the first row some lines may lie on the other side.
  const rows = `(SELECT transfer.* FROM (
      SELECT id AS row, sum(lines) OVER (ORDER BY id ${direction}) - lines AS before
      FROM (SELECT id, lines FROM transfer WHERE ${where} AND ${ofRow} ORDER BY id ${direction} LIMIT ${limit}))
    JOIN transfer ON id = row WHERE before < ${limit} + ${LINES_MAX})`;
  return `
  SELECT id, key, kind, action, request_id, key_id, corrects, note, created_at, ${sign}credits AS credits FROM (${linesOf(rows)})
  WHERE ${ofLine} ORDER BY id ${direction} LIMIT ${limit}`;
}

const PAGE = { order: 'below', than: '?2', limit: '?3' } as const;
const ledgerOf = (received: string) => `
  SELECT * FROM (${pageOf('from_account = ?1', { ...PAGE, sign: '-' })})
  UNION ALL SELECT * FROM (${pageOf(received, { ...PAGE, sign: '' })}) ORDER BY id DESC LIMIT ?3`;
const LEDGER = ledgerOf(receivedLines());
/** Nearly all lines are these, so they are found without an index. */
const LEDGER_OF_REVENUE = ledgerOf('to_account = ?1');

/** An account's ledger, newest first: a keyset page of at most `limit` lines with an id below `before`. */
export function readLedger(
  accounts: Database,
  accountId: string,
  { limit, before = Number.MAX_SAFE_INTEGER }: { limit: number; before?: number | undefined },
): Promise<LedgerLine[]> {
  const sql = accountId === REVENUE ? LEDGER_OF_REVENUE : LEDGER;
  return accounts.read<LedgerLine>({ sql, args: [accountId, before, limit] });
}
