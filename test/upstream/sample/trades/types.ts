import type { CpvCode } from './cpv.ts';

/** Who buys a kind of thing. */
export type BuyerKind =
  | 'council'
  | 'county'
  | 'nhs'
  | 'central'
  | 'university'
  | 'college'
  | 'housing'
  | 'police'
  | 'fire'
  | 'school'
  | 'utility'
  | 'consortium';

type Category = 'goods' | 'services' | 'works';

/** One thing that is wanted: `{place}`, `{site}`, `{year}`, `{count}` and `{sites}` are filled in. */
export interface Need {
  title: string;
  /** Main code first. */
  cpv: readonly CpvCode[];
  scope: string;
  /** Where not everybody who buys the trade wants this. */
  buyers?: readonly BuyerKind[];
  /** Where it does not cost what the trade usually does. */
  value?: readonly [number, number];
}

/** A kind of thing that is bought: how its notices are worded, what it costs, who buys and who sells it. */
export interface Trade {
  key: string;
  category: Category;
  needs: readonly Need[];
  lots: readonly string[];
  /** Net value in pounds, least and most of the usual. */
  value: readonly [number, number];
  /** Usual lengths in months. */
  months: readonly number[];
  buyers: readonly BuyerKind[];
  /** Words of its suppliers' names. */
  firms: readonly string[];
  sic: readonly [code: string, description: string];
  /** Where notices fall under the light touch regime. */
  lightTouch?: boolean;
}
