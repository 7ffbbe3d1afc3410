import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { text as readText } from 'node:stream/consumers';
import type { Database } from '../../../schema/db/interface.ts';

/** A metered call as either door takes it. */
export interface MoneyAsk {
  tool: string;
  inputs: Record<string, unknown>;
  method: 'GET' | 'POST';
  /** With its query. */
  path: string;
}

export type Transport = 'rest' | 'mcp';

/** What came back over either door. */
export interface Answered {
  status: number;
  /** The body over REST; over MCP the text of the result, which is the same bytes. */
  text: string;
  replayed: boolean;
  /** Of the HTTP request. */
  requestId: string;
}

/** A call in flight: what it asks, through which door, as whom and under which key. */
export interface Sent {
  url: string;
  transport: Transport;
  ask: MoneyAsk;
  apiKey: string;
  idempotencyKey?: string | undefined;
  /** Over MCP the key goes with the call instead of the header. */
  keyInMeta?: boolean;
}

/** Sends one call on a connection of its own and reads its answer to the end. @throws where the connection is cut before that. */
export async function send(sent: Sent): Promise<Answered> {
  const { method, headers, body } = toRequest(sent);
  const path = sent.transport === 'rest' ? sent.ask.path : '/mcp/';
  const sending = request(sent.url + path, { method, headers, agent: false }).end(body);
  const [response] = (await once(sending, 'response')) as [IncomingMessage];
  const { statusCode: status = 0, headers: told } = response;
  const text = await readText(response);
  const requestId = String(told['x-request-id'] ?? '');
  if (sent.transport === 'rest' || status !== 200) {
    return { status, text, replayed: told['idempotent-replayed'] === 'true', requestId };
  }
  const { result } = JSON.parse(text) as { result: ToolResult };
  return { ...readResult(result), requestId };
}

interface ToolResult {
  content: [{ text: string }];
  isError?: boolean;
  _meta?: Record<string, unknown>;
}

const STATUSES: Readonly<Record<string, number>> = {
  insufficient_credits: 402,
  key_cap_reached: 402,
  invalid_api_key: 401,
  not_found: 404,
  idempotency_in_flight: 409,
  rate_limited: 429,
  unavailable: 503,
};

function readResult({ content, isError, _meta }: ToolResult): Omit<Answered, 'requestId'> {
  const { text } = content[0];
  const replayed = _meta?.['idempotent-replayed'] === true;
  if (!isError) return { status: 200, text, replayed };
  const { error, detail } = JSON.parse(text) as { error?: string; detail?: unknown };
  return { status: detail ? 422 : (STATUSES[error ?? ''] ?? 500), text, replayed };
}

function toRequest({ transport, ask, apiKey, idempotencyKey, keyInMeta }: Sent) {
  const keyed = idempotencyKey !== undefined && !(transport === 'mcp' && keyInMeta);
  const headers = { authorization: `Bearer ${apiKey}`, ...(keyed ? { 'idempotency-key': idempotencyKey } : {}) };
  if (transport === 'rest' && ask.method === 'GET') return { method: 'GET', headers };
  const json = { ...headers, 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
  if (transport === 'rest') return { method: 'POST', headers: json, body: JSON.stringify(ask.inputs) };
  const _meta = idempotencyKey !== undefined && !keyed ? { _meta: { 'idempotency-key': idempotencyKey } } : {};
  const params = { name: ask.tool, arguments: ask.inputs, ..._meta };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
  return { method: 'POST', headers: json, body };
}

/** Calls of the test rows: quick, slow, of a price found while working, and one that finds nothing. */
export const TEST_ASKS: readonly MoneyAsk[] = [
  ...['a', 'b', 'c', 'd', 'slow', 'gone'].map((id) => lookup('svc_lookup_thing', { thing_id: id }, `/v1/things/${id}`)),
  ...[1, 3].map((rows) => post('svc_make_thing', { rows }, '/v1/things')),
];

/** Calls of the real table on things that a server holds. */
export async function readRealAsks({ catalogue }: { catalogue: Database }): Promise<MoneyAsk[]> {
  const one = async (sql: string) => Object.values((await catalogue.read<Record<string, string>>({ sql }))[0] ?? {});
  const [number = '', name = ''] = await one(
    'SELECT company_number, name FROM company WHERE company_number IS NOT NULL AND contract_count > 1',
  );
  const [notice = ''] = await one('SELECT notice_id FROM contract WHERE supplier IS NOT NULL');
  const [buyer = ''] = await one('SELECT id FROM buyer WHERE contract_count > 1');
  return [
    lookup('svc_lookup_company', { company_number: number }, `/v1/companies/${number}`),
    lookup('svc_lookup_company', { name }, `/v1/companies/search?name=${encodeURIComponent(name)}`),
    lookup('svc_company_profile', { company_number: number }, `/v1/companies/${number}/profile`),
    lookup('svc_lookup_contract', { notice_id: notice }, `/v1/contracts/${notice}`),
    lookup('svc_lookup_buyer', { buyer_id: buyer }, `/v1/buyers/${encodeURIComponent(buyer)}`),
    lookup('svc_search_notices', { query: 'services' }, '/v1/notices/search?query=services'),
    lookup('svc_lookup_company', { company_number: '00000000' }, '/v1/companies/00000000'),
    post('svc_bulk_export', { dataset: 'buyers', max_rows: 5 }, '/v1/exports'),
  ];
}

function lookup(tool: string, inputs: MoneyAsk['inputs'], path: string): MoneyAsk {
  return { tool, inputs, path, method: 'GET' };
}

function post(tool: string, inputs: MoneyAsk['inputs'], path: string): MoneyAsk {
  return { tool, inputs, path, method: 'POST' };
}
