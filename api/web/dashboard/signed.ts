import type { Request, Response } from 'express';
import type { Account } from '../../../schema/accounts-store.ts';
import { makeForms } from '../auth/forms.ts';
import type { Visitor } from '../auth/sessions.ts';
import { StaleForm } from '../security.ts';
import type { Web } from '../web.ts';
import { openAccount } from './account.ts';
import type { Person } from './frame.tsx';

/** Somebody who is signed in, with their account. */
export interface Signed {
  visitor: Visitor;
  account: Account;
  person: Person;
}

export type SignedHandler = (signed: Signed, request: Request, response: Response) => Promise<void>;

/** Makes handlers that only somebody who is signed in reaches; a form must be one of our own. `next` names the page to come back to. */
export type MakeSigned = (
  handle: SignedHandler,
  next?: string,
) => (request: Request, response: Response) => Promise<void>;

export function makeSigned(web: Web): MakeSigned {
  const forms = makeForms(web.house.settings, web.house.secret);
  return (handle, next) => async (request, response) => {
    response.set('Cache-Control', 'private, no-store');
    const visitor = await web.auth.readVisitor(request.headers.cookie);
    if (!visitor) return response.redirect(303, next ? `/sign-in?next=${next}` : '/sign-in');
    if (request.method === 'POST' && !forms.accept(request, visitor.sessionId)) throw new StaleForm();
    const token = forms.issue(request, response, visitor.sessionId);
    const account = await openAccount(web, visitor);
    for (const cookie of visitor.cookies) response.append('Set-Cookie', cookie);
    const person = { name: visitor.name, token, balance: account.balance };
    return handle({ visitor, account, person }, request, response);
  };
}

/** A field of a form, trimmed; empty where it did not come. */
export function readField(request: Request, name: string): string {
  const came: unknown = (request.body as Record<string, unknown> | undefined)?.[name];
  return typeof came === 'string' ? came.trim() : '';
}
