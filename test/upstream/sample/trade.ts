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

export type Category = 'goods' | 'services' | 'works';

/** A kind of thing that is bought: how its notices are worded, what it costs, who buys and who sells it. */
export interface Trade {
  key: string;
  category: Category;
  /** Main code first; descriptions are those of the CPV 2008. */
  cpv: readonly (readonly [code: string, description: string])[];
  /** `{place}` and `{site}` are filled in. */
  titles: readonly string[];
  scope: readonly string[];
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
