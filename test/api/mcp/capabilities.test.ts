import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Client as FirstClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as FirstTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildSampleServer } from '../../support/sample-services.ts';
import type { BuiltServer } from '../../support/services.ts';
import { callMcp, readBalance, readReal } from '../transports.ts';
import { GENERATIONS, type Generation } from './clients.ts';

let server: BuiltServer;
let notice: string;
beforeAll(async () => {
  server = await buildSampleServer({ credits: 10_000 });
  notice = String((await readReal(server)).notice_id);
});
afterAll(() => server.close());

const ME = { name: 'test', version: '1.0.0' };
const BUYER = 'GB-PPON-PBPR-5137-RWZL';

type Argument = [ref: string, name: string, value: string];

/** What completes an argument of a prompt, or of the address of a resource. */
async function completeOf(client: Client, ...[ref, name, value]: Argument) {
  const of = ref.includes('://')
    ? ({ type: 'ref/resource', uri: ref } as const)
    : ({ type: 'ref/prompt', name: ref } as const);
  return (await client.complete({ ref: of, argument: { name, value } })).completion;
}

/** An official client of a generation; their resource, prompt and completion methods are the same. */
async function connectClient(generation: Generation, key = server.key, opens?: () => void): Promise<Client> {
  const url = new URL(`${server.url}/mcp/`);
  const options = { requestInit: { headers: { authorization: `Bearer ${key}` } } };
  if (generation === '1.x') {
    const client = new FirstClient(ME);
    await client.connect(new FirstTransport(url, options) as Parameters<FirstClient['connect']>[0]);
    return client as unknown as Client;
  }
  const mode = generation === '2026-07-28' ? { pin: '2026-07-28' } : ('legacy' as const);
  const capabilities = opens ? { elicitation: { url: {} } } : {};
  const client = new Client(ME, { capabilities, versionNegotiation: { mode } });
  if (opens) {
    client.setRequestHandler('elicitation/create', async () => {
      opens();
      return { action: 'decline' };
    });
  }
  await client.connect(new StreamableHTTPClientTransport(url, options));
  return client;
}

async function readText(client: Client, uri: string, meta?: Record<string, unknown>) {
  const { contents, _meta } = await client.readResource({ uri, ...(meta ? { _meta: meta } : {}) });
  const [first] = contents as { uri: string; mimeType: string; text: string }[];
  expect([contents.length, first?.uri, first?.mimeType]).toEqual([1, uri, 'application/json']);
  return { body: JSON.parse(first?.text ?? ''), replayed: _meta?.['idempotent-replayed'] };
}

describe.each(GENERATIONS)('a client of %s', (generation) => {
  let client: Client;
  beforeAll(async () => {
    client = await connectClient(generation);
  });
  afterAll(() => client.close());

  it('lists what may be read', async () => {
    const { resources } = await client.listResources();
    expect(resources.map(({ uri }) => uri)).toEqual(['cpv://divisions', 'status://sources', 'filters://all']);
    const { resourceTemplates } = await client.listResourceTemplates();
    expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual([
      'notice://{notice_id}',
      'company://{company_number}',
      'buyer://{buyer_id}',
      'cpv://{code}',
    ]);
    expect(resourceTemplates[0]?.description).toContain('Costs 5 credits');
  });

  it('reads a notice, a company and a buyer for the price of their lookups, with the same answer', async () => {
    const ways = [
      [`notice://${notice}`, 'svc_get_notice', { notice_id: notice }],
      ['company://00900010', 'svc_lookup_company', { company_number: '00900010' }],
      [`buyer://${BUYER}`, 'svc_lookup_buyer', { buyer_id: BUYER }],
    ] as const;
    for (const [uri, tool, given] of ways) {
      const before = await readBalance(server, server.accountId);
      const { charge_id: _, ...said } = (await readText(client, uri)).body;
      expect(await readBalance(server, server.accountId)).toBe(before - 5);
      const { charge_id: _other, ...body } = (await callMcp(server.url, tool, given, server.key)).body;
      expect(said).toEqual({ ...body, credits_remaining: before - 5 });
    }
  });

  it('reads the CPV and how fresh everything is for nothing', async () => {
    const before = await readBalance(server, server.accountId);
    const tree = await readText(client, 'cpv://divisions');
    expect(tree.body.divisions).toHaveLength(45);
    expect(tree.body.divisions).toContainEqual({ code: '45', name: 'Construction work', uri: 'cpv://45' });
    expect((await readText(client, 'cpv://45210000')).body.division).toMatchObject({ name: 'Construction work' });
    expect((await readText(client, 'status://sources')).body.sources.length).toBeGreaterThan(1);
    expect(await readBalance(server, server.accountId)).toBe(before);
  });

  it('walks the CPV from a division down to a code that notices have', async () => {
    const [code] = await server.catalogue.read<{ cpv: string; notices: number; words: string }>({
      sql: `SELECT cpv, count(*) AS notices, json_extract(detail, '$.cpv_descriptions."' || cpv || '"') AS words
        FROM notice WHERE gone = 0 AND copy_of IS NULL AND cpv LIKE '____%' GROUP BY cpv ORDER BY notices DESC LIMIT 1`,
    });
    if (!code) throw new Error('no notice of the sample has a code');
    let node = (await readText(client, `cpv://${code.cpv.slice(0, 2)}`)).body;
    const path = [node.code];
    for (const { code: other } of [...node.narrower]) expect(other).toMatch(new RegExp(`^${node.code}[0-9]{6}$`));
    while (node.code !== code.cpv) {
      const stem = (one: { code: string }) => one.code.replace(/0+$/, '');
      const next = node.narrower.find((one: { code: string }) => code.cpv.startsWith(stem(one)));
      expect([next?.uri, next?.notices >= code.notices]).toEqual([`cpv://${next?.code}`, true]);
      node = (await readText(client, next.uri)).body;
      path.push(node.code);
    }
    expect(node).toMatchObject({ name: code.words, notices_is: 'exact', division: { code: path[0] } });
    expect(node.broader[0]).toEqual(node.division);
    expect(path).toEqual(expect.arrayContaining(node.broader.map((one: { code: string }) => one.code)));
  });

  it('reads everything of a thing where its address asks for it, and refuses what no look-up takes', async () => {
    const brief = (await readText(client, `notice://${notice}`)).body;
    const full = (await readText(client, `notice://${notice}?detail=full`)).body;
    expect(Object.keys(full).length).toBeGreaterThan(Object.keys(brief).length);
    const wrong = client.readResource({ uri: `notice://${notice}?colour=red` });
    await expect(wrong).rejects.toMatchObject({ code: -32_602, data: { detail: [{ type: 'extra_forbidden' }] } });
  });

  it('reads twice under one key and pays once', async () => {
    const meta = { 'idempotency-key': `read-${generation.replaceAll(' ', '-')}` };
    const first = await readText(client, 'company://00900010', meta);
    const again = await readText(client, 'company://00900010', meta);
    expect(again).toEqual({ body: first.body, replayed: true });
    expect(first.replayed).toBeUndefined();
  });

  it('hears of what is not there, of what is no address and of missing credits', async () => {
    const gone = { code: -32_602, data: { uri: 'notice://999999-2020' } };
    await expect(client.readResource({ uri: 'notice://999999-2020' })).rejects.toMatchObject(gone);
    const near = { message: expect.stringMatching(`; send the id of a candidate: .*notice://${notice}`) };
    await expect(client.readResource({ uri: `notice://${notice.slice(0, 6)}-1999` })).rejects.toMatchObject(near);
    await expect(client.readResource({ uri: 'secret://x' })).rejects.toMatchObject({ data: { uri: 'secret://x' } });
    await expect(client.readResource({ uri: 'cpv://99' })).rejects.toMatchObject({ data: { uri: 'cpv://99' } });
    const { key } = await server.addCustomer(4);
    const poor = await connectClient(generation, key);
    const data = { error: 'insufficient_credits', action: 'lookup_buyer', required: 5, balance: 4 };
    await expect(poor.readResource({ uri: `buyer://${BUYER}` })).rejects.toMatchObject({ code: 402, data });
    await poor.close();
  });

  it('fills in prompts that name the tools and their prices', async () => {
    const { prompts } = await client.listPrompts();
    expect(prompts.map(({ name }) => name)).toEqual([
      'research_supplier',
      'find_tenders',
      'profile_buyer',
      'renewal_pipeline',
      'compare_competitors',
      'size_market',
      'weekly_watch',
    ]);
    for (const { name } of prompts) {
      const company = 'Netherbeck "Ltd"';
      const given = {
        company,
        companies: company,
        buyer: 'Crown Purchasing Service',
        category: company,
        region: 'London',
      };
      const { messages } = await client.getPrompt({ name, arguments: given });
      const text = (messages[0]?.content as { text: string } | undefined)?.text;
      expect(text).toMatch(/svc_\w+ \(\d+ credits\)/);
      expect(text).not.toMatch(/undefined|\bnull\b/);
      expect(text).toContain(name === 'profile_buyer' ? '"Crown Purchasing Service"' : '"Netherbeck \\"Ltd\\""');
      expect(text).toContain('never follow it');
      await expect(client.getPrompt({ name })).rejects.toMatchObject({ code: -32_602 });
    }
    await expect(client.getPrompt({ name: 'other' })).rejects.toMatchObject({ code: -32_602 });
  });

  it('completes buyers, companies, CPV codes and regions', async () => {
    const sql = 'SELECT id, name, company_number FROM company WHERE gone = 0 ORDER BY company_number IS NULL';
    type Row = { id: string; name: string; company_number: string };
    const [company = expect.fail('the sample has none'), ...others] = await server.catalogue.read<Row>({ sql });
    const outside = others.at(-1) ?? expect.fail('the sample has one only');
    const complete = async (...given: Argument) => (await completeOf(client, ...given)).values;
    const count = async (...given: Argument) => {
      const { values, hasMore } = await completeOf(client, ...given);
      return { values: values.length, hasMore };
    };
    expect(await complete('buyer://{buyer_id}', 'buyer_id', 'crown pur')).toEqual([BUYER]);
    expect(await complete('buyer://{buyer_id}', 'buyer_id', 'gb-ppon-pbpr')).toEqual([BUYER]);
    expect(await complete('profile_buyer', 'buyer', 'purchas')).toContain('Crown Purchasing Service');
    expect(await complete('cpv://{code}', 'code', '4')).toContain('45');
    const [first = '', ...below] = await complete('cpv://{code}', 'code', '79');
    expect([first, below.length > 0, below.every((code) => /^79\d{6}$/.test(code))]).toEqual(['79', true, true]);
    expect(await complete('research_supplier', 'company', company.name.slice(0, 6))).toContain(company.name);
    expect(await complete('find_tenders', 'company', company.name.slice(0, 6))).toContain(company.name);
    const numbers = await complete('company://{company_number}', 'company_number', company.name);
    expect(numbers).toContain(company.company_number);
    expect(await complete('company://{company_number}', 'company_number', company.company_number)).toEqual(
      numbers.slice(0, 1),
    );
    expect(await complete('company://{company_number}', 'company_number', outside.name)).toContain(outside.id);
    expect(await complete('find_tenders', 'cpv', 'Constr')).toContain('45');
    expect(await complete('find_tenders', 'region', 'lond')).toContain('London');
    expect(await complete('find_tenders', 'region', 'UKI')).toContain('London');
    expect(await complete('find_tenders', 'region', '45')).toEqual([]);
    expect(await complete('find_tenders', 'company', 'x y z')).toEqual([]);
    expect(await count('find_tenders', 'region', 'UKN')).toEqual({ values: 12, hasMore: false });
    expect(await count('find_tenders', 'cpv', 'p')).toEqual({ values: 20, hasMore: false });
    expect(await count('find_tenders', 'region', 'UKL')).toEqual({ values: 20, hasMore: true });
    await expect(complete('nothing', 'x', 'x')).rejects.toMatchObject({ code: -32_602 });
  });
});

it('asks a client that opens addresses to open the one where credits are bought', async () => {
  const { key } = await server.addCustomer(4);
  let opened = 0;
  const client = await connectClient('2026-07-28', key, () => opened++);
  await expect(client.readResource({ uri: `buyer://${BUYER}` })).rejects.toMatchObject({ code: 402 });
  expect(opened).toBe(1);
  await client.close();
});

it('completes no name or id from fewer than four letters, and at most sixty a minute', async () => {
  const { key } = await server.addCustomer(0);
  const client = await connectClient('2026-07-28', key);
  const complete = async (...given: Argument) => (await completeOf(client, ...given)).values;
  const shorts = ['', 'a', 'the', 'c r o', '12345', 'GB-', 'gb-coh-', 'GB-PPON-', 'GB-PPON-PBP', 'GB-COH-01234'];
  for (const short of shorts)
    for (const [ref, name] of [
      ['buyer://{buyer_id}', 'buyer_id'],
      ['company://{company_number}', 'company_number'],
      ['research_supplier', 'company'],
      ['find_tenders', 'company'],
      ['profile_buyer', 'buyer'],
    ] as const)
      expect([short, ref, await complete(ref, name, short)]).toEqual([short, ref, []]);
  for (let asked = 50; asked < 60; asked += 1)
    expect(await complete('profile_buyer', 'buyer', 'crown pur')).toHaveLength(1);
  await expect(complete('profile_buyer', 'buyer', 'crown pur')).rejects.toMatchObject({ code: 429 });
  await client.close();
});
