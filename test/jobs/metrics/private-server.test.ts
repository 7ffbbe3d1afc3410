import { once } from 'node:events';
import { connect } from 'node:net';
import { networkInterfaces } from 'node:os';
import { pino } from 'pino';
import { expect, it } from 'vitest';
import { checkJobsReadiness, startPrivateServer } from '../../../jobs/metrics/private-server.ts';
import { makeMetrics } from '../../../jobs/metrics/registry.ts';
import { makeJobServices } from '../../support/job-services.ts';

const IPV6 = '::1';
const hasIpv6 = Object.values(networkInterfaces()).some((all) => all?.some(({ address }) => address === IPV6));
if (!hasIpv6) console.warn(`skipped: a private port at an IPv6 address needs a machine that has one (${IPV6})`);

it('the private server closes at once, also where a connection is open on which nothing was asked', async () => {
  const { services, close } = await makeJobServices();
  const settings = { ...services.settings, PRIVATE_HOST: '127.0.0.1', JOBS_PRIVATE_PORT: 0 };
  const server = await startPrivateServer(
    { settings, log: pino({ level: 'silent' }) },
    { metrics: makeMetrics(services), checkReadiness: async () => ({ faults: [], remarks: [] }) },
  );
  for (const path of ['/readyz', '/readyz?verbose']) {
    expect(await (await fetch(server.url + path)).text()).toBe('ready\n');
  }
  const silent = connect(Number(new URL(server.url).port), '127.0.0.1').on('error', () => undefined);
  await once(silent, 'connect');
  const closed = once(silent, 'close');
  await server.close();
  await closed;
  await expect(fetch(server.url)).rejects.toThrow();
  await close();
});

it.skipIf(!hasIpv6)('the private server says where it is, also at an IPv6 address', async () => {
  const { services, close } = await makeJobServices();
  const settings = { ...services.settings, PRIVATE_HOST: IPV6, JOBS_PRIVATE_PORT: 0 };
  const server = await startPrivateServer(
    { settings, log: pino({ level: 'silent' }) },
    { metrics: makeMetrics(services), checkReadiness: async () => ({ faults: [], remarks: [] }) },
  );
  expect(await (await fetch(`${server.url}/healthz`)).text()).toBe('ok\n');
  await server.close();
  await close();
});

it('a question that fails is 500 with its error in the log, and the next one is answered', async () => {
  const { services, close } = await makeJobServices();
  const settings = { ...services.settings, PRIVATE_HOST: '127.0.0.1', JOBS_PRIVATE_PORT: 0 };
  const lines: string[] = [];
  const server = await startPrivateServer(
    { settings, log: pino({}, { write: (line: string) => lines.push(line) }) },
    { metrics: makeMetrics(services), checkReadiness: () => Promise.reject(new Error('the disk is gone')) },
  );
  const ready = await fetch(`${server.url}/readyz`);
  expect([ready.status, await ready.text()]).toEqual([500, 'failed\n']);
  expect(lines.join('')).toContain('the disk is gone');
  expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
  await server.close();
  await close();
});

it('jobs that follow no timetable or cannot write a database are not ready, and say all of it', async () => {
  const { services, close } = await makeJobServices();
  const settings = { ...services.settings, PRIVATE_HOST: '127.0.0.1', JOBS_PRIVATE_PORT: 0 };
  let isAtWork = false;
  const server = await startPrivateServer(
    { settings, log: pino({ level: 'silent' }) },
    { metrics: makeMetrics(services), checkReadiness: () => checkJobsReadiness(services, isAtWork) },
  );
  const ask = async () => {
    const answer = await fetch(`${server.url}/readyz`);
    return [answer.status, await answer.text()] as const;
  };
  const [remark] = (await checkJobsReadiness(services, true)).remarks;
  expect(remark).toMatch(/^search: .* has no index of notices/);
  const idle = 'the timetable is not followed yet, or not any more';
  expect(await ask()).toEqual([503, `not ready\n${idle}\n${remark}\n`]);
  isAtWork = true;
  expect(await ask()).toEqual([200, `ready\n${remark}\n`]);
  for (const name of ['catalogue', 'accounts'] as const) {
    await services[name].read({ sql: 'PRAGMA query_only=ON' });
    expect(await ask()).toEqual([503, expect.stringMatching(`^not ready\n${name}: .* cannot be written`)]);
    await services[name].read({ sql: 'PRAGMA query_only=OFF' });
  }
  await server.close();
  await close();
});
