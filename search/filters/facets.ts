/** What the results of a search are counted by, in the order in which answers show it. */
export const FACETS = [
  'cpv_division',
  'region',
  'buyer_id',
  'stage',
  'source',
  'notice_type',
  'month',
  'value_band',
] as const;

export type FacetName = (typeof FACETS)[number];
