import type { Request, Response } from 'express';
import type { Web } from '../context.ts';

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

/** More than a name may have, so that a longer one is refused and not cut. */
const NAME_READ_CHARS = 200;
/** An address of a page, which a mail client would make a link of. */
const ADDRESS = /\/\/|www\./i;

/** Letters of any script, with the joiners that some are written with, digits and the usual signs of a name. */
const NAME = /^(?:[\p{L}\p{M}\p{N} .,'’&()/-]|(?<=[\p{L}\p{M}])[\u200c\u200d](?=\p{L}))+$/u;

/** Characters of the name of a person or an organisation. */
export const NAME_CHARS = 80;

/** Why this cannot be the name of a person or an organisation, or undefined: a name is no place for a message to somebody else. */
export function faultOfName(name: string): string | undefined {
  if (!/[\p{L}\p{N}]/u.test(name) || ADDRESS.test(name))
    return 'Enter your name, or your organisation’s, without a web address.';
  if (Array.from(name).length > NAME_CHARS)
    return `Enter a name of at most ${NAME_CHARS} characters, a shorter form of it.`;
  return NAME.test(name) ? undefined : "Enter a name of letters, digits, spaces and . , ' & ( ) - / only.";
}

/** The fields of a form about a person, as long as they may be. */
export function readPerson(request: Request) {
  const body = (request.body ?? {}) as Record<string, unknown>;
  const text = (name: string) => (typeof body[name] === 'string' ? (body[name] as string) : '');
  return {
    name: toLine(text('name'), NAME_READ_CHARS),
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
