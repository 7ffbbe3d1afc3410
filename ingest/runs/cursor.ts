import type { Database, Statement } from '../../schema/db/interface.ts';

/** How far an edition has been applied: `2026-11-01` when whole, `2026-11-01 3/7` after three of seven files. */
export interface EditionCursor {
  date: string;
  done: number;
  of: number;
  whole: boolean;
}

/** How far a source was read, as it was stored; null where it never was. */
export async function readCursor(catalogue: Database, source: string): Promise<string | null> {
  const rows = await catalogue.read<{ value: string }>({
    sql: 'SELECT value FROM cursor WHERE source = ?',
    args: [source],
  });
  return rows[0]?.value ?? null;
}

/**
 * Moves a cursor forward, never back, and with it the instant before which everything is held. It never passes the
 * clock (`at`), which may have been put back since the span was chosen.
 */
export function moveCursorStatements(source: string, until: string, at: string): Statement[] {
  const value = until < at ? until : at;
  return [
    {
      sql: 'UPDATE source SET as_of = max(coalesce(as_of, ?1), ?1) WHERE id = ?2',
      args: [value, source],
    },
    {
      sql: `INSERT INTO cursor (source, value, updated_at) VALUES (?, ?, ?) ON CONFLICT (source) DO UPDATE
        SET value = max(cursor.value, excluded.value), updated_at = excluded.updated_at`,
      args: [source, value, at],
    },
  ];
}

/** The cursor of an edition; it may go back from `done/of` to a plain date, which is the later of the two. */
export function editionCursorStatement(source: string, value: string, at: string): Statement {
  return {
    sql: `INSERT INTO cursor (source, value, updated_at) VALUES (?, ?, ?)
      ON CONFLICT (source) DO UPDATE SET value = excluded.value, updated_at = excluded.updated_at`,
    args: [source, value, at],
  };
}

/** Reads a register's cursor. @throws Error for text that is none. */
export function parseEditionCursor(value: string): EditionCursor {
  const match = /^(\d{4}-\d{2}-\d{2})(?: (\d+)\/(\d+))?$/.exec(value);
  if (!match) throw new Error(`not an edition cursor: ${value}`);
  return {
    date: match[1] ?? '',
    done: Number(match[2] ?? 0),
    of: Number(match[3] ?? 0),
    whole: match[2] === undefined,
  };
}
