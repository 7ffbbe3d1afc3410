import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { operations } from '../../api/operations/index.ts';
import { readRealAsks } from '../api/money/metered-calls.ts';
import { callMcp, callRest, readReal, toReal } from '../api/transports.ts';
import { makeVisitor, PASSWORD } from '../api/web/visitor.ts';
import { hasBucketServer } from '../support/bucket.ts';
import { ask } from '../support/client.ts';
import { hasLibsql } from '../support/libsql-process.ts';
import { runCli } from '../support/run-command.ts';
import type { Customer } from '../support/services.ts';
import { LIMITS_MS } from '../support/time-limits.ts';
import { cliSettings, download, runKills, untilReady } from './kills.ts';
import { type ApiMachine, type Layout, makeApi, startLayout } from './layout.ts';
import { until } from './until.ts';

const WHAT = 'the layout of several machines';
const canRun = [hasLibsql(WHAT), hasBucketServer(WHAT)].every(Boolean);

describe.skipIf(!canRun)(
  'several machines: API processes, jobs, two libSQL servers, a bucket, and no shared folder',
  () => {
    let layout: Layout;
    let first: ApiMachine;
    let second: ApiMachine;
    let customer: Customer;
    beforeAll(async () => {
      layout = await startLayout();
      [first, second] = layout.apis as [ApiMachine, ApiMachine];
      customer = await layout.addCustomer(100_000);
      await untilReady(layout.apis);
      // Lists are 503 until every supplier has been read once.
      const list = ({ url }: ApiMachine) => ask(url, '/v1/companies?query=nobody-has-this-name', customer.key);
      await until('lists', async () =>
        (await Promise.all(layout.apis.map(list))).every(({ status }) => status === 200),
      );
    }, LIMITS_MS.long);
    afterAll(() => layout?.close(), LIMITS_MS.usual);

    /** Orders an export on one machine, and waits until another says that it is written. Returns what that one says. */
    async function makeExport(orderedOn: ApiMachine, readOn: ApiMachine) {
      const order = () => ask(orderedOn.url, '/v1/exports', customer.key, { method: 'POST' });
      let said = await order();
      // Where a machine is slow, its look at the store or the accounts may take too long: 503, and nothing is charged.
      const isOrdered = async () => {
        if (said.status === 503) said = await order();
        return said.status !== 503;
      };
      await until(() => `an export to be accepted: ${said.text}`, isOrdered);
      expect([said.status, said.text]).toEqual([200, expect.stringContaining('export_id')]);
      const { export_id: id } = said.body;
      const isWritten = async () => {
        said = await ask(readOn.url, `/v1/exports/${id}`, customer.key);
        return said.body.status === 'completed';
      };
      await until(() => `the export to be written: ${said.text} ${layout.jobs.said().slice(-2_000)}`, isWritten);
      return said.body;
    }

    it('answers every operation over REST and MCP on each of them, for the price that it names', async () => {
      const real = await readReal({ ...first, catalogue: layout.catalogue, key: customer.key });
      for (const operation of operations) {
        const answers = [];
        for (const { url } of layout.apis) {
          for (const binding of operation.bindings)
            answers.push(await callRest(url, binding, toReal(operation, binding.example, real), customer.key));
          const inputs = toReal(operation, operation.example, real);
          if (!operation.restOnly) answers.push(await callMcp(url, `svc_${operation.name}`, inputs, customer.key));
        }
        for (const { ok, text, body: said } of answers) {
          expect([operation.name, ok, ok ? '' : text]).toEqual([operation.name, true, '']);
          const charged = said.credits_charged ?? 0;
          expect([operation.name, charged]).toEqual([operation.name, operation.public ? charged : operation.credits]);
        }
      }
    });

    it('writes an export that is ordered on one machine to where each of them hands it out', async () => {
      const { export_id: id } = await makeExport(second, first);
      const files = await Promise.all(layout.apis.map(({ url }) => download(url, id, customer.key)));
      expect(files).toEqual([files[0], files[0]]);
      expect(files[0]).toMatch(/^200 /);
    });

    it('lets a customer sign up on one, confirm and make a key on another, and see the charge on the first', async () => {
      const [here, there] = [makeVisitor(first.url), makeVisitor(second.url)];
      await here.get('/sign-up');
      await here.post('/sign-up', { name: 'Ada', email: 'ada@example.org', password: PASSWORD });
      await until('the link of the sign-up', async () => /"link":"/.test(first.said()));
      const path = /"link":"http:\/\/[^/]+([^"]+)"/.exec(first.said())?.[1] ?? '';
      await there.get(path);
      await there.post('/confirm', {
        link: new URLSearchParams(path.split('?')[1]).get('link') ?? '',
        password: PASSWORD,
      });
      await there.get('/dashboard');
      const created = await there.post('/dashboard/keys', { name: 'first' });
      const key = /id="new-key">([^<]+)</.exec(created.html)?.[1] ?? '';
      expect((await ask(first.url, '/v1/companies/search?name=limited', key)).status).not.toBe(401);
      expect((await ask(second.url, '/v1/balance', key)).body.balance).toBeGreaterThan(0);
      // A session of one is a session of the other, as both have the same secret.
      for (const [name, value] of there.cookies) here.cookies.set(name, value);
      expect(await here.get('/dashboard/ledger')).toMatchObject({ status: 200, location: null });
    });

    it(
      'is right after each part of it was killed',
      async () => {
        const asks = await readRealAsks(layout);
        const report = await runKills(layout, { each: 1, clients: 8, seed: 1, asks });
        expect(report.faults).toEqual([]);
        expect(report.verified).toMatch(/^0: the ledger is right/);
        expect(report.successes).toBeGreaterThan(50);
        expect(report.exports).toBeGreaterThan(0);
      },
      LIMITS_MS.long,
    );

    it('is not ready while the accounts server hangs, charges nothing then, and continues after it', async ({
      skip,
    }) => {
      const { accounts } = layout.servers ?? {};
      if (!accounts) return skip('the servers were given: they are not for us to hang');
      const look = () => ask(first.url, '/v1/companies/search?name=limited', customer.key);
      const before = (await ask(first.url, '/v1/balance', customer.key)).body.balance;
      accounts.hang();
      const [ready, refused] = await Promise.all([fetch(`${first.privateUrl}/readyz`), look()]);
      accounts.goOn();
      expect([ready.status, await ready.text()]).toEqual([
        503,
        expect.stringMatching(/accounts: no answer within 2 s/),
      ]);
      expect([refused.status, refused.body.error]).toEqual([503, 'unavailable']);
      await untilReady(layout.apis);
      expect((await ask(first.url, '/v1/balance', customer.key)).body.balance).toBe(before);
      expect((await look()).status).not.toBe(503);
    });

    it('says on a command that the ledger is right, and takes a backup of it', async () => {
      const settings = await cliSettings(layout);
      const taken = await runCli(settings, 'backup', `${settings.DATA_DIR}/accounts.backup`);
      expect([taken.code, taken.stderr]).toEqual([0, '']);
    });

    it('is not ready on a machine with another secret, which refuses what the others signed', async () => {
      const folder = await layout.makeMachineFolder('stranger');
      const stranger = await makeApi(layout.shared, folder, { AUTH_SECRET: 'another one, of 32 characters or more' });
      await stranger.start();
      const ready = await fetch(`${stranger.privateUrl}/readyz`);
      expect([ready.status, await ready.text()]).toEqual([503, expect.stringMatching(/^AUTH_SECRET differs from/m)]);
      const { pathname, search } = new URL((await makeExport(first, first)).download_url);
      expect((await fetch(second.url + pathname + search)).status).toBe(200);
      expect((await fetch(stranger.url + pathname + search)).status).toBe(403);
      await stranger.kill();
    });
  },
);
