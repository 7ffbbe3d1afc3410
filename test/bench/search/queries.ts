import type { AnyHit, CollectionName, SearchDocument, SearchEngine, SearchQuery } from '../../../search/engine.ts';
import { type Dice, makeDice } from '../../generated/draw.ts';
import { makeNotices, WORLD_NOW } from '../../generated/notices/make.ts';
import { wordOf } from '../../generated/notices/vocabulary.ts';

type Kind =
  | 'rare'
  | 'common'
  | 'two words'
  | 'three words'
  | 'phrase'
  | 'prefix'
  | 'misspelt'
  | 'filtered'
  | 'sorted'
  | 'facets'
  | 'open tenders'
  | 'running'
  | 'page 50'
  | 'all matches';
export type Asked = Pick<SearchQuery, 'scope' | 'text' | 'filters' | 'sort' | 'facets'>;

/** Words in a tenth to a quarter of all notices, and in a few of a million. */
const COMMON_RANKS = { first: 21, count: 80 };
const RARE_RANKS = { first: 20_000, count: 300_000 };
const PAGE = 50;
const SEED = 9;

/** Every kind of query, `each` of it, made of notices drawn from the world; generated contracts have the same texts. */
export function makeQueries(each: number, of: CollectionName = 'notices'): Map<Kind, Asked[]> {
  const dice = makeDice(SEED);
  const notices = [...makeNotices(each * 4)].filter(({ title }) => telling(title).length >= 3);
  const notice = () => notices[dice.below(notices.length)] as SearchDocument;
  const made = new Map<Kind, Asked[]>();
  for (const [kind, make] of Object.entries(MAKERS[of]) as [Kind, Maker][]) {
    made.set(
      kind,
      Array.from({ length: each }, () => ({ scope: of, filters: {}, ...make(dice, notice()) })),
    );
  }
  return made;
}

type Maker = (dice: Dice, notice: SearchDocument) => Partial<Asked>;

const COMMON_MAKERS: Partial<Record<Kind, Maker>> = {
  rare: (dice) => ({ text: `${wordOf(RARE_RANKS.first + dice.below(RARE_RANKS.count))} ` }),
  common: (dice) => ({ text: `${commonWord(dice)} ` }),
  'two words': (_dice, { title }) => ({ text: `${telling(title).slice(0, 2).join(' ')} ` }),
  'three words': (_dice, { title }) => ({ text: `${telling(title).slice(0, 3).join(' ')} ` }),
  phrase: (dice, { title }) => ({ text: `"${neighbours(dice, title)}"` }),
  prefix: (dice, { title }) => ({ text: longWord(dice, title).slice(0, 3 + dice.below(3)) }),
  misspelt: (dice, { title }) => ({ text: `${misspell(dice, longWord(dice, title))} ` }),
  'page 50': (dice) => ({ text: `${commonWord(dice)} ` }),
  'all matches': (dice) => ({ text: `${commonWord(dice)} ` }),
};

const NOTICE_MAKERS: Partial<Record<Kind, Maker>> = {
  filtered: (dice, notice) => ({ text: `${commonWord(dice)} `, filters: someFilter(dice, notice) }),
  sorted: (dice) => ({
    text: `${commonWord(dice)} `,
    sort: dice.pick<NonNullable<SearchQuery['sort']>>([
      'published',
      '-published',
      'value',
      '-value',
      'deadline',
      '-deadline',
    ]),
  }),
  facets: (dice, { title }) => ({
    text: `${dice.chance(0.5) ? commonWord(dice) : longWord(dice, title)} `,
    facets: ['cpv_division', 'region', 'buyer_id', 'stage', 'month', 'value_band'],
  }),
  'open tenders': (dice, { title }) => ({
    scope: 'tenders',
    text: `${dice.chance(0.5) ? commonWord(dice) : longWord(dice, title)} `,
  }),
};

const CONTRACT_MAKERS: typeof NOTICE_MAKERS = {
  filtered: (dice, notice) => ({ text: `${commonWord(dice)} `, filters: someContractFilter(dice, notice) }),
  sorted: (dice) => ({
    text: `${commonWord(dice)} `,
    sort: dice.pick<NonNullable<SearchQuery['sort']>>(['awarded', '-awarded', 'value', '-value', 'ends', '-ends']),
  }),
  facets: (dice, { title }) => ({
    text: `${dice.chance(0.5) ? commonWord(dice) : longWord(dice, title)} `,
    facets: ['cpv_division', 'region', 'buyer_id', 'company_id', 'end_year', 'value_band'],
  }),
  running: (dice, { title }) => ({
    text: `${dice.chance(0.5) ? commonWord(dice) : longWord(dice, title)} `,
    filters: { status: 'active' },
  }),
};

const MAKERS: Record<CollectionName, Partial<Record<Kind, Maker>>> = {
  notices: { ...COMMON_MAKERS, ...NOTICE_MAKERS },
  contracts: { ...COMMON_MAKERS, ...CONTRACT_MAKERS },
};

/** Milliseconds that one query takes; of `page 50` that page alone, of `all matches` no page. */
export async function timeQuery(engine: SearchEngine<AnyHit>, kind: Kind, asked: Asked): Promise<number> {
  const query: SearchQuery = { ...asked, limit: 25, now: WORLD_NOW };
  if (kind === 'page 50') {
    for (let page = 1; page < PAGE; page += 1) {
      const { nextCursor } = await engine.find(query);
      if (nextCursor === null) break;
      query.cursor = nextCursor;
    }
  }
  const startMs = performance.now();
  await (kind === 'all matches' ? engine.matchAll(query) : engine.find(query));
  return performance.now() - startMs;
}

function commonWord(dice: Dice): string {
  return wordOf(COMMON_RANKS.first + dice.below(COMMON_RANKS.count));
}

function someFilter(dice: Dice, { cpvs, buyer_id, published }: SearchDocument): SearchQuery['filters'] {
  return dice.pick<SearchQuery['filters']>([
    { cpv: [(cpvs[0] ?? '79000000').slice(0, 2 + dice.below(4))] },
    { region: ['UKI'] },
    { region: ['UKE'], stage: ['tender'] },
    { value_min: 100_000 },
    { value_min: 10_000, value_max: 50_000 },
    { published_from: published },
    { published_from: '2024-01-01', source: ['find_a_tender'] },
    { buyer_id: buyer_id ?? '' },
  ]);
}

function someContractFilter(dice: Dice, { cpvs, buyer_id, published }: SearchDocument): SearchQuery['filters'] {
  return dice.pick<SearchQuery['filters']>([
    { cpv: [(cpvs[0] ?? '79000000').slice(0, 2 + dice.below(4))] },
    { region: ['UKI'], procedure: ['open'] },
    { ends_from: '2026-11-20', ends_to: '2027-05-20' },
    { value_min: 10_000, value_max: 50_000 },
    { awarded_from: published },
    { bids_max: 1, sme: true },
    { awarded_from: '2024-01-01', source: ['find_a_tender'] },
    { buyer_id: buyer_id ?? '' },
  ]);
}

/** The words of a title that a query would not leave out. */
function telling(title: string): string[] {
  return title
    .toLowerCase()
    .split(' ')
    .filter((word) => word.length > 4);
}

function longWord(dice: Dice, title: string): string {
  const words = telling(title).filter((word) => word.length > 5 && !/\d/.test(word));
  return words[dice.below(words.length)] ?? telling(title)[0] ?? 'contract';
}

function neighbours(dice: Dice, title: string): string {
  const words = title.toLowerCase().split(' ');
  const first = dice.below(words.length - 1);
  return words.slice(first, first + 2).join(' ');
}

/** Two neighbours swapped, or a letter left out, behind the second one. */
function misspell(dice: Dice, word: string): string {
  const place = 2 + dice.below(Math.max(1, word.length - 3));
  return dice.chance(0.5)
    ? word.slice(0, place) + word.slice(place + 1)
    : word.slice(0, place) + (word[place + 1] ?? '') + (word[place] ?? '') + word.slice(place + 2);
}
