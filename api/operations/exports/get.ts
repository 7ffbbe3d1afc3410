import { z } from 'zod';
import type { ExportDataset, ExportFormat } from '../../../schema/accounts/exports/datasets.ts';
import { type ExportRow, readNewestExports, readOwnExport } from '../../../schema/accounts/exports/states.ts';
import { fromJson, omitEmpty } from '../../../schema/answers/omit-empty.ts';
import { DAY_MS, isoInstant } from '../../../schema/config/clocks.ts';
import type { Database } from '../../../schema/db/interface.ts';
import { joinAttributionsWithAddress, LICENCE } from '../../../schema/reference/licence.ts';
import { sayBeingWritten, signDownload } from '../../access/signed.ts';
import { CANDIDATES_MAX, defineOperation, type Nothing, nothingNear, type Services } from '../../contract/operation.ts';
import { readAttributions } from '../../reads/sources.ts';
import { exportAnswer } from './shapes.ts';

/** How long a download address is valid, unless the file expires sooner. */
const LINK_MS = DAY_MS;

export const getExport = defineOperation({
  name: 'get_export',
  title: 'See an export and download it',
  description:
    'Use this after {bulk_export} to see whether the file is ready and where to download it. ' +
    'A completed export has download_url, a failed one what was refunded.',
  credits: 0,
  input: z.strictObject({
    export_id: z.string().trim().min(1).max(100).describe('From {bulk_export}; or the charge_id that paid for it'),
  }),
  output: exportAnswer,
  bindings: [
    {
      method: 'GET',
      path: '/exports/:export_id',
      operationId: 'get_export',
      summary: 'An export, its state and its download',
      description:
        'Answers how an export stands. A completed export has download_url, which needs no key and works for a day, and expires_at. A failed export states what was refunded. The charge_id that paid for an export is accepted in place of its export_id, which {bulk_export} answered.',
      inputs: ['export_id'],
      example: { export_id: 'ex_3fgxxJ44JzVJKUPlA3bU' },
    },
  ],
  example: { export_id: 'ex_3fgxxJ44JzVJKUPlA3bU' },
  stated: ['export_id', 'status', 'rows', 'download_url', 'expires_at', 'message'],
  async run({ export_id }, services, caller) {
    const row = await readOwnExport(services.accounts, caller.accountId, export_id);
    if (!row) return noExport(services.accounts, caller.accountId, export_id);
    const attribution = joinAttributionsWithAddress(await readAttributions(services.catalogue));
    return { kind: 'answer', body: { ...toAnswer(row, services), attribution } };
  },
});

function toAnswer(row: ExportRow, services: Services): Omit<z.input<typeof exportAnswer>, 'attribution'> {
  const status = statusOf(row, services.clocks.wallNow());
  return {
    export_id: row.id,
    status,
    rows: row.rows,
    matched: row.matched,
    dataset: row.dataset as ExportDataset,
    format: row.format as ExportFormat,
    filters: fromJson<Record<string, string | number>>(row.filters),
    created_at: row.created_at,
    credits_paid: row.credits_charged,
    ...omitEmpty({
      credits_refunded: row.refunded || null,
      message: row.requeued_at === null ? row.error : sayBeingWritten(row),
    }),
    ...(status !== 'processing' && omitEmpty({ completed_at: row.completed_at })),
    licence: LICENCE,
    ...(status !== 'processing' && omitEmpty({ bytes: row.bytes, sha256: row.sha256, expires_at: row.expires_at })),
    ...(status === 'completed' && downloadOf(row, services)),
  };
}

type ServedStatus = 'processing' | 'completed' | 'failed' | 'expired';

/** A file past its expiry is gone for the customer, even before upkeep removes it. */
function statusOf({ status, expires_at }: ExportRow, now: Date): ServedStatus {
  if (status === 'completed' && expires_at !== null && Date.parse(expires_at) <= now.getTime()) return 'expired';
  return status as ServedStatus;
}

function downloadOf({ id, expires_at }: ExportRow, { settings, clocks, secret }: Services) {
  const now = clocks.wallNow().getTime();
  const until = Math.min(now + LINK_MS, expires_at === null ? Number.POSITIVE_INFINITY : Date.parse(expires_at));
  const link = { exportId: id, expires: Math.floor(until / 1_000) };
  return {
    download_url: `${settings.BASE_URL}/v1/exports/${id}/download?${signDownload(secret, link)}`,
    download_expires_at: isoInstant(new Date(link.expires * 1_000)),
  };
}

/** The account has no such export; lists its newest ones, if any. */
async function noExport(accounts: Database, accountId: string, given: string): Promise<Nothing> {
  const own = await readNewestExports(accounts, accountId, CANDIDATES_MAX);
  const candidates = own.map(({ id, dataset, format, status, created_at }) => ({
    id,
    name: `${dataset} as ${format}, ${status}, of ${created_at}`,
  }));
  return nothingNear(
    `no export ${given} of this account`,
    '{bulk_export} makes one, and {list_ledger} has the charge_id of each',
    candidates,
  );
}
