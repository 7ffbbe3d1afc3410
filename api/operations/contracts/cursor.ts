import { readSigned, type Seal, signText } from '../../access/signed-text.ts';
import type { Position } from '../../reads/compiled-query.ts';

/** Where a paid list stands, and until when its further pages are free. */
export interface ListCursor {
  /** The company or buyer whose list it is. */
  subject: string;
  after: Position;
  /** Milliseconds since the epoch, on the wall clock. */
  paidUntilMs: number;
}

/** Who paid for what. Signed with the cursor and not repeated in it. */
export interface CursorScope {
  secret: string;
  accountId: string;
  operation: string;
}

/** An opaque cursor that only this account can use, for this operation alone. */
export function signListCursor(scope: CursorScope, cursor: ListCursor): string {
  const fields = [cursor.subject, cursor.after.date, cursor.after.id, cursor.paidUntilMs];
  return signText(sealOf(scope), Buffer.from(JSON.stringify(fields)).toString('base64url'));
}

/** The cursor behind its text, or null where it was not signed for this account and operation. */
export function parseListCursor(scope: CursorScope, text: string): ListCursor | null {
  const payload = readSigned(sealOf(scope), text);
  if (payload === null) return null;
  const [subject, date, id, paidUntilMs] = JSON.parse(Buffer.from(payload, 'base64url').toString()) as [
    string,
    string,
    string,
    number,
  ];
  return { subject, after: { date, id }, paidUntilMs };
}

function sealOf({ secret, accountId, operation }: CursorScope): Seal {
  return { secret, purpose: ['list-cursor', accountId, operation] };
}
