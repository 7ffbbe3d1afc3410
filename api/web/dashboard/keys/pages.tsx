import { hash } from 'node:crypto';
import type { Request, Router } from 'express';
import { z } from 'zod';
import {
  createKeyOnce,
  type KeyRow,
  readKeys,
  revokeKey,
  rollKey,
} from '../../../../schema/accounts/customer/account.ts';
import { addHours, isoInstant, londonInstant } from '../../../../schema/config/clocks.ts';
import { formatCount, formatInstant, formatNumbered } from '../../components/format.ts';
import type { Page } from '../../components/layout.tsx';
import { Facts } from '../../components/parts.tsx';
import { beginningOf } from '../../components/repeat-in-part.ts';
import type { Web } from '../../context.ts';
import { firstAddress, Snippet } from '../../docs/snippet.tsx';
import { makeRouter } from '../../serving/router.ts';
import { sentFields } from '../../serving/sent-form.ts';
import { nextForm, readOnce, refusal } from '../form-answers.ts';
import { dashboardPage, type Person, Token } from '../frame.tsx';
import { Copied, SHOWN_ONCE_SCRIPTS, ShownOnce } from '../shown-once.tsx';
import { type MakeSigned, readField, type SignedHandler } from '../signed-in.ts';
import { formatLastUsed, isInUse, readWanted, type WantedKey } from './list.tsx';
import { showOverview } from './overview-page.tsx';

/** The limit on active keys of an account. */
const KEYS_MAX = 50;
/** The limit on all keys of an account, as its pages list those that no longer work too. The operator can make more. */
const KEYS_EVER = 1_000;
const CAP = /^[1-9]\d{0,8}$/;

/** Creates, rolls and revokes the account's keys. */
export function makeKeyRoutes(web: Web, signed: MakeSigned): Router {
  const router = makeRouter();
  const { accounts, clocks } = web.services;
  router.post(
    '/dashboard/keys',
    // Signing in returns to the filled form, also from a form that was sent after its session had ended.
    signed(
      makeNewKey(web),
      (request) => nextForm('keys', { ...askedOf(request) }),
      (who, request, response, refused) =>
        showOverview(web, who, response, { refusal: refused, wanted: beginningOf({ ...askedOf(request) }) }),
    ),
  );
  // Reloading the address of a form leads here.
  for (const path of ['/dashboard/keys', '/dashboard/keys/roll', '/dashboard/keys/revoke', '/sign-out'])
    router.get(path, (_request, response) => response.redirect(303, '/dashboard#keys'));
  router.post('/dashboard/keys/roll', signed(roll(web)));
  router.get('/dashboard/keys/:id/revoke', signed(askToRevoke(web)));
  router.post(
    '/dashboard/keys/revoke',
    signed(async ({ account }, request, response) => {
      await revokeKey(accounts, account.id, readField(request, 'key'), isoInstant(clocks.wallNow()));
      web.context.callers.forget(account.id);
      response.redirect(303, '/dashboard#keys');
    }),
  );
  return router;
}

function makeNewKey(web: Web): SignedHandler {
  const { accounts, settings, clocks } = web.services;
  return async (who, request, response) => {
    const { account, person } = who;
    const at = isoInstant(clocks.wallNow());
    const wanted = askedOf(request);
    const { name } = wanted;
    const refuse = (fault: string) =>
      showOverview(web, who, response, { refusal: refusal(fault), wanted: beginningOf({ ...wanted }) });
    if (!name) return refuse('A key needs a name.');
    const limits = readLimits(wanted, at);
    if (!limits)
      return refuse(
        'The last day must be in the future, and the monthly limit a whole number of credits from 1 to 999,999,999.',
      );
    const keys = await readKeys(accounts, account.id, at);
    if (keys.length >= KEYS_EVER)
      return refuse(
        `An account has at most ${formatCount(KEYS_EVER)} keys, revoked ones included. Roll one in use, or ask us for another.`,
      );
    const inUse = keys.filter((key) => isInUse(key, at));
    if (inUse.length >= KEYS_MAX) return refuse(`An account has at most ${KEYS_MAX} keys in use. Revoke one first.`);
    const prefix = settings.KEY_PREFIX;
    const id = keyIdOf(account.id, readOnce(request));
    const created = await createKeyOnce(accounts, id, { accountId: account.id, name, prefix, at, ...limits });
    if (!created) return response.redirect(303, '/dashboard?seen#keys');
    await web.send(response, shownKeyPage(person, { name, key: created.key }, settings.BASE_URL));
  };
}

const askedOf = (request: Request): WantedKey => readWanted(sentFields(request));

/** The id of the key that a form creates: the same form, sent again, creates no other. */
const keyIdOf = (accountId: string, once: string): string =>
  `key_${hash('sha256', `${accountId} ${once}`).slice(0, 22)}`;

function askToRevoke({ services, send }: Web): SignedHandler {
  return async ({ account, person }, request, response) => {
    const at = isoInstant(services.clocks.wallNow());
    const key = (await readKeys(services.accounts, account.id, at)).find(({ id }) => id === request.params.id);
    if (!key || !isInUse(key, at)) return response.redirect(303, '/dashboard#keys');
    await send(response, revokeKeyPage(person, key));
  };
}

/** A key's expiry (the end of a London day) and cap from the form, both optional; null if invalid. */
function readLimits({ expires, cap }: WantedKey, at: string): { expiresAt?: string; monthlyCap?: number } | null {
  if (cap && !CAP.test(cap)) return null;
  const monthlyCap = cap ? { monthlyCap: Number(cap) } : {};
  if (!expires) return monthlyCap;
  // JavaScript reads 30 February as 2 March.
  if (!z.iso.date().safeParse(expires).success) return null;
  const expiresAt = isoInstant(londonInstant(`${expires}T23:59:59`));
  return expiresAt > at ? { expiresAt, ...monthlyCap } : null;
}

function roll({ services, send }: Web): SignedHandler {
  return async ({ account, person }, request, response) => {
    const { accounts, settings, clocks } = services;
    const now = clocks.wallNow();
    const at = isoInstant(now);
    const keyId = readField(request, 'key');
    const hint = readField(request, 'hint');
    const wanted = {
      accountId: account.id,
      keyId,
      prefix: settings.KEY_PREFIX,
      at,
      formerUntil: isoInstant(addHours(now, settings.KEY_ROLL_HOURS)),
      ...(hint && { hint }),
    };
    // Read first: if it failed after the roll, nobody would have seen the new text.
    const name = (await readKeys(accounts, account.id, at)).find(({ id }) => id === keyId)?.name ?? '';
    const rolled = await rollKey(accounts, wanted);
    // The form was sent before, or the key is no longer active.
    if (!rolled) return response.redirect(303, '/dashboard?seen#keys');
    await send(response, shownKeyPage(person, { name, ...rolled }, settings.BASE_URL));
  };
}

interface ShownKey {
  name: string;
  key: string;
  /** Until when the old key works, if it was rolled. */
  formerUntil?: string;
}

/** The only page that shows a key in full. */
function shownKeyPage(person: Person, { name, key, formerUntil }: ShownKey, baseUrl: string): Page {
  const title = formerUntil ? 'Your rolled key' : 'Your new key';
  const curl = `curl -H 'Authorization: Bearer ${key}' '${firstAddress(baseUrl)}'`;
  return dashboardPage(
    person,
    { title, scripts: SHOWN_ONCE_SCRIPTS },
    <>
      <div class="note warn">
        <p>Copy it now. We keep only a fingerprint of it, so it cannot be shown again.</p>
        {formerUntil && <p>The old key works until {formatInstant(formerUntil)}.</p>}
      </div>
      <p>{name}</p>
      <ShownOnce text={key} label="the key" />
      <h2>Try it</h2>
      <Snippet id="first-call" text={curl} label="the call" />
      <p>
        The <a href="/docs">reference</a> lists every call, and how to <a href="/docs/agents">connect your agent</a>.
      </p>
      <Copied href="/dashboard" />
    </>,
  );
}

/** Asks for confirmation before a key is revoked. */
function revokeKeyPage(person: Person, key: KeyRow): Page {
  const title = `Revoke ${key.name}?`;
  return dashboardPage(
    person,
    { title },
    <>
      <p>
        Calls with this key will be refused within 2 seconds. This cannot be undone. To replace the key while the old
        one keeps working for a time, roll it instead.
      </p>
      <Facts
        facts={[
          ['Key', <code>{key.hint}</code>],
          ['Last used', formatLastUsed(key)],
          ['Spent this month', formatNumbered(key.spent, 'credit')],
        ]}
      />
      <form method="post" action="/dashboard/keys/revoke" class="row">
        <Token token={person.token} />
        <input type="hidden" name="key" value={key.id} />
        <button type="submit" class="grave">
          Revoke {key.name}
        </button>
        <a href="/dashboard#keys">Keep it</a>
      </form>
    </>,
  );
}
