import { type JsonSchema, refersTo } from './published.ts';

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

/** The bodies of every refusal, shared by all operations. */
export const ERROR_SCHEMAS: Record<string, JsonSchema> = {
  Error: refusal(text()),
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
  content: { 'application/json': { schema: { $ref: string } } };
}

const response = (description: string, schema: string, headers?: Record<string, unknown>): Response => ({
  description,
  ...(headers ? { headers } : {}),
  content: { 'application/json': { schema: { $ref: refersTo(schema) } } },
});

const RETRY = { 'Retry-After': { description: 'Seconds', schema: { type: 'integer' } } };

/** Every refusal by its name, as a component that operations refer to. */
export const ERROR_RESPONSES: Record<string, Response> = {
  Unauthorized: response('No key, or one that does not work', 'Error', {
    'WWW-Authenticate': { schema: { type: 'string' } },
  }),
  NotEnoughCredits: response(
    'Not enough credits for the full price, or the key spent its monthly cap; nothing was charged',
    'NotEnoughCredits',
  ),
  NotFound: response('Nothing found; nothing was charged', 'NotFound'),
  BadLink: response('The download address is not one of ours, or has expired', 'Error'),
  NoFile: response('There is no such file', 'Error'),
  BadRange: response('The file ends before this range begins', 'Error'),
  InFlight: response('The first call with this Idempotency-Key is still running', 'Error', RETRY),
  TooLarge: response('The body is larger than 100 kB', 'Error'),
  TooLong: response('The address is longer than 8 kB', 'Error'),
  UnsupportedMediaType: response('The body is not application/json', 'Error'),
  Invalid: response('The request is invalid; nothing was charged', 'ValidationError'),
  TooManyRequests: response('Too many requests; nothing was charged', 'Error', RETRY),
  InternalError: response('A fault of ours; nothing was charged', 'Error'),
  Unavailable: response('Not available just now; nothing was charged', 'Error', RETRY),
};
