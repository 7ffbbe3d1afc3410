import { replaceContacts } from './find-contacts.ts';

export const REMOVED = { email: '[e-mail removed]', telephone: '[telephone removed]' } as const;

/**
 * A text as the catalogue serves it: without e-mail addresses and telephone numbers. Names of persons in free text are
 * not attempted: nothing tells them from names of places and firms.
 */
export function redact(text: string): string {
  return replaceContacts(text, ({ kind }) => REMOVED[kind]);
}

/** A web address without a mail address in it, or undefined where it is one. */
export function redactUrl(url: string | undefined): string | undefined {
  if (url === undefined || !/@|%40|^mailto:/i.test(url)) return url;
  if (/^mailto:/i.test(url) || !/^[a-z][a-z0-9+.-]*:\/\//i.test(url)) return undefined;
  return replaceContacts(url, () => '');
}
