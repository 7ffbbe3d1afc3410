import { once } from 'node:events';
import { connect } from 'node:net';
import { pino } from 'pino';
import { expect, it } from 'vitest';
import { startPrivateServer } from '../../../jobs/metrics/private-server.ts';
import { makeMetrics } from '../../../jobs/metrics/registry.ts';
import { makeJobServices } from '../../support/job-services.ts';

it('the private server closes at once, also where a connection is open on which nothing was asked', async () => {
  const { services, close } = await makeJobServices();
  const settings = { ...services.settings, PRIVATE_HOST: '127.0.0.1', JOBS_PRIVATE_PORT: 0 };
  const server = await startPrivateServer(
    { settings, log: pino({ level: 'silent' }) },
    { metrics: makeMetrics(services), checkReadiness: async () => ({ faults: [], remarks: [] }) },
  );
  expect(await (await fetch(`${server.url}/readyz`)).text()).toBe('ready\n');
  const silent = connect(Number(new URL(server.url).port), '127.0.0.1').on('error', () => undefined);
  await once(silent, 'connect');
  const closed = once(silent, 'close');
  await server.close();
  await closed;
  await expect(fetch(server.url)).rejects.toThrow();
  await close();
});
