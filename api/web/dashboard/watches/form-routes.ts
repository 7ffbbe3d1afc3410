import type { Request, Response, Router } from 'express';
import { isDeletedWatch } from '../../../../schema/accounts/watches/deleted.ts';
import { readWatch } from '../../../../schema/accounts/watches/lifecycle.ts';
import { createWatch, watchIdOf } from '../../../operations/watches/create-watch.ts';
import { getWatch } from '../../../operations/watches/get-watch.ts';
import { lastSevenDays } from '../../../operations/watches/spec.ts';
import { updateWatch } from '../../../operations/watches/update-watch.ts';
import { notFoundPage } from '../../components/error-pages.tsx';
import type { Web } from '../../context.ts';
import { CUT_FORM, isShownWhole } from '../../filters/plain-fields.tsx';
import { findHits } from '../../queries/hits.ts';
import { runForAccount } from '../../queries/run-operation.ts';
import { makeRouter } from '../../serving/router.ts';
import { sentFields } from '../../serving/sent-form.ts';
import { faultOfAccount, nextForm, readOnce } from '../form-answers.ts';
import { type MakeSigned, readField, type ShowAgain, type Signed, type SignedHandler } from '../signed-in.ts';
import {
  formOf,
  NEW_WATCH,
  readWatchForm,
  shortenWatchForm,
  toFilters,
  toInput,
  type WatchForm,
  withUsual,
} from './form.tsx';
import { type Preview, watchFormPage } from './form-page.tsx';
import { shownSecretPage } from './secret-page.tsx';
import { queryOf, readParties, sayLookedFor, WATCHES, type Watch, watchPath } from './words.ts';

/** Items of a preview that are shown. */
const PREVIEWED = 3;
/** The most characters of a suggested name. */
const NAME_CHARS = 100;

/** The form of a watch: a new one, filled in from the address of a search, or an existing one. */
export function makeWatchFormRoutes(web: Web, signed: MakeSigned): Router {
  const router = makeRouter();
  const refusedNew: ShowAgain = (who, request, response, { fault, status }) =>
    showForm(web, who, response, { asked: askedOf(request), faults: [fault], status });
  const refusedEdit: ShowAgain = (who, request, response, { fault, status }) =>
    showEdit(web, who, request, response, { asked: askedOf(request), faults: [fault], status });
  router.get(
    NEW_WATCH,
    signed(showNew(web), ({ query }) => nextNew(readWatchForm(query))),
  );
  router.post(
    WATCHES,
    signed(makeNew(web), (request) => nextNew(askedOf(request)), refusedNew),
  );
  const nextEdit = ({ params }: Request) => `watches/${params.id}/edit`;
  router.get(
    `${WATCHES}/:id/edit`,
    signed((who, request, response) => showEdit(web, who, request, response), nextEdit),
  );
  router.post(`${WATCHES}/:id/edit`, signed(save(web), nextEdit, refusedEdit));
  return router;
}

const askedOf = (request: Request): WatchForm => readWatchForm(sentFields(request));

/** Signing in returns to the filled form. Its webhook is left out: receivers put secrets in such addresses. */
function nextNew({ webhook: _, ...asked }: WatchForm): string {
  return nextForm('new-watch', shortenWatchForm(asked));
}

interface Shown {
  asked: WatchForm;
  watch?: { id: string; name: string };
  preview?: Preview;
  faults?: readonly string[];
  status?: number;
  /** The id of a form that was refused, though it may have taken effect: sent again, it makes the same watch. */
  once?: string;
}

async function showForm({ services, send }: Web, who: Signed, response: Response, shown: Shown): Promise<void> {
  const { asked, watch = null, preview = null, faults = [], status = 200, once } = shown;
  const { settings, clocks } = services;
  const view = { asked: shortenWatchForm(asked), watch, preview, faults, settings, now: clocks.catalogueNow(), once };
  await send(response, watchFormPage(who.person, view), status);
}

/** The form with the search in its address, and what that would have sent. */
function showNew(web: Web): SignedHandler {
  return async (who, { query }, response) => {
    const given = readWatchForm(query);
    const asked = withUsual(await withName(web, given), web.services.settings);
    const faults = isShownWhole(given) ? [] : [CUT_FORM];
    const isSearch = Object.keys(toFilters(given)).length > 0;
    if (!isSearch || faults.length > 0) return showForm(web, who, response, { asked, faults });
    await showForm(web, who, response, { asked, ...(await findPreview(web, asked)) });
  };
}

/** Suggests a description of its search as its name. */
async function withName({ services, readTitles }: Web, asked: WatchForm): Promise<WatchForm> {
  if (asked.name !== undefined) return asked;
  const { on } = asked;
  const filters = queryOf(toFilters(asked) as Watch['filters']);
  const names = { titles: await readTitles(), parties: await readParties(services.catalogue, [{ filters }]) };
  return { ...asked, name: sayLookedFor(on, filters, names).slice(0, NAME_CHARS) } as WatchForm;
}

/** What a watch would have sent in the last seven days, or sentences that say why it cannot be created. */
async function findPreview({ services }: Web, asked: WatchForm): Promise<Pick<Shown, 'preview' | 'faults' | 'status'>> {
  const { on } = asked;
  const searched = queryOf(lastSevenDays(services, { on, filters: toFilters(asked) }) as Watch['filters']);
  const { results, faults } = await findHits(services, on, searched, { limit: PREVIEWED });
  return results ? { preview: { searched, results } } : { faults, status: 422 };
}

const isPreview = (request: Request) => readField(request, 'act') === 'preview';

function makeNew(web: Web): SignedHandler {
  return async (who, request, response) => {
    const { services, send } = web;
    const { account, person } = who;
    const asked = askedOf(request);
    if (isPreview(request)) return showForm(web, who, response, { asked, ...(await findPreview(web, asked)) });
    const stopped = faultOfAccount(account);
    if (stopped) return showForm(web, who, response, { asked, faults: [stopped], status: 422 });
    const once = readOnce(request);
    const id = watchIdOf(account.id, once);
    // The form was already sent: a secret is shown once.
    if (await readWatch(services.accounts, account.id, id)) return response.redirect(303, `${watchPath(id)}?said=seen`);
    if (await isDeletedWatch(services.accounts, account.id, id))
      return response.redirect(303, `${WATCHES}?said=deleted`);
    const made = await runForAccount(createWatch, toInput(asked), services, account.id, once);
    if ('faults' in made) return showForm(web, who, response, { asked, ...made, once });
    const { secret, name } = made.body;
    if (secret !== undefined) return send(response, shownSecretPage(person, { id, name, secret, isFirst: true }));
    response.redirect(303, `${watchPath(id)}?said=made`);
  };
}

async function showEdit(web: Web, who: Signed, request: Request, response: Response, shown?: Shown): Promise<void> {
  const { services, send } = web;
  const id = String(request.params.id);
  const found = await runForAccount(getWatch, { watch_id: id }, services, who.account.id);
  if ('faults' in found) return send(response, notFoundPage(), 404);
  const { name } = found.body;
  const stored = formOf(found.body);
  // A link to another search keeps the form's values, as far as that search has such fields.
  const asked = request.query.on === undefined ? stored : readWatchForm({ ...stored, ...request.query });
  await showForm(web, who, response, { asked, ...shown, watch: { id, name } });
}

function save(web: Web): SignedHandler {
  return async (who, request, response) => {
    const asked = askedOf(request);
    const id = String(request.params.id);
    const again = (more: Omit<Shown, 'asked'>) => showEdit(web, who, request, response, { asked, ...more });
    if (isPreview(request)) return again(await findPreview(web, asked));
    const saved = await runForAccount(updateWatch, { watch_id: id, ...toInput(asked) }, web.services, who.account.id);
    if ('faults' in saved) return again(saved);
    const { secret, name } = saved.body;
    if (secret === undefined) return response.redirect(303, `${watchPath(id)}?said=saved`);
    await web.send(response, shownSecretPage(who.person, { id, name, secret, isFirst: true }));
  };
}
