import { type Binding, type Operation, openPath, takesBody } from '../../api/contract/operation.ts';
import { makeOpenApi } from '../../api/openapi/document.ts';
import { operations } from '../../api/operations/index.ts';
import { type Asked, ask } from '../support/client.ts';
import type { BuiltServer } from '../support/services.ts';

export type Inputs = Record<string, unknown>;

/** What a call over either door came to. */
export interface Called {
  /** HTTP's over REST; over MCP 200 or that of the error the result carries. */
  ok: boolean;
  status: number;
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into bodies of every shape
  body: any;
}

const { paths } = makeOpenApi({ BASE_URL: 'https://api.example', APP_URL: 'https://app.example' }, operations);

/** One address of an operation over REST, which answers nothing that the OpenAPI document leaves out. */
export async function callRest(
  url: string,
  binding: Binding,
  inputs: Inputs,
  key?: string,
  more: Record<string, string> = {},
): Promise<Called> {
  const rest = { ...inputs };
  const path = binding.path.replace(/:(\w+)/g, (_, name: string) => {
    const value = encodeURIComponent(String(rest[name]));
    delete rest[name];
    return value;
  });
  const { method } = binding;
  const asked = await (takesBody(binding)
    ? post(url, path, rest, key, { method, headers: more })
    : get(url, path, rest, key, { headers: more, method }));
  const documented = paths[openPath(binding.path)]?.[method.toLowerCase()] as { responses: object } | undefined;
  if (!documented || !(asked.status in documented.responses))
    throw new Error(`${method} ${binding.path}: undocumented ${asked.status}`);
  return { ok: asked.status === 200, status: asked.status, text: asked.text, body: asked.body };
}

function get(url: string, path: string, inputs: Inputs, key?: string, init: RequestInit = {}): Promise<Asked> {
  const query = new URLSearchParams(Object.entries(inputs).map(([name, value]) => [name, String(value)]));
  return ask(url, `/v1${path}${query.size > 0 ? `?${query}` : ''}`, key, init);
}

function post(url: string, path: string, inputs: Inputs, key?: string, init: RequestInit = {}): Promise<Asked> {
  const headers = { 'content-type': 'application/json', ...init.headers };
  return ask(url, `/v1${path}`, key, { ...init, body: JSON.stringify(inputs), headers });
}

/** A tool call as its bytes go over the wire, from a client of 2025-11-25. */
export async function callMcp(
  url: string,
  name: string,
  args: Inputs,
  key?: string,
  more: Record<string, string> = {},
): Promise<Called> {
  const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } };
  const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...more };
  const asked = await ask(url, '/mcp/', key, { method: 'POST', body: JSON.stringify(message), headers });
  if (asked.status !== 200) return { ok: false, status: asked.status, text: asked.text, body: asked.body };
  const data = /^data: (.*)$/m.exec(asked.text)?.[1];
  const { result } = data ? JSON.parse(data) : asked.body;
  const text: string = result.content[0].text;
  return { ok: result.isError !== true, status: 200, text, body: JSON.parse(text) };
}

export async function readBalance(server: BuiltServer, accountId: string): Promise<number> {
  const sql = 'SELECT balance FROM account WHERE id = ?';
  const [row] = await server.accounts.read<{ balance: number }>({ sql, args: [accountId] });
  return row?.balance ?? Number.NaN;
}

/** How many examples delete a watch of their own. */
const DELETED_MAX = 12;

/** A watch of its own; answers its id. */
export async function addWatch({ url, key }: Pick<BuiltServer, 'url' | 'key'>): Promise<string> {
  const watch = {
    name: 'Cleaning',
    on: 'notices',
    filters: { query: 'cleaning' },
    deliver: { webhook: 'https://hooks.example.org/a' },
  };
  const headers = { 'content-type': 'application/json' };
  const { body } = await ask(url, '/v1/watches', key, { method: 'POST', body: JSON.stringify(watch), headers });
  return body.watch_id;
}

/** Values of the sample for the inputs that name a thing. */
export async function readReal(
  built: Pick<BuiltServer, 'catalogue' | 'url' | 'key'>,
): Promise<Inputs & { company: string; buyer: string }> {
  const one = async (sql: string) => Object.values((await built.catalogue.read<Inputs>({ sql }))[0] ?? {})[0];
  const { body } = await ask(built.url, '/v1/exports', built.key, { method: 'POST' });
  const watches = await Promise.all(Array.from({ length: DELETED_MAX + 1 }, () => addWatch(built)));
  const watchId = watches.pop();
  const tested = await ask(built.url, `/v1/watches/${watchId}/test`, built.key, { method: 'POST' });
  return {
    notice_id: await one(
      `SELECT c.notice_id FROM contract c JOIN process p ON p.id = c.process_id WHERE c.supplier IS NOT NULL
       AND EXISTS (SELECT 1 FROM json_each(p.documents) d WHERE d.value ->> 'url' NOT LIKE '%/Notice/%')`,
    ),
    company_number: await one(
      'SELECT company_number FROM company WHERE company_number IS NOT NULL AND contract_count > 1',
    ),
    // One with a framework, if there is one: an example asks for a buyer's frameworks, and an answer without any is free.
    buyer_id: await one(
      `SELECT id FROM buyer WHERE contract_count > 1
       ORDER BY id IN (SELECT buyer_id FROM framework WHERE gone = 0) DESC, id`,
    ),
    framework_id: await one('SELECT id FROM framework'),
    export_id: body.export_id,
    watch_id: watchId,
    delivery_id: tested.body.delivery_id,
    to_delete: watches,
    company: String(await one('SELECT name FROM company WHERE company_number IS NOT NULL AND contract_count > 1')),
    buyer: String(await one('SELECT name FROM buyer WHERE contract_count > 1')),
  };
}

/** An example of the table with the sample's things in the place of its placeholders. */
export function toReal(operation: Operation, example: Inputs, real: Inputs): Inputs {
  const entries = Object.entries(example).map(([name, value]) => {
    if (name === 'companies') return [name, [real.company_number]];
    if (operation.name.endsWith('_watch') && name === 'name') return [name, value];
    if (operation.name === 'delete_watch') return [name, (real.to_delete as string[]).pop() ?? value];
    if (name === 'name') return [name, operation.name.includes('buyer') ? real.buyer : real.company];
    return [name, real[name] ?? value];
  });
  return Object.fromEntries(entries);
}
