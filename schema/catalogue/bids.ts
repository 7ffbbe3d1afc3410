/** Numbers of bids as a notice states them; unstated ones are absent. */
export interface BidFigures {
  received?: number;
  /** How many came from small and medium-sized enterprises. */
  from_smes?: number;
  electronic?: number;
  from_eu?: number;
  from_outside_eu?: number;
  /** How many were assessed in the final stage. */
  final_stage?: number;
  final_stage_from_smes?: number;
  /** How many came from voluntary, community and social enterprises. */
  final_stage_from_vcses?: number;
}

/** The bids for a contract or procurement, and for each lot where there are several. */
export interface Bids extends BidFigures {
  lots?: ({ lot_id: string } & BidFigures)[];
  /** Who bid and did not win, where a notice names them. */
  unsuccessful?: LosingBidder[];
}

export interface LosingBidder {
  name: string;
  companies_house_number?: string;
  /** The lots that it bid for and did not win, where there are several. */
  lot_ids?: string[];
}

/** Why a contract was awarded as it was, above all without competition: in the buyer's words, with the legal grounds. */
export interface Justification {
  text?: string;
  grounds?: string[];
}

/** One of the criteria by which bids are compared, with what is published of its weight. */
export interface AwardCriterion {
  /** `quality`, `price` or `cost`. */
  type?: string;
  name?: string;
  description?: string;
  weight?: number;
  /** The unit of the weight, a code as published; absent where none is stated. */
  weight_type?: string;
  /** Its place where criteria are ranked and not weighted. */
  order?: number;
}

/** One of the conditions of participation: what a bidder has to be, to have or to have done. */
export interface SelectionCriterion {
  /** `suitability`, `economic` or `technical`; absent for any other. */
  type?: string;
  description?: string;
  /** The least that is accepted. */
  minimum?: string;
  /** Whether it reduces the number of those who are invited to bid. */
  for_reduction?: true;
}

/** What a bidder has to pay. */
export interface ParticipationFee {
  /** What it is paid for, codes as published: `win` once a contract is won, `submission` for a bid, `document` for documents. */
  types?: string[];
  /** Its part of what `of` names, such as the value of the `award`. */
  percent?: number;
  of?: string;
  value?: number;
  currency?: string;
  /** In the words of the notice. */
  description?: string;
}

/** Whether a bid may or must offer something other than what is asked for. */
export const VARIANTS = ['required', 'allowed', 'not_allowed'] as const;

/** How the bids for a lot, or for the whole, are compared, who may bid, and whom it suits. */
export interface BidTerms {
  award_criteria?: AwardCriterion[];
  /** What is said of them in words. */
  award_criteria_text?: string;
  selection_criteria?: SelectionCriterion[];
  /** What is said of them in words, or of how the number of bidders is reduced. */
  selection_criteria_text?: string;
  variants?: (typeof VARIANTS)[number];
  participation_fees?: ParticipationFee[];
  suitable_for_sme?: boolean;
  suitable_for_vcse?: boolean;
}

/** What is said of bidding for the whole. */
export interface TenderTerms extends BidTerms {
  /** How long bids stay valid: one of the two is published. */
  bid_valid_days?: number;
  bid_valid_until?: string;
  /** In the words of the notice. */
  guarantees?: string;
  performance_terms?: string;
  financial_terms?: string;
  procedure_features?: string;
  /** Set where the procedure takes less time than usual. */
  accelerated?: true;
  accelerated_reason?: string;
  /** What may endanger the contract, in the words of the notice. */
  risks?: string;
  /** When it is to be advertised again, in the words of the notice. */
  recurrence?: string;
  /** For how many lots one bidder may bid, and how many it may win. */
  lots_bid_max?: number;
  lots_won_max?: number;
  /** Who alone may take part: codes as published, such as `smeVcse`, and `shelteredEmployment`. */
  reserved_for?: string[];
  /** Where those who may take part are based. */
  reserved_places?: string[];
}

/** Who else buys, whom a notice or a lot of it suits, the rules that apply to it, why nobody competes, and when its tender is expected, as filters compare them. */
export interface NoticeTerms {
  joint_buyer_ids: string[];
  suitable_for: string[];
  special_regimes: string[];
  reserved_for: string[];
  direct_award_grounds: string[];
  above_threshold: boolean | null;
  tender_expected: string | null;
  /** Of the framework for which it is the main notice. */
  framework_kind: string | null;
}
