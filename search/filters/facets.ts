/** The facets of search results, in the order in which answers show them. */
export const FACETS = [
  'cpv_division',
  'region',
  'nation',
  'buyer_id',
  'stage',
  'source',
  'notice_type',
  'suitable_for',
  'special_regime',
  'reserved_for',
  'direct_award_ground',
  'month',
  'value_band',
] as const;

/** The same for contracts. */
export const CONTRACT_FACETS = [
  'buyer_id',
  'company_id',
  'cpv_division',
  'region',
  'nation',
  'procedure',
  'direct_award_ground',
  'source',
  'end_year',
  'value_band',
] as const;

export type FacetName = (typeof FACETS)[number] | (typeof CONTRACT_FACETS)[number];
