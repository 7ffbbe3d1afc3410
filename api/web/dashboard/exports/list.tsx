import type { Request, Router } from 'express';
import { type ExportRow, readExports, readOwnExport } from '../../../../schema/accounts/exports/states.ts';
import { getExport } from '../../../operations/exports/get.ts';
import { formatBytes, formatCount, formatInstant, formatNumbered } from '../../components/format.ts';
import { FILTER_NAMES, labelFormat, labelPlain } from '../../components/labels.ts';
import type { Page } from '../../components/layout.tsx';
import { withQuery } from '../../components/links.ts';
import { Older, Table } from '../../components/parts.tsx';
import type { PageContext, SourceTitles } from '../../components/source-title.ts';
import type { Web } from '../../context.ts';
import { labelValue, splitValues } from '../../filters/values.ts';
import { makeRouter } from '../../serving/router.ts';
import { dashboardPage, type Person, Said } from '../frame.tsx';
import type { MakeSigned, SignedHandler } from '../signed-in.ts';
import { NEW_EXPORT } from './fields.tsx';

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
    const isMade = request.query.made !== undefined && rows[0]?.status === 'processing';
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

interface ExportsView {
  rows: readonly ExportRow[];
  /** The export after which the next page begins. */
  next: string | null;
  /** The requested file does not exist. */
  isGone: boolean;
  /** The newest export has just been ordered, and its file is not ready. */
  isMade: boolean;
  now: Date;
  baseUrl: string;
}

/** The page of an account's exports. */
function exportsPage(person: Person, { rows, next, isGone, isMade, now, baseUrl }: ExportsView): Page {
  return dashboardPage(
    person,
    { title: 'Exports', tab: 'exports' },
    <>
      {isGone && (
        <div class="note warn" role="status">
          <p>There is no file for this export at the moment. Its status below says why.</p>
        </div>
      )}
      <Said
        text={isMade ? 'Your export is being written. Load this page again to see when its file is ready.' : undefined}
      />
      <p>
        <a class="button" href={NEW_EXPORT}>
          New export
        </a>
      </p>
      {rows.length > 0 && (
        <p>
          Newest first. Each file can be downloaded for a limited time after it is ready; the date is shown with it.
        </p>
      )}
      <Exports rows={rows} now={now} />
      {next && <Older href={withQuery('/dashboard/exports', { before: next })} what="exports" />}
      <HowTo baseUrl={baseUrl} />
    </>,
  );
}

function HowTo({ baseUrl }: { baseUrl: string }) {
  const body = '{"dataset":"contracts","format":"csv","max_rows":1000,"dry_run":true}';
  return (
    <>
      <h2>With the API</h2>
      <p>
        You can also export with a <a href="/dashboard#keys">key</a>. This call only asks for the price, which is free;
        leave out <code>dry_run</code> to make the export.
      </p>
      <pre>
        <code>
          {`curl -X POST '${baseUrl}/v1/exports' \\\n  -H "Authorization: Bearer $API_KEY" \\\n  -H 'Content-Type: application/json' \\\n  -d '${body}'`}
        </code>
      </pre>
      <p>
        <a href="/docs/bulk_export">Datasets, filters and formats</a>
      </p>
    </>
  );
}

function Exports({ rows, now }: Pick<ExportsView, 'rows' | 'now'>, { titles }: PageContext) {
  if (rows.length === 0) return <p>You have no exports yet.</p>;
  return (
    <Table label="Exports, newest first" class="exports" columns={['What', 'Status']}>
      {rows.map((row) => (
        <tr key={row.id}>
          <th scope="row">
            {labelPlain(row.dataset)}, {labelFormat(row.format)}
            <span class="hint">
              {formatNumbered(row.rows, 'row')} for {formatNumbered(row.credits_charged, 'credit')}
              {row.refunded > 0 && `, ${formatCount(row.refunded)} refunded`}
            </span>
            <span class="hint">{sayFilters(row.filters, titles)}</span>
            <span class="hint">{formatInstant(row.created_at)}</span>
          </th>
          <td>
            <State row={row} now={now} />
          </td>
        </tr>
      ))}
    </Table>
  );
}

function State({ row, now }: { row: ExportRow; now: Date }) {
  const { id, status, bytes, expires_at, error, refunded, dataset, requeued_at, file } = row;
  if (status === 'processing')
    return (
      <>
        <span class="tag warn">{requeued_at === null ? 'Being written' : 'Being written again'}</span>
        {requeued_at !== null && (
          <span class="hint">
            {file === null ? 'Its file was lost.' : 'Something in it was taken down.'} The new file is free.
          </span>
        )}
      </>
    );
  if (status === 'failed')
    return (
      <>
        <span class="tag warn">Failed</span>
        <span class="hint">
          {error ?? 'It could not be written.'} {refunded > 0 && `${formatNumbered(refunded, 'credit')} were refunded.`}
        </span>
      </>
    );
  if (status === 'expired' || (expires_at !== null && Date.parse(expires_at) <= now.getTime()))
    return (
      <>
        <span class="tag">Expired</span> <span class="hint">The file was removed {formatInstant(expires_at)}.</span>
      </>
    );
  return (
    <>
      <a
        class="button small"
        href={`/dashboard/exports/${encodeURIComponent(id)}/download`}
        aria-label={`Download ${dataset} of ${formatInstant(row.created_at)}`}
      >
        Download
      </a>
      <span class="hint">
        {formatBytes(bytes ?? 0)}, kept until {formatInstant(expires_at)}
        {error && `. ${error}`}
      </span>
    </>
  );
}

function sayValues(name: string, value: string | number, titles: SourceTitles): string {
  return splitValues(name, String(value))
    .map((one) => labelValue(name, one, titles))
    .join(', ');
}

/** The filters of an export. */
function sayFilters(filters: string, titles: SourceTitles): string {
  const active = Object.entries(JSON.parse(filters) as Record<string, string | number>);
  return (
    active
      .map(([name, value]) => `${FILTER_NAMES[name] ?? labelPlain(name)}: ${sayValues(name, value, titles)}`)
      .join(', ') || 'without a filter'
  );
}
