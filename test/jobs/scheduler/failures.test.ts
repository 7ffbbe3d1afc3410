import { expect, it } from 'vitest';
import { makeFailureBook } from '../../../jobs/scheduler/failures.ts';
import { makeTimetable } from '../../../jobs/scheduler/timetable.ts';
import { StoreAway } from '../../../schema/accounts/exports/storage.ts';
import { findFreePort } from '../../support/free-port.ts';
import { makeJobServices } from '../../support/job-services.ts';

it('a job that keeps failing in the same way has one row, and gets it again in a catalogue restored to before its first failure', async () => {
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

it('the writer of exports waits before it tries a store again that is away, and no run of it ends well meanwhile', async () => {
  const { services, close } = await makeJobServices({
    EXPORTS_URL: 's3://bucket/exports',
    EXPORTS_ENDPOINT: `http://127.0.0.1:${await findFreePort()}`,
    EXPORTS_ACCESS_KEY_ID: 'id',
    EXPORTS_SECRET_ACCESS_KEY: 'of no service',
  });
  const writer = makeTimetable([]).find(({ job }) => job === 'exports');
  const stopping = new AbortController();
  const run = () => writer?.run(services, stopping.signal);
  await expect(run()).rejects.toThrow(StoreAway);
  const again = run();
  stopping.abort(new Error('the process is stopping'));
  await expect(again).rejects.toThrow('the process is stopping');
  await close();
});
