import { readSigned, type Seal, signText } from '../../access/signed.ts';
import { InvalidInput } from '../../contract/errors.ts';
import type { Caller, Services } from '../../contract/operation.ts';
import type { ContractRow } from '../../reads/contracts.ts';
import { LIST_START, type Position } from '../../reads/contracts.ts';

/** How long the pages after the first are free. */
const PAID_MS = 24 * 3_600_000;

/** The two inputs of every contract list. */
export interface ListInput {
  limit: number;
  cursor?: string | undefined;
}

/** One call for a page of a contract list. */
export interface ListCall {
  services: Services;
  caller: Caller;
  operation: string;
  input: ListInput;
}

export interface ListPage {
  rows: ContractRow[];
  nextCursor: string | null;
  /** The first page was paid for less than 24 hours ago. */
  paid: boolean;
}

/** Refuses a cursor that this account did not get from this operation. @throws InvalidInput */
export function checkListCursor(call: ListCall): void {
  if (call.input.cursor !== undefined) cursorOf(call);
}

/** Whether the call continues a list that was paid for. */
export function isPaidPage(call: ListCall): boolean {
  const cursor = cursorOf(call);
  return cursor !== null && cursor.paidUntilMs > call.services.clocks.wallNow().getTime();
}

/**
 * One page of the contracts of `subject`, newest first, with the cursor of the next.
 * @throws InvalidInput for a cursor of another list.
 */
export async function takePage(
  call: ListCall,
  subject: string,
  read: (after: Position, limit: number) => Promise<ContractRow[]>,
): Promise<ListPage> {
  const { services, input } = call;
  const cursor = cursorOf(call);
  if (cursor && cursor.subject !== subject) throw badCursor(input.cursor);
  const paid = isPaidPage(call);
  const rows = await read(cursor?.after ?? LIST_START, input.limit + 1);
  const page = rows.slice(0, input.limit);
  const last = page.at(-1);
  if (rows.length <= input.limit || !last) return { rows: page, nextCursor: null, paid };
  const paidUntilMs = paid && cursor ? cursor.paidUntilMs : services.clocks.wallNow().getTime() + PAID_MS;
  const after = { date: last.sort_date, id: last.id };
  return { rows: page, nextCursor: signListCursor(scopeOf(call), { subject, after, paidUntilMs }), paid };
}

function cursorOf(call: ListCall): ListCursor | null {
  const { cursor } = call.input;
  if (cursor === undefined) return null;
  const parsed = parseListCursor(scopeOf(call), cursor);
  if (!parsed) throw badCursor(cursor);
  return parsed;
}

function scopeOf({ services, caller, operation }: ListCall) {
  return { secret: services.secret, accountId: caller.accountId, operation };
}

function badCursor(cursor: string | undefined): InvalidInput {
  return new InvalidInput({
    path: ['cursor'],
    msg: 'not a cursor of this list; use next_cursor of the page before, or leave it out for the first page',
    type: 'value_error',
    input: cursor,
  });
}

/** The position in a paid list, and until when its further pages are free. */
export interface ListCursor {
  /** The company or buyer whose list it is. */
  subject: string;
  after: Position;
  /** Milliseconds since the epoch, on the wall clock. */
  paidUntilMs: number;
}

/** Who paid for which list. It is signed with the cursor but not part of its text. */
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
