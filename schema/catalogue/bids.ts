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
}

/** Why a contract was awarded as it was, above all without competition: in the buyer's words, with the legal grounds. */
export interface Justification {
  text?: string;
  grounds?: string[];
}
