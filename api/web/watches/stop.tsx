import type { Router } from 'express';
import { pauseStatement } from '../../../schema/accounts/watches/lifecycle.ts';
import { readStopToken } from '../../../schema/accounts/watches/secret.ts';
import { Heading, type Page } from '../components/layout.tsx';
import type { Web } from '../context.ts';
import { watchPath } from '../dashboard/watches/words.ts';
import { makeRouter } from '../serving/router.ts';

const PATH = '/watches/stop/:token';

/**
 * The link at the foot of a watch's mails. A mail program posts to it (RFC 8058) and a person presses its button; reading it
 * changes nothing, as programs that check mail read links too. The token is all that it needs: it ends these mails alone.
 */
export function makeWatchRoutes(web: Web): Router {
  const router = makeRouter();
  const { accounts, secret } = web.services;
  router.get(PATH, ({ params }, response) => {
    const isOurs = readStopToken(String(params.token), secret) !== null;
    return web.send(response, isOurs ? askPage() : unknownPage(), isOurs ? 200 : 404);
  });
  router.post(PATH, async ({ params }, response) => {
    const watchId = readStopToken(String(params.token), secret);
    if (watchId === null) return web.send(response, unknownPage(), 404);
    await accounts.write([pauseStatement(watchId, 'unsubscribed')]);
    return web.send(response, stoppedPage(watchId));
  });
  return router;
}

const page = (title: string, body: Page['body']): Page => ({ title, personal: true, robots: 'noindex', body });

function askPage(): Page {
  return page(
    'End these mails',
    <div class="prose">
      <Heading title="End these mails">
        <p class="lead">This pauses the watch where it stands. You can resume it at any time.</p>
      </Heading>
      <form method="post">
        <button type="submit">End these mails</button>
      </form>
    </div>,
  );
}

function stoppedPage(watchId: string): Page {
  return page(
    'Mails ended',
    <div class="prose">
      <Heading title="Mails ended">
        <p class="lead">The watch sends no more mail.</p>
      </Heading>
      <p>
        <a href={watchPath(watchId)}>Resume or change it</a>
      </p>
    </div>,
  );
}

function unknownPage(): Page {
  return page(
    'Unknown link',
    <div class="prose">
      <Heading title="Unknown link">
        <p class="lead">This link does not stop any mail. Copy the whole link from the mail.</p>
      </Heading>
      <p>
        <a href="/dashboard/watches">Or pause the watch in your account</a>
      </p>
    </div>,
  );
}
