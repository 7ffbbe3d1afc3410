import { DESCRIPTION_SHARES, TAIL_SLOPE, TITLE_SHARES, VOCABULARY } from './figures.ts';

const SYLLABLES = ['b', 'br', 'c', 'd', 'f', 'g', 'h', 'l', 'm', 'n', 'p', 'r', 's', 'st', 't', 'v'].flatMap((onset) =>
  ['a', 'e', 'i', 'o', 'u'].map((vowel) => onset + vowel),
);
const CODAS = ['n', 'r', 'l', 't', 'nd', 'rk', 'm', 'st'];
/** Forms of one word, as a stemmer knows them. */
const ENDINGS = ['', 's', 'ing', 'ed'];
/** The commonest words are what every text is made of; queries leave them out, as they leave out the real ones. */
const STOP_WORDS = 'the of and to in for a on is by be with as it will this that are at from'.split(' ');
/** Every thirteenth word has a digit: years, numbers, references. */
const DIGITS_EVERY = 13;

/** The word of a rank: short ones first, each another, some of them forms of one. */
export function wordOf(rank: number): string {
  const stop = STOP_WORDS[rank - 1];
  if (stop !== undefined) return stop;
  if (rank % DIGITS_EVERY === 0) return String(1_000 + rank / DIGITS_EVERY);
  const root = Math.floor(rank / ENDINGS.length);
  return `${stemOf(root)}${ENDINGS[rank % ENDINGS.length]}`;
}

function stemOf(number: number): string {
  let word = CODAS[number % CODAS.length] ?? '';
  let rest = number;
  do {
    word = SYLLABLES[rest % SYLLABLES.length] + word;
    rest = Math.floor(rest / SYLLABLES.length);
  } while (rest > 0);
  return word;
}

/** Draws ranks so that a text of `distinct` draws on average holds the word of each rank as often as measured. */
function makeRankDraw(shares: typeof DESCRIPTION_SHARES, vocabulary: number): (roll: number) => number {
  const weights = Float64Array.from({ length: vocabulary }, (_, index) => -Math.log1p(-shareOf(shares, index + 1)));
  return makeAlias(weights);
}

export const drawDescriptionRank = (): ((roll: number) => number) => makeRankDraw(DESCRIPTION_SHARES, VOCABULARY);
export const drawTitleRank = (): ((roll: number) => number) => makeRankDraw(TITLE_SHARES, VOCABULARY / 4);

/** The share of a rank, by a straight line between the measured ones where both are logarithms. */
function shareOf(shares: typeof DESCRIPTION_SHARES, rank: number): number {
  const place = shares.findIndex(([known]) => known >= rank);
  const [toRank, toShare] = shares[place] ?? [0, 0];
  if (toRank === rank) return toShare;
  const [fromRank, fromShare] = shares.at(place < 0 ? -1 : place - 1) ?? [1, 1];
  const slope = place < 0 ? -TAIL_SLOPE : Math.log(toShare / fromShare) / Math.log(toRank / fromRank);
  return fromShare * (rank / fromRank) ** slope;
}

/** Walker's alias method: one roll, two look-ups, whatever the number of weights. Ranks begin at 1. */
function makeAlias(weights: Float64Array): (roll: number) => number {
  const count = weights.length;
  const mean = weights.reduce((sum, weight) => sum + weight, 0) / count;
  const keep = weights.map((weight) => weight / mean);
  const alias = new Uint32Array(count);
  const light: number[] = [];
  const heavy: number[] = [];
  for (const [index, share] of keep.entries()) (share < 1 ? light : heavy).push(index);
  while (light.length > 0 && heavy.length > 0) {
    const [under = 0, over = 0] = [light.pop(), heavy.at(-1)];
    alias[under] = over;
    keep[over] = (keep[over] ?? 0) - (1 - (keep[under] ?? 0));
    if ((keep[over] ?? 0) < 1) light.push(heavy.pop() ?? 0);
  }
  return (roll) => {
    const place = roll * count;
    const index = Math.floor(place);
    return 1 + (place - index < (keep[index] ?? 1) ? index : (alias[index] ?? index));
  };
}
