import type { Request } from 'express';

/** The fields of the form that a request sends: each a text, or a list of those sent under one name. None without a form. */
export function sentFields({ body }: Request): Record<string, unknown> {
  const sent: Record<string, unknown> | undefined = body;
  return sent ?? {};
}

/** One field of that form as it was sent; empty if it was not, or more than once. */
export function sentText(request: Request, name: string): string {
  const sent = sentFields(request)[name];
  return typeof sent === 'string' ? sent : '';
}
