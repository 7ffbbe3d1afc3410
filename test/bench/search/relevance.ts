import { randomBytes } from 'node:crypto';
import { COLLECTIONS } from '../../../search/collections/index.ts';
import type { AnyHit } from '../../../search/engine.ts';
import { type Collection, readRecordedCollection, readSampleCollection } from '../../search/relevance/documents.ts';
import { type Judgement, judgeSearcher, type Score, type Searcher } from '../../search/relevance/judge.ts';
import { makeQueries } from '../../search/relevance/queries.ts';
import {
  openEmbedded,
  openEngine,
  openLunr,
  openMiniSearch,
  openWithEmbedded,
} from '../../search/relevance/searchers.ts';
import { DRAWS, type Draw } from '../../search/relevance/words.ts';
import { makeTestServerEngine } from '../../search/test-engine.ts';
import { dropIndexes, type MeiliServer } from './drop-indexes.ts';

/** How well each engine orders what it finds, on the generated sample and on the recordings, beside two search libraries. */
export async function benchRelevance(meili?: MeiliServer): Promise<void> {
  if (!meili) console.log('\nrelevance of Meilisearch: skipped, needs MEILI_URL');
  const prefix = `bench-${randomBytes(4).toString('hex')}-`;
  const openers = listOpeners(meili, prefix);
  try {
    for (const of of ['notices', 'contracts'] as const) {
      await compare(readSampleCollection(of), openers);
      const recorded = await readRecordedCollection(of);
      if (recorded) await compare(recorded, openers);
    }
  } finally {
    if (meili) await dropIndexes(meili, prefix);
  }
}

async function compare(collection: Collection, openers: readonly Open[]): Promise<void> {
  const draws = DRAWS.map((draw) => ({ draw, queries: makeQueries(collection, draw), judgements: [] as Judgement[] }));
  for (const open of openers) {
    const searcher = await open(collection);
    try {
      for (const { queries, judgements } of draws) {
        judgements.push(await judgeSearcher(searcher, collection.name, queries));
      }
    } finally {
      await searcher.close();
    }
  }
  for (const { draw, queries, judgements } of draws) print(collection, draw, queries.length, judgements);
}

type Open = (collection: Collection) => Searcher | Promise<Searcher>;

function listOpeners(meili: MeiliServer | undefined, prefix: string): Open[] {
  const openAny: Open = (collection) => openEmbedded(collection, 'any');
  if (!meili) return [(collection) => openEmbedded(collection), openAny, openMiniSearch, openLunr];
  const makeEngine = ({ of }: Collection) =>
    makeTestServerEngine<AnyHit>({ ...meili, prefix, deadlineMs: 10_000, collection: COLLECTIONS[of] });
  return [
    (collection) => openEmbedded(collection),
    openAny,
    (collection) => openEngine(makeEngine(collection), collection),
    // As a service with both answers, by the index that was just filled.
    (collection) => openWithEmbedded(makeEngine(collection), collection),
    (collection) => openWithEmbedded(makeEngine(collection), collection, 'any'),
    openMiniSearch,
    openLunr,
  ];
}

function print({ name, of, judged }: Collection, draw: Draw, queries: number, judgements: readonly Judgement[]): void {
  console.log(
    `\nrelevance on the ${name}: ${queries} ${draw} queries on ${judged.length} ${of}, nDCG@10 and recall@100`,
  );
  console.log(
    row(
      '',
      judgements.map(({ searcher }) => searcher),
    ),
  );
  console.log(
    row(
      'all',
      judgements.map(({ overall }) => show(overall)),
    ),
  );
  console.log(
    row(
      'all, in the best order',
      judgements.map(({ best }) => `${best.toFixed(3)}       `),
    ),
  );
  for (const kind of Object.keys(judgements[0]?.kinds ?? {})) {
    console.log(
      row(
        kind,
        judgements.map(({ kinds }) => show(kinds[kind])),
      ),
    );
  }
}

function row(title: string, cells: string[]): string {
  return `  ${title.padEnd(28)}${cells.map((cell) => cell.padStart(16)).join('')}`;
}

function show(score: Score | undefined): string {
  return score ? `${score.ndcg.toFixed(3)}  ${score.recall.toFixed(3)}` : '-';
}
