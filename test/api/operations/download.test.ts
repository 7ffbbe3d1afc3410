import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { verifyLedger } from '../../../schema/ledger.ts';
import { type BuiltHouse, buildHouse } from '../../house.ts';
import { ask } from '../asking.ts';
import { noticeRow, seed } from './seed.ts';

const TEXT = 'notice_id,title\r\n000001-2026,Lifts\r\n';
let built: BuiltHouse;

beforeAll(async () => {
  built = await buildHouse({
    credits: 250,
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
      sql: `UPDATE export SET status = 'completed', file = 'file.csv', bytes = ?, expires_at = '2999-01-01T00:00:00Z' WHERE id = ?`,
      args: [TEXT.length, exportId],
    },
  ]);
}

async function downloadPath(exportId: string): Promise<string> {
  const { body } = await ask(built.url, `/v1/exports/${exportId}`, built.key);
  return String(body.download_url).replace('http://localhost', '');
}

describe('an export over the door', () => {
  it('is quoted free, paid once, replayed under its key and downloaded whole or in part', async () => {
    const quote = await post({ dry_run: true });
    expect(quote.body).toMatchObject({ status: 'quote', rows: 2, credits_required: 100, credits_charged: 0 });

    const made = await post({}, { 'idempotency-key': 'export-1' });
    expect(made.status).toBe(200);
    expect(made.body).toMatchObject({ status: 'processing', rows: 2, credits_charged: 100, credits_remaining: 150 });
    const again = await post({}, { 'idempotency-key': 'export-1' });
    expect(again.text).toBe(made.text);

    await finish(made.body.export_id);
    const path = await downloadPath(made.body.export_id);
    const whole = await ask(built.url, path);
    expect(whole.status).toBe(200);
    expect(whole.text).toBe(TEXT);
    expect(whole.headers.get('content-type')).toMatch(/^text\/csv/);
    expect(whole.headers.get('content-disposition')).toContain(`notices-${made.body.export_id}.csv`);
    const part = await ask(built.url, path, undefined, { headers: { range: 'bytes=0-8' } });
    expect([part.status, part.text]).toEqual([206, 'notice_id']);
    const beyond = await ask(built.url, path, undefined, { headers: { range: 'bytes=900-' } });
    expect([beyond.status, beyond.body.error]).toEqual([416, 'range_not_satisfiable']);
    expect((await verifyLedger(built.accounts)).faults).toEqual([]);
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
    const [row] = await built.accounts.read<{ id: string }>({
      sql: "SELECT id FROM export WHERE status = 'completed'",
    });
    const path = await downloadPath(row?.id ?? '');
    const forged = await ask(built.url, path.replace(/expires=(\d)/, 'expires=9$1'));
    expect([forged.status, forged.body.error]).toEqual([403, 'invalid_signature']);
    expect((await ask(built.url, path.replace('ex_', 'ex_0'))).status).toBe(403);
    await built.accounts.write([{ sql: "UPDATE export SET status = 'expired' WHERE id = ?", args: [row?.id ?? ''] }]);
    expect((await ask(built.url, path)).status).toBe(404);
  });
});
