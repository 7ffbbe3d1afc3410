import { createHash } from 'node:crypto';

export type Json = { [key: string]: unknown };

/** An invented firm as a publisher would type it. Fields left out are left out of the release too. */
export interface Firm {
  id?: unknown;
  name?: string;
  number?: string;
  scheme?: string;
  street?: string;
  postcode?: string;
  /** Further fields, laid over the built ones. */
  more?: Json;
}

export interface Award {
  id?: string;
  /** Named in the award and listed as parties. */
  firms?: Firm[];
  /** What stands in `awards[].suppliers`, where it differs from `firms`. */
  suppliers?: unknown;
  value?: number | null;
  date?: string;
  title?: string;
  description?: string;
  lots?: string[];
  starts?: string;
  ends?: string;
  /** Laid over the award, and over its contract where the source has one. */
  more?: Json;
  contract?: Json;
}

/** What a builder turns into one release. */
export interface Notice {
  /** Names the process: the same text gives the same ocid. */
  process: string;
  /** Which notice of the process, from 1. */
  notice?: number;
  /** When it was published, without a zone. */
  at?: string;
  tag?: string[];
  title?: string;
  description?: string;
  procedure?: string;
  method?: string;
  awards?: Award[];
  /** The number of its first award within the process, from 1. */
  firstAward?: number;
  /** Stands in place of the firms of the awards. A list is given its buyer if it names none. */
  parties?: unknown;
  buyer?: Firm;
  /** Laid over the tender and over the release. */
  tender?: Json;
  more?: Json;
}

/** A firm with a name and whatever else is given. */
export const firm = (name: string, more: Omit<Firm, 'name'> = {}): Firm => ({ name, ...more });

/** The reference that an award holds of a firm. */
export const reference = ({ id, name }: Firm): Json => ({ id, name });

/** What JSON would carry of a value: no undefined fields. */
export const plain = (value: Json): Json => JSON.parse(JSON.stringify(value));

/** Hexadecimal digits that depend on the text alone. */
export const digits = (text: string, length: number) =>
  createHash('sha256').update(text).digest('hex').slice(0, length);

/** A GUID that depends on the text alone. */
export function guid(text: string): string {
  const hex = digits(text, 32);
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

/** Every firm of the awards once for each way in which it is written. */
export function firmsOf(awards: Award[]): Firm[] {
  const seen = new Map(awards.flatMap(({ firms = [] }) => firms).map((each) => [JSON.stringify(each), each]));
  return [...seen.values()];
}

/** The award's reference list: what the case says, or its firms. */
export const suppliersOf = ({ firms, suppliers }: Award): unknown =>
  suppliers === undefined ? firms?.map(reference) : suppliers;

/** The release's parties: the buyer and what the case gives, or else the firms of its awards. */
export function partiesOf({ parties }: Notice, buyer: Json, firms: Json[]): unknown {
  if (parties !== undefined && !Array.isArray(parties)) return parties;
  const others: Json[] = parties ?? firms;
  return parties && others.some(({ id }) => id === buyer.id) ? others : [buyer, ...others];
}

export const COUNCIL: Firm = {
  id: 'GB-LAE-XQA',
  name: 'Aldermoor Borough Council',
  scheme: 'GB-LAE',
  number: 'XQA',
  street: 'Town Hall, Market Street',
  postcode: 'ZE9 1AA',
};

export const DEFAULTS = {
  title: 'Grounds maintenance of parks and cemeteries',
  description: 'Mowing, hedges, litter and seasonal planting in the parks and cemeteries of the borough.',
  at: '2024-03-05T10:15:00',
};
