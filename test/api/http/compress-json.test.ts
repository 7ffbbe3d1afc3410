import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type BuiltHouse, buildHouse } from '../../support/services.ts';

let house: BuiltHouse;
beforeAll(async () => {
  house = await buildHouse();
});
afterAll(() => house.close());

async function read(path: string, encoding?: string) {
  const headers = { authorization: `Bearer ${house.key}`, ...(encoding && { 'accept-encoding': encoding }) };
  const [response] = (await once(get(`${house.url}${path}`, { headers }), 'response')) as [IncomingMessage];
  return { headers: response.headers, bytes: await buffer(response) };
}

it('a JSON answer above 1 kB is compressed where asked for, and whole', async () => {
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
  expect(gunzipSync(zipped.bytes)).toEqual(plain.bytes);
  expect(zipped.bytes.length).toBeLessThan(plain.bytes.length / 4);
  const brotli = await read('/openapi.json', 'gzip, deflate, br');
  expect(brotliDecompressSync(brotli.bytes)).toEqual(plain.bytes);
});

it('a small one and a refusal are as they were, and an encoding that is not spoken is left alone', async () => {
  const balance = await read('/v1/balance', 'gzip');
  expect([balance.headers['content-encoding'], JSON.parse(balance.bytes.toString())]).toMatchObject([undefined, {}]);
  expect((await read('/v1/nothing', 'gzip')).headers['content-encoding']).toBeUndefined();
  expect((await read('/openapi.json', 'zstd')).headers['content-encoding']).toBeUndefined();
});
