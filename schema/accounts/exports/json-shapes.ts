import type { AwardCriterion, ParticipationFee, SelectionCriterion } from '../../catalogue/bids.ts';
import type {
  Kpi,
  KpiResult,
  LotDetail,
  Match,
  OrganisationDetail,
  SupplierDetail,
  Totals,
} from '../../catalogue/details.ts';
import type { FrameworkLot } from '../../catalogue/framework-details.ts';
import type { Region } from '../../reference/regions.ts';

/**
 * The shape of the JSON in a column, for formats that have types for it. It is a list, an object with known fields (a
 * missing one is null), or an object whose keys are data.
 */
export type Shape = Leaf | { list: Shape } | { fields: Readonly<Record<string, Shape>> } | { byKey: Shape };
export type Leaf = 'text' | 'flag' | 'whole' | 'number' | 'day';

/** Does not compile unless every field of a type has a shape. */
type Fields<T> = { fields: { readonly [Name in keyof Required<T>]: Shape } };

const listOf = (shape: Shape) => ({ list: shape });
const TEXTS = listOf('text');

const REGION: Fields<Region> = { fields: { code: 'text', name: 'text' } };
const CRITERION: Fields<AwardCriterion> = {
  fields: { type: 'text', name: 'text', description: 'text', weight: 'number', weight_type: 'text', order: 'number' },
};
const CONDITION: Fields<SelectionCriterion> = {
  fields: { type: 'text', description: 'text', minimum: 'text', for_reduction: 'flag' },
};
const FEE: Fields<ParticipationFee> = {
  fields: { types: TEXTS, percent: 'number', of: 'text', value: 'number', currency: 'text', description: 'text' },
};
const KPI_RESULT: Fields<KpiResult> = {
  fields: { notice_id: 'text', starts: 'day', ends: 'day', measured: 'text', rating: 'text' },
};
const KPI: Fields<Kpi> = {
  fields: {
    title: 'text',
    description: 'text',
    every_days: 'whole',
    every_months: 'whole',
    results: listOf(KPI_RESULT),
  },
};
const LOT: Fields<LotDetail> = {
  fields: {
    lot_id: 'text',
    title: 'text',
    description: 'text',
    value: 'number',
    currency: 'text',
    status: 'text',
    starts: 'day',
    ends: 'day',
    duration_days: 'whole',
    duration_months: 'whole',
    invited_min: 'whole',
    invited_max: 'whole',
    extends_to: 'day',
    renewal: 'text',
    options: 'text',
    award_criteria: listOf(CRITERION),
    award_criteria_text: 'text',
    selection_criteria: listOf(CONDITION),
    selection_criteria_text: 'text',
    variants: 'text',
    participation_fees: listOf(FEE),
    suitable_for_sme: 'flag',
    suitable_for_vcse: 'flag',
  },
};
const MATCH: Fields<Match> = { fields: { method: 'text', score: 'number', evidence: TEXTS, notice_ids: TEXTS } };
const SUPPLIER: Fields<SupplierDetail> = {
  fields: {
    company_id: 'text',
    name: 'text',
    companies_house_number: 'text',
    is_sme: 'flag',
    is_vcse: 'flag',
    match: MATCH,
  },
};
const FRAMEWORK_LOT: Fields<FrameworkLot> = {
  fields: {
    lot_id: 'text',
    title: 'text',
    value: 'number',
    starts: 'day',
    ends: 'day',
    duration_days: 'whole',
    duration_months: 'whole',
    suppliers: listOf({ fields: { company_id: 'text', name: 'text', companies_house_number: 'text' } }),
  },
};
const IDENTIFIER: Fields<OrganisationDetail['identifiers'][number]> = {
  fields: { scheme: 'text', id: 'text', notice_id: 'text' },
};
const SUM: Fields<Totals['sum'][string]> = { fields: { count: 'whole', value: 'number' } };

/** The shapes of the JSON that exports hold. */
export const SHAPES = {
  texts: TEXTS,
  regions: listOf(REGION),
  lots: listOf(LOT),
  criteria: listOf(CRITERION),
  conditions: listOf(CONDITION),
  fees: listOf(FEE),
  kpis: listOf(KPI),
  lotTitles: listOf({ fields: { lot_id: 'text', title: 'text' } }),
  suppliers: listOf(SUPPLIER),
  frameworkLots: listOf(FRAMEWORK_LOT),
  identifiers: listOf(IDENTIFIER),
  /** By currency. */
  sums: { byKey: SUM },
} satisfies Record<string, Shape>;
