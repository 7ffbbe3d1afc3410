import { once } from 'node:events';
import { get, type IncomingMessage, request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { encodeFor, keepBytes } from '../../../api/http/kept-bytes.ts';
import { ask } from '../../support/client.ts';
import { type BuiltServer, buildServer } from '../../support/services.ts';

let server: BuiltServer;
beforeAll(async () => {
  server = await buildServer();
});
afterAll(() => server.close());

async function read(path: string, encoding?: string) {
  const headers = { authorization: `Bearer ${server.key}`, ...(encoding && { 'accept-encoding': encoding }) };
  const [response] = (await once(get(`${server.url}${path}`, { headers }), 'response')) as [IncomingMessage];
  return { headers: response.headers, bytes: await buffer(response) };
}

it('a JSON answer above 1 kB is compressed on request, and whole', async () => {
  const plain = await read('/openapi.json');
  expect([plain.headers['content-encoding'], plain.headers['content-length']]).toEqual([
    undefined,
    String(plain.bytes.length),
  ]);
  const zipped = await read('/openapi.json', 'gzip');
  expect(zipped.headers).toMatchObject({
    'content-encoding': 'gzip',
    vary: expect.stringContaining('Accept-Encoding'),
  });
  expect(gunzipSync(zipped.bytes).equals(plain.bytes)).toBe(true);
  expect(zipped.bytes.length).toBeLessThan(plain.bytes.length / 4);
  const brotli = await read('/openapi.json', 'gzip, deflate, br');
  expect(brotliDecompressSync(brotli.bytes).equals(plain.bytes)).toBe(true);
});

it.each(['gzip', 'br'])(
  'what is the same for everybody is not compressed again for each request: %s',
  async (encoding) => {
    const { headers, bytes } = await read('/openapi.json', encoding);
    // The length of what is compressed while it is sent is not known.
    expect([headers['content-encoding'], headers['content-length']]).toEqual([encoding, String(bytes.length)]);
    expect((await read('/openapi.json', encoding)).bytes.equals(bytes)).toBe(true);
    const kept = keepBytes(Buffer.from('words '.repeat(1_000)));
    const asked = { headers: { 'accept-encoding': encoding } } as IncomingMessage;
    expect((await encodeFor(asked, kept)).bytes).toBe((await encodeFor(asked, kept)).bytes);
    // A compression that failed is not kept.
    const { small } = keepBytes(kept.plain);
    await expect(encodeFor(asked, { plain: 0 as never, small })).rejects.toThrow('Received type number');
    expect((await encodeFor(asked, { plain: kept.plain, small })).bytes.length).toBeLessThan(1_000);
  },
);

async function readIf(path: string, tag: string, method = 'GET') {
  const headers = { 'if-none-match': tag, 'accept-encoding': 'gzip' };
  const asked = request(`${server.url}${path}`, { headers, method }).end();
  const [response] = (await once(asked, 'response')) as [IncomingMessage];
  return { status: response.statusCode, headers: response.headers, bytes: (await buffer(response)).length };
}

it.each(['/openapi.json', '/server.json'])(
  '%s is sent once: 304 to a client that has it, compressed or not',
  async (path) => {
    const plain = await read(path);
    const tag = String(plain.headers.etag);
    expect(tag).toMatch(/^W\/"[\w-]{43}"$/);
    expect((await read(path, 'gzip')).headers.etag).toBe(tag);
    for (const named of [tag, tag.slice(2), `"another", ${tag}`, '*'])
      for (const method of ['GET', 'HEAD']) {
        const { status, headers, bytes } = await readIf(path, named, method);
        expect([named, status, bytes]).toEqual([named, 304, 0]);
        expect(headers).toMatchObject({ etag: tag, vary: 'Accept-Encoding', 'cache-control': 'public, max-age=300' });
        // Any web page may read it.
        expect(headers['access-control-allow-origin']).toBe('*');
        expect(headers).not.toHaveProperty('content-length');
      }
    expect((await readIf(path, '"another"')).status).toBe(200);
    expect((await readIf(path, tag, 'POST')).status).toBe(405);
  },
);

it('an address with scheme and host is the same address, at every door', async () => {
  for (const path of ['/v1/balance', '/v1/balance?colour=red', '/v1', '/openapi.json', '/server.json', '/']) {
    const whole = request(server.url, { path: `http://data.example${path}` }).end();
    const [answer] = (await once(whole, 'response')) as [IncomingMessage];
    answer.resume();
    const [plain] = (await once(get(`${server.url}${path}`), 'response')) as [IncomingMessage];
    plain.resume();
    const said = ({ statusCode, headers }: IncomingMessage) => [path, statusCode, headers['content-length']];
    expect(said(answer)).toEqual(said(plain));
  }
});

it('a small one and a refusal are as they were, and an encoding that is not spoken is left alone', async () => {
  const balance = await read('/v1/balance', 'gzip');
  expect([balance.headers['content-encoding'], JSON.parse(balance.bytes.toString())]).toMatchObject([undefined, {}]);
  expect((await read('/v1/nothing', 'gzip')).headers['content-encoding']).toBeUndefined();
  expect((await read('/openapi.json', 'zstd')).headers['content-encoding']).toBeUndefined();
});

it('an answer of any door says that an answer is what its type says, and over TLS that nothing else is spoken', async () => {
  const built = await buildServer();
  const secure = await buildServer({
    settings: { BASE_URL: 'https://data.example', APP_URL: 'https://data.example' },
  });
  for (const [{ url }, hsts] of [
    [built, null],
    [secure, 'max-age=31536000; includeSubDomains'],
  ] as const)
    for (const path of [
      '/v1/status',
      '/v1/balance',
      '/mcp/',
      '/openapi.json',
      '/server.json',
      '/nothing',
      `/v1/${'a'.repeat(60_000)}`,
    ]) {
      const { headers } = await ask(url, path);
      expect([
        path.slice(0, 20),
        headers.get('x-content-type-options'),
        headers.get('strict-transport-security'),
      ]).toEqual([path.slice(0, 20), 'nosniff', hsts]);
    }
  await secure.close();
  await built.close();
});
