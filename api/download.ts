import sendFile from 'send';
import { type ExportRow, exportFolder, readExport } from '../schema/export-states.ts';
import { admitAnyone } from './admit.ts';
import { isSigned } from './download-link.ts';
import { Refusal } from './errors.ts';
import { type Exchange, respond, tellAllowance } from './exchange.ts';
import type { Kit } from './kit.ts';
import type { House } from './operation.ts';
import type { ExtraRoute } from './rest.ts';

const TYPES: Record<string, string> = {
  csv: 'text/csv; charset=utf-8',
  jsonl: 'application/jsonl; charset=utf-8',
};

/** The file of a finished export, to whoever holds its signed address. Ranges and conditional requests work; nothing is charged. */
export function makeDownloadRoute(kit: Kit): ExtraRoute {
  return {
    path: '/exports/:export_id/download',
    async handle(exchange, parameters) {
      try {
        await admitAnyone(kit, exchange.address, tellAllowance(exchange));
        const row = await findDownload(kit.house, parameters.export_id ?? '', exchange.request.url ?? '');
        stream(kit, exchange, row);
      } catch (error) {
        await respond(kit, exchange, () => Promise.reject(error));
      }
    },
  };
}

type Ready = ExportRow & { file: string };

/** The export behind a signed address. @throws Refusal where the address or the file is no longer good. */
async function findDownload({ accounts, clocks, secret }: House, exportId: string, url: string): Promise<Ready> {
  const query = new URL(url, 'http://localhost').searchParams;
  const expires = Number(query.get('expires'));
  if (!isSigned(secret, { exportId, expires }, query.get('signature') ?? '')) {
    throw new Refusal(403, 'invalid_signature', 'This download address is not one of ours; get_export gives it whole.');
  }
  const now = clocks.wallNow();
  if (expires * 1_000 <= now.getTime()) {
    throw new Refusal(403, 'link_expired', 'This download address has expired; get_export gives a fresh one.');
  }
  const row = await readExport(accounts, exportId);
  if (row?.status !== 'completed' || row.file === null || (row.expires_at ?? '') <= now.toISOString()) {
    throw gone();
  }
  return row as Ready;
}

function stream(kit: Kit, exchange: Exchange, row: Ready): void {
  const { request, response } = exchange;
  response.setHeader('Cache-Control', 'private, no-store');
  response.setHeader('Content-Disposition', `attachment; filename="${row.dataset}-${row.id}.${row.format}"`);
  sendFile(request, encodeURIComponent(row.file), { root: exportFolder(kit.house.settings), cacheControl: false })
    .on('headers', (answer: typeof response) => {
      answer.setHeader('Content-Type', TYPES[row.format] ?? 'application/octet-stream');
    })
    .on('error', (error: { status?: number; headers?: Record<string, string> }) => {
      response.removeHeader('Content-Disposition');
      respond(kit, exchange, () => Promise.reject(toRefusal(error)));
    })
    .pipe(response);
}

function toRefusal({ status, headers }: { status?: number; headers?: Record<string, string> }): Refusal {
  if (status !== 416) return gone();
  return new Refusal(416, 'range_not_satisfiable', 'The file ends before this range begins.', {
    headers: headers ?? {},
  });
}

function gone(): Refusal {
  return new Refusal(404, 'not_found', 'This export has no file any more; get_export says why.');
}
