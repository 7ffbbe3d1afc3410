import { Router } from 'express';
import { getStatus } from '../operations/get-status.ts';
import { ask } from './ask.ts';
import { homePage } from './pages/home.tsx';
import { statusPage } from './pages/status.tsx';
import type { Web } from './web.ts';

/** The pages about the service itself. */
export function makeAboutRoutes(web: Web): Router {
  const router = Router();
  const readStatus = async () => {
    const found = await ask(getStatus, {}, web.house);
    return found.kind === 'answer' ? found.body : null;
  };
  router.get('/', async (_request, response) => web.send(response, homePage(await readStatus())));
  router.get('/status', async (_request, response) => {
    const status = await readStatus();
    if (!status) throw new Error('the status cannot be read');
    await web.send(response, statusPage(status));
  });
  return router;
}
