import type { Match } from '../../../schema/catalogue/details.ts';

/** A supplier without a company number, as a notice names it. */
export interface Wanted {
  name: string;
  /** Cleaned name of the whole. */
  nameKey: string;
  postcode?: string | undefined;
  /** Country of its published address; absent where none was published. */
  country?: string | undefined;
  /** Its published identifiers, none of them a company number. */
  ids: readonly string[];
  /** Day on which it was published as a supplier (`YYYY-MM-DD`), empty where unknown. */
  published: string;
}

/** A company on the register that a supplier may be. */
export interface Candidate {
  number: string;
  name: string;
  nameKey: string;
  /** Former names, cleaned, and the day on which each was given up. */
  previousNames: readonly { name: string; nameKey: string; ceased?: string | undefined }[];
  postcode: string | null;
  incorporated: string | null;
  /** Day on which it was dissolved, or last known to be listed; null while it is on the live register. */
  ended: string | null;
}

export type RegisterMethod =
  | 'name_postcode'
  | 'previous_name_postcode'
  | 'name_district'
  | 'full_name'
  | 'previous_name_district'
  | 'previous_full_name'
  | 'near_name'
  | 'short_name_district'
  | 'name_alone';

/** The company of a supplier, with method, evidence and score. */
export interface RegisterMatch extends Match {
  companyNumber: string;
  method: RegisterMethod;
}
