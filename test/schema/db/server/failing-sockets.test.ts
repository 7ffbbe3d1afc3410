import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { describe, expect, it, vi } from 'vitest';
import { WebSocketServer } from 'ws';
import { DatabaseAway, OutcomeUnknown } from '../../../../schema/db/interface.ts';
import { openDatabase } from '../../../../schema/db/open.ts';

/** A message of a client. */
interface Asked {
  type: string;
  request_id?: number;
  request?: { type: string };
}

/** A server of which a client can expect nothing: what it does with a connection is up to each test. */
async function serve(
  onSocket: (send: (message: string) => void, asked: Asked) => void,
  onUpgrade?: (socket: Duplex) => void,
) {
  const seen: { headers?: object; messages: Asked[] } = { messages: [] };
  const http: Server = createServer((_request, response) => void response.writeHead(404).end());
  if (onUpgrade) http.on('upgrade', (_request, socket) => onUpgrade(socket));
  const sockets = onUpgrade ? undefined : new WebSocketServer({ server: http, handleProtocols: () => 'hrana2' });
  sockets?.on('connection', (socket, { headers }) => {
    seen.headers = headers;
    socket.on('message', (data) => {
      const asked = JSON.parse(String(data)) as Asked;
      seen.messages.push(asked);
      onSocket((message) => socket.send(message), asked);
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
    const [read, write] = await Promise.allSettled([
      database.read({ sql: 'SELECT 1' }),
      database.write([{ sql: 'DELETE FROM lease' }]),
    ]);
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

  it('that lets nobody in was sent nothing, and its refusal names its namespace and the token', async () => {
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
    const refuse = (socket: Duplex) => void socket.end('HTTP/1.1 404 No\r\n\r\n');
    const { url, close } = await serve(() => undefined, refuse);
    const [read, write] = await ask(url);
    expect([read instanceof DatabaseAway, write instanceof DatabaseAway]).toEqual([true, true]);
    expect(read?.message).toContain('there is no such database');
    close();
  });

  it('that hangs before a connection is made was sent nothing', async () => {
    const sockets: Duplex[] = [];
    const { url, close } = await serve(
      () => undefined,
      (socket) => void sockets.push(socket),
    );
    const [read, write] = await ask(url);
    expect([read instanceof DatabaseAway, write instanceof DatabaseAway]).toEqual([true, true]);
    for (const socket of sockets) socket.destroy();
    close();
  });

  it('that did not answer in time is asked over another connection', async () => {
    let executions = 0;
    const { url, seen, close } = await serve((send, { type, request_id, request }) => {
      if (type === 'hello') return send(JSON.stringify({ type: 'hello_ok' }));
      if (request?.type === 'execute' && executions++ === 0) return;
      const result = { cols: [], rows: [], affected_row_count: 0 };
      send(JSON.stringify({ type: 'response_ok', request_id, response: { type: request?.type, result } }));
    });
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const database = await openDatabase({ url, durability: 'full' });
    const late = expect(database.read({ sql: 'SELECT 1' })).rejects.toThrow(DatabaseAway);
    await expect.poll(() => executions).toBe(1);
    vi.advanceTimersByTime(5_000);
    await late;
    expect(await database.read({ sql: 'SELECT 1' })).toEqual([]);
    expect(seen.messages.filter(({ type }) => type === 'hello')).toHaveLength(2);
    vi.useRealTimers();
    await database.close();
    close();
  });
});
