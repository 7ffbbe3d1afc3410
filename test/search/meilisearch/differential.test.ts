import { randomBytes } from 'node:crypto';
import { Meilisearch } from 'meilisearch';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { valueInPounds } from '../../../search/documents/from-row.ts';
import { makeEmbeddedEngine } from '../../../search/embedded/engine.ts';
import type { SearchAnswer, SearchDocument, SearchEngine, SearchQuery } from '../../../search/engine.ts';
import { makeMeilisearchEngine } from '../../../search/meilisearch/engine.ts';
import { openIndex } from '../../../search/open.ts';
import { makeFolder } from '../../support/databases.ts';
import { LIMITS_MS } from '../../support/time-limits.ts';
import { makeRandom } from '../../upstream/sample/random.ts';
import { makeTrial } from '../trial.ts';
import { randomDocuments, randomQuery } from './random-queries.ts';

const url = process.env.MEILI_URL ?? '';
const key = process.env.MEILI_KEY;
if (!url) console.warn('skipped: the comparison of both engines needs MEILI_URL (a server to test on)');

const SEED = 20_261_121;
const DOCUMENTS = 400;
const QUERIES = 200;

describe.skipIf(!url)('both engines', () => {
  const random = makeRandom(SEED);
  const documents = randomDocuments(random, DOCUMENTS);
  const byId = new Map(documents.map((document) => [document.id, document]));
  const prefix = `test-${randomBytes(4).toString('hex')}-`;
  let server: SearchEngine;
  let embedded: SearchEngine;
  let folder: Awaited<ReturnType<typeof makeFolder>>;

  beforeAll(async () => {
    server = makeMeilisearchEngine({ url, key, prefix, deadlineMs: 10_000 });
    folder = await makeFolder();
    const { index, url: file } = await openIndex(folder.path);
    embedded = makeEmbeddedEngine(index, { url: file, readers: 1 });
    for (const engine of [embedded, server]) await makeTrial(engine).fill(documents);
  });
  afterAll(async () => {
    await embedded.close();
    const client = new Meilisearch({ host: url, ...(key ? { apiKey: key } : {}) });
    for (const name of ['notices', 'notices_state']) await client.deleteIndexIfExists(`${prefix}${name}`);
    await folder.remove();
  });

  /** Every page of a query. */
  async function walk(engine: SearchEngine, query: SearchQuery): Promise<SearchAnswer[]> {
    const pages: SearchAnswer[] = [];
    for (let cursor: string | null = null; ; ) {
      const answer: SearchAnswer = await engine.find({ ...query, ...(cursor === null ? {} : { cursor }) });
      pages.push(answer);
      cursor = answer.nextCursor;
      if (cursor === null) return pages;
    }
  }

  it(
    `find the same set in the same order with the same counts, over ${QUERIES} random queries`,
    async () => {
      for (let number = 0; number < QUERIES; number++) {
        const query = randomQuery(random);
        const [ours, theirs] = [await walk(embedded, query), await walk(server, query)];
        const told = `query ${number} of seed ${SEED}: ${JSON.stringify(query)}`;
        expect(tell(theirs, query), told).toEqual(tell(ours, query));
      }
    },
    LIMITS_MS.long,
  );

  /** All hits as groups of equals in their order, each group sorted; with what every page said of the whole. */
  function tell(pages: SearchAnswer[], query: SearchQuery) {
    const groups: { value: number | string | null; ids: string[] }[] = [];
    for (const { id } of pages.flatMap(({ hits }) => hits)) {
      const document = byId.get(id);
      const value = document ? orderedBy(document, query) : null;
      const last = groups.at(-1);
      if (last && last.value === value) last.ids.push(id);
      else groups.push({ value, ids: [id] });
    }
    for (const { ids } of groups) ids.sort();
    return {
      groups,
      sizes: pages.map(({ hits }) => hits.length),
      counts: pages.map(({ total, exact, facets }) => ({ total, exact, facets })),
    };
  }
});

function orderedBy(document: SearchDocument, { sort = 'published', scope }: SearchQuery): number | string | null {
  if (sort.endsWith('published')) return document.published;
  if (sort.endsWith('deadline')) return document.deadline_at;
  return scope === 'frameworks' ? document.ceiling : valueInPounds(document);
}
