import { createHash } from 'node:crypto';
import type { Database, SqlValue, Statement } from '../../db/interface.ts';
import type { LedgerFault } from './laws.ts';
import { LINES_MAX } from './transfers.ts';

/** A seal: the last line that it covers, and a digest of its lines and of the seal before it. */
export interface Seal {
  line: number;
  /** SHA-256, hex. */
  digest: string;
}

/** Lines of one seal: read and digested in a few milliseconds. */
const LINES_A_SEAL = 2_000;
const SEALS_A_PAGE = 1_000;

const rowsUpTo = (last: string) => `
  SELECT id, key, kind, from_account, to_account, credits, action, request_id, key_id, corrects, note, created_at, lines, charges
  FROM transfer WHERE id > ?1 AND id <= ${last} ORDER BY id LIMIT ${LINES_A_SEAL + 1}`;
const ROWS = rowsUpTo('?2');
/** The next rows, even where lines before them are missing. */
const NEXT_ROWS = rowsUpTo(`max(?1 + ${LINES_A_SEAL}, coalesce((SELECT min(id) FROM transfer WHERE id > ?1), 0))`);
const HEAD = 'SELECT last_line AS line, digest FROM ledger_seal ORDER BY last_line DESC LIMIT 1';
const SEALS = `SELECT last_line AS line, digest, sealed_at FROM ledger_seal WHERE last_line > ? ORDER BY last_line LIMIT ${SEALS_A_PAGE}`;
const SEAL = `
  INSERT INTO ledger_seal (last_line, digest, sealed_at) SELECT ?1, ?2, ?3
  WHERE coalesce((SELECT max(last_line) FROM ledger_seal), 0) = ?4 RETURNING last_line`;

type Row = Record<string, SqlValue>;

/** The newest seal, which covers every line before it; null where nothing is sealed yet. */
export async function readHead(accounts: Database): Promise<Seal | null> {
  const [head] = await accounts.read<Seal>({ sql: HEAD });
  return head ?? null;
}

/** When the newest seal was made, as an ISO 8601 instant, UTC; null where nothing is sealed yet. */
export async function readSealedAt(accounts: Database): Promise<string | null> {
  const sql = 'SELECT sealed_at FROM ledger_seal ORDER BY last_line DESC LIMIT 1';
  const [newest] = await accounts.read<{ sealed_at: string }>({ sql });
  return newest?.sealed_at ?? null;
}

/** How many lines have been added since the newest seal. */
export async function countUnsealed(accounts: Database): Promise<number> {
  const sql =
    'SELECT coalesce((SELECT max(id) FROM transfer), 0) - coalesce((SELECT max(last_line) FROM ledger_seal), 0) AS lines';
  const [row] = await accounts.read<{ lines: number }>({ sql });
  return Math.max(0, row?.lines ?? 0);
}

/**
 * Seals the committed lines that have no seal yet; returns how many. Ids rise in the order of commits, so none can appear later
 * among them. `before` goes in front of each batch.
 */
export async function sealLedger(accounts: Database, at: string, before: Statement[] = []): Promise<number> {
  for (let sealed = 0; ; ) {
    const head = await readHead(accounts);
    const from = head?.line ?? 0;
    const rows = await accounts.read<Row>({ sql: NEXT_ROWS, args: [from] });
    if (rows.length === 0) return sealed;
    const last = Number(rows.at(-1)?.id);
    const outcomes = await accounts.write([...before, { sql: SEAL, args: [last, digestOf(head, rows), at, from] }]);
    // Nothing was written if another process sealed them in the meantime.
    sealed += outcomes.at(-1)?.changes === 1 ? last - from : 0;
    if (last - from <= LINES_A_SEAL - LINES_MAX) return sealed;
  }
}

function digestOf(before: Seal | null, rows: readonly Row[]): string {
  const hash = createHash('sha256').update(before?.digest ?? '');
  for (const { lines = 1, charges = null, ...row } of rows) {
    const values = Object.values(row);
    // A row of one line is digested as it was before rows could have several.
    hash.update(`\n${JSON.stringify(lines === 1 && charges === null ? values : [...values, lines, charges])}`);
  }
  return hash.digest('hex');
}

/**
 * Every seal that does not match its lines and the seal before it; also the externally stored head, if no seal matches it.
 * Somebody who rewrites lines can rewrite their seals, but not a head that is stored elsewhere.
 */
export async function findSealFaults(accounts: Database, externalHead?: Seal): Promise<LedgerFault[]> {
  const faults: LedgerFault[] = [];
  let before: Seal | null = null;
  let isKnown = externalHead === undefined;
  for (let page = await readSeals(accounts, 0); page.length > 0; page = await readSeals(accounts, before?.line ?? 0)) {
    for (const seal of page) {
      const from = before?.line ?? 0;
      const rows = await accounts.read<Row>({ sql: ROWS, args: [from, seal.line] });
      if (digestOf(before, rows) !== seal.digest) faults.push(describe(from, seal));
      isKnown ||= seal.line === externalHead?.line && seal.digest === externalHead.digest;
      before = seal;
    }
  }
  if (isKnown || !externalHead) return faults;
  const detail =
    'no seal of this ledger is that one: lines were changed since, and sealed again, or they are of another ledger';
  return [
    ...faults,
    { fault: 'the head that was kept is not of this ledger', subject: `line ${externalHead.line}`, detail },
  ];
}

type DatedSeal = Seal & { sealed_at: string };

const readSeals = (accounts: Database, after: number) => accounts.read<DatedSeal>({ sql: SEALS, args: [after] });

function describe(from: number, { line, sealed_at: at }: DatedSeal): LedgerFault {
  const detail = `changed, taken out or put in since ${at}, or their seal was`;
  return { fault: 'sealed lines are not as they were', subject: `lines ${from + 1} to ${line}`, detail };
}

/** A head in the form that an operator keeps: `LINE:DIGEST`. */
export const formatHead = ({ line, digest }: Seal): string => `${line}:${digest}`;

/** Parses the text of a head; null where it is not one. */
export function parseHead(text: string): Seal | null {
  const [, line, digest] = /^(\d{1,15}):([0-9a-f]{64})$/.exec(text.trim()) ?? [];
  return line && digest ? { line: Number(line), digest } : null;
}
