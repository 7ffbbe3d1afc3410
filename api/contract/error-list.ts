/** One refusal as its page describes it. */
export interface KnownError {
  /** The value of `error`, and the anchor; `invalid` is the 422 that has only `detail`. */
  code: string;
  status: number;
  meaning: string;
  remedy: string;
  /** The message of an example that the running code produces, and the other fields of its body. */
  message: string;
  fields?: Record<string, unknown>;
}

/** The refusals of REST and of downloads, by status. Those of malformed HTTP, of headers that are too long and of MCP alone are not among them. */
export const ERRORS: readonly KnownError[] = [
  {
    code: 'missing_api_key',
    status: 401,
    meaning: 'The call came without a key.',
    remedy: 'Send the header Authorization: Bearer and your key.',
    message: 'Send your API key in the header: Authorization: Bearer <API_KEY>.',
  },
  {
    code: 'invalid_api_key',
    status: 401,
    meaning: 'The key is unknown, revoked, expired or mistyped.',
    remedy: 'Check on your account page whether it is in use, or create another there.',
    message: 'This API key is not known.',
  },
  {
    code: 'insufficient_credits',
    status: 402,
    meaning: 'The balance is below the full price. Nothing was done or charged.',
    remedy: 'Top up at top_up_url and call again, with the same Idempotency-Key if you sent one.',
    message: 'This call costs 20 credits and the balance is 12. Nothing was charged. Top up at TOP_UP_URL',
    fields: { action: 'buyer_profile', required: 20, balance: 12, top_up_url: 'TOP_UP_URL' },
  },
  {
    code: 'key_cap_reached',
    status: 402,
    meaning: 'The call would take the key over its monthly cap. Nothing was done or charged.',
    remedy:
      'Use a key with a higher cap or none. What a key spent is counted from 0 again on the first of each month (UTC).',
    message: 'This key may spend 10 credits a month and has spent 0; this call costs 20.',
    fields: { action: 'buyer_profile', required: 20, balance: 250, top_up_url: 'TOP_UP_URL' },
  },
  {
    code: 'invalid_signature',
    status: 403,
    meaning: 'A download address was cut or changed.',
    remedy: 'Use the whole download_url of GET /v1/exports/{export_id}.',
    message: 'This download address is not one of ours; GET /v1/exports/{export_id} gives it whole.',
  },
  {
    code: 'link_expired',
    status: 403,
    meaning: 'A download address was kept for too long.',
    remedy: 'Get a fresh one from GET /v1/exports/{export_id}, free.',
    message: 'This download address has expired; GET /v1/exports/{export_id} gives a fresh one.',
  },
  {
    code: 'not_found',
    status: 404,
    meaning: 'Nothing is held under this id or name. Nothing was charged.',
    remedy: 'Look at candidates where there are any: the near names with their ids.',
    message:
      'no notice, contract or ocid 000000-2000 is held; GET /v1/notices/search finds the ids of notices by words',
    fields: { credits_charged: 0, credits_remaining: 250 },
  },
  {
    code: 'no_such_route',
    status: 404,
    meaning: 'There is nothing at this address.',
    remedy: 'Compare it with the reference; paths begin with /v1.',
    message: 'There is nothing at this address. The operations are listed in /openapi.json.',
  },
  {
    code: 'method_not_allowed',
    status: 405,
    meaning: 'The address exists, but not for this method.',
    remedy: 'Use the method that the header Allow names.',
    message: 'This address answers GET and HEAD only.',
  },
  {
    code: 'idempotency_in_flight',
    status: 409,
    meaning: 'The first call with this Idempotency-Key is still running.',
    remedy: 'Ask again after Retry-After, with the same key.',
    message: 'The first call with this Idempotency-Key is still running; ask again in a moment.',
  },
  {
    code: 'too_many_watches',
    status: 409,
    meaning: 'The account has as many watches as it may have.',
    remedy: 'Delete a watch first.',
    message: 'An account may have 100 watches; delete one first.',
  },
  {
    code: 'not_kept',
    status: 409,
    meaning: 'The content of a delivery is no longer kept, or it was dropped.',
    remedy: 'Read what changed since from /v1/changes.',
    message:
      'This delivery cannot be sent again: its content was dropped, or is older than the 7 days for which it is kept.',
  },
  {
    code: 'paused_by_operator',
    status: 409,
    meaning: 'The operator of this service paused the watch.',
    remedy: 'Ask the operator; the watch then continues where it stood.',
    message: 'The operator of this service paused this watch, and only they can resume it; nothing was changed.',
  },
  {
    code: 'cursor_expired',
    status: 410,
    meaning:
      "The cursor of /v1/changes is ahead of the data, which was restored from a backup, or an id in the filters has become another's since. Nothing was charged.",
    remedy: 'Start again without since; a copy is filled again from the beginning.',
    message: 'This cursor is ahead of the data, which was restored from a backup; start again without since.',
  },
  {
    code: 'precondition_failed',
    status: 412,
    meaning: 'The file of a download is not the one that If-Match names.',
    remedy: 'Download it whole: the export states the sha256 of what it holds now.',
    message: 'The file is not the one that If-Match names.',
  },
  {
    code: 'body_too_large',
    status: 413,
    meaning: 'The body is larger than any call needs.',
    remedy: 'Send the inputs alone.',
    message: 'The body is larger than 100 kB.',
  },
  {
    code: 'url_too_long',
    status: 414,
    meaning: 'The address is longer than any call needs.',
    remedy: 'Shorten the query.',
    message: 'The address is longer than 8192 bytes.',
  },
  {
    code: 'unsupported_media_type',
    status: 415,
    meaning: 'The body is not JSON.',
    remedy: 'Send it with Content-Type: application/json, uncompressed.',
    message: 'Send the body as application/json.',
  },
  {
    code: 'range_not_satisfiable',
    status: 416,
    meaning: 'The range of a download begins after the end of the file.',
    remedy: 'Ask for a range below the size that bytes in the export states.',
    message: 'The file ends before this range begins.',
  },
  {
    code: 'invalid',
    status: 422,
    meaning: 'An input is missing, unknown or of the wrong kind. loc says where, type which fault, msg what to send.',
    remedy:
      'Correct what loc names. An Idempotency-Key that was used for another request (idempotency_key_reused) or whose answer is no longer kept (idempotency_key_expired) is refused here too: use a new one.',
    message: '',
    fields: { detail: [{ loc: ['query', 'name'], msg: 'Field required', type: 'missing' }] },
  },
  {
    code: 'rate_limited',
    status: 429,
    meaning: 'Too many requests in this minute, or deliveries of watches in this hour. Nothing was charged.',
    remedy: 'Wait for as many seconds as Retry-After says.',
    message: 'Too many requests. Try again in 12 s; nothing was charged.',
  },
  {
    code: 'internal_error',
    status: 500,
    meaning: 'Something failed on our side. Nothing was charged.',
    remedy: 'Quote the request_id when you report it.',
    message: 'Something went wrong on our side. Nothing was charged; please quote the request_id when you report it.',
  },
  {
    code: 'unavailable',
    status: 503,
    meaning: 'A part of the service is away for a moment.',
    remedy: 'Ask again after Retry-After; with an Idempotency-Key it is never charged twice.',
    message: 'The service cannot answer this just now. Nothing was charged; try again in a moment.',
  },
];

const REQUEST_ID = '0c7b1f4e-5a53-4b0e-9d0e-3f6f1a2b7c88';

/** The body of its example: 422 has `detail` alone, every other the same four parts. */
export function exampleOf({ code, status, message, fields }: KnownError, topUpUrl: string): Record<string, unknown> {
  const body = status === 422 ? fields : { error: code, ...fields, message, request_id: REQUEST_ID };
  return JSON.parse(JSON.stringify(body).replaceAll('TOP_UP_URL', topUpUrl));
}
