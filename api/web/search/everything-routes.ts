import type { Router } from 'express';
import { countWrittenOut } from '../../validation/inputs.ts';
import { WORDS_CHARS } from '../components/repeat-in-part.ts';
import type { Web } from '../context.ts';
import { asReference, findExact } from '../queries/exact-id.ts';
import { findFrameworksOrSome } from '../queries/frameworks.ts';
import { findHitsOrSome } from '../queries/hits.ts';
import { findBuyers, findCompanies } from '../queries/names.ts';
import { makeRouter } from '../serving/router.ts';
import { type FoundPage, foundPage, type Part } from './everything.tsx';

const HITS = 5;

/** A search over everything: open tenders, notices, frameworks, companies and buyers. */
export function makeEverythingRoutes(web: Web): Router {
  const router = makeRouter();
  router.get('/search', async (request, response) => {
    const { text, isCut } = readText(request.query.query);
    const path = text ? await findExact(web.services, text) : null;
    if (path) return response.redirect(302, path);
    await web.send(response, foundPage({ text, isCut, ...(await findEverything(web, text)) }));
  });
  return router;
}

/** The typed text: control characters become spaces, its length is limited, even after normalisation. */
function readText(sent: unknown): { text: string; isCut: boolean } {
  const [first] = [sent].flat();
  const clean = typeof first === 'string' ? first.replace(/[\p{Cc}\s]+/gu, ' ').trim() : '';
  let text = cutTo(clean, WORDS_CHARS);
  while (countWrittenOut(text) > WORDS_CHARS) text = cutTo(text, [...text].length / 2);
  return { text, isCut: text.length < clean.length };
}

function cutTo(text: string, mostChars: number): string {
  return [...text].slice(0, mostChars).join('');
}

/** Runs all five searches at once. A failed one says so in its section; if all fail, the page fails. */
async function findEverything(web: Web, text: string): Promise<Omit<FoundPage, 'text' | 'isCut'>> {
  const { services } = web;
  const now = services.clocks.catalogueNow();
  if (!text) return { now, tenders: null, notices: null, frameworks: null, companies: null, buyers: null };
  const query = { query: asReference(text) };
  const [tenders, notices, frameworks, companies, buyers] = await Promise.all([
    tryPart(web, findHitsOrSome(services, 'tenders', query, { limit: HITS })),
    tryPart(web, findHitsOrSome(services, 'notices', query, { limit: HITS })),
    tryPart(web, findFrameworksOrSome(services, { ...query, limit: HITS })),
    tryPart(web, findCompanies(services, text)),
    tryPart(web, findBuyers(services, text)),
  ]);
  const parts: Part<unknown>[] = [tenders, notices, frameworks, companies, buyers];
  const [failed] = parts;
  if (failed && 'error' in failed && parts.every((part) => 'error' in part)) throw failed.error;
  return { now, tenders, notices, frameworks, companies, buyers };
}

async function tryPart<T>(web: Web, finding: Promise<T>): Promise<Part<T>> {
  try {
    return { found: await finding };
  } catch (error) {
    web.log.error({ err: error, path: '/search' }, 'a part of the search failed');
    return { error };
  }
}
