import { createHash } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { registerSources } from '../../../ingest/runs/record.ts';
import { sources } from '../../../ingest/sources/index.ts';
import { EXPORT_COLUMNS } from '../../../schema/accounts/exports/datasets.ts';
import { verifyLedger } from '../../../schema/accounts/ledger/verify.ts';
import { ask } from '../../support/client.ts';
import { noticeRow, seed } from '../../support/seed.ts';
import { type BuiltServer, buildServer } from '../../support/services.ts';

const TEXT = 'notice_id,title\r\n000001-2026,Lifts\r\n';
const SHA256 = createHash('sha256').update(TEXT).digest('hex');
let built: BuiltServer;

beforeAll(async () => {
  built = await buildServer({
    credits: 350,
    fill: (catalogue) =>
      seed(catalogue, noticeRow('000001-2026', 'ocds-h6vhtk-1'), noticeRow('000002-2026', 'ocds-h6vhtk-2')),
  });
});
afterAll(() => built.close());

const post = (body: unknown, headers = {}) =>
  ask(built.url, '/v1/exports', built.key, {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json', ...headers },
  });

/** What the jobs process does with an export that is paid for. */
async function finish(exportId: string): Promise<void> {
  await mkdir(join(built.folder, 'exports'), { recursive: true });
  await writeFile(join(built.folder, 'exports', 'file.csv'), TEXT);
  await built.accounts.write([
    {
      sql: `UPDATE export SET status = 'completed', file = 'file.csv', bytes = ?, sha256 = ?,
        expires_at = '2999-01-01T00:00:00Z' WHERE id = ?`,
      args: [TEXT.length, SHA256, exportId],
    },
  ]);
}

async function downloadPath(exportId: string): Promise<string> {
  const { body } = await ask(built.url, `/v1/exports/${exportId}`, built.key);
  return String(body.download_url).replace('http://localhost', '');
}

describe('an export over the door', () => {
  let path: string;
  const download = (headers: Record<string, string> = {}, method = 'GET') =>
    ask(built.url, path, undefined, { headers, method });

  it('is quoted free, paid once and replayed under its key', async () => {
    const quote = await post({ dry_run: true });
    expect(quote.body).toMatchObject({ status: 'quote', rows: 2, credits_required: 100, credits_charged: 0 });

    const made = await post({}, { 'idempotency-key': 'export-1' });
    expect(made.status).toBe(200);
    expect(made.body).toMatchObject({ status: 'processing', rows: 2, credits_charged: 100, credits_remaining: 250 });
    const again = await post({}, { 'idempotency-key': 'export-1' });
    expect(again.text).toBe(made.text);
    await finish(made.body.export_id);
    path = await downloadPath(made.body.export_id);
    expect((await verifyLedger(built.accounts)).faults).toEqual([]);
  });

  it('is downloaded whole, and described by HEAD', async () => {
    const whole = await download();
    expect([whole.status, whole.text]).toEqual([200, TEXT]);
    expect(Object.fromEntries(whole.headers)).toMatchObject({
      'content-type': 'text/csv; charset=utf-8',
      'content-length': String(TEXT.length),
      'content-disposition': expect.stringMatching(/^attachment; filename="notices-ex_\w+\.csv"$/),
      'accept-ranges': 'bytes',
      'cache-control': 'private, no-store',
      etag: `"${SHA256}"`,
      'repr-digest': `sha-256=:${Buffer.from(SHA256, 'hex').toString('base64')}:`,
    });
    const head = await download({}, 'HEAD');
    expect([head.status, head.text, head.headers.get('content-length')]).toEqual([200, '', String(TEXT.length)]);
    for (const range of ['bytes=0-8', 'bytes=900-']) {
      const { status, headers } = await download({ range }, 'HEAD');
      expect([range, status, headers.get('content-length')]).toEqual([range, 200, String(TEXT.length)]);
    }
  });

  it.each([
    ['bytes=0-8', TEXT.slice(0, 9)],
    ['bytes=10-', TEXT.slice(10)],
    ['bytes=-5', TEXT.slice(-5)],
    ['bytes=30-900', TEXT.slice(30)],
    ['bytes=-900', TEXT],
  ])('answers %s in part', async (range, text) => {
    const part = await download({ range });
    expect([part.status, part.text]).toEqual([206, text]);
    const from = TEXT.length - text.length;
    const begins = range === 'bytes=0-8' ? 0 : from;
    expect(part.headers.get('content-range')).toBe(`bytes ${begins}-${begins + text.length - 1}/${TEXT.length}`);
  });

  it.each(['bytes=900-', `bytes=${TEXT.length}-`, 'bytes=-0'])('refuses %s, which it does not have', async (range) => {
    const { status, body, headers } = await download({ range });
    expect([status, body.error]).toEqual([416, 'range_not_satisfiable']);
    expect(headers.get('content-range')).toBe(`bytes */${TEXT.length}`);
  });

  it.each(['bytes=0-1,3-4', 'lines=0-1', 'bytes=5-2', 'nonsense'])('answers %s whole', async (range) => {
    const { status, text } = await download({ range });
    expect([status, text]).toEqual([200, TEXT]);
  });

  it('goes on with a part only where the file is still the same', async () => {
    const range = 'bytes=10-';
    expect((await download({ range, 'if-range': `"${SHA256}"` })).status).toBe(206);
    expect((await download({ range, 'if-range': '"another"' })).text).toBe(TEXT);
    expect((await download({ 'if-none-match': `"${SHA256}"` })).status).toBe(304);
    expect((await download({ 'if-none-match': '"another"' })).status).toBe(200);
    expect((await download({ range, 'if-match': `"another", "${SHA256}"` })).status).toBe(206);
    expect((await download({ 'if-match': '*' })).status).toBe(200);
    for (const tag of ['"another"', `W/"${SHA256}"`]) {
      const { status, body } = await download({ range, 'if-match': tag });
      expect([tag, status, body.error]).toEqual([tag, 412, 'precondition_failed']);
    }
  });

  it('says under which licence, in the answer and beside the file', async () => {
    const licence = '<https://www.nationalarchives.gov.uk/doc/open-government-licence/version/3/>; rel="license"';
    const described = path.replace(/.*download/, 'download.csv-metadata.json');
    for (const headers of [{}, { range: 'bytes=0-8' }] as Record<string, string>[])
      expect((await download(headers)).headers.get('link')).toBe(
        `${licence}, <${described}>; rel="describedby"; type="application/csvm+json"`,
      );
    await registerSources(built.catalogue, sources);
    const { body } = await ask(built.url, path.replace(/\/download.*/, ''), built.key);
    expect(body).toMatchObject({
      licence: 'Open Government Licence v3.0',
      attribution: expect.stringMatching(
        /^Contains public sector information licensed under .* Source: Find a Tender, the Cabinet Office\. .* https:/,
      ),
    });
  });

  it('says beside it what its columns hold and of which types, by the same signature', async () => {
    const beside = path.replace('/download', '/download.csv-metadata.json');
    const { status, body, headers } = await ask(built.url, beside);
    expect([status, headers.get('content-type')]).toEqual([200, 'application/csvm+json']);
    expect(headers.get('content-disposition')).toMatch(/^attachment; filename="notices-ex_\w+\.csv-metadata\.json"$/);
    // Metadata that the file leads to counts only where it names that very file.
    expect(new URL(body.url, built.url + beside).href).toBe(built.url + path);
    const { columns } = body.tableSchema as { columns: { name: string; datatype: string }[] };
    expect(columns.map(({ name }) => name)).toEqual(EXPORT_COLUMNS.notices.map(({ name }) => name));
    expect(columns.find(({ name }) => name === 'deadline')).toMatchObject({
      'dc:description': 'The day on which bids close, in London.',
    });
    const types = Object.fromEntries(columns.map(({ name, datatype }) => [name, datatype]));
    expect(types).toMatchObject({ notice_id: 'string', cpv: 'string', cpvs: 'json', value: 'number' });
    expect(body['dc:rights']).toContain('Source: Public Contracts Scotland, the Scottish Government.');
    expect(types).toMatchObject({ published: 'date', published_at: 'dateTime' });
    expect((await ask(built.url, beside.replace('signature=', 'signature=A'))).status).toBe(403);
    expect((await ask(built.url, beside, built.key, { method: 'POST' })).status).toBe(405);
    await built.accounts.write([
      { sql: "UPDATE export SET format = 'parquet' WHERE format = 'csv' AND file IS NOT NULL" },
    ]);
    expect((await ask(built.url, beside)).body.error).toBe('not_found');
    expect((await download()).headers.get('link')).not.toContain('describedby');
    await built.accounts.write([{ sql: "UPDATE export SET format = 'csv' WHERE format = 'parquet'" }]);
  });

  it('is not handed out while it is written again, by no part of its address', async () => {
    const [row] = await built.accounts.read<{ id: string }>({
      sql: "SELECT id FROM export WHERE status = 'completed'",
    });
    const id = row?.id ?? '';
    const set = (values: string) =>
      built.accounts.write([{ sql: `UPDATE export SET ${values} WHERE id = ?`, args: [id] }]);
    await set("status = 'processing', requeued_at = '2026-11-21T00:00:00Z'");
    for (const address of [path, path.replace('/download', '/download.csv-metadata.json')]) {
      const { status, body, headers } = await ask(built.url, address, undefined, {
        headers: { 'if-none-match': `"${SHA256}"` },
      });
      expect([status, body.error, headers.get('retry-after')]).toEqual([503, 'unavailable', '30']);
      expect(body.message).toMatch(/written again, free/);
    }
    const { body } = await ask(built.url, `/v1/exports/${id}`, built.key);
    expect(body).toMatchObject({ status: 'processing', credits_charged: 0 });
    expect(body).not.toHaveProperty('download_url');
    await set("status = 'completed', requeued_at = NULL");
    expect((await download()).status).toBe(200);
  });

  it('whose file was lost is missing until it is written again, and says so', async () => {
    const [row] = await built.accounts.read<{ id: string; file: string }>({
      sql: "SELECT id, file FROM export WHERE status = 'completed'",
    });
    const { id = '', file = '' } = row ?? {};
    const set = (values: string) =>
      built.accounts.write([{ sql: `UPDATE export SET ${values} WHERE id = ?`, args: [id] }]);
    await set("file = 'lost.csv'");
    const missing = await ask(built.url, path);
    expect([missing.status, missing.body.error, missing.headers.get('retry-after')]).toEqual([
      503,
      'unavailable',
      '3600',
    ]);
    expect(missing.body.message).toMatch(/is missing.*written again within the hour, free/);
    expect((await fetch(built.url + path, { method: 'HEAD' })).status).toBe(503);
    await set("status = 'processing', requeued_at = '2026-11-21T00:00:00Z', file = NULL");
    for (const answer of [await ask(built.url, path), await ask(built.url, `/v1/exports/${id}`, built.key)])
      expect(answer.body.message).toMatch(/^The file of this export was lost and is written again, free/);
    await set(`status = 'completed', requeued_at = NULL, file = '${file}'`);
    expect((await download()).status).toBe(200);
  });

  it('is for Excel only as CSV, and kept as such', async () => {
    const refused = await post({ format: 'jsonl', excel: true, dry_run: true });
    expect([refused.status, refused.body.detail[0].loc]).toEqual([422, ['body', 'excel']]);
    const made = await post({ format: 'csv.gz', excel: true });
    expect([made.status, made.body.filters]).toEqual([200, {}]);
    const read = { sql: 'SELECT excel FROM export WHERE id = ?', args: [made.body.export_id] };
    expect(await built.accounts.read(read)).toEqual([{ excel: 1 }]);
  });

  it('takes no body at all', async () => {
    const { status, body } = await ask(built.url, '/v1/exports', built.key, { method: 'POST' });
    expect([status, body.credits_remaining]).toEqual([200, 50]);
  });

  it('is refused with 402 where the balance does not reach', async () => {
    const { status, body } = await post({});
    expect(status).toBe(402);
    expect(body).toMatchObject({ error: 'insufficient_credits', action: 'bulk_export', required: 100, balance: 50 });
  });

  it('hands its file to nobody whose address was changed, or is too old', async () => {
    const forged = await ask(built.url, path.replace(/expires=(\d)/, 'expires=9$1'));
    expect([forged.status, forged.body.error]).toEqual([403, 'invalid_signature']);
    expect((await ask(built.url, path.replace('ex_', 'ex_0'))).status).toBe(403);
    for (const over of ["expires_at = '2000-01-01T00:00:00Z'", "status = 'expired'"]) {
      await built.accounts.write([{ sql: `UPDATE export SET ${over} WHERE status = 'completed'` }]);
      const { status, headers } = await download();
      expect([over, status, headers.get('etag')]).toEqual([over, 404, null]);
    }
    expect((await ask(built.url, path.replace('/download', '/download.csv-metadata.json'))).status).toBe(404);
  });
});
