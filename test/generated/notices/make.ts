import type { Stage } from '../../../schema/catalogue/details.ts';
import { nationOfRegion } from '../../../schema/reference/regions.ts';
import type { SearchDocument } from '../../../search/engine.ts';
import { type Dice, drawEnding, drawStem, makeDice } from '../draw.ts';
import {
  CPVS,
  DIVISIONS,
  FROM_CONTRACTS_FINDER,
  IN_POUNDS,
  NEW_WORDS,
  REGIONS,
  STAGES,
  SUPPLIERS,
  VALUES,
  WORDS_OF_BUYER,
  WORDS_OF_DESCRIPTION,
  WORDS_OF_SUBJECTS,
  WORDS_OF_TITLE,
} from './figures.ts';
import { drawDescriptionRank, drawTitleRank, wordOf } from './vocabulary.ts';

/** The instant at which the generated world is looked at: the end of its ten years. */
export const WORLD_NOW = new Date('2026-11-20T12:00:00Z');
const DAYS = 3_650;
const DAY_MS = 86_400_000;
const BUYERS = 6_000;
const COMPANIES = 120_000;
const NOTICE_TYPES: Record<keyof typeof STAGES, string> = {
  award: 'award',
  tender: 'tender',
  planning: 'planning',
  contract: 'UK7',
};

interface World {
  dice: Dice;
  title(): string;
  text(words: number): string;
  buyers: { id: string; name: string }[];
  companies: { number: string; name: string }[];
  subjects: Map<string, string>;
}

/** Notices one after another, oldest first, each a pure function of the seed and of its place. */
export function* makeNotices(count: number, seed = 5): Generator<SearchDocument> {
  const world = makeWorld(seed);
  for (let serial = 0; serial < count; serial += 1) yield makeNotice(world, serial, count);
}

function makeWorld(seed: number): World {
  const dice = makeDice(seed);
  const [rank, titleRank] = [drawDescriptionRank(), drawTitleRank()];
  const draw = () => wordOf(rank(dice.roll()));
  const title = () => manyOf(quantile(dice, WORDS_OF_TITLE), () => wordOf(titleRank(dice.roll()))).join(' ');
  const name = () => manyOf(quantile(dice, WORDS_OF_BUYER), () => wordOf(200 + dice.below(4_000))).join(' ');
  return {
    dice,
    title,
    text: (words) => makeText(dice, words, draw),
    buyers: manyOf(BUYERS, () => ({ id: `name-${dice.below(2 ** 31).toString(36)}`, name: name() })),
    companies: manyOf(COMPANIES, () => ({
      number: String(dice.below(15_000_000)).padStart(8, '0'),
      name: `${drawStem(dice, 'Ford')} ${drawEnding(dice)}`,
    })),
    subjects: new Map(),
  };
}

/** Words of a text: some are new, others were said in it before. Sentences end now and then. */
function makeText(dice: Dice, count: number, draw: () => string): string {
  const words: string[] = [];
  for (let made = 0; made < count; made += 1) {
    const before = made > 0 && !dice.chance(NEW_WORDS) ? words[dice.below(made)] : undefined;
    words.push(before ?? draw());
  }
  return words.map((word, index) => (index % 17 === 16 ? `${word}.` : word)).join(' ');
}

function makeNotice(world: World, serial: number, count: number): SearchDocument {
  const { dice } = world;
  const publishedMs = WORLD_NOW.getTime() - DAY_MS * DAYS * (1 - serial / count);
  const published = dayOf(publishedMs);
  const source = dice.chance(FROM_CONTRACTS_FINDER) ? 'contracts_finder' : 'find_a_tender';
  const ids = makeIds(dice, source, serial);
  const stage = drawWeighted(dice, Object.entries(STAGES)) as keyof typeof STAGES;
  const buyer = world.buyers[skewed(dice, BUYERS)];
  const suppliers = stage === 'award' || stage === 'contract' ? drawSuppliers(world) : [];
  const cpvs = manyOf(quantile(dice, CPVS), () => drawCpv(dice));
  const isTender = stage === 'tender';
  const deadline = isTender ? dayOf(publishedMs + DAY_MS * (5 + dice.below(60))) : null;
  const value = Math.round(10 ** quantile(dice, VALUES, false));
  return {
    title: sentence(world.title()),
    description: world.text(quantile(dice, WORDS_OF_DESCRIPTION)),
    buyer: buyer?.name ?? null,
    buyer_id: buyer?.id ?? null,
    suppliers: suppliers.map(({ name }) => name),
    company_numbers: suppliers.map(({ number }) => number),
    subjects: drawSubjects(world, cpvs),
    districts: [],
    published,
    published_at: `${published}T09:00:00Z`,
    deadline,
    deadline_at: deadline && `${deadline}T12:00:00Z`,
    ...(dice.chance(IN_POUNDS) ? { value, currency: 'GBP' } : { value: null, currency: null }),
    ceiling: null,
    ends: null,
    cpvs,
    ...placed(drawRegions(dice)),
    source,
    sources: [source],
    stage: stage satisfies Stage,
    notice_type: NOTICE_TYPES[stage],
    status: isTender ? (dice.chance(0.65) ? 'open' : 'unsuccessful') : stage === 'award' ? 'awarded' : 'planned',
    url: `https://notices.example/${ids.notice_id}`,
    is_tender: isTender,
    joint_buyer_ids: [],
    suitable_for: [],
    special_regimes: [],
    reserved_for: [],
    direct_award_grounds: [],
    above_threshold: null,
    tender_expected: null,
    framework_kind: null,
    buyer_kind: null,
    framework_id: null,
    ...ids,
  };
}

function makeIds(dice: Dice, source: string, serial: number) {
  const hex = (length: number) => manyOf(length, () => dice.below(16).toString(16)).join('');
  if (source === 'find_a_tender') {
    const notice_id = `${String(serial % 1_000_000).padStart(6, '0')}-${2016 + Math.floor(serial / 1_000_000)}`;
    const ocid = `ocds-h6vhtk-${serial.toString(16).padStart(6, '0')}`;
    return { id: `${notice_id}_${ocid}`, notice_id, ocid };
  }
  const [notice_id, guid] = [0, 1].map(() => `${hex(8)}-${hex(4)}-${hex(4)}-${hex(4)}-${hex(12)}`);
  const ocid = `ocds-b5fd17-${guid}`;
  return { id: `${notice_id}_${ocid}`, notice_id: notice_id ?? '', ocid };
}

function drawSuppliers({ dice, companies }: World): World['companies'] {
  // Half of all notices name none; those that were awarded name one or more.
  const count = Math.max(1, SUPPLIERS[10 + dice.below(11)] ?? 1);
  return manyOf(Math.min(count, 1 + dice.below(40)), () => companies[skewed(dice, COMPANIES)]).flatMap(
    (one) => one ?? [],
  );
}

function drawCpv(dice: Dice): string {
  const division = drawWeighted(dice, DIVISIONS);
  const rest = Math.floor(dice.roll() ** 3 * 300);
  return `${division}${String(1 + (rest % 9))}${String(Math.floor(rest / 9) % 10)}${String(Math.floor(rest / 90))}000`;
}

/** What codes mean is the same wherever they stand; lots add titles of their own. */
function drawSubjects({ dice, subjects, title }: World, cpvs: string[]): string[] {
  const wanted = quantile(dice, WORDS_OF_SUBJECTS);
  const said = [...new Set(cpvs)].map((code) => {
    const known = subjects.get(code) ?? manyOf(2 + (Number(code) % 3), () => wordOf(50 + dice.below(3_000))).join(' ');
    subjects.set(code, known);
    return known;
  });
  let words = said.reduce((sum, text) => sum + text.split(' ').length, 0);
  while (words < wanted - 5) {
    said.push(title());
    words += 7;
  }
  return said;
}

/** Regions, and the nation of the first. */
function placed(regions: SearchDocument['regions']) {
  const [first] = regions;
  return { regions, nation: first ? nationOfRegion(first) : null };
}

function drawRegions(dice: Dice): SearchDocument['regions'] {
  const place = drawWeighted(
    dice,
    REGIONS.map(([, , notices], index) => [String(index), notices] as const),
  );
  const [code = '', name = ''] = REGIONS[Number(place)] ?? [];
  return name === '' ? [] : [{ ...(code ? { code } : {}), name } as SearchDocument['regions'][number]];
}

/** A count between two quantiles of those measured. */
function quantile(dice: Dice, quantiles: readonly number[], whole = true): number {
  const place = dice.roll() * (quantiles.length - 1);
  const [from = 0, to = 0] = [quantiles[Math.floor(place)], quantiles[Math.ceil(place)]];
  // The longest are far apart: of the last twentieth most are near its beginning.
  const share = place > quantiles.length - 2 ? (place % 1) ** 4 : place % 1;
  const drawn = from + (to - from) * share;
  return whole ? Math.round(drawn) : drawn;
}

function drawWeighted(dice: Dice, weights: readonly (readonly [string, number])[]): string {
  let left = dice.roll() * weights.reduce((sum, [, weight]) => sum + weight, 0);
  for (const [name, weight] of weights) {
    left -= weight;
    if (left < 0) return name;
  }
  return weights[0]?.[0] ?? '';
}

/** A few are named again and again, most now and then. */
function skewed(dice: Dice, count: number): number {
  return Math.floor(dice.roll() ** 2.5 * count);
}

function manyOf<T>(count: number, make: () => T): T[] {
  return Array.from({ length: count }, make);
}

function sentence(text: string): string {
  return text[0] === undefined ? text : text[0].toUpperCase() + text.slice(1);
}

function dayOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}
