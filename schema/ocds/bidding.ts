/** What OCDS says of bidding (EU profile, UK extension): for a lot, or for the whole. */

/** A criterion by which bids are compared, or by which those who may bid are selected. */
export interface OcdsCriterion {
  type?: string;
  name?: string;
  description?: string;
  /** The least that is accepted. */
  minimum?: string;
  /** Whether it reduces the number of those who are invited. */
  forReduction?: boolean;
  /** A weight and its unit, or a place in their order. */
  numbers: { number?: number; weight?: string }[];
}

export interface OcdsCriteria {
  criteria: OcdsCriterion[];
  /** What is said of them in words. */
  texts: string[];
}

/** What a bidder has to pay, as a value with more about it. */
export interface OcdsFee {
  /** What it is paid for: codes, such as `win`. */
  types: string[];
  description?: string;
  amount?: number;
  amountGross?: number;
  currency?: string;
  unreadable?: string;
  /** Which part it is of what: a text, such as `0.02`. */
  proportion?: string;
  of?: string;
}

export interface OcdsBidding {
  awardCriteria?: OcdsCriteria;
  selectionCriteria?: OcdsCriteria;
  /** A code: whether a bid may or must offer something other than what is asked for. */
  variants?: string;
  sme?: boolean;
  vcse?: boolean;
  fees: OcdsFee[];
}

/** What is said of bidding for the whole alone. */
export interface OcdsBidTerms {
  /** What bidders have to deposit or to guarantee, and how the contract has to be performed, in words. */
  guarantees?: string;
  performanceTerms?: string;
  /** How the contract is paid, and in what stages the procedure runs, in words (UK extension). */
  financialTerms?: string;
  procedureFeatures?: string;
  /** Whether the procedure takes less time than usual, and why. */
  accelerated?: boolean;
  acceleratedReason?: string;
  /** What may endanger the contract, in words (UK extension). */
  risks?: string;
  /** When it is advertised again, in words. */
  recurrence?: string;
  /** The days from which, or until which, it is to be advertised again. */
  recurrenceDates: string[];
  /** Whether it is. */
  recurs?: boolean;
  /** For how many lots one bidder may bid, and how many it may win. */
  lotLimits: (number | undefined)[];
  /** Who alone may take part: codes, such as `smeVcse`. */
  reservedFor: string[];
  /** Where those who may take part are based: names, or codes. */
  reservedPlaces: string[];
}

/** A figure about the bids received, of some lots or of all. */
export interface OcdsBidStatistic {
  measure: string;
  value: number;
  relatedLots: string[];
}

/** A bid, where it is published who made it. */
export interface OcdsBid {
  status?: string;
  tenderers: { id?: string; name?: string }[];
  relatedLots: string[];
}

/** What is published of the bids received. */
export interface OcdsBids {
  statistics: OcdsBidStatistic[];
  details: OcdsBid[];
}
