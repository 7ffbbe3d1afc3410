import type { Statement } from '../../schema/db/interface.ts';
import { sha256 } from '../../schema/text/json-values.ts';

/** Bytes that could not be read, and why. */
export interface Quarantined {
  kind: 'page' | 'release' | 'row';
  reason: string;
  /** The address asked, without credentials. */
  url: string;
  recordId?: string | undefined;
  bytes: Uint8Array;
  /** They speak of something that was taken down: the record is kept without them. */
  isTakenDown?: boolean;
}

const KEEP = `INSERT INTO quarantine (source, kind, reason, url, record_id, sha256, bytes, first_seen_at, last_seen_at)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
ON CONFLICT (source, sha256, reason) DO UPDATE SET
  last_seen_at = excluded.last_seen_at, sightings = sightings + 1, bytes = coalesce(bytes, excluded.bytes),
  state = CASE WHEN excluded.bytes IS NULL THEN state ELSE 'held' END`;
const COUNT = `UPDATE source SET quarantined =
  (SELECT count(*) FROM quarantine q WHERE q.source = source.id AND q.state = 'held') WHERE id = ?`;

/** Keeps what could not be read; the same bytes for the same reason are one row with one more sighting, held again. */
export function quarantineStatements(source: string, quarantined: readonly Quarantined[], seenAt: string): Statement[] {
  if (quarantined.length === 0) return [];
  const kept = quarantined.map(({ kind, reason, url, recordId, bytes, isTakenDown }) => ({
    sql: KEEP,
    args: [source, kind, reason, url, recordId ?? null, sha256(bytes), isTakenDown ? null : bytes, seenAt, seenAt],
  }));
  return [...kept, { sql: COUNT, args: [source] }];
}

/** What was held has been read and stored: the row stays, without its bytes, as resolved. */
export function resolveStatements(source: string, id: number): Statement[] {
  return [
    { sql: "UPDATE quarantine SET state = 'resolved', bytes = NULL WHERE id = ?", args: [id] },
    { sql: COUNT, args: [source] },
  ];
}
