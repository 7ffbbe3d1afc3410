import type { Request, Response } from 'express';
import type { Web } from '../web.ts';

/** Why a form was not taken, and the status that says so. */
export interface Refusal {
  fault: string;
  status: number;
}

/** A form that was not sent from a page of ours, or too late. */
export const STALE: Refusal = {
  fault: 'This form was open for too long, or was not sent from our own page. Check it and send it again.',
  status: 403,
};

/** A form with something in it that cannot be taken. */
export const refusal = (fault: string): Refusal => ({ fault, status: 422 });

/** The only places a sign-in may lead to; an address from outside is never followed. */
const NEXT: Record<string, string> = {
  keys: '/dashboard',
  usage: '/dashboard/usage',
  ledger: '/dashboard/ledger',
  exports: '/dashboard/exports',
  billing: '/dashboard/billing',
  settings: '/dashboard/settings',
};

/** Control characters, and those that change the direction of writing. */
const UNSEEN = /[\p{Cc}\u2028-\u202e\u2066-\u2069]/gu;

/** The form of an export, filled in by what follows. */
const NEW_EXPORT = /^new-export(\?[\w=&%.,+*-]{0,2000})?$/;

/** The name of one of our own pages, or undefined. */
export function nextOf(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  return Object.hasOwn(NEXT, value) || NEW_EXPORT.test(value) ? value : undefined;
}

/** Where somebody goes who has signed in. */
export function placeOf(next = ''): string {
  const filled = NEW_EXPORT.exec(next);
  return filled ? `/dashboard/exports/new${filled[1] ?? ''}` : (NEXT[next] ?? '/dashboard');
}

/** Lets somebody in with the cookies of a new session; the one this browser had before ends. */
export async function enter(
  { auth }: Web,
  request: Request,
  response: Response,
  { cookies, to }: { cookies: string[]; to: string },
): Promise<void> {
  const { cookie } = request.headers;
  if (await auth.readVisitor(cookie)) await auth.signOut(cookie);
  leave(response, cookies, to);
}

/** Sets cookies and leads on. */
export function leave(response: Response, cookies: string[], to: string): void {
  for (const cookie of cookies) response.append('Set-Cookie', cookie);
  response.set('Cache-Control', 'private, no-store').redirect(303, to);
}

/** An address of a page, which a mail client would make a link of. */
const ADDRESS = /\/\/|www\./i;

/** Whether this can be the name of a person or an organisation: not blank, and no address that a mail could repeat. */
export const isName = (name: string): boolean => name !== '' && !ADDRESS.test(name);

/** The fields of a form about a person, as long as they may be. */
export function readPerson(request: Request) {
  const body = (request.body ?? {}) as Record<string, unknown>;
  const text = (name: string) => (typeof body[name] === 'string' ? (body[name] as string) : '');
  return {
    name: toLine(text('name'), 100),
    email: text('email').trim().slice(0, 254),
    password: text('password'),
    link: text('link').slice(0, 100),
    next: nextOf(body.next),
  };
}

/** A name on one line: nothing that breaks it, hides in it or turns the words after it round. */
export function toLine(text: string, mostChars: number): string {
  const line = text.replaceAll(UNSEEN, ' ').replaceAll(/\s+/g, ' ').trim();
  return Array.from(line).slice(0, mostChars).join('').trim();
}

/** What the link in a mail says it is about; empty where it says nothing. */
export function readLink({ query }: Request): string {
  return typeof query.link === 'string' ? query.link.slice(0, 100) : '';
}
