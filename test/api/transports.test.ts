import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Binding, type Operation, toolRows } from '../../api/contract/operation.ts';
import { operations } from '../../api/operations/index.ts';
import { verifyLedger } from '../../schema/accounts/ledger/verify.ts';
import { buildSampleServer } from '../support/sample-services.ts';
import type { BuiltServer, Customer } from '../support/services.ts';
import { type Called, callMcp, callRest, type Inputs, readBalance, readReal, toReal } from './transports.ts';

const SECRET = 'a-word-that-must-not-leave';

/** The table with rows that misbehave when they are told to, by a switch no caller has. */
let misbehave: 'not' | 'throw' | 'plant' = 'not';
const table: Operation[] = operations.map((operation) => ({
  ...operation,
  async readText(...asked) {
    if (misbehave === 'throw') throw new Error(SECRET);
    return misbehave === 'plant' ? undefined : operation.readText?.(...asked);
  },
  async run(...asked) {
    if (misbehave === 'throw') throw new Error(SECRET);
    const found = await operation.run(...asked);
    if (misbehave !== 'plant' || found.kind === 'nothing') return found;
    return { ...found, body: { ...found.body, planted: SECRET } };
  },
}));

let server: BuiltServer;
let real: Inputs;
let poor: Customer;
beforeAll(async () => {
  // Every call does its work: a kept answer would hide what goes wrong inside.
  server = await buildSampleServer({ operations: table, credits: 100_000, settings: { KEPT_ANSWERS_MB: '0' } });
  real = await readReal(server);
  poor = await server.addCustomer(0);
});
afterAll(async () => {
  expect((await verifyLedger(server.accounts)).faults).toEqual([]);
  await server.close();
});

/** Every way to ask for every operation: each REST address and the tool. */
interface Transport {
  operation: Operation;
  binding: Binding | null;
  ask(inputs: Inputs, key?: string): Promise<Called>;
  example(): Inputs;
}
const tool = (name: string) => `svc_${name}`;
const transports = table.flatMap((operation): [string, Transport][] => [
  ...operation.bindings.map((binding): [string, Transport] => [
    `${binding.method} ${binding.path}`,
    {
      operation,
      binding,
      ask: (inputs, key) => callRest(server.url, binding, inputs, key),
      example: () => toReal(operation, binding.example, real),
    },
  ]),
  ...toolRows([operation]).map((row): [string, Transport] => [
    tool(row.name),
    {
      operation,
      binding: null,
      ask: (inputs, key) => callMcp(server.url, tool(row.name), inputs, key),
      example: () => toReal(row, row.example, real),
    },
  ]),
]);
const metered = transports.filter(([, { operation }]) => operation.credits > 0);
const keyed = transports.filter(([, { operation, binding }]) => !(operation.public && binding));

describe.each(transports)('%s', (_name, { operation, binding, ask, example }) => {
  it('answers its example, and what it says it cost is what it cost', async () => {
    const before = await readBalance(server, server.accountId);
    const answer = await ask(example(), server.key);
    expect(answer.ok, answer.text).toBe(true);
    const charged = operation.public ? 0 : answer.body.credits_charged;
    expect(charged).toBe(operation.credits);
    expect(await readBalance(server, server.accountId)).toBe(before - charged);
    if (!operation.public) expect(answer.body.credits_remaining).toBe(before - charged);
    expect(typeof answer.body.charge_id).toBe(operation.credits > 0 ? 'string' : 'undefined');
  });

  it('refuses an input nobody takes, free, naming the nearest', async () => {
    const before = await readBalance(server, server.accountId);
    const answer = await ask({ ...example(), colour: 'red' }, server.key);
    const [detail] = answer.body.detail;
    expect([detail.type, detail.loc.at(-1)]).toEqual(['extra_forbidden', 'colour']);
    expect(['query', 'body', 'arguments']).toContain(detail.loc[0]);
    expect(await readBalance(server, server.accountId)).toBe(before);
  });

  it('hides what goes wrong inside, free', async () => {
    const before = await readBalance(server, server.accountId);
    misbehave = 'throw';
    const answer = await ask(example(), server.key).finally(() => {
      misbehave = 'not';
    });
    expect(answer.ok).toBe(false);
    expect(answer.body).toMatchObject({ error: 'internal_error', request_id: expect.any(String) });
    expect(answer.text).not.toContain(SECRET);
    expect(await readBalance(server, server.accountId)).toBe(before);
    if (binding) expect(answer.status).toBe(500);
  });

  it('lets out no field that its row does not declare', async () => {
    misbehave = 'plant';
    const answer = await ask(example(), server.key).finally(() => {
      misbehave = 'not';
    });
    expect(answer.ok, answer.text).toBe(true);
    expect(answer.text).not.toContain(SECRET);
  });
});

/** The doors that require an input, and each input of a door that can be given a wrong type. */
const demanding = transports.filter(([, { operation, binding }]) => requiredInputs(operation, binding).length > 0);
const typed = transports.flatMap(([name, transport]) =>
  wrongTypes(transport.operation, transport.binding).map(
    ([input, value, types]) => [name, input, { ...transport, value, types }] as const,
  ),
);

describe.each(demanding)('%s without its inputs', (_name, { operation, binding, ask, example }) => {
  it('names each required input that is missing', async () => {
    const answer = await ask(binding ? pathOnly(binding, example()) : {}, server.key);
    const missing = answer.body.detail.filter(({ type }: { type: string }) => type === 'missing');
    expect(missing.map(({ loc }: { loc: string[] }) => loc.at(-1)).sort()).toEqual(requiredInputs(operation, binding));
  });
});

describe.each(typed)('%s with a wrong %s', (_name, input, { ask, example, value, types }) => {
  it('refuses its type', async () => {
    const answer = await ask({ ...example(), [input]: value }, server.key);
    const detail = answer.body.detail.find(({ loc }: { loc: string[] }) => loc[1] === input);
    expect(types).toContain(detail?.type);
  });
});

describe.each(keyed)('%s without a working key', (_name, { ask, example }) => {
  it('is 401 before anything is looked at', async () => {
    const none = await ask({ ...example(), colour: 'red' });
    expect([none.status, none.body.error]).toEqual([401, 'missing_api_key']);
    for (const key of ['nonsense', `${server.key.slice(0, -1)}_`, 'svc_live_00000000000000000000000000000000000000']) {
      const wrong = await ask(example(), key);
      expect([wrong.status, wrong.body.error]).toEqual([401, 'invalid_api_key']);
    }
  });
});

describe.each(metered)('%s without credits', (_name, { operation, binding, ask, example }) => {
  it('is refused before the work with the exact body', async () => {
    // What an export costs is known once its rows are counted.
    if (!operation.priceNote) misbehave = 'throw';
    const answer = await ask(example(), poor.key).finally(() => {
      misbehave = 'not';
    });
    if (binding) expect(answer.status).toBe(402);
    expect(answer.body).toEqual({
      error: 'insufficient_credits',
      action: operation.name,
      required: operation.credits,
      balance: 0,
      top_up_url: expect.stringMatching(/^http/),
      message: expect.any(String),
      request_id: expect.any(String),
    });
  });
});

const NOWHERE: Inputs = {
  notice_id: '999999-1999',
  company_number: '00999999',
  buyer_id: 'nobody',
  framework_id: 'nothing',
  export_id: 'ex_0000000000000000000000',
  name: 'Zzyzx Qwertyuiop Nonexistent',
  watch_id: 'wat_0000000000000000000000',
  under: '99',
};
const lookups = transports.filter(
  ([, { binding }]) => !binding || /[:]|\/(companies|buyers)\/search|\/filters/.test(binding.path),
);
const named = lookups.filter(
  ([, { operation }]) =>
    operation.name !== 'create_watch' && Object.keys(operation.example).some((name) => name in NOWHERE),
);

describe.each(named)('%s for what is not there', (_name, { binding, ask, example }) => {
  it('is not found, free', async () => {
    const before = await readBalance(server, server.accountId);
    const inputs = Object.fromEntries(Object.entries(example()).map(([name, value]) => [name, NOWHERE[name] ?? value]));
    const answer = await ask(inputs, server.key);
    if (binding) expect(answer.status).toBe(404);
    expect(answer.body).toMatchObject({ error: 'not_found', credits_charged: 0, credits_remaining: before });
    expect(await readBalance(server, server.accountId)).toBe(before);
  });
});

function schemaOf(operation: Operation) {
  return Object.entries(operation.input.shape).map(([name, schema]) => ({
    name,
    accepts: (value: unknown) => schema.safeParse(value).success,
  }));
}

function requiredInputs(operation: Operation, binding: Binding | null): string[] {
  const ofSchema = schemaOf(operation)
    .filter(({ accepts }) => !accepts(undefined))
    .map(({ name }) => name);
  const all = new Set([...ofSchema, ...(binding?.required ?? [])]);
  return [...all].filter((name) => !binding?.path.includes(`:${name}`)).sort();
}

function pathOnly({ path }: Binding, inputs: Inputs): Inputs {
  return Object.fromEntries(Object.entries(inputs).filter(([name]) => path.includes(`:${name}`)));
}

/** Whole numbers and switches given as words; texts given as a list, where the door can say so. */
function wrongTypes(operation: Operation, binding: Binding | null): [string, unknown, string[]][] {
  const accepted = schemaOf(operation).filter(
    ({ name }) => !binding || (binding.inputs.includes(name) && !binding.path.includes(`:${name}`)),
  );
  return accepted.flatMap(({ name, accepts }): [string, unknown, string[]][] => {
    if (accepts(1) && !accepts('x')) return [[name, 'many', ['int_parsing', 'float_parsing']]];
    if (accepts(true) && !accepts('x')) return [[name, 'perhaps', ['bool_parsing']]];
    if (accepts({}) || accepts({ webhook: '' })) return [[name, 'x', ['dict_type', 'model_type', 'value_error']]];
    return binding?.method === 'GET'
      ? []
      : [[name, { a: 1 }, ['string_type', 'list_type', 'literal_error', 'value_error', 'int_type', 'bool_type']]];
  });
}

it('a key that was used over REST is answered again over MCP', async () => {
  const detailed = operations.filter(
    ({ input, credits, priceNote }) => 'detail' in input.shape && credits > 0 && !priceNote,
  );
  expect(detailed.length).toBeGreaterThan(5);
  for (const operation of detailed) {
    const [binding] = operation.bindings;
    if (!binding) throw new Error(`${operation.name} has no address`);
    const key = `both-${operation.name}`;
    const inputs = toReal(operation, binding.example, real);
    const first = await callRest(server.url, binding, inputs, server.key, { 'idempotency-key': key });
    const again = await callMcp(server.url, tool(operation.name), inputs, server.key, { 'idempotency-key': key });
    expect([operation.name, again.body]).toEqual([operation.name, first.body]);
  }
});
