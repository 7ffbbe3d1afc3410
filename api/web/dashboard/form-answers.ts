import type { Request, Response } from 'express';
import type { Account } from '../../../schema/accounts/customer/account.ts';
import { randomBase62 } from '../../../schema/text/tokens.ts';
import { withQuery } from '../components/links.ts';
import type { Web } from '../context.ts';
import { sentFields, sentText } from '../serving/sent-form.ts';

/** Why a form was refused, and the HTTP status. */
export interface Refusal {
  fault: string;
  status: number;
}

/** A form without a valid token. */
export const STALE: Refusal = {
  fault: 'This form was open for too long, or was not sent from our own page. Check it and send it again.',
  status: 403,
};

/** A form with an invalid value. */
export const refusal = (fault: string): Refusal => ({ fault, status: 422 });

/** Characters of the random id of a form, by which it takes effect once, however often it is sent. */
export const ONCE_CHARS = 22;
export const ONCE = new RegExp(`^[0-9A-Za-z]{${ONCE_CHARS}}$`);

/** Why this account can order nothing, or undefined. */
export const faultOfAccount = ({ state }: Pick<Account, 'state'>): string | undefined =>
  state === 'active' ? undefined : `This account is ${state}. Ask the operator of this service.`;

/** The random id of a submitted form; a new one if it has none of ours, so that it still works. */
export function readOnce(request: Request): string {
  const once = sentText(request, 'once');
  return ONCE.test(once) ? once : randomBase62(ONCE_CHARS);
}

/** The pages that a sign-in can lead to. No other address is followed. */
const NEXT: Record<string, string> = {
  usage: '/dashboard/usage',
  ledger: '/dashboard/ledger',
  exports: '/dashboard/exports',
  settings: '/dashboard/settings',
  delete: '/dashboard/settings/delete',
  watches: '/dashboard/watches',
};

/** Control characters, and those that change the text direction. */
const UNSEEN = /[\p{Cc}\u2028-\u202e\u2066-\u2069]/gu;

/** Forms that an address fills in. */
const FILLED: Record<string, string> = {
  'new-export': '/dashboard/exports/new',
  'new-watch': '/dashboard/watches/new',
  billing: '/dashboard/billing',
  keys: '/dashboard',
};
const FORM = /^(new-export|new-watch|billing|keys)(\?[\w=&%.,+*-]{0,2000})?$/;
/** The page of one watch, which its mails lead to, and the form that changes it. */
const WATCH = /^watches\/wat_[0-9A-Za-z]{1,40}(\/edit)?$/;

/** The name of a page, or undefined if it is not ours. */
export function nextOf(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  return Object.hasOwn(NEXT, value) || FORM.test(value) || WATCH.test(value) ? value : undefined;
}

/** The name of a form with what is filled in; of the empty form, if that makes too long an address. */
export function nextForm(
  form: 'new-export' | 'new-watch' | 'billing' | 'keys',
  asked: Readonly<Record<string, string>>,
): string {
  return nextOf(withQuery(form, asked)) ?? form;
}

/** The page after signing in. */
export function placeOf(next = ''): string {
  if (WATCH.test(next)) return `/dashboard/${next}`;
  const [, form = '', fields = ''] = FORM.exec(next) ?? [];
  return form ? `${FILLED[form]}${fields}` : (NEXT[next] ?? '/dashboard');
}

/** Signs in with the cookies of a new session and ends this browser's old one. */
export async function enter(
  web: Web,
  request: Request,
  response: Response,
  { cookies, to }: { cookies: string[]; to: string },
): Promise<void> {
  const { cookie } = request.headers;
  const auth = await web.auth();
  if (await auth.readVisitor(cookie)) await auth.signOut(cookie);
  leave(response, cookies, to);
}

/** Sets cookies and redirects. */
export function leave(response: Response, cookies: string[], to: string): void {
  for (const cookie of cookies) response.append('Set-Cookie', cookie);
  response.set('Cache-Control', 'private, no-store').redirect(303, to);
}

/** More characters than a name can have, so that a longer name is refused, not cut. */
const NAME_READ_CHARS = 200;
/** A web address: a mail client would turn it into a link. */
const ADDRESS = /\/\/|www\./i;

/** Letters of any script, with joiners, digits and the usual punctuation of names. */
const NAME = /^(?:[\p{L}\p{M}\p{N} .,'’&()/-]|(?<=[\p{L}\p{M}])[\u200c\u200d](?=\p{L}))+$/u;

/** The longest name of a person or an organisation, in characters. */
export const NAME_CHARS = 80;
/** The longest e-mail address (RFC 5321), and more than the token of a mailed link has, in characters. */
const EMAIL_CHARS = 254;
const LINK_CHARS = 100;

/** Why this is not a valid name, or undefined. Names appear in mails, so they must not carry a message. */
export function faultOfName(name: string): string | undefined {
  if (!/[\p{L}\p{N}]/u.test(name) || ADDRESS.test(name))
    return 'Enter your name, or your organisation’s, without a web address.';
  if (Array.from(name).length > NAME_CHARS)
    return `Enter a name of at most ${NAME_CHARS} characters, a shorter form of it.`;
  return NAME.test(name) ? undefined : "Enter a name of letters, digits, spaces and . , ' & ( ) - / only.";
}

/** The fields of a form about a person, each cut to its limit. */
export function readPerson(request: Request) {
  return {
    name: toLine(sentText(request, 'name'), NAME_READ_CHARS),
    email: sentText(request, 'email').trim().slice(0, EMAIL_CHARS),
    password: sentText(request, 'password'),
    link: sentText(request, 'link').slice(0, LINK_CHARS),
    next: nextOf(sentFields(request).next),
  };
}

/** A name on one line, without control or direction characters. */
export function toLine(text: string, mostChars: number): string {
  const line = text.replaceAll(UNSEEN, ' ').replaceAll(/\s+/g, ' ').trim();
  return Array.from(line).slice(0, mostChars).join('').trim();
}

/** The token of a mailed link; empty if there is none. */
export function readLink({ query }: Request): string {
  return typeof query.link === 'string' ? query.link.slice(0, LINK_CHARS) : '';
}
