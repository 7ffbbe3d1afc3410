import type { SearchAnswer, SearchEngine, SearchHit, SearchQuery } from '../../../search/engine.ts';
import { withMatches } from '../../search/both-engines.ts';
import { BUYER, DAYS, HOSTILE, IDS, regions, TITLE } from './seed.ts';

/** An engine that finds the seeded notice for every question and remembers what was asked. */
export function makeSeededEngine(): SearchEngine & { asked: SearchQuery[] } {
  const asked: SearchQuery[] = [];
  const none = async (): Promise<never> => {
    throw new Error('this engine only answers');
  };
  return withMatches({
    name: 'embedded' as const,
    collection: 'notices' as const,
    asked,
    async find(query: SearchQuery) {
      asked.push(query);
      const answer = answerTo(query);
      return query.scope === 'contracts' ? { ...answer, hits: answer.hits.map(asContract) } : answer;
    },
    readCursor: async () => null,
    version: '1',
    store: none,
    openBuild: none,
    tidy: none,
    close: async () => undefined,
  });
}

function answerTo({ text, match, highlight }: SearchQuery): SearchAnswer {
  if (text === 'some words') return match === 'any' ? SOME : { ...ANSWER, hits: [], total: 0 };
  if (text === 'nothing') return { ...ANSWER, hits: [], total: 0 };
  return text === 'bridge' && highlight
    ? { ...ANSWER, hits: [{ ...HIT, highlight: MARKED, sources: ['find_a_tender', 'contracts_finder'] }] }
    : ANSWER;
}

/** A hit among contracts is read by its id. */
const asContract = (hit: SearchHit): SearchHit => ({ ...hit, id: IDS.contract });

const MARKED = 'Works on a <mark>bridge</mark> &amp; &lt;b&gt;two&lt;/b&gt; quays';
const HIT: SearchHit = {
  id: `${IDS.tender}_${IDS.process}`,
  notice_id: IDS.tender,
  ocid: IDS.process,
  title: TITLE,
  extract: HOSTILE,
  buyer: BUYER,
  buyer_id: IDS.buyer,
  published: DAYS.published,
  published_at: `${DAYS.published}T09:00:00Z`,
  deadline: DAYS.deadline,
  deadline_at: `${DAYS.deadline}T12:00:00Z`,
  value: 1_250_000,
  currency: 'GBP',
  cpvs: ['45000000'],
  regions,
  nation: null,
  source: 'find_a_tender',
  sources: ['find_a_tender'],
  stage: 'tender',
  notice_type: 'UK4',
  status: 'open',
  url: null,
  is_tender: true,
  tender_expected: null,
  framework_id: IDS.framework,
};
const ANSWER: SearchAnswer = {
  hits: [HIT],
  total: 1,
  exact: true,
  nextCursor: 'the-next-page',
  meta: { engine: 'embedded', bounded: false, corrections: [], matched: 'all', ignoredWords: 0 },
};
const SOME: SearchAnswer = { ...ANSWER, total: 7 };
