/** What a reader made of one recorded process: `market` is a dynamic purchasing system or dynamic market. */
export type FrameworkLabel = {
  ocid: string;
  label: 'framework' | 'market' | 'none' | 'unsure';
  why: string;
};

/** A buyer as a publisher would write it. */
export type BuyerAsPublished = { name: string; postcode?: string; locality?: string; identifier?: string };

/** Two sightings of buyers, and whether they are one body. */
export type BuyerPair = { a: BuyerAsPublished; b: BuyerAsPublished; same: boolean; why: string; doubtful?: string };

/** A row of an invented register. */
export type RegisterRow = {
  number: string;
  name: string;
  status?: 'active' | 'dissolved';
  postcode?: string;
  previousNames?: string[];
};

/** A published supplier, a register of one to four rows, and the place of the row that it is (null: none). */
export type CompanyCase = {
  published: { name: string; postcode?: string };
  register: RegisterRow[];
  expect: number | null;
  why: string;
  doubtful?: string;
};

/** A contact point and a text beside it: what of the text must vanish, or must remain. */
export type ContactCase = {
  name: string;
  contact: { name?: string; email?: string; telephone?: string; faxNumber?: string };
  text: string;
  expect: 'struck' | 'kept';
  struck?: string;
  kept?: string;
  why: string;
  doubtful?: string;
};

/** A text with characters that nobody sees, and the text as it should be published. */
export type InvisibleCase = { text: string; expect: string; why: string; doubtful?: string };

/** Recorded texts that say the same of extensions, each by the beginning of its sha256, separated by blanks. */
export interface OptionLabel {
  /** Whether the rule was written with these in sight. */
  half: 'A' | 'B';
  /** A field for renewals and options, or a sentence of a description. */
  place: 'field' | 'text';
  /** Of all extensions together; null where none can be told. */
  months: number | null;
  texts: string;
}
