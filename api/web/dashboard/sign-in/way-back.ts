import type { Request, Response } from 'express';
import { DAY_MS } from '../../../../schema/config/clocks.ts';
import type { Settings } from '../../../../schema/config/settings.ts';
import { readCookie } from '../../auth/form-tokens.ts';
import { nextOf, placeOf } from '../form-answers.ts';

/** Leads somebody who signs up to the page that they wanted, once they follow the mailed link in the same browser. */
interface WayBack {
  /** Notes the page, in a cookie: its words must not be in the mail, which may go to a stranger. */
  remember(response: Response, next: string | undefined): void;
  /** The noted page, or the dashboard; the note is removed. */
  take(request: Request, response: Response): string;
}

/** Stores the note in a cookie. Only an https address can set it under its stricter name. */
export function makeWayBack({ APP_URL }: Pick<Settings, 'APP_URL'>): WayBack {
  const secure = APP_URL.startsWith('https:');
  const name = secure ? '__Host-next' : 'next';
  const options = { httpOnly: true, sameSite: 'lax', secure, path: '/' } as const;
  return {
    remember(response, next) {
      if (next === undefined) return;
      response.cookie(name, Buffer.from(next).toString('base64url'), { ...options, maxAge: DAY_MS });
    },
    take(request, response) {
      const noted = readCookie(request.headers.cookie, name);
      if (noted === null) return placeOf();
      response.clearCookie(name, options);
      return placeOf(nextOf(Buffer.from(noted, 'base64url').toString()));
    },
  };
}
