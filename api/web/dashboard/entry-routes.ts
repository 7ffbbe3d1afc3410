import { createHash } from 'node:crypto';
import { type Request, type Response, Router } from 'express';
import { RateLimiterMemory } from 'rate-limiter-flexible';
import { createAccount, grantSignup, readAccount } from '../../../schema/accounts-store.ts';
import { isoInstant } from '../../../schema/clocks.ts';
import type { Settings } from '../../../schema/env.ts';
import { clientAddress } from '../../exchange.ts';
import { addressKey } from '../../limits.ts';
import type { Entry } from '../auth/auth.ts';
import { makeForms } from '../auth/forms.ts';
import { StaleForm, TooMany, takeOne } from '../security.ts';
import type { Web } from '../web.ts';
import { signInPage, signUpPage } from './entry.tsx';

/** Tries at a password: enough for forgetful people, too few for guessing. */
const PER_ADDRESS = { points: 30, duration: 600 };
const PER_EMAIL = { points: 10, duration: 900 };

/** The only places a sign-in may lead to; an address from outside is never followed. */
const NEXT: Record<string, string> = {
  usage: '/dashboard/usage',
  ledger: '/dashboard/ledger',
  exports: '/dashboard/exports',
  billing: '/dashboard/billing',
};

/** Sign up, sign in, sign out. */
export function makeEntryRoutes(web: Web): Router {
  const router = Router();
  const { house, auth } = web;
  const forms = makeForms(house.settings, house.secret);
  const throttle = makeThrottle(house.settings);
  const free = house.settings.SIGNUP_CREDITS;

  router.get('/sign-up', (request, response) =>
    web.send(response, signUpPage({ token: forms.issue(request, response) }, free)),
  );

  router.post('/sign-up', async (request, response) => {
    const { name, email, password } = readFields(request);
    if (!forms.accept(request)) throw new StaleForm();
    await throttle(request, email);
    const entry = name ? await auth.signUp({ name, email, password }) : ({ kind: 'refused' } as const);
    if (entry.kind === 'entered') {
      await openAccount(web, { ...entry, verified: !house.settings.SMTP_URL });
      return enter(response, entry.cookies, '/dashboard');
    }
    const fault =
      'No account could be made from this. Check the address and the password; if you already have an account, sign in.';
    return web.send(response, signUpPage({ token: forms.issue(request, response), fault, name, email }, free), 422);
  });

  router.get('/sign-in', (request, response) => {
    const next = nextOf(request.query.next);
    return web.send(response, signInPage({ token: forms.issue(request, response), ...(next && { next }) }));
  });

  router.post('/sign-in', async (request, response) => {
    const { email, password, next } = readFields(request);
    if (!forms.accept(request)) throw new StaleForm();
    await throttle(request, email);
    const entry = await auth.signIn({ email, password });
    if (entry.kind === 'entered') return enter(response, entry.cookies, NEXT[next] ?? '/dashboard');
    const fault = 'The address or the password is not right.';
    return web.send(response, signInPage({ token: forms.issue(request, response), fault, email, next }), 422);
  });

  router.post('/sign-out', async (request, response) => {
    const visitor = await auth.readVisitor(request.headers.cookie);
    if (!visitor) return response.redirect(303, '/');
    if (!forms.accept(request, visitor.sessionId)) throw new StaleForm();
    return enter(response, await auth.signOut(request.headers.cookie), '/');
  });
  return router;
}

/** The account of somebody who signed up. Its free credits come once the person is verified, and once only. */
export async function openAccount({ house }: Web, person: { userId: string; name: string; verified: boolean }) {
  const { accounts, settings, clocks } = house;
  const at = isoInstant(clocks.wallNow());
  const signupCredits = person.verified ? settings.SIGNUP_CREDITS : 0;
  const account = await createAccount(accounts, { name: person.name, userId: person.userId, signupCredits, at });
  // Only where mail is sent can an account be older than its verification.
  if (!settings.SMTP_URL || !person.verified || account.state === 'closed') return account;
  const isGiven = await grantSignup(accounts, account.id, signupCredits, at);
  return isGiven ? ((await readAccount(accounts, account.id)) ?? account) : account;
}

/** The name of one of our own pages, or undefined. */
function nextOf(value: unknown): string | undefined {
  return typeof value === 'string' && Object.hasOwn(NEXT, value) ? value : undefined;
}

function enter(response: Response, cookies: Extract<Entry, { kind: 'entered' }>['cookies'], to: string): void {
  for (const cookie of cookies) response.append('Set-Cookie', cookie);
  response.set('Cache-Control', 'private, no-store').redirect(303, to);
}

function readFields(request: Request) {
  const body = (request.body ?? {}) as Record<string, unknown>;
  const text = (name: string) => (typeof body[name] === 'string' ? (body[name] as string) : '');
  return {
    name: text('name').trim().slice(0, 100),
    email: text('email').trim().slice(0, 254),
    password: text('password'),
    next: nextOf(body.next) ?? '',
  };
}

function makeThrottle(settings: Settings) {
  const addresses = new RateLimiterMemory({ keyPrefix: 'entry-address', ...PER_ADDRESS });
  const emails = new RateLimiterMemory({ keyPrefix: 'entry-email', ...PER_EMAIL });
  return async (request: Request, email: string): Promise<void> => {
    const person = createHash('sha256').update(email.toLowerCase()).digest('hex');
    const waitSeconds =
      (await takeOne(addresses, addressKey(clientAddress(request, settings.TRUST_PROXY)))) ??
      (await takeOne(emails, person));
    if (waitSeconds !== null) throw new TooMany(waitSeconds);
  };
}
