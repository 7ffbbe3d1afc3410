/** Numbers of bids as a notice states them; what it does not state is absent. */
export interface BidFigures {
  received?: number;
  /** Of these, from small and medium-sized enterprises. */
  from_smes?: number;
  electronic?: number;
  from_eu?: number;
  from_outside_eu?: number;
  /** How many were assessed in the final stage. */
  final_stage?: number;
  final_stage_from_smes?: number;
  /** From voluntary, community and social enterprises. */
  final_stage_from_vcses?: number;
}

/** The bids for one thing, and where it is of several lots, those for each. */
export interface Bids extends BidFigures {
  lots?: ({ lot_id: string } & BidFigures)[];
}

/** Why a contract was awarded as it was, above all without competition: in the buyer's words, and the grounds of the law. */
export interface Justification {
  text?: string;
  grounds?: string[];
}
