import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { CHANGE_KINDS, type ChangeKind } from '../../schema/catalogue/changes/kinds.ts';
import { CREATE_TRIGGERS, ENTRY_COLUMNS, entryValues } from '../../schema/catalogue/changes/triggers.ts';
import type { Database, Statement } from '../../schema/db/interface.ts';
import { nameContractsStatement, ownerStatements, touchAgainStatements, touchOwners } from './owners.ts';
import type { ReconciledTo } from './tables.ts';

const CHUNK_ROWS = 5_000;

/**
 * Copies the live generation's log into the new one, and adds an entry for each reconciled row that differs, in chunks.
 * @param first the `seq` before the first batch of the new generation; that of an unchanged row is lower
 */
export async function reconcileLog(
  target: Database,
  first: number,
  mark: ReconciledTo,
  signal?: AbortSignal,
): Promise<void> {
  // Rows above the mark are reconciled in the last batch.
  await touchOwners(target, { first, seq: String(mark.built) }, signal);
  for (const kind of CHANGE_KINDS) {
    for (const statement of [copyEntries(kind, first, CHUNK_ROWS), addEntries(kind, first, CHUNK_ROWS)]) {
      for (let rows = CHUNK_ROWS; rows === CHUNK_ROWS; ) {
        signal?.throwIfAborted();
        const [outcome] = await target.write([statement]);
        rows = outcome?.changes ?? 0;
        await yieldToEventLoop();
      }
    }
  }
  await target.write([nameContractsStatement(first)]);
}

/**
 * The same for the last batch: log entries for changes of either generation since. They follow the statements that
 * reconcile the rows. Every difference becomes visible at that instant; from then on, triggers write the log.
 */
export function reconcileChangedLogStatements(first: number, mark: ReconciledTo): Statement[] {
  const numbers = { first, seq: "(SELECT value FROM main.counter WHERE name = 'seq')" };
  return [
    ...ownerStatements(`n.id IN (${changedSql('contract')})`, [mark.built, mark.live], numbers),
    ...touchAgainStatements(numbers),
    ...CHANGE_KINDS.flatMap((kind) => [
      copyEntries(kind, first),
      {
        sql: `DELETE FROM main.change WHERE kind = '${kind}' AND seq > ? AND id IN (${changedSql(kind)})`,
        args: [first, mark.built, mark.live],
      },
      entriesOf(kind, `n.id IN (${changedSql(kind)}) AND n.seq > ?`, [mark.built, mark.live, first]),
    ]),
    nameContractsStatement(first),
    { sql: 'INSERT OR IGNORE INTO main.lost_contract SELECT * FROM live.lost_contract' },
    { sql: 'DELETE FROM main.change_instant' },
    { sql: 'INSERT INTO main.change_instant (seq, at) SELECT seq, at FROM live.change_instant' },
    {
      sql: "INSERT INTO main.change_instant (seq, at) SELECT value, unixepoch() FROM main.counter WHERE name = 'seq'",
    },
    ...CREATE_TRIGGERS,
  ];
}

/** Ids of a kind that changed in either database since a position in its log. */
const changedSql = (kind: ChangeKind) =>
  `SELECT id FROM main.${kind} WHERE seq > ? UNION SELECT id FROM live.${kind} WHERE seq > ?`;

/** The position of the last entry of a kind that meets a condition. Copying continues there, even within a `seq`. */
function lastEntry(kind: ChangeKind, condition: string): string {
  const last = (column: string) =>
    `(SELECT ${column} FROM main.change WHERE kind = '${kind}' AND ${condition} ORDER BY seq DESC, id DESC LIMIT 1)`;
  return `(coalesce(${last('seq')}, ?1), coalesce(${last('id')}, ''))`;
}

function copyEntries(kind: ChangeKind, first: number, rows = -1): Statement {
  return {
    sql: `INSERT INTO main.change (${ENTRY_COLUMNS}) SELECT ${ENTRY_COLUMNS} FROM live.change
      WHERE kind = '${kind}' AND (seq, id) > ${lastEntry(kind, 'seq <= ?2')} ORDER BY seq, id LIMIT ${rows}`,
    args: [-1, first],
  };
}

function addEntries(kind: ChangeKind, first: number, rows: number): Statement {
  return entriesOf(kind, `(n.seq, n.id) > ${lastEntry(kind, 'seq > ?1')} ORDER BY n.seq, n.id LIMIT ${rows}`, [first]);
}

/** Adds entries for rows of the new generation that differ from the live one, except rows that are gone or absent in both. */
function entriesOf(kind: ChangeKind, condition: string, args: number[]): Statement {
  return {
    sql: `INSERT INTO main.change (${ENTRY_COLUMNS}) SELECT ${entryValues(kind, { old: 'o', now: 'n' })}
      FROM main.${kind} n LEFT JOIN live.${kind} o ON o.id = n.id
      WHERE (n.gone = 0 OR o.gone = 0) AND ${condition}`,
    args,
  };
}
