import type { Buyer } from '../../market/buyers.ts';
import type { Source } from '../planned.ts';

/** A nation's own portal. Both are one software, and differ in names, numbers and some of the notice types. */
export interface Site {
  source: Extract<Source, 'public_contracts_scotland' | 'sell2wales'>;
  title: string;
  www: string;
  /** How a notice ends its text with its own number: `(SC Ref:n)`. */
  label: 'SC' | 'WA';
  /** The ocid of a family, by the number of its first notice. */
  ocidOf(first: number): string;
  /** Where the service answers a whole family. */
  recordOf(ocid: string): string;
  website: Form;
  /** Forms that only this site has. */
  own: readonly Form[];
}

/** Notice types by which a procurement is planned, tendered and awarded. */
export interface Form {
  planning?: string;
  tender?: string;
  award: string;
}

const SCOTLAND: Site = {
  source: 'public_contracts_scotland',
  title: 'Public Contracts Scotland',
  www: 'https://www.publiccontractsscotland.gov.uk',
  label: 'SC',
  ocidOf: (first) => `ocds-r6ebe6-${String(first).padStart(10, '0')}`,
  recordOf: (ocid) => `https://api.publiccontractsscotland.gov.uk/v1/Notice?id=${ocid}`,
  website: { planning: '101', tender: '102', award: '103' },
  // The award of a Quick Quote, to which only some suppliers were invited.
  own: [{ award: '104' }],
};

const WALES: Site = {
  source: 'sell2wales',
  title: 'Sell2Wales',
  www: 'https://www.sell2wales.gov.wales',
  label: 'WA',
  ocidOf: (first) => `ocds-kuma6s-${first}`,
  // Malformed as the service writes it.
  recordOf: (ocid) => `https://api.sell2wales.gov.wales/v1?lang=cy/Notice?id=${ocid}`,
  website: { planning: '52', tender: '51', award: '53' },
  own: [{ tender: '54', award: '55' }, { award: '56' }],
};

const SITES: Readonly<Record<string, Site>> = { Scotland: SCOTLAND, Wales: WALES };

/** The form of most contracts above the thresholds. */
export const STANDARD: Form = { planning: '1', tender: '2', award: '3' };
export const UTILITIES: Form = { planning: '4', tender: '5', award: '6' };
export const SOCIAL: Form = { planning: '21', tender: '21', award: '21' };
/** Qualification systems, design contests, concessions, and social services of utilities and as concessions. */
export const RARE: readonly Form[] = [
  { tender: '7', award: '6' },
  { tender: '12', award: '13' },
  { tender: '24', award: '25' },
  { planning: '22', tender: '22', award: '22' },
  { planning: '23', tender: '23', award: '23' },
];
/** A correction, a notice of a direct award before it is made, and a change of a contract have one type for all forms. */
export const CORRECTION = '14';
export const BEFORE_DIRECT_AWARD = '15';
export const MODIFICATION = '20';

/** Types from here on are a site's own, which rest on no directive. */
const WEBSITE_FROM = 50;

export function isWebsite(type: string): boolean {
  return Number(type) >= WEBSITE_FROM;
}

/** The portal of a buyer's nation. Departments and purchasing bodies publish for the whole of the United Kingdom. */
export function siteOf({ kind, place }: Buyer): Site | undefined {
  if (kind === 'central' || kind === 'consortium') return undefined;
  return SITES[place.region];
}
