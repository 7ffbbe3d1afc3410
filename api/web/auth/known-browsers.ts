import { createHmac, randomBytes } from 'node:crypto';
import type { Request, Response } from 'express';
import type { Settings } from '../../../schema/config/settings.ts';
import { isSame, readCookie } from './form-tokens.ts';

const KEPT_MS = 180 * 86_400_000;

/** Tells the browsers in which somebody has proved who they are from all others. */
export interface Browsers {
  /** Remembers this browser as one of the person's. */
  trust(response: Response, email: string): void;
  /** What this browser is called where it is known as one of the person's, or null. */
  recognise(request: Request, email: string): string | null;
}

/** One cookie, signed for one person; whose it is cannot be read from it. */
export function makeBrowsers(settings: Settings, secret: string): Browsers {
  const secure = settings.APP_URL.startsWith('https:');
  const name = secure ? '__Host-known' : 'known';
  const sign = (browser: string, email: string) =>
    createHmac('sha256', secret).update(`known:${browser}:${email.toLowerCase()}`).digest('base64url');
  return {
    trust(response, email) {
      const browser = randomBytes(16).toString('base64url');
      const value = `${browser}.${sign(browser, email)}`;
      response.cookie(name, value, { httpOnly: true, sameSite: 'lax', secure, path: '/', maxAge: KEPT_MS });
    },
    recognise(request, email) {
      const [browser = '', signature = ''] = (readCookie(request.headers.cookie, name) ?? '').split('.');
      return browser && isSame(signature, sign(browser, email)) ? browser : null;
    },
  };
}
