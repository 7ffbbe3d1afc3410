import { NO_FILE } from '../access/signed.ts';
import { type JsonSchema, refersTo } from '../answer/published-schema.ts';
import { ERRORS, exampleOf, type KnownError } from '../contract/error-list.ts';
import { type Example, REFUSAL_EXAMPLES } from './examples.ts';

const text = (description?: string): JsonSchema => ({ type: 'string', ...(description ? { description } : {}) });

const refusal = (code: JsonSchema, more: Record<string, JsonSchema> = {}): JsonSchema => ({
  type: 'object',
  properties: { error: code, ...more, message: text('For a person to read'), request_id: text('As in X-Request-Id') },
  required: ['error', ...Object.keys(more), 'message', 'request_id'],
});

const detail: JsonSchema = {
  type: 'object',
  properties: {
    loc: { type: 'array', items: { anyOf: [{ type: 'string' }, { type: 'integer' }] } },
    msg: text(),
    type: text('missing, extra_forbidden, int_parsing, literal_error, idempotency_key_reused…'),
    input: { description: 'What was sent' },
    ctx: { type: 'object' },
  },
  required: ['loc', 'msg', 'type'],
};

/** The value of `error` in a body without further fields. */
const CODES = ERRORS.filter(({ fields }) => !fields).map(({ code }) => code);

/** The bodies of every refusal, shared by all operations. */
export const ERROR_SCHEMAS: Record<string, JsonSchema> = {
  Error: refusal({ $ref: refersTo('ErrorCode') }),
  // Inline, generated Rust would call its words Error too.
  ErrorCode: { type: 'string', enum: CODES },
  NoFile: refusal({ type: 'string', const: 'not_found' }),
  ValidationErrorDetail: detail,
  ValidationError: {
    type: 'object',
    properties: { detail: { type: 'array', items: { $ref: refersTo('ValidationErrorDetail') } } },
    required: ['detail'],
  },
  NotEnoughCredits: refusal(
    { type: 'string', enum: ['insufficient_credits', 'key_cap_reached'] },
    {
      action: text('The operation'),
      required: { type: 'integer' },
      balance: { type: 'integer' },
      top_up_url: { type: 'string', format: 'uri' },
    },
  ),
  NotFound: withCandidates(
    refusal(
      { type: 'string', const: 'not_found' },
      { credits_charged: { type: 'integer', const: 0 }, credits_remaining: { type: 'integer' } },
    ),
  ),
};

function withCandidates(schema: JsonSchema): JsonSchema {
  const candidates = { type: 'array', items: { $ref: refersTo('Candidate') }, description: 'Near names, at most 5' };
  return { ...schema, properties: { ...schema.properties, candidates } };
}

interface Response {
  description: string;
  headers?: Record<string, unknown>;
  schema: string;
  /** The source of its examples: the known refusals with this status. */
  status: number;
  /** Some of them, where several responses share the status. */
  codes?: readonly string[];
}

const RETRY = {
  'Retry-After': { description: 'The seconds to wait before the next try', schema: { type: 'integer' } },
};
const CHALLENGE = { 'WWW-Authenticate': { description: 'How to send the key: Bearer', schema: { type: 'string' } } };

const error = (status: number, description: string, headers?: Record<string, unknown>): Response => ({
  description,
  ...(headers ? { headers } : {}),
  schema: 'Error',
  status,
});

const RESPONSES = {
  Unauthorized: error(401, 'No key, or one that does not work', CHALLENGE),
  NotEnoughCredits: {
    ...error(402, 'Not enough credits for the full price, or the key spent its monthly cap; nothing was charged'),
    schema: 'NotEnoughCredits',
  },
  NotFound: { ...error(404, 'Nothing found; nothing was charged'), schema: 'NotFound' },
  BadLink: error(403, 'The download address is not one of ours, or has expired'),
  NoFile: { ...error(404, 'There is no such file'), schema: 'NoFile' },
  OtherFile: error(412, 'The file is not the one that If-Match names'),
  BadRange: error(416, 'The file ends before this range begins'),
  InFlight: {
    ...error(409, 'The first call with this Idempotency-Key is still running', RETRY),
    codes: ['idempotency_in_flight'],
  },
  Conflict: {
    ...error(409, 'How the watch or its delivery stands does not allow it; nothing was changed'),
    codes: ['too_many_watches', 'not_kept', 'paused_by_operator'],
  },
  CursorExpired: error(410, 'The cursor is ahead of the data: start again without it; nothing was charged'),
  TooLarge: error(413, 'The body is larger than 100 kB'),
  TooLong: error(414, 'The address is longer than 8 kB'),
  UnsupportedMediaType: error(415, 'The body is not application/json'),
  Invalid: { ...error(422, 'The request is invalid; nothing was charged'), schema: 'ValidationError' },
  TooManyRequests: error(429, 'Too many requests; nothing was charged', RETRY),
  InternalError: error(500, 'A fault of ours; nothing was charged'),
  Unavailable: error(503, 'Not available just now; nothing was charged', RETRY),
};

/** The refusal of a missing file does not mention credits: its address needs no key. */
const GONE: KnownError = {
  code: 'not_found',
  status: 404,
  meaning: 'The file has expired, or there never was one.',
  remedy: '',
  message: NO_FILE,
};

/** Every refusal by its name, with its examples, as a component that operations refer to. */
export function errorResponses(topUpUrl: string): Record<string, object> {
  const entries = Object.entries<Response>(RESPONSES).map(([name, { schema, status, codes, ...response }]) => {
    const isExample = (one: KnownError) =>
      one.status === status && (codes?.includes(one.code) ?? true) && isOfOperation(one);
    const known = name === 'NoFile' ? [GONE] : ERRORS.filter(isExample);
    const examples: Record<string, Example> = {};
    for (const one of known) examples[one.code] = { summary: one.meaning, value: exampleOf(one, topUpUrl) };
    const helpful = REFUSAL_EXAMPLES[name];
    if (helpful) examples.sample = helpful;
    return [name, { ...response, content: { 'application/json': { schema: { $ref: refersTo(schema) }, examples } } }];
  });
  return Object.fromEntries(entries);
}

/** An unknown address has no operation. */
function isOfOperation({ code }: KnownError): boolean {
  return code !== 'no_such_route';
}
