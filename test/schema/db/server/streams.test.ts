import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { type Database, DatabaseAway } from '../../../../schema/db/interface.ts';
import { openDatabase } from '../../../../schema/db/open.ts';
import { makeFolder } from '../../../support/databases.ts';
import { type Hrana, startHrana } from '../../../support/libsql-server.ts';

let folder: Awaited<ReturnType<typeof makeFolder>>;
let server: Hrana;
let database: Database;
beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] });
  folder = await makeFolder();
  server = await startHrana(join(folder.path, 'served.db'));
  database = await openDatabase({ url: server.url, durability: 'full' });
  await database.write([{ sql: 'CREATE TABLE line (id INTEGER PRIMARY KEY, text TEXT)' }]);
});
afterEach(async () => {
  vi.restoreAllMocks();
  vi.useRealTimers();
  await database.close();
  server.close();
  await folder.remove();
});

const add = (text: string, id: number | null = null) => ({
  sql: 'INSERT INTO line (id, text) VALUES (?, ?)',
  args: [id, text],
});
const readAll = async () =>
  (await database.read<{ text: string }>({ sql: 'SELECT text FROM line ORDER BY id' })).map(({ text }) => text);
const askedFrom = (from: number) =>
  server.asked.slice(from).map((text) => JSON.parse(text) as { baton?: string; requests: { type: string }[] });

it('are kept from one request to the next, one for writes and one for reads, and ended at the end', async () => {
  for (const text of ['a', 'b', 'c']) await database.write([add(text)]);
  for (let reads = 0; reads < 3; reads++) expect(await readAll()).toEqual(['a', 'b', 'c']);
  expect(server.asked).toHaveLength(7);
  expect(server.streams.size).toBe(2);
  await database.close();
  await expect.poll(() => server.streams.size).toBe(0);
});

it('that the server has forgotten are opened again, and what was asked is done once', async () => {
  await database.write([add('before')]);
  server.streams.clear();
  await database.write([add('after')]);
  server.streams.clear();
  expect(await readAll()).toEqual(['before', 'after']);
});

it('are ended where a batch was refused, and the next batch has another', async () => {
  await database.write([add('a', 1)]);
  await expect(database.write([add('b', 2), add('a', 1)])).rejects.toThrow(/UNIQUE/);
  await expect.poll(() => server.streams.size).toBe(0);
  const [outcome] = await database.write([add('c', 3)]);
  expect([outcome?.changes, await readAll()]).toEqual([1, ['a', 'c']]);
});

it('are ended by their first request after a second', async () => {
  await database.write([add('a')]);
  vi.advanceTimersByTime(600);
  await database.write([add('b')]);
  expect(server.streams.size).toBe(1);
  vi.advanceTimersByTime(600);
  await database.write([add('c')]);
  expect([server.asked.length, server.streams.size]).toEqual([4, 0]);
  await database.write([add('d')]);
  expect([server.asked.length, server.streams.size]).toEqual([5, 1]);
});

it('are ended where they were idle for a second', async () => {
  await database.write([add('a')]);
  vi.advanceTimersByTime(600);
  await readAll();
  expect(server.streams.size).toBe(2);
  vi.advanceTimersByTime(600);
  await expect.poll(() => server.streams.size).toBe(1);
  vi.advanceTimersByTime(500);
  await expect.poll(() => server.streams.size).toBe(0);
});

it('are ended one by one, as each was idle for a second', async () => {
  await Promise.all([readAll(), readAll()]);
  vi.advanceTimersByTime(600);
  await readAll();
  expect(server.streams.size).toBe(3);
  vi.advanceTimersByTime(600);
  await expect.poll(() => server.streams.size).toBe(1);
  vi.advanceTimersByTime(1_000);
  await expect.poll(() => server.streams.size).toBe(0);
});

it('are not used after that second, even where they could not be ended in time', async () => {
  await database.write([add('a')]);
  const from = server.asked.length;
  vi.spyOn(performance, 'now').mockReturnValue(60_000);
  await database.write([add('b')]);
  expect(askedFrom(from).map(({ baton }) => baton)).toEqual([undefined]);
});

it('are as many as there are requests at once, but no more than twenty', async () => {
  const reads = Array.from({ length: 50 }, () => readAll());
  expect(await Promise.all(reads)).toEqual(Array(50).fill([]));
  expect(server.streams.size).toBeLessThanOrEqual(21);
});

it('keep a statement that a batch has more than once, for later batches too', async () => {
  const from = server.asked.length;
  await database.write([add('a'), add('b'), add('c')]);
  await database.write([add('d')]);
  const [first = '', second = ''] = server.asked.slice(from);
  expect(askedFrom(from).map(({ requests }) => requests.map(({ type }) => type))).toEqual([
    ['store_sql', 'batch'],
    ['batch'],
  ]);
  expect([first.split('INSERT INTO line').length - 1, second.includes('INSERT INTO line')]).toEqual([1, false]);
  server.streams.clear();
  await database.write([add('e'), add('f')]);
  expect(await readAll()).toEqual(['a', 'b', 'c', 'd', 'e', 'f']);
});

it('keep no more statements than a server stores for one', async () => {
  const from = server.asked.length;
  const lines = Array.from({ length: 60 }, (_, at) => ({ sql: `INSERT INTO line (text) VALUES ('${at}')` }));
  await database.write([...lines, ...lines]);
  const types = askedFrom(from).flatMap(({ requests }) => requests.map(({ type }) => type));
  expect([types.filter((type) => type === 'store_sql').length, (await readAll()).length]).toEqual([40, 120]);
});

it('keep no statement that is longer than a server stores', async () => {
  const from = server.asked.length;
  const long = { sql: `INSERT INTO line (text) VALUES ('${'long '.repeat(900)}')` };
  await database.write([long, long]);
  expect(askedFrom(from).map(({ requests }) => requests.map(({ type }) => type))).toEqual([['batch']]);
});

it.each([400, 404])('are opened again where the server answers %d as it has forgotten them', async (status) => {
  const batons: (string | null)[] = [];
  const { moved, close } = await startMachine(null, (baton) => {
    batons.push(baton);
    return baton ? status : 200;
  });
  for (let reads = 0; reads < 2; reads++) await moved.read({ sql: 'SELECT 1' });
  // The second one asked for was refused, and was asked for again without it.
  expect([batons.slice(0, 2), batons.at(-1)]).toEqual([[null, 'b'], null]);
  await close();
});

it('are not asked again where a gateway refuses the request, as the server may have done it', async () => {
  const batons: (string | null)[] = [];
  const { moved, close } = await startMachine(null, (baton) => {
    batons.push(baton);
    return baton ? 502 : 200;
  });
  await moved.read({ sql: 'SELECT 1' });
  await expect(moved.read({ sql: 'SELECT 1' })).rejects.toThrow(DatabaseAway);
  expect(batons.slice(0, 2)).toEqual([null, 'b']);
  expect(batons.slice(2)).not.toContain(null);
  await close();
});

/** A server that says where the next request is to go, the paths that it was asked at, and by what status it answers a baton. */
async function startMachine(
  next: ((url: string) => string) | null,
  judge: (baton: string | null) => number = () => 200,
) {
  const paths: string[] = [];
  const machine = createServer(async (request, response) => {
    paths.push(request.url ?? '');
    response.statusCode = judge((JSON.parse(await text(request)) as { baton?: string | null }).baton ?? null);
    const result = { cols: [], rows: [], affected_row_count: 0 };
    const results = [{ type: 'ok', response: { type: 'execute', result } }];
    response.end(JSON.stringify({ baton: 'b', base_url: next?.(url) ?? null, results }));
  }).listen(0, '127.0.0.1');
  await once(machine, 'listening');
  const url = `http://127.0.0.1:${(machine.address() as AddressInfo).port}`;
  const moved = await openDatabase({ url, durability: 'full' });
  const close = async () => {
    machine.closeAllConnections();
    machine.close();
    await moved.close();
  };
  return { paths, moved, close };
}

it('are asked where the server says that they are', async () => {
  const { paths, moved, close } = await startMachine((url) => `${url}/machine-2/`);
  await moved.read({ sql: 'SELECT 1' });
  await moved.read({ sql: 'SELECT 1' });
  expect(paths).toEqual(['/v2/pipeline', '/machine-2/v2/pipeline']);
  await close();
});

it.each(['elsewhere', 'gopher://127.0.0.1/'])(
  'are opened again where the server says that they are at "%s"',
  async (there) => {
    const { paths, moved, close } = await startMachine(() => there);
    for (let reads = 0; reads < 3; reads++) await moved.read({ sql: 'SELECT 1' });
    expect(paths).toEqual(Array(3).fill('/v2/pipeline'));
    await close();
  },
);
