import { expect, it, vi } from 'vitest';
import { type Database, DatabaseAway } from '../../../schema/db/interface.ts';
import { makeGivingWay, makePatient } from '../../../schema/db/patient.ts';
import { makeDatabase, makeFolder } from '../../support/databases.ts';

const FILL = `INSERT INTO filled SELECT value FROM (
  WITH RECURSIVE row (value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM row WHERE value < 100000) SELECT value FROM row)`;

it('a file is left to others, after each batch, for as long as the batch took', async () => {
  const folder = await makeFolder();
  const file = await makeDatabase(folder.path, 'accounts');
  await file.write([{ sql: 'CREATE TABLE filled (value INTEGER)' }]);
  const spans: { fromMs: number; toMs: number }[] = [];
  const watched: typeof file = {
    ...file,
    async write(statements) {
      const fromMs = performance.now();
      const outcomes = await file.write(statements);
      spans.push({ fromMs, toMs: performance.now() });
      return outcomes;
    },
  };
  const giving = makeGivingWay(watched);
  // Two pieces of work of one process, neither of which knows of the other.
  const work = async () => {
    for (let batch = 0; batch < 3; batch++) await giving.write([{ sql: FILL }]);
  };
  await Promise.all([work(), work()]);
  expect(spans).toHaveLength(6);
  for (const [index, { fromMs }] of spans.slice(1).entries()) {
    const { fromMs: beganMs = 0, toMs: endedMs = 0 } = spans[index] ?? {};
    // A timer may come a millisecond or two early.
    expect(fromMs - endedMs).toBeGreaterThanOrEqual((endedMs - beganMs) / 2);
  }
  await file.close();
  await folder.remove();
});

it('what a batch throws reaches its caller, and the next is written', async () => {
  const folder = await makeFolder();
  const file = await makeDatabase(folder.path, 'accounts');
  const giving = makeGivingWay(file);
  await expect(giving.write([{ sql: 'INSERT INTO nowhere VALUES (1)' }])).rejects.toThrow('nowhere');
  expect(await giving.write([{ sql: 'CREATE TABLE here (value INTEGER)' }])).toHaveLength(1);
  await file.close();
  await folder.remove();
});

it('a server that is away is asked again after a pause, reported once, and given up after its time', async () => {
  const folder = await makeFolder();
  const file = await makeDatabase(folder.path, 'accounts');
  const read = vi.fn(() => Promise.reject(new DatabaseAway('nobody answers')));
  const away: Database = { ...file, url: 'libsql://accounts.example', read };
  const onAway = vi.fn();
  const patient = makePatient(away, { forMs: 1, onAway });
  await expect(patient.read({ sql: 'SELECT 1' })).rejects.toThrow('nobody answers');
  expect([read.mock.calls.length, onAway.mock.calls.length]).toEqual([2, 1]);
  const ended = makePatient(away, { forMs: 60_000, onAway, signal: AbortSignal.abort() });
  await expect(ended.readNewest?.({ sql: 'SELECT 1' })).rejects.toThrow('nobody answers');
  expect(read).toHaveBeenCalledTimes(3);
  await file.close();
  await folder.remove();
});
