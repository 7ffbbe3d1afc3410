import type { Request, Response, Router } from 'express';
import { cpvBranch, divisionOf } from '../../../schema/reference/cpv.ts';
import { regionOfCode } from '../../../schema/reference/regions.ts';
import { readCpvNode } from '../../categories/cpv-tree.ts';
import { notFoundPage } from '../components/error-pages.tsx';
import { categoryPath, withQuery } from '../components/links.ts';
import type { Web } from '../context.ts';
import { makeRouter } from '../serving/router.ts';
import { addUpAll, type SummaryAsk } from '../summary/kept.ts';
import { type CategorySums, categoriesPage, categoryPage } from './page.tsx';

/** All divisions of the CPV are 45. */
const DIVISIONS_MAX = 50;
const YEARS_MAX = 60;
const PARTIES = 10;
const REGIONS_MAX = 14;
const DIGITS_MAX = 8;
const CODE = /^\d{2,8}(?:-\d)?$/;

/** What is bought, by category of the CPV: all divisions, and each branch. */
export function makeCategoryRoutes(web: Web): Router {
  const router = makeRouter();
  router.get('/categories', async (_request, response) => {
    const sums = await addUpAll(web, { all: { group_by: 'cpv', limit: DIVISIONS_MAX } });
    await web.send(response, categoriesPage(sums?.all ?? null));
  });
  router.get('/categories/:code', (request, response) => showCategory(web, request, response));
  return router;
}

async function showCategory(web: Web, request: Request<{ code: string }>, response: Response): Promise<void> {
  const { code } = request.params;
  const branch = CODE.test(code) && divisionOf(cpvBranch(code)) ? cpvBranch(code) : null;
  const region = readRegion(request.query.region);
  // One address for each category, and for each of its regions.
  const path = branch && withQuery(categoryPath(branch), { region });
  if (path && path !== request.originalUrl) return response.redirect(302, path);
  const node = branch && (await readCpvNode(web.services.catalogue, branch));
  if (!node || (node.name === undefined && node.notices === 0)) return web.send(response, notFoundPage(), 404);
  const sums = await addUpAll(web, askedOf(branch, region));
  const { APP_URL: appUrl } = web.services.settings;
  await web.send(
    response,
    categoryPage({ node, branch, region, sums, now: web.services.clocks.catalogueNow(), appUrl }),
  );
}

/** The code of a region of an address; undefined if it names none. */
function readRegion(sent: unknown): string | undefined {
  return typeof sent === 'string' ? regionOfCode(sent)?.code : undefined;
}

function askedOf(branch: string, region: string | undefined): Record<keyof CategorySums, SummaryAsk> {
  const same = { cpv: branch, ...(region && { region }) };
  return {
    years: { group_by: 'year', limit: YEARS_MAX, ...same },
    suppliers: { group_by: 'supplier', limit: PARTIES, ...same },
    buyers: { group_by: 'buyer', limit: PARTIES, ...same },
    regions: { group_by: 'region', limit: REGIONS_MAX, ...same },
    finer: { group_by: 'cpv', cpv_level: Math.min(DIGITS_MAX, branch.length + 1), limit: PARTIES, ...same },
  };
}
