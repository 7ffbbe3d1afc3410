import { constants, getPriority } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import pino from 'pino';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type LongReadPool, makeLongReadPool, openLongReads } from '../../../api/find/readers.ts';
import { openServices, type Shared } from '../../../api/process/open.ts';
import { readSettings } from '../../../schema/config/settings.ts';
import { makeDatabase, makeFolder } from '../../support/databases.ts';
import { companyRow, seed } from '../../support/seed.ts';

const PATIENT_MS = 60_000;

let folder: Awaited<ReturnType<typeof makeFolder>>;
let readers: LongReadPool;
let tasks: string[];
beforeEach(async () => {
  folder = await makeFolder();
  const catalogue = await makeDatabase(folder.path, 'catalogue');
  await seed(catalogue, companyRow('GB-COH-00000001', 'ACME LIMITED'));
  await catalogue.close();
  await (await makeDatabase(folder.path, 'accounts')).close();
  tasks = [];
  const own = makeLongReadPool({ DATA_DIR: folder.path }, PATIENT_MS);
  const ask: LongReadPool['ask'] = (asked) => {
    tasks.push(asked.task);
    return own.ask(asked);
  };
  readers = { ...own, ask };
});
afterEach(async () => {
  await readers.close();
  await folder.remove();
});

it('a service makes its lists ready before anybody asks for one', async () => {
  const settings = readSettings({ DATA_DIR: folder.path, AUTH_SECRET: 'x'.repeat(32) });
  const services = await openServices(settings, pino({ level: 'silent' }), { longReads: readers } as Shared);
  const deadline = performance.now() + PATIENT_MS;
  while (tasks.length === 0 && performance.now() < deadline) await pause(20);
  expect(tasks).toEqual(['prepareLists']);
  await services.close();
});

it('lists that were made ready are in the reader of lists alone, and answer', async () => {
  const longReads = openLongReads(readSettings({ DATA_DIR: folder.path }), readers);
  await longReads.prepareLists();
  const [pid] = readers.pids();
  expect(readers.pids()).toHaveLength(1);
  expect((await longReads.listCompanies({ limit: 5 })).entries.map(({ name }) => name)).toEqual(['ACME LIMITED']);
  expect(readers.pids()).toEqual([pid]);
  // Other calls come first where the processor is busy.
  expect(getPriority(pid)).toBe(constants.priority.PRIORITY_BELOW_NORMAL);
});
