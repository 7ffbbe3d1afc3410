import type { IncomingMessage, ServerResponse } from 'node:http';
import { Router } from 'express';
import { LRUCache } from 'lru-cache';
import { compareText } from '../../../schema/text/ids.ts';
import { type Answer, Invalid, type Locate, Refusal } from '../../contract/errors.ts';
import { type Binding, type NameCall, type Operation, restNames } from '../../contract/operation.ts';
import { call } from '../../metering/call.ts';
import type { Context } from '../../process/context.ts';
import { admitAnyone, admitCaller, type Exchange, refuseAnyone, respond } from '../exchange.ts';
import { answerOptions, PRIVATE } from '../respond.ts';
import { type Intake, makeIntake, readInputs, whereInputs } from './input.ts';

/** A route outside the operations (a file download): it answers by itself and is free. */
export interface ExtraRoute {
  path: string;
  handle(exchange: Exchange, parameters: Record<string, string>): Promise<void>;
}

type Routed = IncomingMessage & { params: Record<string, string>; exchange: Exchange };
type Run = (request: IncomingMessage, response: ServerResponse, done: (error?: unknown) => void) => void;

interface Row {
  operation: Operation;
  binding: Binding;
}

/** A row prepared for its requests. */
interface Route {
  operation: Operation;
  intake: Intake;
  locate: Locate;
  nameCall: NameCall;
}

/** Answers a request whose route the router has found. */
type AnswerRouted = (exchange: Exchange) => void;

/** Recently routed addresses: a look-up that is repeated is routed once. Some megabytes at most. */
const ADDRESSES_MAX = 10_000;
const ADDRESS_CHARS = 200;

/** REST: a bare router over the table of operations, used by `http.createServer` without an Express application, which is slower. */
export function makeRestTransport(context: Context, extras: readonly ExtraRoute[]): (exchange: Exchange) => void {
  const router = Router({ caseSensitive: true, strict: true });
  const rows = context.operations.flatMap((operation) => operation.bindings.map((binding) => ({ operation, binding })));
  for (const extra of extras) addExtra(router, extra);
  const nameCall = restNames(context.operations);
  const routed = new LRUCache<string, AnswerRouted>({ max: ADDRESSES_MAX });
  for (const row of rows.sort(byPath)) addRow(router, context, row, { nameCall, routed });
  for (const [path, methods] of methodsByPath(rows, extras)) addRefusals(router, context, path, methods);
  const run = router as unknown as Run;

  return (exchange) => {
    const { request, response } = exchange;
    (request as Routed).exchange = exchange;
    for (const [name, value] of Object.entries(PRIVATE)) response.setHeader(name, value);
    // The prefix is cut here rather than by the router, which would restore and re-cut it around every handler.
    request.url = (request.url ?? '').slice('/v1'.length).replace(/^(?!\/)/, '/');
    const known = request.method === 'GET' ? routed.get(request.url) : undefined;
    if (known) return known(exchange);
    run(request, response, (error) => {
      respond(context, exchange, () =>
        refuseAnyone(context.addressLimits, exchange, error === undefined ? noSuchRoute() : badPath(error)),
      );
    });
  };
}

/** Fixed words before parameters, so that `/companies/search` is not read as a company named search. */
function byPath(a: Row, b: Row): number {
  const sortable = ({ binding }: Row) => binding.path.replaceAll(':', '\uffff');
  return compareText(sortable(a), sortable(b));
}

const VERBS = { GET: 'get', POST: 'post', PATCH: 'patch', DELETE: 'delete' } as const;

function addRow(
  router: Router,
  context: Context,
  { operation, binding }: Row,
  { nameCall, routed }: { nameCall: NameCall; routed: LRUCache<string, AnswerRouted> },
): void {
  const verb = VERBS[binding.method];
  const locate = whereInputs(binding);
  const route: Route = { operation, intake: makeIntake(operation, binding), locate, nameCall };
  // The router would run a GET handler for HEAD, which would charge for an answer without a body.
  if (operation.credits > 0) router.head(binding.path, (request) => refuseMethod(context, request, [binding.method]));
  router[verb](binding.path, (request) => {
    const { exchange, params, url = '' } = request as unknown as Routed;
    const answer: AnswerRouted = (asked) => {
      respond(context, asked, () => serve(context, asked, route, params), locate);
    };
    if (verb === 'get' && url.length <= ADDRESS_CHARS) routed.set(url, answer);
    answer(exchange);
  });
}

function addExtra(router: Router, { path, handle }: ExtraRoute): void {
  router.get(path, (request, _response, next) => {
    const { exchange, params } = request as unknown as Routed;
    handle(exchange, params).catch(next);
  });
}

function addRefusals(router: Router, context: Context, path: string, methods: string[]): void {
  router.options(path, (request, _response, next) => {
    const { exchange } = request as unknown as Routed;
    admitAnyone(context.addressLimits, exchange)
      .then(() => answerOptions(exchange.response, methods))
      .catch(next);
  });
  router.all(path, (request) => refuseMethod(context, request, methods));
}

function methodsByPath(rows: readonly Row[], extras: readonly ExtraRoute[]): Map<string, string[]> {
  const methods = new Map<string, string[]>();
  for (const { operation, binding } of rows) {
    const alsoHead = binding.method === 'GET' && operation.credits === 0 ? ['HEAD'] : [];
    methods.set(binding.path, [...(methods.get(binding.path) ?? []), binding.method, ...alsoHead]);
  }
  for (const { path } of extras) methods.set(path, ['GET', 'HEAD']);
  return methods;
}

/** One call: 401, 429, then the path that REST and MCP share. */
async function serve(
  context: Context,
  exchange: Exchange,
  route: Route,
  params: Record<string, string>,
): Promise<Answer> {
  const { operation, intake, locate, nameCall } = route;
  const { request, response, requestId } = exchange;
  exchange.operation = operation.name;
  const caller = operation.public
    ? await admitAnyone(context.addressLimits, exchange)
    : await admitCaller(context, exchange);
  const key = request.headers['idempotency-key'];
  const answer = await call(context, caller, {
    operation,
    ...(await readInputs(request, intake, params)),
    locate,
    nameCall,
    idempotencyKey: typeof key === 'string' ? { key, loc: ['header', 'Idempotency-Key'] } : undefined,
    requestId,
    isGone: () => response.destroyed,
  });
  exchange.credits = answer.charged;
  return answer;
}

const METHOD_LIST = new Intl.ListFormat('en-GB');

function refuseMethod(context: Context, request: IncomingMessage, methods: string[]): void {
  const { exchange } = request as Routed;
  const message = `This address answers ${METHOD_LIST.format(methods)} only.`;
  const refusal = new Refusal(405, 'method_not_allowed', message, { headers: { Allow: methods.join(', ') } });
  respond(context, exchange, () => refuseAnyone(context.addressLimits, exchange, refusal));
}

function noSuchRoute(): Refusal {
  return new Refusal(
    404,
    'no_such_route',
    'There is nothing at this address. The operations are listed in /openapi.json.',
  );
}

/** The router throws where a path parameter is not valid percent-encoding. */
function badPath(error: unknown): Refusal {
  const status = (error as { status?: number }).status;
  if (status !== 400) throw error;
  return new Invalid([
    { loc: ['path'], msg: 'The address is not valid percent-encoded UTF-8', type: 'string_unicode' },
  ]);
}
