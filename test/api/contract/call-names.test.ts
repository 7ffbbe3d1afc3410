import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { toolRows } from '../../../api/contract/operation.ts';
import { compileTools } from '../../../api/mcp/tools.ts';
import { makeOpenApi } from '../../../api/openapi/document.ts';
import { operations } from '../../../api/operations/index.ts';
import { buildSampleServer } from '../../support/sample-services.ts';
import type { BuiltServer } from '../../support/services.ts';
import { callMcp, callRest, type Inputs } from '../transports.ts';

/** Every text names a call as the callers of its transport make it: an address over REST, a tool over MCP. */

const names = operations.flatMap(({ name, bindings }) => [name, ...bindings.map(({ operationId }) => operationId)]);
const TOOL = new RegExp(`(?<![\\w])(?:${[...new Set(names)].join('|')})(?!\\w)`);
const ADDRESS = /\/v1\/|\b(?:GET|POST) /;

/** Fields that hold words for the reader, wherever they stand. */
const WORDS = ['description', 'summary', 'title', 'message', 'msg', 'x-credits-note', 'text', 'instructions'];

function listTexts(node: unknown): string[] {
  if (typeof node !== 'object' || node === null) return [];
  return Object.entries(node).flatMap(([name, value]) =>
    WORDS.includes(name) && typeof value === 'string' ? [value] : listTexts(value),
  );
}

const isOfRest = (text: string) => !TOOL.test(text) && !/svc_(?!live)|\btools?\b|(?<!\/)\{\w+\}/.test(text);
const tools = toolRows(operations).map(({ name }) => name);
const areTools = (text: string) =>
  [...text.matchAll(/\b(?:svc|our)_(?!live)(\w+)/g)].every(([, name = '']) => tools.includes(name));
const isOfMcp = (text: string) => !ADDRESS.test(text) && !TOOL.test(text) && !/\{\w+\}/.test(text) && areTools(text);

let server: BuiltServer;
beforeAll(async () => {
  server = await buildSampleServer({ credits: 1_000 });
});
afterAll(() => server?.close());

describe('texts name calls as their transport does:', () => {
  it('the OpenAPI document', () => {
    const texts = listTexts(makeOpenApi(server.settings, operations));
    expect(texts.length).toBeGreaterThan(1_000);
    expect(texts.filter((text) => !isOfRest(text))).toEqual([]);
    expect(texts.some((text) => text.includes('GET /v1/companies/search'))).toBe(true);
  });

  it('the tool list', () => {
    const tools = [...compileTools(operations, 'our_').values()].map(({ tool }) => tool);
    expect(listTexts(tools).filter((text) => !isOfMcp(text))).toEqual([]);
    expect(listTexts(tools).some((text) => text.includes('our_get_notice'))).toBe(true);
  });

  it('instructions, prompts and resources', async () => {
    const client = new Client({ name: 'test', version: '1.0.0' });
    const requestInit = { headers: { authorization: `Bearer ${server.key}` } };
    await client.connect(new StreamableHTTPClientTransport(new URL(`${server.url}/mcp/`), { requestInit }));
    const prompts = await client.listPrompts();
    const filled = await Promise.all(
      prompts.prompts.map(({ name }) =>
        client.getPrompt({
          name,
          arguments: { company: 'A', companies: 'A, B', buyer: 'A', category: 'Lifts', cpv: '45', region: 'Wales' },
        }),
      ),
    );
    const rest = [
      await client.listResources(),
      await client.listResourceTemplates(),
      { instructions: client.getInstructions() },
    ];
    expect(listTexts([prompts, filled, rest]).filter((text) => !isOfMcp(text))).toEqual([]);
    await client.close();
  });
});

it('a tool names no call that only REST has', async () => {
  const watch = {
    name: 'Lifts',
    on: 'tenders',
    filters: { query: 'lifts' },
    deliver: { webhook: 'https://hooks.example.org/a' },
  };
  const { watch_id } = (await callMcp(server.url, 'svc_create_watch', watch, server.key)).body;
  const retry = { watch_id, action: 'retry', delivery_id: 'nothing' };
  const { body } = await callMcp(server.url, 'svc_manage_watch', retry, server.key);
  expect(listTexts(body)).toEqual([expect.stringContaining('No delivery')]);
  expect(listTexts(body).filter((text) => !isOfMcp(text))).toEqual([]);
});

/** Calls that are refused, or answered with advice. */
const ASKED: [string, Inputs][] = [
  ['lookup_contract', { notice_id: 'nothing' }],
  ['get_notice', { notice_id: 'nothing' }],
  ['contract_documents', { notice_id: '999999-2031' }],
  ['lookup_company', { company_number: '1' }],
  ['lookup_company', { company_number: 'No such company of that name' }],
  ['lookup_buyer', { buyer_id: '1' }],
  ['lookup_buyer', { buyer_id: 'GB-COH-99000017' }],
  ['lookup_buyer', { buyer_id: 'GB-PPON-PBPR-5137-RWZL', title: 'council' }],
  ['company_contracts', { company_number: '1', name: 'A' }],
  ['company_profile', { company_number: '1', council: 'A' }],
  ['buyer_profile', { buyer_id: '1', company: 'A' }],
  ['buyer_contracts', { buyer_id: '1', name: 'A' }],
  ['lookup_framework', { framework_id: 'nothing' }],
  ['lookup_framework', { framework_id: 'RM1', query: 'A' }],
  ['get_notice', { notice_id: 'nothing', query: 'A' }],
  ['search_notices', { query: 'zzz', supplier: 'A' }],
  ['search_notices', { query: 'zzz', buyer_id: '1', region: 'Atlantis', cpv: '00' }],
  ['search_notices', { query: 'zzz', facets: 'colour', fields: 'colour' }],
  ['search_tenders', { query: 'maintenance', cursor: 'none' }],
  ['bulk_export', { dataset: 'companies', stage: 'award' }],
  ['bulk_export', { buyer_id: '1', dry_run: true }],
  ['get_export', { export_id: 'nothing' }],
  ['list_ledger', { cursor: 'none' }],
];

describe.each(ASKED)('what %s says of %j', (name, inputs) => {
  const operation = operations.find((each) => each.name === name);
  const binding = operation?.bindings.findLast(({ inputs: taken }) => taken.some((input) => input in inputs));

  it('names calls as its transport does', async () => {
    if (!binding) throw new Error(`${name} has no address`);
    const rest = await callRest(server.url, binding, inputs, server.key);
    const mcp = await callMcp(server.url, `svc_${name}`, inputs, server.key);
    expect(listTexts(rest.body)).not.toEqual([]);
    expect(listTexts(rest.body).filter((text) => !isOfRest(text))).toEqual([]);
    expect(listTexts(mcp.body).filter((text) => !isOfMcp(text))).toEqual([]);
  });
});
