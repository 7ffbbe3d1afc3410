import type { IncomingMessage } from 'node:http';
import { isSpecType, PROTOCOL_VERSION_META_KEY, ProtocolErrorCode } from '@modelcontextprotocol/server';
import { Invalid, isForOperator, Refusal, toAnswer, toRefusal } from '../contract/errors.ts';
import type { Caller } from '../contract/operation.ts';
import { readJsonBody } from '../http/body.ts';
import { admitAnyone, admitCaller, type Exchange, refuseAnyone } from '../http/exchange.ts';
import { allowOrigin, answerOptions, PRIVATE, send } from '../http/respond.ts';
import type { Context } from '../process/context.ts';
import { isRecord, type Session } from './call-tool.ts';
import { answerPlainCall, readPlainCall } from './direct-calls.ts';
import { type AnswerForm, acceptBoth, allowedOrigins, findForeign, originsOf, takeForm } from './headers.ts';
import type { CompiledTool } from './tools.ts';

/** Answers every message except a plain call of a tool in the table. */
export interface OtherMessages {
  /** Whether a tool outside the table is answered there. */
  owns(tool: string): boolean;
  /** Delivers the client's answer to a question that a call asked; false for any other message. */
  takeAnswer(message: unknown, caller: Caller): boolean;
  serve(session: Session, message: unknown, form: AnswerForm): Promise<void>;
}

/**
 * Answers one HTTP request to /mcp: 403, 401 and 429, then a plain tool call directly, any other message through `others`. The
 * returned function never throws.
 */
export function makeEndpoint(
  context: Context,
  tools: ReadonlyMap<string, CompiledTool>,
  others: OtherMessages,
): (exchange: Exchange) => Promise<void> {
  const { settings } = context.services;
  const allowed = allowedOrigins(settings);

  return async (exchange) => {
    const { request, response } = exchange;
    try {
      const origins = originsOf(request, allowed);
      const foreign = findForeign(request, settings, origins);
      if (foreign) return await refuseAnyone(context.addressLimits, exchange, foreign);
      allowOrigin(request, response, origins);
      if (request.method === 'OPTIONS') {
        await admitAnyone(context.addressLimits, exchange);
        return answerOptions(response, ['POST']);
      }
      const session = { exchange, caller: await admit(context, exchange) };
      const form = takeForm(request);
      const message = await readMessage(request);
      const plain = readPlainCall(request, message);
      if (plain && !others.owns(plain.name)) return await answerPlainCall(context, tools, session, plain, form);
      if (others.takeAnswer(message, session.caller)) return void response.writeHead(202).end();
      checkParams(message);
      acceptBoth(request);
      await others.serve(session, message, form);
    } catch (error) {
      refuse(context, exchange, error);
    }
  };
}

async function admit(context: Context, exchange: Exchange): Promise<Caller> {
  const { request, response } = exchange;
  for (const [name, value] of Object.entries(PRIVATE)) response.setHeader(name, value);
  if (request.method === 'POST') return admitCaller(context, exchange);
  await admitAnyone(context.addressLimits, exchange);
  const message = 'This address answers POST only: there are no sessions to open or end.';
  throw new Refusal(405, 'method_not_allowed', message, { headers: { Allow: 'POST' } });
}

function refuse(context: Context, { response, requestId }: Exchange, error: unknown): void {
  if (response.destroyed || response.headersSent) return;
  if (error instanceof RpcRefusal) {
    send(response, { status: error.status, body: toRpcError(error) });
    return;
  }
  const refusal = toRefusal(error);
  if (isForOperator(error, refusal)) context.log.error({ err: error, request_id: requestId }, 'an MCP request failed');
  send(response, toAnswer(refusal, requestId));
}

/** A message that is not answered: refused with JSON-RPC's own error. */
class RpcRefusal extends Error {
  override name = 'RpcRefusal';
  readonly status: number;
  readonly code: number;
  /** The request's id, where it could be read. */
  readonly id: string | number | null;

  constructor(code: number, message: string, { status = 400, id = null as string | number | null } = {}) {
    super(message);
    this.code = code;
    this.status = status;
    this.id = id;
  }
}

/** The refusal as a JSON-RPC error. */
function toRpcError({ code, message, id }: RpcRefusal): string {
  return JSON.stringify({ jsonrpc: '2.0', id, error: { code, message } });
}

/** Most characters repeated in an answer: a message's id, and the address of a resource. */
const ID_CHARS = 200;
const URI_CHARS = 1_000;

/** One JSON-RPC message. @throws RpcRefusal 400, Refusal 413 and 415. */
async function readMessage(request: IncomingMessage): Promise<unknown> {
  const body = await readJsonBody(request).catch((error: unknown) => {
    throw error instanceof Invalid
      ? new RpcRefusal(ProtocolErrorCode.ParseError, `Parse error: ${error.message}`)
      : error;
  });
  if (body === undefined) throw new RpcRefusal(ProtocolErrorCode.ParseError, 'Parse error: The body is empty');
  if (Array.isArray(body))
    throw new RpcRefusal(ProtocolErrorCode.InvalidRequest, 'Invalid request: batches are not supported');
  if (isRecord(body) && typeof body.id === 'string' && body.id.length > ID_CHARS)
    throw new RpcRefusal(
      ProtocolErrorCode.InvalidRequest,
      `Invalid request: the id is longer than ${ID_CHARS} characters`,
    );
  return body;
}

type Judge = (request: unknown) => boolean;

/** The required parameters of the methods that have some: the SDK's schema judges, and these words say what is needed. */
const NEEDED: Readonly<Record<string, { fits: Judge; wants: string }>> = {
  initialize: {
    fits: isSpecType.InitializeRequest,
    wants: 'protocolVersion (a string), capabilities (an object) and clientInfo (name and version)',
  },
  'tools/call': { fits: isSpecType.CallToolRequest, wants: 'name (a string), and arguments as an object' },
  'resources/read': { fits: isSpecType.ReadResourceRequest, wants: 'uri (a string)' },
  'prompts/get': { fits: isSpecType.GetPromptRequest, wants: 'name (a string), and arguments as an object of strings' },
  'completion/complete': {
    fits: isSpecType.CompleteRequest,
    wants: 'ref (type ref/prompt with name, or ref/resource with uri) and argument (name and value, both strings)',
  },
};
const LISTS: ReadonlySet<unknown> = new Set([
  'tools/list',
  'prompts/list',
  'resources/list',
  'resources/templates/list',
]);

/**
 * The SDK reports wrong parameters as an internal fault, in its validator's words: here the refusal says what to send instead.
 * Anything that is not a JSON-RPC request is left to the SDK, and so is the envelope of protocol 2026-07-28. @throws RpcRefusal
 * invalid params, in a 200 like every answer to a request.
 */
function checkParams(message: unknown): void {
  if (!isRecord(message)) return;
  const { jsonrpc, id, method, params = {} } = message;
  if (jsonrpc !== '2.0' || (typeof id !== 'string' && !Number.isInteger(id)) || !isRecord(params)) return;
  const { _meta: meta, ...given } = params;
  const refuse = (wanted: string) =>
    new RpcRefusal(ProtocolErrorCode.InvalidParams, wanted, { status: 200, id: id as string | number });
  if (LISTS.has(method) && given.cursor !== undefined) {
    throw refuse(`Invalid params: ${method} has one page, no cursor leads to another`);
  }
  // 2026-07-28 has no such method, and the SDK says so.
  if (method === 'initialize' && isRecord(meta) && PROTOCOL_VERSION_META_KEY in meta) return;
  if (typeof given.uri === 'string' && given.uri.length > URI_CHARS)
    throw refuse(`Invalid params: the uri is longer than ${URI_CHARS} characters`);
  const needed = typeof method === 'string' && Object.hasOwn(NEEDED, method) ? NEEDED[method] : undefined;
  if (needed && !needed.fits({ method, params: given })) {
    throw refuse(`Invalid params: ${method} takes ${needed.wants}`);
  }
}
