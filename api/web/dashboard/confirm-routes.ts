import { Router } from 'express';
import { RateLimiterMemory } from 'rate-limiter-flexible';
import { TooMany, takeOne } from '../security.ts';
import type { Web } from '../web.ts';
import { showOverview } from './overview.ts';
import type { MakeSigned } from './signed.ts';

/** Mails that one person may ask for. */
const MAILS = { points: 5, duration: 3_600 };

/** Confirming an e-mail address by the token that was mailed to it. */
export function makeConfirmRoutes(web: Web, signed: MakeSigned): Router {
  const router = Router();
  const mails = new RateLimiterMemory({ keyPrefix: 'confirm', ...MAILS });
  router.get('/confirm', async (request, response) => {
    const { token } = request.query;
    response.set('Cache-Control', 'private, no-store');
    const isGood = typeof token === 'string' && (await web.auth.confirm(token));
    response.redirect(303, isGood ? '/dashboard' : '/dashboard?confirm=stale');
  });
  router.post(
    '/confirm',
    signed(async (who, _request, response) => {
      const waitSeconds = await takeOne(mails, who.visitor.userId);
      if (waitSeconds !== null) throw new TooMany(waitSeconds);
      if (!who.visitor.verified) await web.auth.sendConfirmation(who.visitor.email);
      await showOverview(web, who, response);
    }),
  );
  return router;
}
