import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Position } from '../../reads/rows.ts';

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

/** Bytes of the signature kept: 128 bits. */
const SIGNATURE_BYTES = 16;

/** An opaque cursor that only this account can use, for this operation alone. */
export function signListCursor(scope: CursorScope, cursor: ListCursor): string {
  const payload = Buffer.from(
    JSON.stringify([cursor.subject, cursor.after.date, cursor.after.id, cursor.paidUntilMs]),
  ).toString('base64url');
  return `${payload}.${signature(scope, payload).toString('base64url')}`;
}

/** The cursor behind its text, or null where it was not signed for this account and operation. */
export function parseListCursor(scope: CursorScope, text: string): ListCursor | null {
  const [payload = '', signed = ''] = text.split('.');
  const given = Buffer.from(signed, 'base64url');
  if (given.length !== SIGNATURE_BYTES || !timingSafeEqual(given, signature(scope, payload))) return null;
  const [subject, date, id, paidUntilMs] = JSON.parse(Buffer.from(payload, 'base64url').toString()) as [
    string,
    string,
    string,
    number,
  ];
  return { subject, after: { date, id }, paidUntilMs };
}

function signature({ secret, accountId, operation }: CursorScope, payload: string): Buffer {
  return createHmac('sha256', secret)
    .update(JSON.stringify(['list-cursor', accountId, operation, payload]))
    .digest()
    .subarray(0, SIGNATURE_BYTES);
}
