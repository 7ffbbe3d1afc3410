import type { Request, Response, Router } from 'express';
import { readableBody, readDelivery } from '../../../../schema/accounts/watches/deliveries.ts';
import { readWatch } from '../../../../schema/accounts/watches/lifecycle.ts';
import { isoInstant } from '../../../../schema/config/clocks.ts';
import { deleteWatch } from '../../../operations/watches/delete-watch.ts';
import { listWatches } from '../../../operations/watches/list.ts';
import { listDeliveries } from '../../../operations/watches/list-deliveries.ts';
import { retryDelivery } from '../../../operations/watches/retry-delivery.ts';
import { toWatch } from '../../../operations/watches/shapes.ts';
import { testWatch } from '../../../operations/watches/test-watch.ts';
import { rotateSecret, updateWatch } from '../../../operations/watches/update-watch.ts';
import { notFoundPage } from '../../components/error-pages.tsx';
import type { Web } from '../../context.ts';
import { runForAccount } from '../../queries/run-operation.ts';
import { makeRouter } from '../../serving/router.ts';
import { type MakeSigned, readField, type ShowAgain, type Signed, type SignedHandler } from '../signed-in.ts';
import { deliveryPage } from './deliveries.tsx';
import { watchesPage } from './list.tsx';
import { deleteWatchPage, watchPage } from './one.tsx';
import { shownSecretPage } from './secret-page.tsx';
import { readParties, WATCHES, watchPath } from './words.ts';

const SAID: Readonly<Record<string, string>> = {
  made: 'Your watch is created. It delivers what is new from now on.',
  seen: 'This form had been sent already, so nothing was done twice. A secret is shown only once: make a new one if you did not keep it.',
  saved: 'Saved.',
  paused: 'It is paused where it stands. Nothing is lost: once resumed, it continues from there.',
  resumed: 'It continues from where it stood.',
  tested: 'A test was queued. Its outcome is below once you load this page again.',
  again:
    'It is sent again, free: now, or once the watch is resumed if it is paused. Load this page again to see its outcome.',
  deleted: 'The watch is deleted.',
};

const readSaid = ({ query }: Request) =>
  Object.hasOwn(SAID, String(query.said)) ? SAID[String(query.said)] : undefined;
const readCursor = ({ query }: Request) => (typeof query.cursor === 'string' ? { cursor: query.cursor } : {});

const ONE = `${WATCHES}/:id`;
const DELIVERY = `${ONE}/deliveries/:delivery`;

/** The outcome of a form: the operation's answer, or why it was refused. */
type Done = { body: unknown } | { faults: string[]; status: number };

/** The list of watches, and each with its deliveries. Everything is done by the API's operations, without a key. */
export function makeWatchPageRoutes(web: Web, signed: MakeSigned): Router {
  const { services } = web;
  const router = makeRouter();
  const next = ({ params }: Request) => `watches/${params.id}`;
  const page = (path: string, handle: SignedHandler) => router.get(path, signed(handle, next));
  const refused: ShowAgain = (who, request, response, { fault, status }) =>
    showOne(web, who, request, response, { faults: [fault], status });
  const form = (path: string, handle: SignedHandler) => router.post(path, signed(handle, next, refused));
  /** A form that leads back to its watch, which shows the outcome. */
  const act = (path: string, said: string, run: (id: string, who: Signed, request: Request) => Promise<Done>) => {
    form(path, async (who, request, response) => {
      const id = String(request.params.id);
      const done = await run(id, who, request);
      if ('faults' in done) return showOne(web, who, request, response, done);
      response.redirect(303, `${watchPath(id)}?said=${said}`);
    });
    // Reloading the address of a form leads to its watch.
    router.get(path, ({ params }, response) => response.redirect(303, watchPath(String(params.id))));
  };
  const update =
    (more: object) =>
    (id: string, { account }: Signed) =>
      runForAccount(updateWatch, { watch_id: id, ...more }, services, account.id);

  router.get(WATCHES, signed(showList(web), 'watches'));
  page(ONE, (who, request, response) => showOne(web, who, request, response));
  page(`${ONE}/delete`, askToDelete(web));
  page(DELIVERY, showDelivery(web));
  page(`${DELIVERY}/body.json`, sendBody(web));
  act(`${ONE}/pause`, 'paused', update({ paused: true }));
  act(`${ONE}/resume`, 'resumed', update({ paused: false }));
  act(`${ONE}/test`, 'tested', (id, { account }) => runForAccount(testWatch, { watch_id: id }, services, account.id));
  act(`${DELIVERY}/retry`, 'again', (id, { account }, { params }) =>
    runForAccount(retryDelivery, { watch_id: id, delivery_id: String(params.delivery) }, services, account.id),
  );
  form(`${ONE}/rotate`, rotate(web));
  router.get(`${ONE}/rotate`, ({ params }, response) => response.redirect(303, watchPath(String(params.id))));
  form(`${ONE}/delete`, remove(web));
  return router;
}

const readOwn = ({ services }: Web, { account }: Signed, { params }: Request) =>
  readWatch(services.accounts, account.id, String(params.id));

function showList(web: Web): SignedHandler {
  const { services, send } = web;
  return async ({ account, person }, request, response) => {
    const found = await runForAccount(listWatches, readCursor(request), services, account.id);
    // An invalid cursor: the list starts from the beginning.
    if ('faults' in found) return response.redirect(303, WATCHES);
    const { items: watches, next_cursor: next } = found.body;
    const parties = await readParties(services.catalogue, watches);
    const { WATCH_DIGEST_HOUR: digestHour, SMTP_URL } = services.settings;
    const hasMail = SMTP_URL !== undefined;
    await send(response, watchesPage(person, { watches, next, parties, digestHour, hasMail, said: readSaid(request) }));
  };
}

async function showOne(
  web: Web,
  who: Signed,
  request: Request,
  response: Response,
  { faults = [], status = 200 }: { faults?: readonly string[]; status?: number } = {},
): Promise<void> {
  const { services, send } = web;
  const row = await readOwn(web, who, request);
  if (!row) return send(response, notFoundPage(), 404);
  const found = await runForAccount(
    listDeliveries,
    { watch_id: row.id, ...readCursor(request) },
    services,
    row.account_id,
  );
  if ('faults' in found) return response.redirect(303, watchPath(row.id));
  const { items: deliveries, next_cursor: next } = found.body;
  const watch = toWatch(row);
  const view = {
    watch,
    formerUntil: row.former_until,
    now: isoInstant(services.clocks.wallNow()),
    deliveries,
    next,
    parties: await readParties(services.catalogue, [watch]),
    digestHour: services.settings.WATCH_DIGEST_HOUR,
    bodyDays: services.settings.WATCH_BODY_DAYS,
    said: readSaid(request),
    faults,
  };
  await send(response, watchPage(who.person, view), status);
}

function askToDelete(web: Web): SignedHandler {
  return async (who, request, response) => {
    const row = await readOwn(web, who, request);
    await (row
      ? web.send(response, deleteWatchPage(who.person, toWatch(row)))
      : web.send(response, notFoundPage(), 404));
  };
}

function remove(web: Web): SignedHandler {
  return async ({ account }, { params }, response) => {
    const done = await runForAccount(deleteWatch, { watch_id: String(params.id) }, web.services, account.id);
    response.redirect(303, 'faults' in done ? WATCHES : `${WATCHES}?said=deleted`);
  };
}

/** Gives a webhook a new secret. The form contains the instant of the previous rotation: sent again, it rotates nothing. */
function rotate(web: Web): SignedHandler {
  return async (who, request, response) => {
    const row = await readOwn(web, who, request);
    if (!row) return web.send(response, notFoundPage(), 404);
    if (row.secret === null) return response.redirect(303, watchPath(row.id));
    const isFirst = (row.former_until ?? '') === readField(request, 'former');
    const secret = isFirst ? await rotateSecret(web.services, row.id, row.secret) : undefined;
    if (secret === undefined) return response.redirect(303, `${watchPath(row.id)}?said=seen`);
    await web.send(response, shownSecretPage(who.person, { id: row.id, name: row.name, secret, isFirst: false }));
  };
}

async function readOwnDelivery(web: Web, who: Signed, request: Request) {
  const watch = await readOwn(web, who, request);
  const named = { accountId: who.account.id, watchId: String(request.params.id), id: String(request.params.delivery) };
  const row = await readDelivery(web.services.accounts, named);
  return watch && row ? { watch: toWatch(watch), row } : null;
}

function showDelivery(web: Web): SignedHandler {
  return async (who, request, response) => {
    const found = await readOwnDelivery(web, who, request);
    await (found ? web.send(response, deliveryPage(who.person, found)) : web.send(response, notFoundPage(), 404));
  };
}

/** The body of a delivery, byte for byte as it was signed. */
function sendBody(web: Web): SignedHandler {
  return async (who, request, response) => {
    const row = (await readOwnDelivery(web, who, request))?.row;
    const body = row ? readableBody(row) : null;
    if (!row || body === null) return web.send(response, notFoundPage(), 404);
    response.attachment(`${row.id}.json`).type('json').send(body);
  };
}
