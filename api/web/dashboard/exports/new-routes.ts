import type { Request, Response, Router } from 'express';
import { readKeys } from '../../../../schema/accounts/customer/account.ts';
import { isoInstant } from '../../../../schema/config/clocks.ts';
import { UNSURE } from '../../../contract/errors.ts';
import { restNames } from '../../../contract/operation.ts';
import { call } from '../../../metering/call.ts';
import { BLOCK_ROWS, bulkExport } from '../../../operations/exports/bulk.ts';
import { labelInput } from '../../components/labels.ts';
import type { Web } from '../../context.ts';
import { CUT_FORM, isShownWhole } from '../../filters/plain-fields.tsx';
import { readQuery, runForAccount } from '../../queries/run-operation.ts';
import { makeRouter } from '../../serving/router.ts';
import { sentFields } from '../../serving/sent-form.ts';
import { faultOfAccount, nextForm, ONCE, type Refusal } from '../form-answers.ts';
import { isInUse } from '../keys/list.tsx';
import { type MakeSigned, readField, type Signed, type SignedHandler } from '../signed-in.ts';
import { type ExportForm, NEW_EXPORT, readExportForm, shortenForm } from './fields.tsx';
import { type ExportQuote, newExportPage } from './new-page.tsx';

/** The form of a new export, its price, and its creation. */
export function makeNewExportRoutes(web: Web, signed: MakeSigned): Router {
  const router = makeRouter();
  const show: SignedHandler = (who, request, response) => showForm(web, who, response, readForm(request));
  const showAgain = (who: Signed, request: Request, response: Response, { fault, status }: Refusal) =>
    showForm(web, who, response, { asked: askedOf(request), faults: [fault], status });
  // Signing in returns to the filled form, also from a form that was sent after its session had ended.
  const next = (asked: ExportForm) => nextForm('new-export', shortenForm(asked));
  const form = (handle: SignedHandler) => signed(handle, (request) => next(askedOf(request)), showAgain);
  router.get(
    NEW_EXPORT,
    signed(show, ({ query }) => next(readExportForm(query))),
  );
  router.post('/dashboard/exports/quote', form(showQuote(web)));
  router.get('/dashboard/exports/quote', (_request, response) => response.redirect(303, NEW_EXPORT));
  router.post('/dashboard/exports', form(makeExport(web)));
  return router;
}

const askedOf = (request: Request): ExportForm => readExportForm(sentFields(request));

/** The form with values from the address. The API refuses longer values too. */
function readForm({ query }: Request): Shown {
  const asked = readExportForm(query);
  return { asked, faults: isShownWhole(asked) ? [] : [CUT_FORM] };
}

interface Shown {
  asked: ExportForm;
  quote?: ExportQuote;
  faults?: readonly string[];
  status?: number;
  again?: Readonly<Record<string, string>>;
}

async function showForm(web: Web, who: Signed, response: Response, shown: Shown): Promise<void> {
  const { asked, quote = null, faults = [], status = 200, again } = shown;
  // Keys are chosen only with a price. When an order is to be sent again, the accounts may still be away.
  const keys = quote ? await readUsableKeys(web, who) : [];
  const form = quote ? asked : shortenForm(asked);
  await web.send(response, newExportPage(who.person, { asked: form, quote, faults, keys, again }), status);
}

async function readUsableKeys({ services }: Web, { account }: Signed) {
  const now = isoInstant(services.clocks.wallNow());
  return (await readKeys(services.accounts, account.id, now)).filter((key) => isInUse(key, now));
}

/** Counts the rows with the API's free dry run. */
function showQuote(web: Web): SignedHandler {
  return async (who, request, response) => {
    const asked = askedOf(request);
    const input = { ...readQuery(bulkExport, asked), dry_run: true };
    const found = await runForAccount(bulkExport, input, web.services, who.account.id);
    await showForm(
      web,
      who,
      response,
      'body' in found ? { asked, quote: toQuote(asked, found.body) } : { asked, ...found },
    );
  };
}

interface Counted {
  rows: number;
  matched: number;
  matched_is?: 'exact' | 'at_least' | undefined;
  credits_required?: number | undefined;
}

function toQuote({ max_rows }: ExportForm, { rows, matched, matched_is, credits_required = 0 }: Counted): ExportQuote {
  const paidFor = Math.ceil(rows / BLOCK_ROWS) * BLOCK_ROWS;
  const mostRows = Math.min(paidFor, Number(max_rows ?? BLOCK_ROWS));
  return { rows, matched, exact: matched_is !== 'at_least', credits: credits_required, mostRows };
}

/** Creates the export through an API call with the chosen key. The form's own id is the idempotency key. */
function makeExport(web: Web): SignedHandler {
  return async (who, request, response) => {
    const asked = askedOf(request);
    const refuse = (faults: readonly string[], status = 422) => showForm(web, who, response, { asked, faults, status });
    const key = (await readUsableKeys(web, who)).find(({ id }) => id === readField(request, 'key'));
    const once = readField(request, 'once');
    const stopped = faultOfAccount(who.account);
    if (stopped) return refuse([stopped]);
    if (!key) return refuse(['Choose a key that is in use. Nothing was charged.']);
    if (!ONCE.test(once)) return refuse(['Count the rows again. Nothing was charged.']);
    const answer = await call(
      web.context,
      { accountId: who.account.id, keyId: key.id },
      {
        operation: bulkExport,
        given: readQuery(bulkExport, asked),
        locate: () => 'body',
        nameCall: restNames(web.context.operations),
        idempotencyKey: { key: `form-${once}`, loc: ['body', 'once'] },
        requestId: String(response.getHeader('X-Request-Id')),
        isGone: () => false,
      },
    );
    const body = JSON.parse(answer.body) as RefusalBody;
    const { status } = answer;
    // A form that was sent twice at once: the first is still running, and will appear in the list.
    const isSentTwice = status === 409 && readField(request, 'again') === '';
    if (isSentTwice || body.export_id) return response.redirect(303, '/dashboard/exports?made');
    if (status < 500 && status !== 409) return refuse(saysWhy(body), status === 200 ? 422 : status);
    const again = { ...asked, key: key.id, once, again: '1' };
    await showForm(web, who, response, { asked, faults: saysWhy(body), status, again });
  };
}

/** The parts of an API answer that state the outcome. */
interface RefusalBody {
  export_id?: string | null;
  error?: string;
  message?: string;
  request_id?: string;
  detail?: { loc: (string | number)[]; msg: string }[];
}

const SEND_AGAIN = 'It is not certain whether this export was made and charged. Send it again: it is charged once.';
const STILL_RUNNING =
  'This export may still be in progress. See whether it is in your exports, or send it again in a moment: it is charged once.';

function saysWhy({ error, message, request_id: requestId, detail }: RefusalBody): string[] {
  if (detail) return detail.map(({ loc, msg }) => `${labelInput(String(loc[1] ?? ''))}: ${msg}`);
  if (message === UNSURE) return [SEND_AGAIN];
  if (error === 'idempotency_in_flight') return [STILL_RUNNING];
  if (error === 'internal_error' && message) return [message, `request_id: ${requestId}`];
  return [message ?? 'Nothing matches any more, so nothing was created or charged.'];
}
