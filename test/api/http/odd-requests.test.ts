import { once } from 'node:events';
import { type IncomingMessage, type RequestOptions, request, type ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { operations } from '../../../api/operations/index.ts';
import { type BuiltServer, buildServer } from '../../support/services.ts';
import { testRows } from '../test-operations.ts';

let server: BuiltServer;
beforeAll(async () => {
  server = await buildServer({ operations: [...testRows, ...operations] });
});
afterAll(() => server.close());

/** The answer to a request that few clients send. */
async function ask(options: RequestOptions, more: Record<string, string> = {}) {
  const headers = { authorization: `Bearer ${server.key}`, ...more };
  const [answer] = (await once(request(`${server.url}/v1/things/a`, { headers, ...options }).end(), 'response')) as [
    IncomingMessage,
  ];
  return { status: answer.statusCode, headers: answer.headers, body: (await json(answer)) as Record<string, unknown> };
}

it('a request without a host is refused like every other', async () => {
  const { status, headers, body } = await ask({ setHost: false });
  expect([status, body.error, body.request_id]).toEqual([400, 'bad_request', headers['x-request-id']]);
  expect(headers).toMatchObject({ 'x-content-type-options': 'nosniff', connection: 'close' });
});

it('a request with two hosts is refused: a proxy may go by the other one', async () => {
  const key = ['Authorization', `Bearer ${server.key}`];
  const named = (...hosts: string[]) => ({ headers: [...key, ...hosts.flatMap((host) => ['Host', host])] });
  const { status, body } = await ask(named('a.example', 'b.example'));
  expect([status, body.error]).toEqual([400, 'bad_request']);
  expect((await ask(named('a.example', 'a.example'))).status).toBe(400);
  // A value is no name, whatever it reads.
  expect((await ask({ headers: [...key, 'Host', 'host', 'X-A', 'Host'] })).status).toBe(200);
});

it('an expectation that the server does not know is ignored', async () => {
  const { status, body } = await ask({}, { expect: 'a-miracle' });
  expect([status, body.credits_charged]).toEqual([200, expect.any(Number)]);
});

it.each([
  ['/v1/exports/ex_1/download', 'GET, HEAD', 'This address answers GET and HEAD only.'],
  ['/openapi.json', 'GET, HEAD', 'This address answers GET and HEAD only.'],
  ['/v1/balance', 'GET, HEAD', 'This address answers GET and HEAD only.'],
  ['/v1/watches', 'POST, GET, HEAD', 'This address answers POST, GET and HEAD only.'],
  ['/v1/notices/000001-2026', 'GET', 'This address answers GET only.'],
])(
  'a method that %s does not take is told which it does: HEAD too where GET is free',
  async (path, allowed, message) => {
    const { status, headers, body } = await ask({ path, method: 'PUT' });
    expect([status, headers.allow, body.message]).toEqual([405, allowed, message]);
    const [head] = await once(request(server.url + path, { method: 'HEAD' }).end(), 'response');
    expect(head.statusCode === 405).toBe(!allowed.includes('HEAD'));
  },
);

it('bytes that are no HTTP are answered with a refusal, not with silence', async () => {
  const { status, body } = await ask({ headers: { 'content-length': 'many' } });
  expect([status, body.error]).toEqual([400, 'bad_request']);
});

it('what a program looks for at a fixed place, and is not there, is refused in JSON, not with a page', async () => {
  const web = async () => ({
    handler: (_request: IncomingMessage, response: ServerResponse) => void response.end('"a page"'),
    close: async () => undefined,
  });
  const withPages = await buildServer({ operations: testRows, web });
  const read = async (path: string) => (await fetch(withPages.url + path)).json();
  for (const path of ['/.well-known/oauth-authorization-server', '/.well-known/', '/mcp/sse'])
    expect([path, await read(path)]).toEqual([path, expect.objectContaining({ error: 'no_such_route' })]);
  expect(await read('/.well-known')).toBe('a page');
  await withPages.close();
});
