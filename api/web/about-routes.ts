import { Router } from 'express';
import { getStatus } from '../operations/get-status.ts';
import { ask } from './ask.ts';
import { homePage } from './pages/home.tsx';
import { STATUS_DAYS, statusPage } from './pages/status.tsx';
import type { Web } from './web.ts';

/** The pages about the service itself. */
export function makeAboutRoutes(web: Web): Router {
  const router = Router();
  const readStatus = async (days: number) => {
    const found = await ask(getStatus, { days }, web.house);
    if (found.kind !== 'answer') return null;
    // What people come for first: the services that publish notices.
    const order = (source: { source: string }) => (source.source === 'companies_house' ? 1 : 0);
    return { ...found.body, sources: [...found.body.sources].sort((a, b) => order(a) - order(b)) };
  };
  router.get('/', async (_request, response) => web.send(response, homePage(await readStatus(1))));
  router.get('/status', async (_request, response) => {
    const status = await readStatus(STATUS_DAYS);
    if (!status) throw new Error('the status cannot be read');
    await web.send(response, statusPage(status, web.house.settings.AS_OF !== undefined));
  });
  return router;
}
