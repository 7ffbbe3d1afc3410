import lunr from 'lunr';
import MiniSearch from 'minisearch';
import { openDatabase } from '../../../schema/db/open.ts';
import { COLLECTIONS } from '../../../search/collections/index.ts';
import { findEmbedded } from '../../../search/embedded/find.ts';
import { finishStatements } from '../../../search/embedded/layout/tables.ts';
import { storeDocuments } from '../../../search/embedded/store/statements.ts';
import type { AnyDocument, AnyHit, Match, SearchEngine } from '../../../search/engine.ts';
import { withFallback } from '../../../search/index/failover.ts';
import { openIndex } from '../../../search/open.ts';
import { makeFolder } from '../../support/databases.ts';
import { emptyIndex } from '../embedded/empty-index.ts';
import { makeTestEngine } from '../test-engine.ts';
import { makeTrial } from '../trial.ts';
import type { Collection } from './documents.ts';
import { ANSWERS, type Searcher } from './judge.ts';

/** The embedded engine on a file of its own, asked in this process: what is judged is order, not speed. `by` asks the same index by another match. */
export async function openEmbedded(
  { of, asOf, judged }: Collection,
  match: Match = 'all',
): Promise<Searcher & { by(match: Match): Searcher }> {
  const folder = await makeFolder();
  const index = await openDatabase({ url: `file:${folder.path}/search.db`, durability: 'normal' });
  await emptyIndex(index, COLLECTIONS[of]);
  const cursor = { generation: 'relevance', version: 'any', seq: 1, id: 'x' };
  const documents = judged.map(({ document }) => document);
  await storeDocuments(index, { documents, gone: [], cursor }, COLLECTIONS[of]);
  // As an index is that goes live; unfinished, it answers the same in four times the time.
  await index.write(finishStatements(COLLECTIONS[of]).map((sql) => ({ sql })));
  const close = async () => {
    await index.close();
    await folder.remove();
  };
  const by = (match: Match): Searcher => ({
    name: match === 'all' ? 'embedded' : 'embedded, any',
    async search(text) {
      const query = { scope: of, text, match, filters: {}, limit: ANSWERS, now: asOf } as const;
      return (await findEmbedded(index, query)).ids;
    },
    close,
  });
  return { ...by(match), by };
}

/** Any engine of ours, filled with the documents. */
export async function openEngine(engine: SearchEngine<AnyHit>, collection: Collection): Promise<Searcher> {
  await makeTrial(engine).fill(collection.judged.map(({ document }) => document));
  return asSearcher(engine.name, engine, collection);
}

/** An engine that is filled with the documents, and the embedded one behind it, as a service with both answers. */
export async function openWithEmbedded(
  first: SearchEngine<AnyHit>,
  collection: Collection,
  match: Match = 'all',
): Promise<Searcher> {
  const folder = await makeFolder();
  const own = COLLECTIONS[collection.of];
  const { index, url } = await openIndex(folder.path, own);
  const embedded = makeTestEngine<AnyHit>(index, { url, collection: own, readers: 1 });
  await openEngine(embedded, collection);
  const both = withFallback(first, embedded);
  const searcher = asSearcher(match === 'all' ? 'with both' : 'with both, any', both, collection, match);
  return { ...searcher, close: () => searcher.close().then(folder.remove) };
}

function asSearcher(
  name: string,
  engine: SearchEngine<AnyHit>,
  { of, asOf: now }: Collection,
  match: Match = 'all',
): Searcher {
  const trial = makeTrial(engine, of);
  return {
    name,
    search: async (text) => (await trial.find({ text, match, limit: ANSWERS, now })).hits.map(({ id }) => id),
    close: () => engine.close(),
  };
}

/** What both baselines index: the same texts as ours, the identifiers as one text more. */
function fieldsOf(document: AnyDocument) {
  return {
    id: document.id,
    title: document.title,
    buyer: document.buyer ?? '',
    suppliers: document.suppliers.join(' '),
    subjects: document.subjects.join(' '),
    description: document.description,
    codes: [document.notice_id, document.ocid, ...document.cpvs, ...document.company_numbers].join(' '),
  };
}

const BOOSTS = { title: 4, buyer: 3, suppliers: 2, subjects: 2, description: 1, codes: 3 };
/** As ours: mistakes are forgiven in words of five letters and more, never in numbers. */
const forgives = (term: string) => term.length >= 5 && !/\d/.test(term);

/** MiniSearch as its own pages advise: boosts by field, mistakes forgiven, the last word as a beginning. */
export function openMiniSearch({ judged }: Collection): Searcher {
  const fields = Object.keys(BOOSTS);
  const index = new MiniSearch<ReturnType<typeof fieldsOf>>({ fields });
  index.addAll(judged.map(({ document }) => fieldsOf(document)));
  return {
    name: 'minisearch',
    search: async (text) =>
      index
        .search(text, {
          boost: BOOSTS,
          fuzzy: (term) => (forgives(term) ? 0.2 : false),
          prefix: (_term, at, terms) => at === terms.length - 1,
        })
        .slice(0, ANSWERS)
        .map(({ id }) => String(id)),
    close: async () => undefined,
  };
}

/** lunr with its English stemmer and stop words, boosts by field, beginnings and mistakes counting less than the word itself. */
export function openLunr({ judged }: Collection): Searcher {
  const index = lunr(function build() {
    this.ref('id');
    for (const [field, boost] of Object.entries(BOOSTS)) this.field(field, { boost });
    for (const { document } of judged) this.add(fieldsOf(document));
  });
  return {
    name: 'lunr',
    search: async (text) => {
      const terms = lunr.tokenizer(text).map(String);
      const found = index.query((query) => {
        for (const [at, term] of terms.entries()) {
          query.term(term, { boost: 10 });
          if (at === terms.length - 1) {
            query.term(term, { boost: 2, usePipeline: false, wildcard: lunr.Query.wildcard.TRAILING });
          }
          if (forgives(term)) query.term(term, { boost: 1, editDistance: 1 });
        }
      });
      return found.slice(0, ANSWERS).map(({ ref }) => ref);
    },
    close: async () => undefined,
  };
}
