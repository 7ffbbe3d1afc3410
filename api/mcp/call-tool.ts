import type { IncomingMessage } from 'node:http';
import {
  type CallToolResult,
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  type InputRequiredResult,
  inputRequired,
} from '@modelcontextprotocol/server';
import { type Answer, Invalid, toAnswer } from '../contract/errors.ts';
import type { Caller } from '../contract/operation.ts';
import { assertFew } from '../http/body.ts';
import type { Exchange } from '../http/exchange.ts';
import { type CallRequest, call } from '../metering/call.ts';
import type { Context } from '../process/context.ts';
import { findNearest } from '../validation/words.ts';
import type { CompiledTool } from './tools.ts';

const META_KEY = 'idempotency-key';
export const SERVER_INFO = { name: 'uk-procurement-data', title: 'UK procurement data', version: '1.0.0' };

/** What the tools need to know about the HTTP request. */
export interface Session {
  exchange: Exchange;
  caller: Caller;
}

export interface ToolCall {
  name: string;
  given: unknown;
  meta: Record<string, unknown>;
}

/** Runs a tool for a caller; invalid arguments also get an answer. */
export function callTool(
  context: Context,
  tool: CompiledTool,
  session: Session,
  asked: Omit<ToolCall, 'name'>,
): Promise<Answer> {
  const { exchange } = session;
  const answer = runTool(context, tool, session, asked).then((ended) => {
    if (ended.status !== 200) exchange.refusedAs = ended.status;
    return ended;
  });
  // Where the client leaves, the SDK ends the request before the call has ended.
  exchange.done = Promise.allSettled([exchange.done, answer]);
  return answer;
}

async function runTool(
  context: Context,
  tool: CompiledTool,
  { exchange, caller }: Session,
  asked: Omit<ToolCall, 'name'>,
): Promise<Answer> {
  const { requestId } = exchange;
  exchange.operation = tool.operation.name;
  try {
    const answer = await call(context, caller, {
      operation: tool.operation,
      given: asArguments(asked.given),
      defaults: tool.defaults,
      locate: () => 'arguments',
      nameCall: tool.nameCall,
      idempotencyKey: readKey(exchange.request, asked.meta),
      requestId,
      isGone: () => exchange.response.destroyed,
    });
    exchange.credits = answer.charged;
    return answer;
  } catch (error) {
    if (error instanceof Invalid) return toAnswer(error, requestId);
    throw error;
  }
}

function asArguments(given: unknown): Record<string, unknown> {
  if (!isRecord(given))
    throw new Invalid([{ loc: ['arguments'], msg: 'The arguments should be a JSON object', type: 'model_type' }]);
  assertFew(Object.keys(given).length, 'arguments');
  return given;
}

/** The call's own `_meta` before the header, which a client may have set for everything it sends. */
function readKey({ headers }: IncomingMessage, meta: Record<string, unknown>): CallRequest['idempotencyKey'] {
  const own = meta[META_KEY];
  const loc = ['_meta', META_KEY];
  if (typeof own === 'string') return { key: own, loc };
  if (own !== undefined) throw new Invalid([{ loc, msg: 'The key should be a string', type: 'string_type' }]);
  const header = headers['idempotency-key'];
  return typeof header === 'string' ? { key: header, loc: ['header', 'Idempotency-Key'] } : undefined;
}

/**
 * An answer as a tool result, in JSON: structured, and the same JSON as text. A refusal is structured for `modern`
 * clients only: older ones check it against the output schema and would lose the message. `meta` is JSON of further fields of `_meta`.
 */
export function toToolResult({ status, body, replayed }: Answer, modern: boolean, meta = ''): string {
  const further = [...(replayed ? ['"idempotent-replayed":true'] : []), ...(meta ? [meta] : [])];
  const text = `"content":[{"type":"text","text":${JSON.stringify(body)}}]`;
  const structured = status === 200 || modern ? `,"structuredContent":${body}` : '';
  const failed = status === 200 ? '' : ',"isError":true';
  return `{${text}${structured}${failed}${further.length > 0 ? `,"_meta":{${further.join(',')}}` : ''}}`;
}

/** An answer as a tool result, as an object for the SDK, which writes its results itself. */
export function parseToolResult(answer: Answer, modern: boolean): CallToolResult {
  return JSON.parse(toToolResult(answer, modern)) as CallToolResult;
}

/** JSON-RPC's message for an unknown tool, with the most similar name. An award is a contract here. */
export function unknownTool(name: string, tools: ReadonlyMap<string, CompiledTool>): string {
  const nearest = findNearest(name.slice(0, 64).replace(/award/i, 'contract'), [...tools.keys()]);
  return `Unknown tool: ${name.slice(0, 100)}${nearest ? `; did you mean '${nearest}'?` : ''}`;
}

/** Whether a value is a JSON object. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** What a request of protocol 2026-07-28 says of its client. */
export interface McpRequest {
  /** The reserved fields of the request's `_meta`. */
  envelope?: object;
  /** The answer of the client's user to an earlier result of the same request. */
  inputResponses?: Record<string, unknown>;
}

/**
 * Out of credits: a client that can open an address is asked to open the page where credits are bought. It repeats the call
 * when the user is back, and the second answer is the refusal. Undefined if nothing is to be opened.
 * The initialize-based versions have no such result, and without a session the abilities of their clients are unknown. They
 * read `top_up_url` in the refusal.
 */
export function askForCredits(
  answer: Answer,
  { envelope, inputResponses }: McpRequest,
): InputRequiredResult | undefined {
  if (answer.status !== 402 || inputResponses !== undefined || !opensAddresses(envelope)) return undefined;
  const { error, message, top_up_url: url } = JSON.parse(answer.body) as Record<string, string>;
  // More credits do not lift a key's own cap.
  if (error !== 'insufficient_credits' || message === undefined || url === undefined) return undefined;
  return inputRequired({ inputRequests: { top_up: inputRequired.elicitUrl({ message, url }) } });
}

function opensAddresses(envelope: object | undefined): boolean {
  const { [CLIENT_CAPABILITIES_META_KEY]: capabilities } = (envelope ?? {}) as {
    [CLIENT_CAPABILITIES_META_KEY]?: ClientCapabilities;
  };
  return capabilities?.elicitation?.url !== undefined;
}
