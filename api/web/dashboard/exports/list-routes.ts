import type { Request, Router } from 'express';
import { type ExportRow, readExports, readOwnExport } from '../../../../schema/accounts/exports/states.ts';
import { getExport } from '../../../operations/exports/get.ts';
import type { Web } from '../../context.ts';
import { makeRouter } from '../../serving/router.ts';
import type { MakeSigned, SignedHandler } from '../signed-in.ts';
import { exportsPage } from './list.tsx';

const PAGE_ROWS = 25;

/** The list of exports and their files. */
export function makeExportRoutes(web: Web, signed: MakeSigned): Router {
  const router = makeRouter();
  router.get('/dashboard/exports', signed(showExports(web), 'exports'));
  router.get('/dashboard/exports/:id/download', signed(download(web), 'exports'));
  return router;
}

function showExports({ services, send }: Web): SignedHandler {
  return async ({ account, person }, request, response) => {
    const page = { limit: PAGE_ROWS + 1, before: await readBefore(services.accounts, account.id, request) };
    const found = await readExports(services.accounts, account.id, page);
    const rows = found.slice(0, PAGE_ROWS);
    const next = found.length > PAGE_ROWS ? (rows.at(-1)?.id ?? null) : null;
    const isGone = request.query.gone !== undefined;
    const isMade = request.query.made !== undefined;
    const view = { rows, next, isGone, isMade, now: services.clocks.wallNow(), baseUrl: services.settings.BASE_URL };
    await send(response, exportsPage(person, view));
  };
}

/** The export after which a page begins; it must belong to the account. */
async function readBefore(
  accounts: Web['services']['accounts'],
  accountId: string,
  { query }: Request,
): Promise<{ at: string; id: string } | undefined> {
  const row: ExportRow | undefined =
    typeof query.before === 'string' ? await readOwnExport(accounts, accountId, query.before) : undefined;
  return row && { at: row.created_at, id: row.id };
}

/** Signs the file's address on request, so that a link on an old page still works. */
function download({ services }: Web): SignedHandler {
  return async ({ account }, request, response) => {
    const input = { export_id: String(request.params.id), fields: undefined, detail: undefined };
    const found = await getExport.run(input, services, { accountId: account.id, keyId: '' });
    const address = found.kind === 'answer' ? found.body.download_url : undefined;
    response.redirect(303, address ?? '/dashboard/exports?gone');
  };
}
