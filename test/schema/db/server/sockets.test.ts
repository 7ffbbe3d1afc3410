import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { WebSocketServer } from 'ws';
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
    server.goAway();
    await expect(readAll(database)).rejects.toThrow(DatabaseAway);
    await expect(database.write([add('lost')])).rejects.toSatisfy(isPassing);
    const unconnected = await openDatabase({ url: server.socketUrl, durability: 'full' });
    await expect(unconnected.write([add('lost')])).rejects.toThrow(DatabaseAway);
    await unconnected.close();
    await server.comeBack();
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
    await one.close();
  });

  it('a process that closed its database holds no connection', async () => {
    await readAll(database);
    await database.close();
    await expect.poll(() => server.streams.size).toBe(0);
  });
});

/** A server of which a client can expect nothing: what it does with a connection is up to each test. */
async function serve(onSocket: (send: (message: string) => void) => void, status?: number) {
  const seen: { headers?: object; messages: unknown[] } = { messages: [] };
  const http: Server = createServer((_request, response) => void response.writeHead(404).end());
  if (status) http.on('upgrade', (_request, socket) => void socket.end(`HTTP/1.1 ${status} No\r\n\r\n`));
  const sockets = status ? undefined : new WebSocketServer({ server: http, handleProtocols: () => 'hrana2' });
  sockets?.on('connection', (socket, { headers }) => {
    seen.headers = headers;
    socket.on('message', (data) => {
      seen.messages.push(JSON.parse(String(data)));
      onSocket((message) => socket.send(message));
    });
  });
  await once(http.listen(0, '127.0.0.1'), 'listening');
  const close = () => {
    for (const socket of sockets?.clients ?? []) socket.terminate();
    http.closeAllConnections();
    http.close();
  };
  return { url: `ws://127.0.0.1:${(http.address() as AddressInfo).port}`, seen, close };
}

describe('a server over WebSockets', () => {
  const ask = async (url: string, more: object = {}) => {
    const deadlineMs = { read: 300, write: 300 };
    const database = await openDatabase({ url, durability: 'full', deadlineMs, ...more });
    const [read, write] = await Promise.allSettled([database.read({ sql: 'SELECT 1' }), database.write([CREATE])]);
    await database.close();
    return [read, write].map((one) => (one.status === 'rejected' ? (one.reason as Error) : undefined));
  };

  it.each([
    ['hangs', () => undefined, /timeout/],
    ['answers garbage', (send: (message: string) => void) => send('garbage'), /not valid JSON/],
  ])('that %s is away for a read, and the outcome of a write is unknown', async (_how, onSocket, words) => {
    const { url, close } = await serve(onSocket);
    const [read, write] = await ask(url);
    expect([read instanceof DatabaseAway, write instanceof OutcomeUnknown]).toEqual([true, true]);
    expect(read?.message).toMatch(words);
    close();
  });

  it('that lets nobody in was sent nothing, and is told its namespace and the token', async () => {
    const refuse = JSON.stringify({ type: 'hello_error', error: { message: 'no', code: 'AUTH_JWT_INVALID' } });
    const { url, seen, close } = await serve((send) => send(refuse));
    const [read, write] = await ask(`${url}/dev/accounts`, { authToken: 'a token' });
    expect([read instanceof DatabaseAway, write instanceof DatabaseAway]).toEqual([true, true]);
    expect(write?.message).toContain('AUTH_JWT_INVALID');
    expect(write?.message).not.toContain('a token');
    expect(seen.headers).toMatchObject({ 'x-namespace': 'accounts' });
    expect(seen.messages[0]).toEqual({ type: 'hello', jwt: 'a token' });
    close();
  });

  it('that is none, but answers there, is away, with the likely reason', async () => {
    const { url, close } = await serve(() => undefined, 404);
    const [read, write] = await ask(url);
    expect([read instanceof DatabaseAway, write instanceof DatabaseAway]).toEqual([true, true]);
    expect(read?.message).toContain('there is no such database');
    close();
  });

  const hasServer = hasLibsql('a libSQL server over WebSockets');
  it.skipIf(!hasServer)('keeps namespaces apart, and comes back after a kill', async () => {
    const server = await startLibsql({ folder: join(folder.path, 'served'), namespaces: true });
    for (const name of ['one', 'two']) await createNamespace(server, name, { durability_mode: 'strong' });
    const open = (name: string) => openDatabase({ url: `${server.socketUrl}/dev/${name}`, durability: 'full' });
    const [one, two, none] = [await open('one'), await open('two'), await open('none')];
    for (const database of [one, two]) await database.write([CREATE]);
    await one.write([add('of one'), add('and more')]);
    expect([await readAll(one), await readAll(two)]).toEqual([['of one', 'and more'], []]);
    await expect(none.read({ sql: 'SELECT 1' })).rejects.toThrow(/it has just ended, or has no such database/);
    await server.kill();
    await expect(readAll(one)).rejects.toThrow(DatabaseAway);
    // Its end may reach this process only after a write was sent, whose outcome is then unknown.
    await expect(one.write([add('lost')])).rejects.toSatisfy(isPassing);
    await server.start();
    await one.write([add('later')]);
    expect(await readAll(one)).toEqual(['of one', 'and more', 'later']);
    for (const database of [one, two, none]) await database.close();
    await server.kill();
  });
});
