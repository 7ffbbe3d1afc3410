import { truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { claimStore } from '../../../schema/accounts/exports/mark.ts';
import { putWhole } from '../../../schema/accounts/exports/s3/upload.ts';
import { makeFolderStorage } from '../../../schema/accounts/exports/storage.ts';
import { readBalance } from '../../../schema/accounts/ledger/transfers.ts';
import { hasBucketServer, makeBucket, type TestBucket } from '../../support/bucket.ts';
import { ask } from '../../support/client.ts';
import { makeFolder } from '../../support/databases.ts';
import type { Mood } from '../../support/proxy.ts';
import { noticeRow, seed } from '../../support/seed.ts';
import { type BuiltServer, buildServer } from '../../support/services.ts';

const at = '2026-11-21T00:00:00Z';
let built: BuiltServer;
const open = async (settings: Record<string, string> = {}) => {
  built = await buildServer({
    fill: (catalogue) => seed(catalogue, noticeRow('000001-2026', 'ocds-h6vhtk-1')),
    settings,
  });
};
afterEach(() => built.close());

const post = (body: unknown = {}) =>
  ask(built.url, '/v1/exports', built.key, {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json' },
  });
const ready = () => ask(built.privateUrl, '/readyz');
const balance = () => readBalance(built.accounts, built.accountId);

/** An export as the jobs process leaves it, in the store of this server: its row, and the address of its download. */
async function finish(pieces: readonly Buffer[]): Promise<string> {
  const { body } = await post();
  const written = await built.services.exports.write(
    { stem: body.export_id, extension: 'csv' },
    (async function* () {
      yield* pieces;
    })(),
  );
  await built.accounts.write([
    {
      sql: `UPDATE export SET status = 'completed', file = ?, bytes = ?, sha256 = ?, expires_at = '2999-01-01T00:00:00Z' WHERE id = ?`,
      args: [written.file, written.bytes, written.sha256, body.export_id],
    },
  ]);
  const { body: found } = await ask(built.url, `/v1/exports/${body.export_id}`, built.key);
  return built.url + String(found.download_url).replace('http://localhost', '');
}

async function expectRefused(words: RegExp): Promise<void> {
  const before = await balance();
  const { status, body, headers } = await post();
  expect([status, body.error, headers.get('retry-after')]).toEqual([503, 'unavailable', '30']);
  expect(body.message).toMatch(/^Exports cannot be made just now.*Nothing was charged/);
  expect([
    await balance(),
    await built.accounts.read({ sql: "SELECT * FROM export WHERE status <> 'completed'" }),
  ]).toEqual([...[before, []]]);
  expect((await post({ dry_run: true })).body).toMatchObject({ status: 'quote', rows: 1 });
  expect((await ask(built.privateUrl, '/metrics')).text).toMatch(/^api_exports_out_of_reach 1$/m);
  const { status: isReady, text } = await ready();
  expect([isReady, text]).toEqual([200, expect.stringMatching(words)]);
}

const findFile = async () =>
  String((await built.accounts.read<{ file: string }>({ sql: 'SELECT file FROM export' }))[0]?.file);

/** The whole, a part that is still there and one that is not, and HEAD: each 503, with nothing sent of the file. */
async function expectLost(url: string): Promise<void> {
  for (const [method, range] of [['GET'], ['GET', 'bytes=0-1'], ['GET', 'bytes=3-'], ['HEAD']] as const) {
    const answer = await fetch(url, { method, headers: range ? { range } : {} });
    expect([method, range, answer.status, answer.headers.get('retry-after')]).toEqual([method, range, 503, '3600']);
    expect(await answer.text()).toMatch(method === 'HEAD' ? /^$/ : /is missing.*written again within the hour, free/);
  }
}

describe('an API process', () => {
  it('whose file was cut short refuses its download at once', async () => {
    await open();
    const url = await finish([Buffer.from('a\r\nb\r\n')]);
    expect(await (await fetch(url)).text()).toBe('a\r\nb\r\n');
    await truncate(join(built.folder, 'exports', await findFile()), 3);
    await expectLost(url);
  });

  it('takes exports before jobs have ever said where they write, and when it sees that folder', async () => {
    await open();
    expect([(await post()).status, (await ready()).text]).toEqual([200, 'ready\n']);
    expect((await ask(built.privateUrl, '/metrics')).text).toMatch(/^api_exports_out_of_reach 0$/m);
    const other = await built.addServer();
    await claimStore(built.accounts, built.services.exports, { at });
    expect((await ask(other.privateUrl, '/readyz')).text).toBe('ready\n');
  });

  it('with a folder of its own refuses exports before it charges, and says so', async () => {
    await open();
    const writers = await makeFolder();
    await claimStore(built.accounts, makeFolderStorage(writers.path), { at });
    await expectRefused(
      /^ready\nexports: jobs write them to .*, this process looks at .*\/exports: set the same EXPORTS_URL/,
    );
    await writers.remove();
  });

  it('that can no longer reach the files says so for a download, and reports none as lost', async () => {
    await open();
    const url = await finish([Buffer.from('a\r\n')]);
    const writers = await makeFolder();
    await claimStore(built.accounts, makeFolderStorage(writers.path), { at });
    const other = await built.addServer();
    await built.services.exports.remove(await findFile());
    const missing = await ask(other.url, url.slice(built.url.length));
    expect([missing.status, missing.body.error, missing.headers.get('retry-after')]).toEqual([
      503,
      'unavailable',
      '30',
    ]);
    expect(missing.body.message).toMatch(/out of reach just now/);
    await writers.remove();
  });
});

describe.skipIf(!hasBucketServer('downloading exports from a bucket'))('a bucket', () => {
  let made: TestBucket;
  const openOver = async () => {
    made = await makeBucket();
    await open(made.settings);
  };
  const whole = Buffer.concat(Array.from({ length: 20 }, (_, at) => Buffer.alloc(1_000_000, at)));
  afterEach(() => made.close());

  it('hands its files out whole and in part through every process', async () => {
    await openOver();
    await claimStore(built.accounts, built.services.exports, { at });
    const url = await finish([whole]);
    const other = await built.addServer();
    for (const address of [url, other.url + url.slice(built.url.length)]) {
      const all = await fetch(address);
      expect([all.status, all.headers.get('content-length'), all.headers.get('link')]).toEqual([
        ...[200, '20000000', expect.stringContaining('rel="license"')],
      ]);
      expect(Buffer.compare(Buffer.from(await all.arrayBuffer()), whole)).toBe(0);
      const part = await fetch(address, { headers: { range: 'bytes=7999990-8000009' } });
      expect([part.status, part.headers.get('content-range')]).toEqual([206, 'bytes 7999990-8000009/20000000']);
      expect(Buffer.from(await part.arrayBuffer())).toEqual(whole.subarray(7_999_990, 8_000_010));
      expect((await fetch(address, { method: 'HEAD' })).headers.get('content-length')).toBe('20000000');
    }
  });

  it.each([
    ['refuses', 'refuse' as const, /answers 403 AccessDenied/],
    ['has vanished', 'vanish' as const, /answers 404 NoSuchBucket/],
    ['hangs', 'hang' as const, /no answer within 2 s from s3:/],
  ])('that %s costs nobody anything: exports are refused, downloads are 503', async (_, mood, words) => {
    await openOver();
    await expectRefused(/jobs have not claimed s3:/);
    await claimStore(built.accounts, built.services.exports, { at });
    const other = await built.addServer();
    made.become(mood);
    expect((await ask(other.privateUrl, '/readyz')).text).toMatch(words);
    const { status, body } = await ask(other.url, '/v1/exports', built.key, { method: 'POST' });
    expect([status, body.error, await balance()]).toEqual([503, 'unavailable', 250]);
  });

  it('of another installation is named by /readyz, and takes no exports', async () => {
    await openOver();
    await built.services.exports.writeMark('of-another');
    await expectRefused(/^ready\nexports: s3:.* holds the exports of another installation: give EXPORTS_URL a prefix/);
  });

  it.each([0, 3])('whose file was cut to %i bytes refuses its download at once', async (bytes) => {
    await openOver();
    await claimStore(built.accounts, built.services.exports, { at });
    const url = await finish([Buffer.from('a\r\nb\r\n')]);
    await putWhole(made.bucket, await findFile(), Buffer.from('a\r\n').subarray(0, bytes));
    await expectLost(url);
  });

  it('that breaks off half-way ends the download there: the client sees that it is not whole', async () => {
    await openOver();
    await claimStore(built.accounts, built.services.exports, { at });
    const url = await finish([whole]);
    // The size of the file, then the file.
    const moods: Mood[] = ['pass', 'cut'];
    made.become(() => moods.shift() ?? 'pass');
    const cut = await fetch(url);
    expect(cut.status).toBe(200);
    await expect(cut.arrayBuffer()).rejects.toThrow();
    made.become('refuse');
    const refused = await ask(built.url, url.slice(built.url.length));
    expect([refused.status, refused.body.message]).toEqual([503, expect.stringMatching(/out of reach just now/)]);
    made.become('pass');
    expect(Buffer.from(await (await fetch(url)).arrayBuffer()).length).toBe(whole.length);
  });

  it('is no longer read when the client disconnects half-way', async () => {
    await openOver();
    await claimStore(built.accounts, built.services.exports, { at });
    const url = await finish([whole]);
    const leaving = new AbortController();
    const { body } = await fetch(url, { signal: leaving.signal });
    await body?.getReader().read();
    leaving.abort();
    await made.untilIdle();
  });
});
