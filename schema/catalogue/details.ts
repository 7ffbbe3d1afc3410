import type { BuyerScope } from '../names/public-bodies.ts';
import type { DirectAwardGround } from '../reference/notice-types.ts';
import type { Bids, BidTerms, Justification, TenderTerms } from './bids.ts';
import type {
  BuyerKind,
  KindSource,
  MatchMethod,
  NoticeDate,
  Procedure,
  SmeSource,
  VALUE_BASES,
  VALUE_CLASSES,
} from './enums.ts';

/** Shapes of the catalogue's JSON columns. Ingest writes them, search and the API read them. A field that is not known is absent. */

export type ValueBasis = (typeof VALUE_BASES)[number];
export type ValueClass = (typeof VALUE_CLASSES)[number];
export const STAGES = [
  'planning',
  'tender',
  'award',
  'contract',
  'change',
  'termination',
  'performance',
  'payment',
  'market',
] as const;
export type Stage = (typeof STAGES)[number];
export type ProcessStatus =
  | 'planned'
  | 'open'
  | 'closed'
  | 'awarded'
  | 'cancelled'
  | 'withdrawn'
  | 'unsuccessful'
  | 'complete';

export interface DocumentDetail {
  name: string;
  url: string;
  type?: string;
  published?: string;
  language?: string;
  notice_id?: string;
}

/** How a party was tied to an identity, and the evidence. */
export interface Match {
  method: MatchMethod;
  /** 0 to 1. */
  score: number;
  evidence: string[];
  /** For a contract's supplier: the notices that named it, oldest first. */
  notice_ids?: string[];
}

export interface SupplierDetail {
  company_id: string;
  name: string;
  companies_house_number?: string;
  is_sme?: boolean;
  is_vcse?: boolean;
  match: Match;
}

export interface LotDetail extends BidTerms {
  lot_id: string;
  title: string;
  description?: string;
  value?: number;
  currency?: string;
  status?: string;
  starts?: string;
  ends?: string;
  /** Present where a length is published. */
  duration_days?: number;
  duration_months?: number;
  /** How many are invited to bid, where only some are. */
  invited_min?: number;
  invited_max?: number;
  /** The last day with every option to extend. */
  extends_to?: string;
  /** How it may be extended, and the options to buy more or for longer, in the buyer's words. */
  renewal?: string;
  options?: string;
}

/** `notice.detail`: everything beyond the columns that the whole notice serves. */
export interface NoticeDetail extends TenderTerms {
  /** The least that it may be worth, where a range is published: its value is the most. */
  value_min?: number | undefined;
  /** Names of the buyers besides its own. */
  joint_buyers?: string[] | undefined;
  cpv_descriptions?: Record<string, string>;
  /** Where it is delivered, as stated besides its regions. */
  delivery_places?: string[];
  lots: LotDetail[];
  dates: Partial<Record<NoticeDate, string>>;
  /** The buyer's own, as published. */
  reference?: string;
  /** What the notice itself says in words, besides the description of the procurement. */
  additional_information?: string;
  what_changed?: string;
  engagement?: string;
  /** Why no notice of it was published. */
  no_engagement_reason?: string;
  how_to_apply?: { method?: string; url?: string; details?: string };
  documents: DocumentDetail[];
  suppliers: SupplierDetail[];
  /** As published, and in one word. */
  procedure?: string;
  procedure_code?: Procedure;
  justification?: Justification;
  direct_award_grounds?: DirectAwardGround[];
  bids?: Bids;
  /** What a notice on performance measured. */
  kpis?: Kpi[];
  legal_basis?: string;
  category?: string;
  above_threshold?: boolean;
  /** Codes as published: `lightTouch`; `GPA`. */
  special_regimes?: string[];
  covered_by?: string[];
  framework_id?: string;
  /** The instant until which its process takes bids, where that differs from its own deadline. */
  bids_until?: string;
  contract_ids: string[];
  /** The procurements that its process states to renew, replace or continue, or by which it is succeeded: ocids in lower case. */
  continues?: string[];
  warnings: string[];
}

/** A key performance indicator: how performance is measured, and what was measured. */
export interface Kpi {
  title?: string;
  description?: string;
  /** How often performance is reported: one of the two is published. */
  every_days?: number;
  every_months?: number;
  results?: KpiResult[];
}

export interface KpiResult {
  notice_id: string;
  starts?: string;
  ends?: string;
  /** In the words of the notice, such as `99.7%`. */
  measured?: string;
  /** A code as published: `met`, `slightlyBelow`, `below`, `significantlyBelow` or `other`. */
  rating?: string;
}

export interface NoticeReference {
  notice_id: string;
  notice_type: string;
  stage: Stage;
  published: string;
  title: string;
  url?: string;
}

/** `company.totals` and `buyer.totals`: precomputed; currencies are never summed together. */
export interface Totals {
  /** currency -> { count, value } over contracts of value class `sum`. */
  sum: Record<string, { count: number; value: number }>;
  /** Awards of the other classes, counted separately. */
  apart: Partial<Record<Exclude<ValueClass, 'sum'>, { count: number }>>;
  /** year -> the count of contracts, of framework places where there are any, and the value of class `sum` by currency. */
  by_year: Record<string, { count: number; places?: number; sum: Record<string, number> }>;
  /** Most frequent counterparties, at most 10: by contracts, those with framework places alone last. */
  top: { id: string; name: string; count: number; places?: number; value?: number; currency?: string }[];
  frameworks: { framework_id: string; title: string }[];
}

/** `company.detail` and `buyer.detail`: what its own notices say about it. */
export interface OrganisationDetail {
  /** Each with the latest notice that published it. */
  identifiers: { scheme: string; id: string; notice_id?: string }[];
  also_known_as: string[];
  /** Names published for it, latest first, each with the latest notice that used it. */
  names: { name: string; notice_id?: string }[];
  address?: { street?: string; locality?: string; postcode?: string; country?: string };
  url?: string;
  /** The source of `is_sme`. */
  is_sme_source?: SmeSource;
  kinds?: BuyerKind[];
  /** The evidence for the first of these. */
  kind_source?: KindSource | undefined;
  /** For a buyer; absent where it is not known. */
  scope?: BuyerScope;
  /** Notices of its newest contracts, at most 5; its contract list has them all. If there are none, the latest notice that named it. */
  notice_ids?: string[];
}

/** `registered_company.record`: the Companies House bulk row in our names; empty cells are absent. */
export interface RegisterRecord {
  company_name: string;
  company_number: string;
  care_of?: string;
  po_box?: string;
  address_line_1?: string;
  address_line_2?: string;
  locality?: string;
  county?: string;
  country?: string;
  postal_code?: string;
  category?: string;
  status?: string;
  country_of_origin?: string;
  dissolved?: string;
  incorporated?: string;
  accounts: {
    reference_day?: number;
    reference_month?: number;
    next_due?: string;
    last_made_up?: string;
    category?: string;
  };
  returns?: { next_due?: string; last_made_up?: string };
  mortgages?: { charges?: number; outstanding?: number; part_satisfied?: number; satisfied?: number };
  sic_codes: { code: string; description?: string }[];
  limited_partnerships?: { general_partners?: number; limited_partners?: number };
  uri?: string;
  previous_names: { name: string; ceased?: string }[];
  confirmation_statement?: { next_due?: string; last_made_up?: string };
}
