import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Database, DatabaseAway, isPassing, OutcomeUnknown } from '../../../../schema/db/interface.ts';
import { openDatabase } from '../../../../schema/db/open.ts';
import { makeFolder } from '../../../support/databases.ts';
import { createNamespace, hasLibsql, startLibsql } from '../../../support/libsql-process.ts';
import { type Hrana, startHrana } from '../../../support/libsql-server.ts';

let folder: Awaited<ReturnType<typeof makeFolder>>;
beforeEach(async () => {
  folder = await makeFolder();
});
afterEach(() => folder.remove());

const CREATE = { sql: 'CREATE TABLE line (id INTEGER PRIMARY KEY, text TEXT)' };
const add = (text: string, id: number | null = null) => ({
  sql: 'INSERT INTO line (id, text) VALUES (?, ?)',
  args: [id, text],
});
const readAll = async (database: Database) =>
  (await database.read<{ text: string }>({ sql: 'SELECT text FROM line ORDER BY id' })).map(({ text }) => text);

describe('over WebSockets', () => {
  let server: Hrana;
  let database: Database;
  beforeEach(async () => {
    server = await startHrana(join(folder.path, 'served.db'));
    database = await openDatabase({ url: server.socketUrl, durability: 'full' });
    await database.write([CREATE]);
  });
  afterEach(async () => {
    vi.useRealTimers();
    await database.close();
    server.close();
  });
  const typesFrom = (from: number) =>
    server.asked.slice(from).map((text) => (JSON.parse(text) as { request?: { type: string } }).request?.type);

  it('one stream takes one write after another, and keeps the statements that it has seen twice', async () => {
    const from = server.asked.length;
    await database.write([add('a'), add('b')]);
    await database.write([add('c')]);
    expect(typesFrom(from)).toEqual(['store_sql', 'batch', 'batch']);
    expect(server.asked.at(-1)).not.toContain('INSERT INTO line');
    expect([await readAll(database), server.streams.size]).toEqual([['a', 'b', 'c'], 2]);
  });

  it('a refused batch changes nothing, and the next is written over the same connection', async () => {
    const from = server.asked.length;
    await database.write([add('a', 1)]);
    await expect(database.write([add('b', 2), add('a', 1)])).rejects.toThrow(/UNIQUE/);
    await database.write([add('c', 3)]);
    expect(await readAll(database)).toEqual(['a', 'c']);
    expect(typesFrom(from)).toEqual([
      ...['batch', 'store_sql', 'batch', 'close_stream', 'open_stream', 'batch'],
      ...[undefined, 'open_stream', 'execute'],
    ]);
  });

  it('a server that was away for a moment is asked again, and nothing is written twice', async () => {
    await database.write([add('a')]);
    const idle = await openDatabase({ url: server.socketUrl, durability: 'full' });
    await readAll(idle);
    server.goAway();
    await expect(readAll(database)).rejects.toThrow(DatabaseAway);
    await expect(database.write([add('lost')])).rejects.toSatisfy(isPassing);
    const unconnected = await openDatabase({ url: server.socketUrl, durability: 'full' });
    await expect(unconnected.write([add('lost')])).rejects.toThrow(DatabaseAway);
    await unconnected.close();
    await server.comeBack();
    // Its connection ended meanwhile, with the stream that it had.
    expect(await readAll(idle)).toEqual(['a']);
    await idle.close();
    await database.write([add('b')]);
    expect(await readAll(database)).toEqual(['a', 'b']);
  });

  it('a write that was not confirmed has an unknown outcome', async () => {
    server.loseAnswers(1);
    await expect(database.write([add('a')])).rejects.toThrow(OutcomeUnknown);
    expect(await readAll(database)).toEqual(['a']);
  });

  it('one connection serves one stream after another, for as long as one is opened within four seconds', async () => {
    vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] });
    const one = await openDatabase({ url: server.socketUrl, durability: 'full' });
    const from = server.asked.length;
    for (let writes = 0; writes < 5; writes++) {
      await one.write([add('a')]);
      vi.advanceTimersByTime(2_500);
    }
    const types = typesFrom(from);
    expect([types.filter((type) => type === 'open_stream').length, types.indexOf(undefined, 1)]).toEqual([5, -1]);
    vi.advanceTimersByTime(4_000);
    await one.write([add('b')]);
    expect(typesFrom(from + types.length)).toEqual(['close_stream', undefined, 'open_stream', 'batch']);
    await one.close();
  });

  it('the connection of a stream that was used for a second serves the next', async () => {
    vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] });
    const one = await openDatabase({ url: server.socketUrl, durability: 'full' });
    const from = server.asked.length;
    for (const text of ['a', 'b', 'c']) {
      await one.write([add(text)]);
      vi.advanceTimersByTime(600);
    }
    expect(typesFrom(from)).toEqual([undefined, 'open_stream', 'batch', 'batch', 'batch', 'close_stream']);
    await one.write([add('d')]);
    expect(typesFrom(from).slice(6)).toEqual(['open_stream', 'batch']);
    await one.close();
  });

  it('one connection keeps no more statements than a server stores for it', async () => {
    const from = server.asked.length;
    const lines = Array.from({ length: 120 }, (_, at) => ({ sql: `INSERT INTO line (text) VALUES ('${at}')` }));
    await database.write([...lines, ...lines]);
    expect(typesFrom(from).filter((type) => type === 'store_sql')).toHaveLength(100);
    expect(await readAll(database)).toHaveLength(240);
  });

  it('a process that closed its database holds no connection', async () => {
    await readAll(database);
    await database.close();
    await expect.poll(() => server.streams.size).toBe(0);
  });
});

const hasServer = hasLibsql('a libSQL server over WebSockets');
it.skipIf(!hasServer)(
  'a libSQL server over WebSockets keeps namespaces apart, and comes back after a kill',
  async () => {
    const server = await startLibsql({ folder: join(folder.path, 'served'), namespaces: true });
    for (const name of ['one', 'two']) await createNamespace(server, name, { durability_mode: 'strong' });
    const open = (name: string) => openDatabase({ url: `${server.socketUrl}/dev/${name}`, durability: 'full' });
    const [one, two, none] = [await open('one'), await open('two'), await open('none')];
    for (const database of [one, two]) await database.write([CREATE]);
    await one.write([add('of one'), add('and more')]);
    expect([await readAll(one), await readAll(two)]).toEqual([['of one', 'and more'], []]);
    await expect(none.read({ sql: 'SELECT 1' })).rejects.toThrow(
      /it has just ended, has no such database, or wants another token/,
    );
    await server.kill();
    await expect(readAll(one)).rejects.toThrow(DatabaseAway);
    // Its end may reach this process only after a write was sent, whose outcome is then unknown.
    await expect(one.write([add('lost')])).rejects.toSatisfy(isPassing);
    await server.start();
    await one.write([add('later')]);
    expect(await readAll(one)).toEqual(['of one', 'and more', 'later']);
    for (const database of [one, two, none]) await database.close();
    await server.kill();
  },
);
