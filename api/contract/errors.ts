import type { Settings } from '../../schema/config/settings.ts';
import { DatabaseAway, DatabaseBusy, DatabaseFault, OutcomeUnknown } from '../../schema/db/interface.ts';
import { BadCursor, IndexOutdated, SearchUnavailable } from '../../search/engine.ts';
import { type NameCall, nameCalls } from './operation.ts';

/** The answer to a call over REST or MCP: a status and JSON text. */
export interface Answer {
  status: number;
  body: string;
  /** What is sent instead of the text, where it is kept in the encoding that `headers` names. */
  bytes?: Buffer;
  headers?: Record<string, string>;
  /** True for a remembered answer that was returned again. */
  replayed?: boolean;
  /** Credits debited for it. */
  charged?: number;
}

/** A refused call, with everything in its answer. Never charged. */
export class Refusal extends Error {
  override name = 'Refusal';
  readonly status: number;
  readonly code: string;
  readonly fields: Record<string, unknown>;
  readonly headers: Record<string, string>;

  constructor(
    status: number,
    code: string,
    message: string,
    extra: { fields?: Record<string, unknown>; headers?: Record<string, string> } = {},
  ) {
    super(message);
    this.status = status;
    this.code = code;
    this.fields = extra.fields ?? {};
    this.headers = extra.headers ?? {};
  }
}

/** A request that is invalid: 422 with its details. */
export class Invalid extends Refusal {
  override name = 'Invalid';

  constructor(details: Detail[]) {
    const detail = boundDetails(details);
    super(422, 'invalid', detail.map(({ msg }) => msg).join('; '), { fields: { detail } });
  }
}

/** An Idempotency-Key was used for a different request. The call adds where the key came from. */
export class KeyReused extends Error {
  override name = 'KeyReused';
}

/** An Idempotency-Key has no answer any more. The call adds where the key came from. */
export class KeyExpired extends Error {
  override name = 'KeyExpired';
}

/** 401 for a key that does not work, whatever the reason. */
export function invalidKey(message: string): Refusal {
  return new Refusal(401, 'invalid_api_key', message, {
    headers: { 'WWW-Authenticate': 'Bearer error="invalid_token"' },
  });
}

/** Where a named input came from: `query`, `path`, `body` or `arguments`. */
export type Locate = (name: string) => string;

/** The faults that an operation found, as details for the call's transport. */
export function toDetails(faults: readonly InputFault[], locate: Locate): Detail[] {
  return faults.map(({ path, place, msg, type, input, ctx }) => ({
    loc: [place ?? locate(String(path[0] ?? '')), ...path],
    msg,
    type,
    ...(input === undefined ? {} : { input }),
    ...(ctx === undefined ? {} : { ctx }),
  }));
}

const UNAVAILABLE = 'The service cannot answer this just now. Nothing was charged; try again in a moment.';
const OUTDATED =
  'The search index is being rebuilt after an upgrade, and lacks a filter or facet of this request until then. Nothing was charged; leave that out, or try again later.';
/** What became of a debit is not known. */
export const UNSURE =
  'The service cannot say whether this call was charged. With an Idempotency-Key, ask again: it is never charged twice.';
const INTERNAL =
  'Something went wrong on our side. Nothing was charged; please quote the request_id when you report it.';

/** Seconds after which a retry makes sense if the request is not at fault; null for any other error. */
export function findRetryAfter(error: unknown): number | null {
  if (error instanceof IndexOutdated) return 60;
  if (error instanceof DatabaseBusy || error instanceof OutcomeUnknown || error instanceof SearchUnavailable) return 1;
  if (error instanceof DatabaseAway) return 2;
  // A full disk or a lost mount needs the operator.
  return error instanceof DatabaseFault ? 30 : null;
}

/** Any thrown value as a refusal. The message of an unknown error is not revealed. */
export function toRefusal(error: unknown, locate: Locate = () => 'query'): Refusal {
  if (error instanceof Refusal) return error;
  if (error instanceof InvalidInput) return new Invalid(toDetails(error.faults, locate));
  if (error instanceof BadCursor) {
    const msg = 'This cursor does not belong to this query. Start again without a cursor.';
    return new Invalid([{ loc: [locate('cursor'), 'cursor'], msg, type: 'value_error' }]);
  }
  const retryAfterSeconds = findRetryAfter(error);
  if (retryAfterSeconds !== null) {
    const said = error instanceof IndexOutdated ? OUTDATED : UNAVAILABLE;
    const message = error instanceof OutcomeUnknown ? UNSURE : said;
    return new Refusal(503, 'unavailable', message, { headers: { 'Retry-After': String(retryAfterSeconds) } });
  }
  return new Refusal(500, 'internal_error', INTERNAL);
}

/** Whether an operator must see a refusal: a busy moment passes by itself, a full disk does not. */
export function isForOperator(error: unknown, { status }: Refusal): boolean {
  return status === 500 || error instanceof DatabaseFault || error instanceof OutcomeUnknown;
}

/** The one error shape: 422 has `detail` alone, everything else `error`, `message` and `request_id`. Calls are named as `nameCall` has it. */
export function toAnswer(refusal: Refusal, requestId: string, nameCall: NameCall = () => undefined): Answer {
  const { status, code, message, fields, headers } = refusal;
  const body =
    status === 422
      ? { detail: (fields.detail as Detail[]).map((one) => ({ ...one, msg: nameCalls(one.msg, nameCall) })) }
      : { error: code, ...fields, message: nameCalls(message, nameCall), request_id: requestId };
  return { status, body: JSON.stringify(body), headers };
}

/** Where a customer buys credits, or learns how to request them. */
export function topUpUrl(settings: Pick<Settings, 'APP_URL'>): string {
  return `${settings.APP_URL}/dashboard/top-up`;
}

/** One reason why a call is refused with 422. The transport adds where the input came from: `query`, `path`, `body` or `arguments`. */
export interface InputFault {
  /** The input's name, and the path below it. */
  path: readonly (string | number)[];
  /** Where it was sent, if that is not where the input belongs. */
  place?: string;
  msg: string;
  /** As zod and pydantic name them: `missing`, `value_error`, `literal_error`, `extra_forbidden`… */
  type: string;
  input?: unknown;
  ctx?: Record<string, unknown>;
}

/** Inputs that are valid one by one but cannot be answered together. A 422, never charged. */
export class InvalidInput extends Error {
  override name = 'InvalidInput';
  readonly faults: readonly InputFault[];

  constructor(...faults: InputFault[]) {
    super(faults.map((fault) => `${fault.path.join('.')}: ${fault.msg}`).join('; '));
    this.faults = faults;
  }
}

/** One entry of a 422 body, in the form that pydantic made common. */
export interface Detail {
  loc: (string | number)[];
  msg: string;
  type: string;
  input?: unknown;
  ctx?: Record<string, unknown>;
}

/** MCP sends a body twice, the second time with escaped quotes: three times this size is still less than 16 kB. */
const DETAILS_BYTES = 5_000;
const LOC_CHARS = 100;
const MSG_CHARS = 1_500;
const INPUT_CHARS = 200;
/** Half of a surrogate pair, at a cut. */
const HALF = /[\ud800-\udbff]$/;

/** Details as they are sent: the caller's input is repeated only in part, and the last entry counts those that are left out. */
function boundDetails(details: readonly Detail[]): Detail[] {
  const listed: Detail[] = [];
  let bytes = 0;
  for (const detail of details) {
    const short = shortenDetail(detail);
    bytes += Buffer.byteLength(JSON.stringify(short));
    if (bytes > DETAILS_BYTES && listed.length > 0) break;
    listed.push(short);
  }
  const more = details.length - listed.length;
  if (more === 0) return listed;
  const loc = details[listed.length]?.loc.slice(0, 1) ?? [];
  return [...listed, { loc, msg: `${more} more inputs are wrong`, type: 'value_error' }];
}

function shortenDetail({ loc, msg, input, ...rest }: Detail): Detail {
  return {
    loc: loc.map((part) => (typeof part === 'string' ? beginning(part, LOC_CHARS) : part)),
    msg: beginning(msg, MSG_CHARS),
    ...rest,
    ...(typeof input === 'string' && { input: beginning(input, INPUT_CHARS) }),
    ...((typeof input === 'number' || typeof input === 'boolean') && { input }),
  };
}

/** The beginning of a text, without half of a character. */
export function beginning(text: string, mostChars: number): string {
  return text.length > mostChars ? text.slice(0, mostChars).replace(HALF, '') : text;
}
