import { isForOperator, Refusal, toAnswer, toRefusal } from '../contract/errors.ts';
import type { Caller } from '../contract/operation.ts';
import { admitAnyone, admitCaller, type Exchange } from '../http/exchange.ts';
import { allowOrigin, answerOptions, PRIVATE, send } from '../http/respond.ts';
import type { Context } from '../process/context.ts';
import type { Session } from './call-tool.ts';
import { answerPlainCall, readPlainCall } from './direct-calls.ts';
import {
  type AnswerForm,
  acceptBoth,
  allowedOrigins,
  assertHost,
  assertOrigin,
  originsOf,
  takeForm,
} from './headers.ts';
import { checkParams, RpcRefusal, readMessage, toRpcError } from './message.ts';
import type { CompiledTool } from './tools.ts';

/** Answers every message that is no plain call of a tool of the table. */
export interface OtherMessages {
  /** Whether a tool that is not of the table is answered there. */
  owns(tool: string): boolean;
  /** Whether a message is the client's answer to what a call asked it. */
  hears(message: unknown, caller: Caller): boolean;
  serve(session: Session, message: unknown, form: AnswerForm): Promise<void>;
}

/**
 * Answers one HTTP request to /mcp: 403, 401 and 429, then a plain call of a tool directly, any other message by `others`.
 * The returned function never throws.
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
      assertHost(request, settings);
      const origins = originsOf(request, allowed);
      assertOrigin(request, origins);
      allowOrigin(request, response, origins);
      if (request.method === 'OPTIONS') return answerOptions(response, ['POST']);
      const session = { exchange, caller: await admit(context, exchange) };
      const form = takeForm(request);
      const message = await readMessage(request);
      const plain = readPlainCall(request, message);
      if (plain && !others.owns(plain.name)) return await answerPlainCall(context, tools, session, plain, form);
      if (others.hears(message, session.caller)) return void response.writeHead(202).end();
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
