/**
 * What was measured on 561 recorded notices, as figures alone: what generated notices are made after.
 * Lists of 21 are the quantiles 0, 0.05, … 1 of a count per notice.
 */
export const WORDS_OF_DESCRIPTION = [
  0, 4, 6, 10, 13, 17, 23, 31, 41, 51, 64, 83, 93, 112, 131, 151, 179, 214, 293, 390, 964,
];
export const WORDS_OF_TITLE = [1, 3, 3, 4, 4, 4, 5, 5, 6, 6, 6, 7, 7, 8, 9, 9, 10, 11, 12, 15, 25];
export const WORDS_OF_SUBJECTS = [0, 2, 2, 2, 3, 3, 3, 4, 4, 5, 5, 5, 6, 7, 8, 9, 11, 14, 19, 32, 320];
export const WORDS_OF_BUYER = [1, 2, 2, 2, 2, 3, 3, 3, 3, 3, 3, 3, 3, 4, 4, 4, 5, 5, 6, 7, 28];
export const SUPPLIERS = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 2, 3, 4, 6, 12, 90];
export const CPVS = [0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 3, 5, 8, 73];
/** Logarithms (base 10) of values in pounds. */
export const VALUES = [
  0, 3.95, 4.4, 4.57, 4.71, 4.9, 5, 5.13, 5.23, 5.33, 5.4, 5.56, 5.7, 5.85, 6, 6.26, 6.47, 6.7, 7.11, 7.72, 10,
];

/** Share of notices that hold the word of a rank, by descriptions and by titles: Zipf with its bend. */
export const DESCRIPTION_SHARES: readonly (readonly [rank: number, share: number])[] = [
  [1, 0.7647],
  [2, 0.7558],
  [3, 0.7344],
  [5, 0.6827],
  [7, 0.5116],
  [10, 0.4367],
  [14, 0.3476],
  [20, 0.2567],
  [30, 0.2014],
  [50, 0.1497],
  [70, 0.1176],
  [100, 0.0945],
  [200, 0.0588],
  [500, 0.025],
  [1_000, 0.0125],
  [2_000, 0.0053],
  [3_000, 0.0036],
];
export const TITLE_SHARES: typeof DESCRIPTION_SHARES = [
  [1, 0.2549],
  [2, 0.2121],
  [3, 0.1925],
  [4, 0.18],
  [5, 0.0909],
  [10, 0.0677],
  [20, 0.0357],
  [50, 0.016],
  [100, 0.0089],
  [200, 0.0053],
  [500, 0.003],
];
/** How the shares fall past the last rank measured, as the growth of the vocabulary implies: one over its exponent. */
export const TAIL_SLOPE = 1.67;
/** Distinct words that a million such notices hold, by the growth from 200 to 561 of them (Heaps, exponent 0.6). */
export const VOCABULARY = 700_000;
/** Share of the words of a description that were not said in it before. */
export const NEW_WORDS = 65 / 109;

/** Notices by CPV division. */
export const DIVISIONS: readonly (readonly [division: string, notices: number])[] = Object.entries({
  79: 105,
  85: 78,
  45: 74,
  72: 44,
  71: 42,
  80: 41,
  98: 33,
  50: 30,
  90: 30,
  48: 24,
  60: 20,
  39: 19,
  38: 15,
  42: 15,
  73: 15,
  33: 14,
  34: 14,
  35: 14,
  44: 14,
  '09': 14,
  31: 13,
  75: 12,
  92: 12,
  66: 11,
  51: 10,
  30: 8,
  32: 8,
  24: 6,
  77: 6,
  22: 5,
  63: 5,
  64: 5,
  70: 5,
  55: 3,
});
/** Notices by region; the rest name none. */
export const REGIONS: readonly (readonly [code: string, name: string, notices: number])[] = [
  ['UK', 'United Kingdom', 115],
  ['UKE', 'Yorkshire and The Humber', 44],
  ['', 'England', 43],
  ['UKI', 'London', 40],
  ['UKJ', 'South East', 27],
  ['UKG', 'West Midlands', 27],
  ['UKK', 'South West', 23],
  ['UKH', 'East of England', 21],
  ['UKF', 'East Midlands', 12],
  ['UKD', 'North West', 12],
  ['UKC', 'North East', 9],
  ['UKM', 'Scotland', 7],
  ['UKL', 'Wales', 4],
  ['', '', 244],
];
export const STAGES = { award: 0.5, tender: 0.44, planning: 0.03, contract: 0.03 } as const;
export const IN_POUNDS = 0.88;
export const FROM_CONTRACTS_FINDER = 0.64;
