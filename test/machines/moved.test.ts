import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readFirst } from '../../schema/db/interface.ts';
import { hasBucketServer } from '../support/bucket.ts';
import { ask } from '../support/client.ts';
import { hasLibsql, type LibsqlProcess, startLibsql } from '../support/libsql-process.ts';
import { runCli } from '../support/run-command.ts';
import { LIMITS_MS } from '../support/time-limits.ts';
import { cliSettings, untilReady } from './kills.ts';
import { type ApiMachine, type Layout, makeCopyingApi, startLayout } from './layout.ts';
import { until } from './until.ts';

const WHAT = 'a catalogue that moves under several machines';
const canRun = [hasLibsql(WHAT), hasBucketServer(WHAT)].every(Boolean) && !process.env.LIBSQL_URLS;
const COMPANY = 'SELECT company_number AS number FROM company WHERE company_number IS NOT NULL AND gone = 0 LIMIT 1';
const PRICE = 5;

describe.skipIf(!canRun)('a catalogue that is rebuilt onto another server', () => {
  let layout: Layout;
  let next: LibsqlProcess;
  let apis: [ApiMachine, ApiMachine];
  beforeAll(async () => {
    layout = await startLayout({ apis: 1 });
    next = await startLibsql({ folder: join(await layout.makeMachineFolder('next'), 'server') });
    const copying = await makeCopyingApi(layout.shared, await layout.makeMachineFolder('copying'));
    await copying.start();
    apis = [layout.apis[0] as ApiMachine, copying];
    await untilReady(apis);
  }, LIMITS_MS.long);
  afterAll(async () => {
    await apis?.[1].kill();
    await layout?.close();
    await next?.kill();
  }, LIMITS_MS.usual);

  const readyz = async ({ privateUrl }: ApiMachine) => (await fetch(`${privateUrl}/readyz`)).text();

  it('answers all calls meanwhile, with and without a copy of the server', async () => {
    const { accounts, catalogue: old } = layout.servers ?? {};
    if (!accounts || !old) throw new Error('the servers were started here');
    const { key } = await layout.addCustomer(1_000_000);
    const company = (await readFirst<{ number: string }>(layout.catalogue, { sql: COMPANY }))?.number;
    const statuses: number[] = [];
    let isOver = false;
    const look = async ({ url }: ApiMachine) => (await ask(url, `/v1/companies/${company}`, key)).status;
    const clients = apis.map(async (api) => {
      for (; !isOver; await pause(20)) statuses.push(await look(api));
    });
    const settings = { ...(await cliSettings(layout)), CATALOGUE_NEXT_URL: next.url };
    const { code, stdout, stderr } = await runCli(settings, 'rebuild');
    expect([code, stderr]).toEqual([0, expect.stringMatching('set CATALOGUE_URL to it on every machine')]);
    expect(stdout).toContain(`the catalogue has moved to ${next.url}, and every process follows`);
    const jobs = () => fetch(`http://127.0.0.1:${layout.jobsPort}/readyz`);
    const readReady = [...apis.map((api) => () => readyz(api)), async () => (await jobs()).text()];
    // A process looks every five seconds: from a server that is gone by then, it would not learn where its successor is.
    for (const read of readReady)
      await until('a process to follow', async () => (await read()).includes(`moved to ${next.url}`));
    await until('the copy to be of the new server', async () => !/copy/.test(await readyz(apis[1])));
    isOver = true;
    await Promise.all(clients);
    await apis[0].kill();
    await apis[0].start();
    await untilReady(apis);
    expect(await readyz(apis[0])).toContain(`set CATALOGUE_URL to it on every machine`);
    await old.kill();
    for (const api of apis) expect(await look(api)).toBe(200);
    await untilReady(apis);
    const counted = statuses.filter((status) => status === 200).length + apis.length;
    expect(counted).toBe(statuses.length + apis.length);
    const { body } = await ask(apis[0].url, '/v1/balance', key);
    expect(body.balance).toBe(1_000_000 - PRICE * counted);
    await until('the jobs to be ready on the new server', async () => (await jobs()).status === 200);
    expect(await (await jobs()).text()).toContain(`moved to ${next.url}`);
  });
});
