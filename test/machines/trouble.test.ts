import { cp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readFirst } from '../../schema/db/interface.ts';
import { readRealAsks } from '../api/money/metered-calls.ts';
import { hasBucketServer } from '../support/bucket.ts';
import { ask } from '../support/client.ts';
import { createNamespace, hasLibsql } from '../support/libsql-process.ts';
import { type Mood, startProxy } from '../support/proxy.ts';
import { runCli } from '../support/run-command.ts';
import type { Customer } from '../support/services.ts';
import { LIMITS_MS } from '../support/time-limits.ts';
import { cliSettings, download, runKills, untilReady } from './kills.ts';
import { type ApiMachine, type Layout, makeApi, startLayout } from './layout.ts';
import { until } from './until.ts';

const WHAT = 'trouble on several machines';
const canRun = [hasLibsql(WHAT), hasBucketServer(WHAT)].every(Boolean) && !process.env.LIBSQL_URLS;
const PRICE = 5;

describe.skipIf(!canRun)('machines in trouble', () => {
  let layout: Layout;
  let well: ApiMachine;
  let customer: Customer;
  let company: string;
  beforeAll(async () => {
    layout = await startLayout({ apis: 1 });
    [well] = layout.apis as [ApiMachine];
    customer = await layout.addCustomer(1_000_000);
    const sql = 'SELECT company_number AS number FROM company WHERE company_number IS NOT NULL AND gone = 0 LIMIT 1';
    company = (await readFirst<{ number: string }>(layout.catalogue, { sql }))?.number ?? '';
    await untilReady(layout.apis);
  }, LIMITS_MS.long);
  afterAll(() => layout?.close(), LIMITS_MS.usual);

  const balance = async () => (await ask(well.url, '/v1/balance', customer.key)).body.balance as number;
  const readyz = async ({ privateUrl }: ApiMachine) => {
    const answer = await fetch(`${privateUrl}/readyz`);
    return [answer.status, await answer.text()] as const;
  };
  let keys = 0;
  const makeLook = () => {
    const keyed = { headers: { 'idempotency-key': `look-${keys++}` } };
    return (machine: ApiMachine) => ask(machine.url, `/v1/companies/${company}`, customer.key, keyed);
  };

  describe.each(['accounts', 'catalogue'] as const)('whose way to the %s server is bad', (name) => {
    let machine: ApiMachine;
    let proxy: Awaited<ReturnType<typeof startProxy>>;
    beforeAll(async () => {
      const setting = name === 'accounts' ? 'ACCOUNTS_URL' : 'CATALOGUE_URL';
      const url = new URL(layout.shared[setting] ?? '');
      proxy = await startProxy(url);
      const folder = await layout.makeMachineFolder(`far-from-${name}`);
      machine = await makeApi(layout.shared, folder, { [setting]: proxy.url + url.pathname.replace(/\/$/, '') });
      await machine.start();
      await untilReady([machine]);
    }, LIMITS_MS.usual);
    afterAll(async () => {
      await machine?.kill();
      await proxy?.close();
    });

    it.each<Mood>(['garble', 'hang', 'cut', 'refuse', 'vanish', 'break'])(
      'is not ready where it does %s, answers 503, and charges a keyed call once in the end',
      async (mood) => {
        const before = await balance();
        const look = makeLook();
        proxy.become(mood);
        const [[status, said], refused] = await Promise.all([readyz(machine), look(machine)]);
        expect([status, said]).toEqual([503, expect.stringMatching(`not ready\n${name}: `)]);
        expect([refused.status, refused.body.error]).toEqual([503, 'unavailable']);
        expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
        proxy.become('pass');
        await untilReady([machine]);
        await until('the call to be answered', async () => (await look(machine)).status === 200);
        expect((await look(well)).status).toBe(200);
        expect(await balance()).toBe(before - PRICE);
      },
    );
  });

  it.each<Mood>(['slow', 'hang', 'refuse', 'cut', 'vanish', 'break'])(
    'write every export that was paid for, where the bucket does %s for a while',
    async (mood) => {
      const before = await balance();
      const order = () => ask(well.url, '/v1/exports', customer.key, { method: 'POST' });
      const orders = [await order()];
      layout.bucket.become(mood);
      orders.push(await order(), await order());
      const taken = orders.filter(({ status }) => status < 300);
      expect(orders.filter(({ status }) => status >= 300 && status !== 503)).toEqual([]);
      layout.bucket.become('pass');
      for (const { body } of taken) {
        const status = async () => (await ask(well.url, `/v1/exports/${body.export_id}`, customer.key)).body.status;
        await until('the export to be written', async () => (await status()) === 'completed');
        await until('it to be there', async () =>
          (await download(well.url, body.export_id, customer.key)).startsWith('200 '),
        );
      }
      const charged = taken.reduce((sum, { body }) => sum + body.credits_charged, 0);
      expect(await balance()).toBe(before - charged);
    },
  );

  it('charge right where their clocks are a minute apart', async () => {
    const folder = await layout.makeMachineFolder('ahead');
    const script = join(folder, 'a-minute-ahead.mjs');
    await writeFile(script, AHEAD);
    const ahead = await makeApi(layout.shared, folder, { NODE_OPTIONS: `--import ${script}` });
    await ahead.start();
    const apis = [well, ahead];
    const { body } = await ask(ahead.url, '/v1/exports', customer.key, { method: 'POST' });
    const stated = async () => (await ask(ahead.url, `/v1/exports/${body.export_id}`, customer.key)).body;
    await until('the export to be written', async () => (await stated()).status === 'completed');
    const files = await Promise.all(apis.map(({ url }) => download(url, body.export_id, customer.key)));
    expect(files).toEqual([expect.stringMatching(/^200 /), files[0]]);
    const look = makeLook();
    const before = await balance();
    expect([(await look(ahead)).status, (await look(well)).status, await balance()]).toEqual([
      200,
      200,
      before - PRICE,
    ]);
    const asks = await readRealAsks(layout);
    const report = await runKills({ ...layout, apis }, { each: 2, victims: ['api'], clients: 8, seed: 7, asks });
    expect(report.faults).toEqual([]);
    await ahead.kill();
  });

  it('are not ready, know no tool of the others and charge nothing for one, where the prefixes differ', async () => {
    const folder = await layout.makeMachineFolder('other-names');
    const other = await makeApi(layout.shared, folder, { TOOL_PREFIX: 'other' });
    await other.start();
    expect(await readyz(other)).toEqual([503, expect.stringMatching(/^TOOL_PREFIX differs from/m)]);
    const before = await balance();
    const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'svc_lookup_company', arguments: {} } };
    const { text } = await ask(other.url, '/mcp', customer.key, {
      method: 'POST',
      body: JSON.stringify(call),
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    });
    expect(text).toMatch(/svc_lookup_company/);
    expect(await balance()).toBe(before);
    await other.kill();
  });

  it('lose nothing but what came since, where the accounts server is restored to an older state', async () => {
    const { accounts } = layout.servers ?? {};
    if (!accounts) throw new Error('the servers were started here');
    const settings = await cliSettings(layout);
    const older = await balance();
    await accounts.stop();
    const copy = await layout.makeMachineFolder('yesterday');
    await cp(accounts.folder, copy, { recursive: true });
    await accounts.start();
    await untilReady(layout.apis);
    const look = makeLook();
    expect((await look(well)).status).toBe(200);
    expect(await balance()).toBe(older - PRICE);
    const { stdout } = await runCli(settings, 'backup', `${settings.DATA_DIR}/newest.backup`);
    const [head = ''] = /\b\d+:[0-9a-f]{64}\b/.exec(stdout) ?? [];
    await accounts.stop();
    await rm(accounts.folder, { recursive: true });
    await cp(copy, accounts.folder, { recursive: true });
    await accounts.start();
    await untilReady(layout.apis);
    expect(await balance()).toBe(older);
    expect((await look(well)).status).toBe(200);
    expect(await balance()).toBe(older - PRICE);
    expect((await runCli(settings, 'ledger', 'verify')).code).toBe(0);
    const proved = await runCli(settings, 'ledger', 'verify', '--head', head);
    expect([proved.code, proved.stdout + proved.stderr]).toEqual([1, expect.stringMatching(/head|line/)]);
  });

  it.each(['accounts', 'catalogue'] as const)(
    'answer nothing wrong while the %s server is empty, and start no jobs on it',
    async (name) => {
      const server = layout.servers?.[name];
      if (!server) throw new Error('the servers were started here');
      await layout.jobs.kill();
      await server.stop();
      const copy = await layout.makeMachineFolder(`kept-${name}`);
      await cp(server.folder, copy, { recursive: true });
      await rm(server.folder, { recursive: true });
      await server.start();
      if (name === 'accounts') await createNamespace(server, name, { durability_mode: 'strong' });
      await until('it to be found out', async () => (await readyz(well))[0] === 503);
      expect((await readyz(well))[1]).toMatch(`${name}: `);
      const refused = await makeLook()(well);
      expect([refused.status, refused.body.error]).toEqual([503, 'unavailable']);
      await expect(layout.jobs.start()).rejects.toThrow(/there is no (catalogue|accounts database) at/);
      await server.stop();
      await rm(server.folder, { recursive: true });
      await cp(copy, server.folder, { recursive: true });
      await server.start();
      await layout.jobs.start();
      await untilReady(layout.apis);
      const before = await balance();
      expect((await makeLook()(well)).status).toBe(200);
      expect(await balance()).toBe(before - PRICE);
    },
  );
});

/** Shifts the wall clock of a process and of those that it starts. */
const AHEAD = `
  const { Date: RealDate } = globalThis;
  globalThis.Date = class extends RealDate {
    constructor(...given) {
      super(...(given.length > 0 ? given : [RealDate.now() + 60_000]));
    }
    static now() {
      return RealDate.now() + 60_000;
    }
  };
`;
