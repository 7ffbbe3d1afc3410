import { DAY_MS } from '../../../schema/config/clocks.ts';
import type { Database } from '../../../schema/db/interface.ts';
import { readSigned, type Seal, signText } from '../../../schema/text/signed.ts';
import type { Caller, Services } from '../../contract/operation.ts';
import { type ContractRow, LIST_START, type Position } from '../../reads/contracts.ts';
import { ID_OF } from '../filters/apply.ts';
import { badCursor } from '../shared/cursors.ts';

/** How long the following pages are free. */
const PAID_MS = DAY_MS;

/** The two inputs of every contract list. */
interface ListInput {
  limit: number;
  cursor?: string | undefined;
}

/** One call for a page of a contract list. */
interface ListCall {
  services: Services;
  caller: Caller;
  operation: string;
  input: ListInput;
}

interface ListPage {
  rows: ContractRow[];
  /** The cursor of the next page, where there is one. */
  next: { next_cursor?: string };
  /** The first page was paid for less than 24 hours ago. */
  paid: boolean;
}

/** What all contract lists do in the same way. */
interface PaidList {
  /** Refuses a cursor that this account did not get from this operation. @throws InvalidInput */
  check(input: ListInput, services: Services, caller: Caller): void;
  /** 0 for a page of a list that is already paid for. */
  creditsNeeded(input: ListInput, services: Services, caller: Caller): number;
  /**
   * One page of the contracts of `subject`, newest first, with the cursor of the next.
   * @throws InvalidInput for a cursor of another list.
   */
  readPage(call: Omit<ListCall, 'operation'>, subject: string, read: ReadRows): Promise<ListPage>;
}

type ReadRows = (catalogue: Database, subject: string, after: Position, limit: number) => Promise<ContractRow[]>;

/** The list of an operation on one kind of thing: its first page costs `credits`, further pages are free for 24 hours. */
export function makePaidList(operation: string, credits: number, kind: keyof typeof ID_OF): PaidList {
  const cursor = (input: ListInput, services: Services, caller: Caller) =>
    cursorOf({ services, caller, operation, input });
  return {
    check: (input, services, caller) => void cursor(input, services, caller),
    creditsNeeded: (input, services, caller) => (isPaid(cursor(input, services, caller), services) ? 0 : credits),
    readPage: (call, subject, read) => readPage({ ...call, operation, kind }, subject, read),
  };
}

/** Whether a cursor continues a paid list. */
function isPaid(cursor: ListCursor | null, { clocks }: Services): cursor is ListCursor {
  return cursor !== null && cursor.paidUntilMs > clocks.wallNow().getTime();
}

async function readPage(
  { kind, ...call }: ListCall & { kind: keyof typeof ID_OF },
  subject: string,
  read: ReadRows,
): Promise<ListPage> {
  const { services, input } = call;
  const cursor = cursorOf(call);
  // Its subject may have got another id since the page before.
  if (cursor && cursor.subject !== subject && (await ID_OF[kind](services.catalogue, cursor.subject)) !== subject)
    throw badCursor(input.cursor);
  const paid = isPaid(cursor, services);
  const rows = await read(services.catalogue, subject, cursor?.after ?? LIST_START, input.limit + 1);
  const page = rows.slice(0, input.limit);
  const last = page.at(-1);
  if (rows.length <= input.limit || !last) return { rows: page, next: {}, paid };
  const paidUntilMs = paid ? cursor.paidUntilMs : services.clocks.wallNow().getTime() + PAID_MS;
  const after = { date: last.sort_date, id: last.id };
  return { rows: page, next: { next_cursor: signCursor(call, { subject, after, paidUntilMs }) }, paid };
}

function cursorOf(call: ListCall): ListCursor | null {
  const { cursor } = call.input;
  if (cursor === undefined) return null;
  const payload = readSigned(sealOf(call), cursor);
  if (payload === null) throw badCursor(cursor);
  const fields = JSON.parse(Buffer.from(payload, 'base64url').toString()) as [string, string, string, number];
  const [subject, date, id, paidUntilMs] = fields;
  return { subject, after: { date, id }, paidUntilMs };
}

/** An opaque cursor that only this account can use, for this operation only. */
function signCursor(call: ListCall, { subject, after, paidUntilMs }: ListCursor): string {
  const fields = [subject, after.date, after.id, paidUntilMs];
  return signText(sealOf(call), Buffer.from(JSON.stringify(fields)).toString('base64url'));
}

function sealOf({ services, caller, operation }: ListCall): Seal {
  return { secret: services.secret, purpose: ['list-cursor', caller.accountId, operation] };
}

/** The position in a paid list, and until when its further pages are free. */
interface ListCursor {
  /** The company or buyer of the list. */
  subject: string;
  after: Position;
  /** Milliseconds since the epoch, on the wall clock. */
  paidUntilMs: number;
}
