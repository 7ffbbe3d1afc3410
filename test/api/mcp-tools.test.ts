import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { compileTools } from '../../api/mcp-tools.ts';
import { operations } from '../../api/operations/index.ts';
import type { BuiltHouse } from '../house.ts';
import { buildSampleHouse } from '../sample-house.ts';
import { type Inputs, readReal, toReal } from './doors.ts';
import { connect, GENERATIONS, type McpClient } from './mcp-clients.ts';

/** Fields that each tool's answer states (section 3 of the contract); an inner one after a dot, of a list's items after `[]`. */
const STATED: Record<string, string[]> = {
  search_notices: [
    'items[].notice_id',
    'items[].title',
    'items[].buyer',
    'items[].published',
    'count',
    'meta.next_cursor',
  ],
  search_tenders: ['items[].notice_id', 'items[].title', 'items[].deadline', 'count'],
  lookup_contract: ['notice_id', 'title', 'buyer', 'supplier', 'value', 'suppliers[].company_id', 'buyer_id'],
  contract_documents: ['documents[].name', 'documents[].url'],
  lookup_company: ['id', 'name', 'companies_house_number', 'is_sme', 'locality'],
  company_contracts: ['contract_count', 'items[].notice_id', 'items[].title', 'items[].value'],
  company_profile: ['core.name', 'core.company_number', 'contracts.contract_count', 'contracts.items[].notice_id'],
  lookup_buyer: ['buyer_id', 'name', 'region'],
  buyer_contracts: ['contract_count', 'items[].notice_id', 'items[].title', 'items[].supplier'],
  buyer_profile: ['core.name', 'contracts.contract_count', 'contracts.items[].notice_id'],
  lookup_framework: ['framework_id', 'title', 'lots[].lot_id'],
  bulk_export: ['export_id', 'status', 'rows'],
  get_balance: ['balance'],
};

const tools = [...compileTools(operations, 'svc_').values()];
const bytes = (value: unknown) => Buffer.byteLength(JSON.stringify(value));

describe('the tool list', () => {
  it('is short enough to be read before every conversation', () => {
    expect(bytes({ tools: tools.map(({ tool }) => tool) })).toBeLessThan(37_500);
    for (const { tool } of tools) expect(bytes(tool), tool.name).toBeLessThan(4_000);
  });

  it.each(tools.map((each) => [each.tool.name, each] as const))('%s promises what its answer states', (_name, each) => {
    const { operation, tool } = each;
    const credits = operation.public ? [] : ['credits_charged', 'credits_remaining'];
    for (const path of [...(STATED[operation.name] ?? []), ...credits]) {
      expect(tool.outputSchema, path).toHaveProperty(toSchemaPath(path));
    }
    expect(tool.outputSchema?.required).toEqual(expect.arrayContaining(credits));
    expect(JSON.stringify(tool.outputSchema)).not.toContain('additionalProperties');
    expect(Object.keys(tool.inputSchema.properties ?? {})).toEqual(Object.keys(operation.input.shape));
    expect(tool.inputSchema.additionalProperties).toBe(false);
  });
});

function toSchemaPath(path: string): string[] {
  return path
    .split('.')
    .flatMap((part) =>
      part.endsWith('[]') ? ['properties', part.slice(0, -'[]'.length), 'items'] : ['properties', part],
    );
}

describe('every tool, asked by the official clients, which hold each answer against the published schema', () => {
  let house: BuiltHouse;
  let real: Inputs;
  beforeAll(async () => {
    house = await buildSampleHouse({ credits: 100_000 });
    real = await readReal(house);
  }, 120_000);
  afterAll(() => house.close());

  describe.each(GENERATIONS)('%s', (generation) => {
    let client: McpClient;
    beforeAll(async () => {
      client = await connect(generation, `${house.url}/mcp/`, house.key);
      await client.listTools();
    });
    afterAll(() => client.close());

    it.each(tools.map((each) => [each.tool.name, each.operation] as const))('%s', async (name, operation) => {
      const answer = await client.call(name, toReal(operation, operation.example, real));
      expect(answer.isError, answer.text).toBeFalsy();
      expect(JSON.parse(answer.text)).toEqual(answer.structuredContent);
      if (!operation.public) expect(answer.structuredContent?.credits_charged).toBe(operation.credits);
    });
  });
});
