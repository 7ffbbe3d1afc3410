import { randomBytes } from 'node:crypto';
import { Meilisearch } from 'meilisearch';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type {
  AnyDocument,
  AnyHit,
  MatchList,
  MatchPlace,
  SearchAnswer,
  SearchEngine,
  SearchQuery,
} from '../../../search/engine.ts';
import { ROWS } from '../../../search/filters/read.ts';
import { openIndex } from '../../../search/open.ts';
import { makeFolder } from '../../support/databases.ts';
import { LIMITS_MS } from '../../support/time-limits.ts';
import { makeRandom } from '../../upstream/sample/random.ts';
import { makeTestEngine, makeTestServerEngine } from '../test-engine.ts';
import { makeTrial } from '../trial.ts';
import { CONTRACTS } from './contracts.ts';
import { NOTICES } from './notices.ts';
import { type Reckoned, reckon, type World } from './reckon.ts';

const { MEILI_URL: url, MEILI_KEY: key } = process.env;
if (!url) console.warn('skipped: the comparison of Meilisearch with what is reckoned needs MEILI_URL');

const SEED = 20_261_121;
const DOCUMENTS = 400;
/** A server is there where somebody wants to know: then more is asked. */
const QUERIES = url ? 200 : 60;
const WORLDS = [NOTICES, CONTRACTS] as unknown as World[];

type Open = (world: World) => Promise<{ engine: SearchEngine<AnyHit>; remove(): Promise<void> }>;

const openEmbedded: Open = async ({ collection }) => {
  const folder = await makeFolder();
  const { index, url: file } = await openIndex(folder.path, collection);
  return { engine: makeTestEngine<AnyHit>(index, { url: file, collection, readers: 1 }), remove: folder.remove };
};

const openServer: Open = async ({ collection }) => {
  const prefix = `test-${randomBytes(4).toString('hex')}-`;
  const address = { url: url ?? '', key };
  const client = new Meilisearch({ host: address.url, ...(key ? { apiKey: key } : {}) });
  return {
    engine: makeTestServerEngine<AnyHit>({ ...address, prefix, deadlineMs: LIMITS_MS.wait, collection }),
    async remove() {
      for (const name of [collection.name, `${collection.name}_state`])
        await client.deleteIndexIfExists(`${prefix}${name}`);
    },
  };
};

describe.each(WORLDS)('what is reckoned of $collection.name document by document', (world) => {
  const random = makeRandom(SEED);
  const documents = world.makeDocuments(random, DOCUMENTS);
  const queries = Array.from({ length: QUERIES }, () => world.makeQuery(random));

  it('knows every filter, and finds something more often than not', () => {
    const { datasets } = world.collection;
    const filters = ROWS.filter((row) => row.kind !== 'clock' && row.datasets.some((one) => datasets.includes(one)));
    expect(Object.keys(world.holds).sort()).toEqual([...new Set(filters.map(({ name }) => name))].sort());
    expect(queries.filter((query) => reckon(world, documents, query).sizes[0] !== 0).length).toBeGreaterThan(
      QUERIES / 2,
    );
  });

  describe.each([
    ['the embedded engine', openEmbedded, false],
    ['Meilisearch', openServer, !url],
  ] as const)('is what %s finds', (_name, open, isSkipped) => {
    describe.skipIf(isSkipped)(`over ${QUERIES} random queries`, () => {
      let opened: Awaited<ReturnType<Open>>;
      beforeAll(async () => {
        opened = await open(world);
        await makeTrial(opened.engine).fill(documents);
      });
      afterAll(async () => {
        await opened.engine.close();
        await opened.remove();
      });

      it(
        'in the same order, on pages, with the same counts; and as a whole',
        async () => {
          for (const [number, query] of queries.entries()) {
            const expected = { number, seed: SEED, query, ...reckon(world, documents, query) };
            const found = describePages(world, documents, query, await readPages(opened.engine, query));
            expect({ number, seed: SEED, query, ...found }).toEqual(expected);
            const { total, ids } = await listAll(opened.engine, query);
            const all = expected.groups.flatMap((group) => group.ids).sort();
            expect({ number, total, ids }).toEqual({ number, total: expected.counts.total, ids: all });
          }
        },
        LIMITS_MS.long,
      );
    });
  });
});

/** Every page of a query. */
async function readPages(engine: SearchEngine<AnyHit>, query: SearchQuery): Promise<SearchAnswer<AnyHit>[]> {
  const pages: SearchAnswer<AnyHit>[] = [];
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const answer: SearchAnswer<AnyHit> = await engine.find({ ...query, ...(cursor && { cursor }) });
    pages.push(answer);
    cursor = answer.nextCursor;
  }
  return pages;
}

/** All that matches, as sums and files read it. */
async function listAll(engine: SearchEngine<AnyHit>, query: SearchQuery): Promise<{ total: number; ids: string[] }> {
  const { total, start } = await engine.matchAll(query);
  const ids: string[] = [];
  for (let from: MatchPlace | null = start; from; ) {
    const list: MatchList = await engine.listMatches(query, from, query.limit);
    ids.push(...list.ids);
    from = list.next;
  }
  return { total, ids: ids.sort() };
}

/** All hits as groups of equals in their order; every page must say the same of the whole. */
function describePages(
  world: World,
  documents: readonly AnyDocument[],
  query: SearchQuery,
  pages: readonly SearchAnswer<AnyHit>[],
): Reckoned {
  const byId = new Map(documents.map((document) => [document.id, document]));
  const groups: Reckoned['groups'] = [];
  for (const { id } of pages.flatMap(({ hits }) => hits)) {
    const document = byId.get(id);
    const value = document ? world.sortedBy(document, query) : null;
    const last = groups.at(-1);
    if (last && last.value === value) last.ids.push(id);
    else groups.push({ value, ids: [id] });
  }
  for (const { ids } of groups) ids.sort();
  const counts = pages.map(({ total, exact, facets }) => ({ total, exact, facets }));
  for (const each of counts) expect(each).toEqual(counts[0]);
  return { groups, sizes: pages.map(({ hits }) => hits.length), counts: counts[0] as Reckoned['counts'] };
}
