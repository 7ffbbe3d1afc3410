import type { Server } from 'node:http';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { makeServer } from '../../../api/http/serve.ts';
import { makeWebApp } from '../../../api/web/app.ts';
import { ask } from '../../support/client.ts';
import { type BuiltServer, buildServer } from '../../support/services.ts';

/** Bodies that cost more than their bytes: in very many parts, without end, or where nobody reads them. */

let built: BuiltServer;
beforeAll(async () => {
  built = await buildServer({ credits: 1_000, web: makeWebApp });
});
afterAll(() => built.close());

const PARTS = '1\r\n{\r\n'.repeat(90_000);
const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
const withKey = () => ({ authorization: `Bearer ${built.key}`, 'content-type': 'application/json' });

/** What the server answers to raw bytes, once it has closed the connection by itself. */
function send(method: string, path: string, headers: Record<string, string>, body: string, url = built.url) {
  return new Promise<{ status: number; text: string }>((resolve, reject) => {
    const { hostname, port } = new URL(url);
    const socket = connect(Number(port), hostname === 'localhost' ? '127.0.0.1' : hostname);
    let text = '';
    socket.setEncoding('utf8').on('data', (part) => (text += part));
    socket.on('error', (error: NodeJS.ErrnoException) => {
      if (!['ECONNRESET', 'EPIPE'].includes(error.code ?? '')) reject(error);
    });
    socket.on('close', () => resolve({ status: Number(text.split(' ')[1] ?? 0), text }));
    const lines = Object.entries({ host: 'localhost', ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
    socket.write(`${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body}`);
  });
}

const CHUNKED = { 'transfer-encoding': 'chunked' };
const inOneChunk = (body: string) => `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`;

describe('a body in very many parts', () => {
  it.each([
    ['POST', '/v1/exports', withKey],
    ['POST', '/mcp/', withKey],
    ['POST', '/sign-in', () => FORM],
    ['POST', '/webhooks/stripe', () => ({})],
  ])('%s %s: refused, and the connection closed', async (method, path, headers) => {
    const { status, text } = await send(method, path, { ...headers(), ...CHUNKED }, PARTS);
    // What is read first, the refusal of the address or of the parts, is the answer.
    expect([path, [404, 413].includes(status)]).toEqual([path, true]);
    if (path !== '/webhooks/stripe')
      expect(text).toContain('"error":"body_too_large","message":"The body came in more than 1000 parts');
  });

  it('counts parts, whatever their handler does with them', async () => {
    const seen: number[] = [];
    const server: Server = makeServer((request, response) => {
      let parts = 0;
      request.on('data', () => (parts += 1)).on('close', () => seen.push(parts));
      response.on('error', () => undefined);
    }, {});
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(server.address() as { port: number }).port}`;
    expect((await send('POST', '/', CHUNKED, PARTS, url)).status).toBe(413);
    await vi.waitFor(() => expect(seen).toEqual([1_000]));
    expect([server.requestTimeout, server.headersTimeout].every((ms) => ms > 0 && ms <= 30_000)).toBe(true);
    await new Promise((resolve) => server.close(resolve));
  });

  it('in a thousand is taken', async () => {
    const body = JSON.stringify({ dry_run: true, query: 'x'.repeat(900) });
    const parts = [...body].map((one) => `1\r\n${one}\r\n`).join('');
    const { text } = await send(
      'POST',
      '/v1/exports',
      { ...withKey(), ...CHUNKED, connection: 'close' },
      `${parts}0\r\n\r\n`,
    );
    expect(text).toContain('"status":"quote"');
  });
});

describe('the connection is closed after the answer', () => {
  // All at the same time: the server waits a moment for the rest of each.
  it.concurrent.each([
    ['of a GET whose body is ignored', 'GET', '/v1/status', {}, { 'content-length': '5000' }, 200],
    ['of a HEAD', 'HEAD', '/status', {}, { 'content-length': '5000' }, 200],
    ['of a page', 'GET', '/status', {}, CHUNKED, 200],
    ['of a missing key', 'POST', '/v1/exports', {}, { 'content-length': '5000' }, 401],
    ['of a body that is too large', 'POST', '/v1/exports', withKey, { 'content-length': '200000000' }, 413],
    ['of a form that is too large', 'POST', '/sign-in', FORM, { 'content-length': '200000000' }, 413],
    ['of a form without an address', 'POST', '/no/such', FORM, { 'content-length': '200000000' }, 413],
  ] as const)('%s, though its body never comes whole', async (_what, method, path, own, length, expected) => {
    const headers = { ...(typeof own === 'function' ? own() : own), ...length } as Record<string, string>;
    const { status } = await send(method, path, headers, 'transfer-encoding' in length ? '1\r\nx\r\n' : 'x');
    expect(status).toBe(expected);
  });

  it('of a form without end, as soon as it is beyond all measure', async () => {
    const part = `${(65_536).toString(16)}\r\n${'x'.repeat(65_536)}\r\n`;
    const { status, text } = await send('POST', '/sign-in', { ...FORM, ...CHUNKED }, part.repeat(20));
    expect(status).toBe(413);
    expect(text).toContain('"error":"body_too_large","message":"The body is larger than any address takes."');
  });

  it.concurrent.each([
    ['announced', 401, (body: string) => `content-length: ${body.length}\r\n\r\n${body}`],
    [
      'in chunks',
      413,
      (body: string) => `transfer-encoding: chunked\r\nauthorization: Bearer ${built.key}\r\n\r\n${inOneChunk(body)}`,
    ],
  ])('but kept where the rest of a refused body comes at once, its length %s', async (_how, status, frame) => {
    const call = (length: number) => `POST /v1/exports HTTP/1.1\r\nhost: localhost\r\n${frame('x'.repeat(length))}`;
    const { port } = new URL(built.url);
    const socket = connect(Number(port), '127.0.0.1');
    let text = '';
    socket.setEncoding('utf8').on('data', (part) => (text += part));
    const answers = () => text.match(/HTTP\/1.1 \d+/g) ?? [];
    socket.write(call(200_000));
    await vi.waitFor(() => expect(answers()).toEqual([`HTTP/1.1 ${status}`]));
    // Longer than the server waits for what does not come.
    await new Promise((resolve) => setTimeout(resolve, 700));
    socket.write(call(200_000));
    await vi.waitFor(() => expect(answers()).toHaveLength(2));
    socket.destroy();
  });

  it('but kept for the next call after one whose body was read', async () => {
    const { status, headers } = await ask(built.url, '/v1/exports', built.key, {
      method: 'POST',
      body: '{"dry_run":true}',
      headers: { 'content-type': 'application/json' },
    });
    expect([status, headers.get('connection')]).toEqual([200, 'keep-alive']);
  });

  it('for longer than a proxy in front keeps it, so that no request meets a closed one', async () => {
    const { headers } = await ask(built.url, '/v1/balance', built.key);
    const [, seconds] = /^timeout=(\d+)$/.exec(headers.get('keep-alive') ?? '') ?? [];
    expect(Number(seconds)).toBeGreaterThan(60);
  });
});
