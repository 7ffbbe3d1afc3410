import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Operation, toolRows } from '../../../api/contract/operation.ts';
import { unknownTool } from '../../../api/mcp/call-tool.ts';
import { compileTools } from '../../../api/mcp/tools.ts';
import { knownOperations as operations } from '../../support/known-operations.ts';
import { buildSampleServer } from '../../support/sample-services.ts';
import type { BuiltServer } from '../../support/services.ts';
import { countTokens, listDefaultCalls, readFigures, type TokenFigures, writeFigures } from '../tokens.ts';
import { callMcp, type Inputs, readReal, toReal } from '../transports.ts';
import { connect, GENERATIONS, type McpClient } from './clients.ts';

/** Every tool, judged: what the list says of it, what it answers, and what both cost to read. */

/** The tools of the public contract, with the fields that each answer states; inner ones after dots. */
const STATED: Record<string, string[]> = {
  search_notices: ['items.notice_id', 'items.title', 'items.buyer', 'items.published', 'count', 'meta.next_cursor'],
  search_tenders: ['items.notice_id', 'items.title', 'items.deadline', 'count'],
  get_notice: ['notice_id', 'title', 'description', 'lots', 'how_to_apply', 'live'],
  search_contracts: ['items.contract_id', 'items.supplier', 'items.ends', 'meta.next_cursor'],
  lookup_contract: ['notice_id', 'title', 'buyer', 'supplier', 'value', 'suppliers.company_id', 'buyer_id'],
  contract_documents: ['documents.name', 'documents.url'],
  lookup_company: ['id', 'name', 'companies_house_number', 'is_sme', 'locality'],
  search_companies: ['items.id', 'items.name', 'total', 'next_cursor'],
  lookup_companies: ['items.outcome', 'items.company.name', 'items.match', 'found_count'],
  company_contracts: ['contract_count', 'items.notice_id', 'items.title', 'items.value'],
  company_profile: ['core.name', 'core.company_number', 'contracts.contract_count', 'contracts.items.notice_id'],
  search_buyers: ['items.buyer_id', 'items.name', 'total', 'next_cursor'],
  lookup_buyer: ['buyer_id', 'name', 'region'],
  buyer_contracts: ['contract_count', 'items.notice_id', 'items.title', 'items.supplier'],
  buyer_profile: ['core.name', 'contracts.contract_count', 'contracts.items.notice_id'],
  search_frameworks: ['items.framework_id', 'items.title'],
  lookup_framework: ['framework_id', 'title', 'lots.lot_id'],
  summarise_contracts: ['groups.id', 'groups.value_total', 'total'],
  list_changes: ['items.kind', 'items.id', 'items.change', 'items.item', 'has_more', 'next_cursor'],
  bulk_export: ['export_id', 'status', 'rows'],
  get_export: ['export_id', 'status', 'download_url'],
  describe_filters: ['items.name', 'items.meaning', 'items.values.code'],
  create_watch: ['watch_id', 'status', 'secret'],
  list_watches: ['items.watch_id', 'items.status', 'next_cursor'],
  manage_watch: ['watch.status', 'delivery.status', 'deliveries.error'],
  get_balance: ['balance'],
  list_ledger: ['items.credits', 'next_cursor'],
  get_status: ['sources.as_of'],
};

/** Tokens: of the whole list, of an answer to a call that leaves everything to its defaults, and how much more is an alarm. */
const LIST_MAX = 11_500;
/** Of the list what clients show to a model: names, descriptions and inputs. */
const VISIBLE_MAX = 7_500;
const ANSWER_MAX = 2_500;
const ALARM = 1.1;

const SECRET = 'hunter2';
const tools = [...compileTools(operations, 'svc_').values()];
const byName = tools.map((each) => [each.tool.name, each] as const);
const update = process.env.UPDATE_TOKENS !== undefined;
const figures = readFigures();
const found: TokenFigures = { tools: {}, answers: {} };
afterAll(() => {
  if (update) writeFigures(found);
});

describe('the tool list', () => {
  it('is the table, by the names of the contract', () => {
    expect(tools.map(({ operation }) => operation.name).sort()).toEqual(Object.keys(STATED).sort());
  });

  it(`is read in fewer than ${LIST_MAX} tokens, and grows by less than a tenth (UPDATE_TOKENS=1 writes)`, () => {
    for (const { tool } of tools) found.tools[tool.name] = countTokens(tool);
    const sum = countTokens({ tools: tools.map(({ tool }) => tool) });
    const shares = Object.entries(found.tools).map(([name, tokens]) => `${name} ${tokens}`);
    console.info(`tools/list: ${sum} tokens: ${shares.join(', ')}`);
    expect(sum).toBeLessThan(LIST_MAX);
    const visible = countTokens(
      tools.map(({ tool: { name, description, inputSchema } }) => ({ name, description, inputSchema })),
    );
    console.info(`of them a model reads ${visible}`);
    expect(visible).toBeLessThan(VISIBLE_MAX);
    if (update) return;
    for (const [name, tokens] of Object.entries(found.tools))
      expect(tokens, name).toBeLessThanOrEqual((figures.tools[name] ?? 0) * ALARM);
  });

  it.each([
    ['svc_search_awards', 'svc_search_contracts'],
    ['svc_lookup_award', 'svc_lookup_contract'],
    ['svc_summarise_awards', 'svc_summarise_contracts'],
    ['svc_search_buyer', 'svc_search_buyers'],
  ])('leads from %s to %s', (given, meant) => {
    expect(unknownTool(given, compileTools(operations, 'svc_'))).toContain(`did you mean '${meant}'?`);
  });

  it('says which tool can delete, so that clients ask their user before it', () => {
    const deleting = tools.filter(({ tool }) => tool.annotations?.destructiveHint);
    expect(deleting.map(({ operation }) => operation.name)).toEqual(['manage_watch']);
  });

  it.each(byName)('%s says when it is used, what it costs and what is free', (name, { operation, tool }) => {
    expect(name).toMatch(/^svc_[a-z_]{1,40}$/);
    expect(tool.description).toMatch(/^Use this (when|to|after) /);
    expect(tool.description).toMatch(/Free\.$|Costs .*credits.*; .* free\.$/);
    expect(tool.description?.length).toBeLessThanOrEqual(700);
    expect(tool.title?.length).toBeLessThanOrEqual(60);
    expect(Object.values(tool.annotations ?? {}).map((hint) => typeof hint)).toEqual(Array(4).fill('boolean'));
    if (Object.keys(operation.input.shape).some((input) => /_id$|_number$/.test(input)))
      expect(`${tool.description} ${JSON.stringify(tool.inputSchema)}`).toMatch(/\bfrom\b|as in svc_search_|answered/i);
  });

  it.each(byName)(
    '%s takes an object without alternatives, whose required inputs have examples',
    (_name, { operation, tool }) => {
      const { inputSchema, outputSchema } = tool;
      for (const word of ['anyOf', 'oneOf', 'allOf', '$ref']) {
        expect(inputSchema).not.toHaveProperty(word);
        expect(outputSchema).not.toHaveProperty(word);
      }
      expect([inputSchema.type, inputSchema.additionalProperties, outputSchema?.type]).toEqual([
        'object',
        false,
        'object',
      ]);
      expect(Object.keys(inputSchema.properties ?? {})).toEqual(Object.keys(operation.input.shape));
      for (const name of Object.keys(inputSchema.properties ?? {}))
        expect([name, describedFor(operation, name)]).toEqual([name, expect.stringMatching(/\w{2}/)]);
      for (const name of inputSchema.required ?? [])
        expect(inputSchema.properties, name).toHaveProperty([
          name,
          operation.name === 'get_export' ? 'type' : 'examples',
        ]);
    },
  );

  it.each(byName)('%s promises what its answer states', (_name, { operation, tool }) => {
    const credits = ['credits_charged', 'credits_remaining'];
    for (const path of [...(STATED[operation.name] ?? []), ...credits])
      expect(isPromised(tool.outputSchema, path.split('.')), path).toBe(true);
    expect(tool.outputSchema?.required ?? []).toEqual(credits);
    expect(JSON.stringify(tool.outputSchema)).not.toContain('additionalProperties');
  });
});

/** What a model reads of an input: at the tool itself, or at one that its text names for it, itself or by another. */
function describedFor(operation: Operation, name: string): string | undefined {
  const tool = tools.find((one) => one.operation === operation)?.tool;
  const { describedBy } = operation;
  if (!describedBy?.inputs.includes(name))
    return (tool?.inputSchema.properties?.[name] as { description?: string } | undefined)?.description;
  const named = operations.filter(
    (one) => describedBy.tools.includes(one.name) && JSON.stringify(tool).includes(one.name),
  );
  return named.map((one) => (name in one.input.shape ? describedFor(one, name) : undefined)).find(Boolean);
}

type Schema = { properties?: Record<string, Schema>; items?: Schema } | undefined;

function isPromised(schema: unknown, [name = '', ...inner]: string[]): boolean {
  const { properties, items } = (schema as Schema) ?? {};
  const field = (properties ?? items?.properties)?.[name];
  return field !== undefined && (inner.length === 0 || isPromised(field, inner));
}

/** A row whose run answers also what it does not declare. */
function plant(operation: Operation): Operation {
  return {
    ...operation,
    async run(...asked) {
      const answer = await operation.run(...asked);
      return answer.kind === 'answer' ? { ...answer, body: { ...answer.body, internal: SECRET } } : answer;
    },
  };
}

describe('every tool, called', () => {
  let server: BuiltServer;
  let real: Inputs;
  beforeAll(async () => {
    server = await buildSampleServer({ credits: 1_000_000, operations: operations.map(plant) });
    real = await readReal(server);
  });
  afterAll(() => server.close());

  it.each(toolRows(operations).map((row) => [row.name, row] as const))(
    `%s answers its defaults in fewer than ${ANSWER_MAX} tokens, and nothing that it does not declare`,
    async (name, operation) => {
      for (const inputs of await listDefaultCalls(server, operation, real)) {
        const { text } = await callMcp(server.url, `svc_${name}`, inputs, server.key);
        expect(text).not.toContain(SECRET);
        const tokens = countTokens(text);
        expect(tokens, JSON.stringify(inputs)).toBeLessThan(ANSWER_MAX);
        found.answers[name] = Math.max(found.answers[name] ?? 0, tokens);
      }
      if (!update) expect(found.answers[name]).toBeLessThanOrEqual((figures.answers[name] ?? 0) * ALARM);
    },
  );

  it('one answer, whole', async () => {
    const { text } = await callMcp(server.url, 'svc_lookup_framework', { framework_id: real.framework_id }, server.key);
    const body = { ...JSON.parse(text), charge_id: 'ch_', credits_remaining: 0 };
    await expect(`${JSON.stringify(body, null, 2)}\n`).toMatchFileSnapshot('../../__snapshots__/tool-answer.json');
  });

  // The official clients hold each answer against the published schema.
  describe.each(GENERATIONS)('by the official client of %s', (generation) => {
    let client: McpClient;
    beforeAll(async () => {
      client = await connect(generation, `${server.url}/mcp/`, server.key);
      await client.listTools();
    });
    afterAll(() => client.close());

    it.each(tools.map((each) => [each.tool.name, each.operation] as const))('%s', async (name, operation) => {
      for (const detail of 'detail' in operation.input.shape ? ['brief', 'full'] : [undefined]) {
        const inputs = { ...toReal(operation, operation.example, real), ...(detail && { detail }) };
        const answer = await client.call(name, inputs);
        expect(answer.isError, answer.text).toBeFalsy();
        expect(JSON.parse(answer.text)).toEqual(answer.structuredContent);
        expect(answer.structuredContent).toMatchObject({
          credits_charged: operation.credits,
          credits_remaining: expect.any(Number),
        });
      }
    });
  });
});
