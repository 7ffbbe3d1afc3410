import type { Request, Response } from 'express';
import {
  type Account,
  createAccount,
  readAccountOfUser,
  UserErased,
} from '../../../schema/accounts/customer/account.ts';
import { isFormerAddress } from '../../../schema/accounts/customer/erase.ts';
import { isoInstant } from '../../../schema/config/clocks.ts';
import { makeForms } from '../auth/form-tokens.ts';
import type { Visitor } from '../auth/sessions.ts';
import type { Web } from '../context.ts';
import { sentText } from '../serving/sent-form.ts';
import { type Refusal, STALE } from './form-answers.ts';
import type { Person } from './frame.tsx';

/** Somebody who is signed in, with their account. */
export interface Signed {
  visitor: Visitor;
  account: Account;
  person: Person;
}

export type SignedHandler = (signed: Signed, request: Request, response: Response) => Promise<void>;

/** Shows the page of a refused form again, with what was typed. */
export type ShowAgain = (signed: Signed, request: Request, response: Response, refusal: Refusal) => Promise<void>;

/**
 * Wraps a handler that needs somebody who is signed in; others are sent to sign in first. `next` is the page to return to.
 * A form without a valid token is refused: `showAgain` then shows its page.
 */
export type MakeSigned = (
  handle: SignedHandler,
  next?: string | ((request: Request) => string),
  showAgain?: ShowAgain,
) => (request: Request, response: Response) => Promise<void>;

/** The wrapper of all handlers for people who are signed in. @param showAgainByDefault - for forms that name no page */
export function makeSigned(web: Web, showAgainByDefault: ShowAgain): MakeSigned {
  const forms = makeForms(web.services.settings, web.services.secret);
  return (handle, next, showAgain = showAgainByDefault) =>
    async (request, response) => {
      response.set('Cache-Control', 'private, no-store');
      const { cookie } = request.headers;
      const visitor = cookie ? await (await web.auth()).readVisitor(cookie) : null;
      const account = visitor && (await openAccount(web, visitor));
      if (!account) return response.redirect(303, signInAddress(typeof next === 'function' ? next(request) : next));
      const isStale = request.method === 'POST' && !forms.accept(request, visitor.sessionId);
      const token = forms.issue(request, response, visitor.sessionId);
      for (const cookie of visitor.cookies) response.append('Set-Cookie', cookie);
      const person = { name: visitor.name, token, balance: account.balance };
      const who = { visitor, account, person };
      return isStale ? showAgain(who, request, response, STALE) : handle(who, request, response);
    };
}

const signInAddress = (next: string | undefined) => (next ? `/sign-in?next=${encodeURIComponent(next)}` : '/sign-in');

/** A form field, trimmed; empty if it was not sent. */
export const readField = (request: Request, name: string): string => sentText(request, name).trim();

/**
 * The account of this person, opened the first time they sign in. It gets its free credits then, because nobody signs in
 * before their address is confirmed. An address that had an account before gets none. Null for somebody whose account has just
 * been deleted on another machine.
 */
async function openAccount({ services }: Web, { userId, name, email }: Visitor): Promise<Account | null> {
  const { accounts, settings, clocks, secret } = services;
  const known = await readAccountOfUser(accounts, userId);
  if (known) return known;
  const signupCredits = (await isFormerAddress(accounts, email, secret)) ? 0 : settings.SIGNUP_CREDITS;
  try {
    return await createAccount(accounts, { name, userId, signupCredits, at: isoInstant(clocks.wallNow()) });
  } catch (error) {
    if (error instanceof UserErased) return null;
    throw error;
  }
}
