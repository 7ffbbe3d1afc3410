import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Allowance, assertAllowed, type Limits } from '../access/limits.ts';
import { type Answer, isForOperator, type Locate, type Refusal, toAnswer, toRefusal } from '../contract/errors.ts';
import type { Caller } from '../contract/operation.ts';
import type { Context } from '../process/context.ts';
import { send } from './respond.ts';

/** One HTTP request and what the server already knows about it. */
export interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
  requestId: string;
  /** The client's address, read past the trusted proxies. */
  address: string;
  /** For the metrics and the access line, each once it is known. */
  operation?: string;
  caller?: Caller;
  /** Debited for this request. */
  credits?: number;
  /** The status of a refusal that MCP sends as a tool's result, in a 200. */
  refusedAs?: number;
  /** Ends with the work for this request, which continues if the client leaves. Never rejects. */
  done?: Promise<unknown>;
}

/** The caller, within the allowances of the key and of its account. Even a refusal states its allowance. @throws Refusal 401, then 429. */
export async function admitCaller(context: Context, exchange: Exchange): Promise<Caller> {
  const { callers, addressLimits, keyLimits, accountLimits } = context;
  let caller: Caller;
  try {
    caller = await callers.identify(exchange.request.headers.authorization);
  } catch (error) {
    stateAllowance(exchange, await addressLimits.take(exchange.address));
    throw error;
  }
  const ofKey = await keyLimits.take(caller.keyId);
  stateAllowance(exchange, ofKey);
  assertAllowed(ofKey);
  // Many keys of one account, each within its own allowance.
  const together = await accountLimits.take(caller.accountId);
  if (together.exceeded) stateAllowance(exchange, together);
  assertAllowed(together);
  exchange.caller = caller;
  return caller;
}

/** Admits a request without a key, within an allowance for its address. @throws Refusal 429. */
export async function admitAnyone(limits: Limits, exchange: Exchange): Promise<null> {
  const allowance = await limits.take(exchange.address);
  stateAllowance(exchange, allowance);
  assertAllowed(allowance);
  return null;
}

/** Refuses a request for which no key was read, so it counts against the client's address. @throws Refusal always */
export async function refuseAnyone(limits: Limits, exchange: Exchange, refusal: Refusal): Promise<never> {
  await admitAnyone(limits, exchange);
  throw refusal;
}

function stateAllowance({ response }: Exchange, { headers }: Allowance): void {
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
}

/** Answers with the result of `work`, or with its refusal. */
export function respond(
  context: Context,
  exchange: Exchange,
  work: () => Promise<Answer>,
  locate?: Locate,
): Promise<void> {
  const done = answerWith(context, exchange, work, locate);
  exchange.done = done;
  return done;
}

async function answerWith(
  context: Context,
  exchange: Exchange,
  work: () => Promise<Answer>,
  locate?: Locate,
): Promise<void> {
  const { response, requestId } = exchange;
  let answer: Answer;
  try {
    answer = await work();
  } catch (error) {
    // The client disconnected while it was sending, so there is nobody to answer.
    if (response.destroyed) return;
    const refusal = toRefusal(error, locate);
    if (isForOperator(error, refusal)) context.log.error({ err: error, request_id: requestId }, 'a request failed');
    answer = toAnswer(refusal, requestId);
  }
  if (!response.destroyed) send(response, answer);
  // Nobody receives it, but the metrics and the access line have it.
  else response.statusCode = answer.status;
}

/** The last `hops` addresses of `X-Forwarded-For` were written by trusted proxies; the one before them is the client's. */
export function clientAddress(request: IncomingMessage, hops: number): string {
  const remote = request.socket.remoteAddress ?? '';
  if (hops === 0) return remote;
  const forwarded = String(request.headers['x-forwarded-for'] ?? '');
  const chain = [...forwarded.split(',').map((part) => part.trim()), remote].filter(Boolean);
  return chain[Math.max(0, chain.length - 1 - hops)] ?? remote;
}
