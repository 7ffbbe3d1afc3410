import { once } from 'node:events';
import { createServer as createGateway } from 'node:http';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { expect, it } from 'vitest';
import { openDatabase } from '../../../../schema/db/open.ts';

const PAGE = '<html><body>Down for maintenance</body></html>';
const say = (status: string, body: string) => `HTTP/1.1 ${status}\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
const ELSE = ': something else answers there';
const TOKEN = ': its token is missing, not of this server, or may not write';
const TLS = ': TLS failed; a server without it has an http: or ws: address';

it.each([
  ['http:', 'a page', say('200 OK', PAGE), ELSE],
  ['ws:', 'a page', say('200 OK', PAGE), ELSE],
  ['http:', 'a page of another service', say('404 Not Found', PAGE), ', or something else answers there'],
  ['http:', 'a redirect', say('302 Found', ''), ELSE],
  ['http:', 'other JSON', say('200 OK', '{}'), ELSE],
  ['http:', 'another protocol', 'SSH-2.0-OpenSSH_9.6\r\n', ELSE],
  ['ws:', 'another protocol', 'SSH-2.0-OpenSSH_9.6\r\n', ELSE],
  ['http:', 'a refused token', say('401 Unauthorized', '{"error":"The JWT is invalid"}'), TOKEN],
  ['http:', 'a token that may only read', say('403 Forbidden', '{"error":"no Write permission"}'), TOKEN],
  ['https:', 'no TLS', say('400 Bad Request', ''), TLS],
  ['wss:', 'no TLS', say('400 Bad Request', ''), TLS],
])('an operator hears what is wrong where %s meets %s', async (protocol, _what, answer, words) => {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket.on('error', () => undefined));
    socket.once('data', () => socket.end(answer));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `${protocol}//127.0.0.1:${(server.address() as AddressInfo).port}`;
  const database = await openDatabase({ url, durability: 'full' });
  const reading = database.read({ sql: 'SELECT 1' });
  await expect(reading).rejects.toThrow(`the database at ${url} cannot be used: `);
  await expect(reading).rejects.toThrow(words);
  await expect(reading).rejects.not.toThrow('maintenance');
  await database.close();
  for (const socket of sockets) socket.destroy();
  server.close();
});

it('an operator hears no credential that the way to a server quotes, of a read or of a write', async () => {
  const SECRETS = ['eyJhbGciOiJFZERTQSJ9.e30.c2ln', 'hunter2000', 'c2VydmVyOnNlY3JldA=='];
  const [token, password, basic] = SECRETS;
  const quoted = `cannot reach https://proxy:${password}@db.example?authToken=${token} (Basic ${basic})`;
  const gateway = createGateway((_request, response) => void response.writeHead(502).end(quoted)).listen(
    0,
    '127.0.0.1',
  );
  await once(gateway, 'listening');
  const url = `http://127.0.0.1:${(gateway.address() as AddressInfo).port}`;
  const database = await openDatabase({ url, authToken: token, durability: 'full' });
  const asked = [database.read({ sql: 'SELECT 1' }), database.write([{ sql: 'DELETE FROM lease' }])];
  for (const one of await Promise.allSettled(asked)) {
    const said = one.status === 'rejected' ? (one.reason as Error).message : '';
    expect(said).toContain('cannot reach https://[hidden]@db.example?authToken=[hidden]');
    expect(SECRETS.filter((secret) => said.includes(secret))).toEqual([]);
  }
  await database.close();
  gateway.closeAllConnections();
  gateway.close();
});
