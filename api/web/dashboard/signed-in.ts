import type { Request, Response } from 'express';
import type { Account } from '../../../schema/accounts/customer/account.ts';
import { makeForms } from '../auth/form-tokens.ts';
import type { Visitor } from '../auth/sessions.ts';
import type { Web } from '../context.ts';
import { type Refusal, STALE } from './form-answers.ts';
import type { Person } from './frame.tsx';
import { showOverview } from './keys/overview.ts';
import { openAccount } from './open-account.ts';

/** Somebody who is signed in, with their account. */
export interface Signed {
  visitor: Visitor;
  account: Account;
  person: Person;
}

export type SignedHandler = (signed: Signed, request: Request, response: Response) => Promise<void>;

/** Shows the page of a form that was not taken, with what was typed. */
export type ShowAgain = (signed: Signed, request: Request, response: Response, refusal: Refusal) => Promise<void>;

/**
 * Makes handlers that only somebody who is signed in reaches; a form must be one of our own, or its page is shown again: the
 * overview unless another is given. `next` names the page to come back to.
 */
export type MakeSigned = (
  handle: SignedHandler,
  next?: string | ((request: Request) => string),
  showAgain?: ShowAgain,
) => (request: Request, response: Response) => Promise<void>;

export function makeSigned(web: Web): MakeSigned {
  const forms = makeForms(web.services.settings, web.services.secret);
  const showKeys: ShowAgain = (who, _request, response, refusal) => showOverview(web, who, response, { refusal });
  return (handle, next, showAgain = showKeys) =>
    async (request, response) => {
      response.set('Cache-Control', 'private, no-store');
      const visitor = await web.auth.readVisitor(request.headers.cookie);
      if (!visitor) return response.redirect(303, signInAddress(typeof next === 'function' ? next(request) : next));
      const isStale = request.method === 'POST' && !forms.accept(request, visitor.sessionId);
      const token = forms.issue(request, response, visitor.sessionId);
      const account = await openAccount(web, visitor);
      for (const cookie of visitor.cookies) response.append('Set-Cookie', cookie);
      const person = { name: visitor.name, token, balance: account.balance };
      const who = { visitor, account, person };
      return isStale ? showAgain(who, request, response, STALE) : handle(who, request, response);
    };
}

const signInAddress = (next: string | undefined) => (next ? `/sign-in?next=${encodeURIComponent(next)}` : '/sign-in');

/** A field of a form, trimmed; empty where it did not come. */
export function readField(request: Request, name: string): string {
  const came: unknown = (request.body as Record<string, unknown> | undefined)?.[name];
  return typeof came === 'string' ? came.trim() : '';
}
