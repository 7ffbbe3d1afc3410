import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Request, Response } from 'express';
import type { Settings } from '../../../schema/config/settings.ts';
import { sentText } from '../serving/sent-form.ts';

/** The hidden field of every form. */
export const TOKEN_FIELD = 'form_token';

/** Distinguishes our forms from those of other sites. */
interface Forms {
  /** A token for the forms of this page, tied to a browser cookie and the session. */
  issue(request: Request, response: Response, sessionId?: string): string;
  /** True if one of our pages sent the form from this browser and session. */
  accept(request: Request, sessionId?: string): boolean;
}

/** Checks the origin that the browser states, and a token that only our page contains. */
export function makeForms(settings: Settings, secret: string): Forms {
  const secure = settings.APP_URL.startsWith('https:');
  const name = secure ? '__Host-form' : 'form';
  const sign = (browser: string, sessionId: string) =>
    createHmac('sha256', secret).update(`form:${browser}:${sessionId}`).digest('base64url');
  return {
    issue(request, response, sessionId = '') {
      const known = readCookie(request.headers.cookie, name);
      const browser = known ?? randomBytes(24).toString('base64url');
      if (!known) response.cookie(name, browser, { httpOnly: true, sameSite: 'lax', secure, path: '/' });
      return sign(browser, sessionId);
    },
    accept(request, sessionId = '') {
      const browser = readCookie(request.headers.cookie, name);
      if (!browser || !isOwnOrigin(request, settings)) return false;
      return isSame(sentText(request, TOKEN_FIELD), sign(browser, sessionId));
    },
  };
}

/** The value of one cookie, or null. */
export function readCookie(header: string | undefined, name: string): string | null {
  for (const pair of (header ?? '').split(';')) {
    const at = pair.indexOf('=');
    if (at > 0 && pair.slice(0, at).trim() === name) return pair.slice(at + 1).trim() || null;
  }
  return null;
}

function isOwnOrigin(request: Request, settings: Settings): boolean {
  const sent = request.get('origin') ?? request.get('referer');
  if (!sent || !URL.canParse(sent)) return false;
  const { origin } = new URL(sent);
  return origin === new URL(settings.APP_URL).origin || origin === `${request.protocol}://${request.host}`;
}

/** Compares in constant time. */
export function isSame(left: string, right: string): boolean {
  const a = Buffer.from(left);
  const b = Buffer.from(right);
  return a.length === b.length && timingSafeEqual(a, b);
}
