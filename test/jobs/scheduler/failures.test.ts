import { expect, it } from 'vitest';
import { makeFailureBook } from '../../../jobs/scheduler/failures.ts';
import { makeJobServices } from '../../support/job-services.ts';

it('a job that goes on failing alike has a row, also in a catalogue that was restored to before its first failure', async () => {
  const { services, close } = await makeJobServices();
  const { catalogue } = services;
  const { note } = makeFailureBook(services);
  const fail = () => note({ job: 'exports' }, new Error('the bucket is away'));
  const failed = () => catalogue.read({ sql: "SELECT job, error FROM run WHERE state = 'failed'" });
  const row = { job: 'exports', error: expect.stringContaining('the bucket is away') };
  await fail();
  await fail();
  expect(await failed()).toEqual([row]);
  await catalogue.write([{ sql: 'DELETE FROM run' }]);
  await fail();
  expect(await failed()).toEqual([row]);
  await close();
});
