import type { Random } from '../random.ts';
import type { Deal } from './make.ts';

/** What notices say of a deal beyond its course: words for its extensions, and why nobody else was asked. */

const MONTH_MS = (365.25 / 12) * 86_400_000;

function monthsBetween(from: string, to: string): number {
  return Math.round((Date.parse(to) - Date.parse(from)) / MONTH_MS);
}

const EXTENSIONS: Readonly<Record<number, readonly string[]>> = {
  12: [
    'The contract may be extended by up to 12 months.',
    'One further period of 12 months.',
    'Option to extend for 1 year.',
  ],
  24: [
    'Two further periods of 12 months.',
    'Option to extend for a further 1+1 years.',
    'It may be extended by up to 24 months.',
  ],
  36: [
    'Three optional 12-month periods.',
    'Option to extend for a further 1+1+1 years.',
    'Up to 36 months by way of extension.',
  ],
};
/** Real notices often say that there are options and leave out which. */
const VAGUE = 'The authority may extend for further periods by notice in writing.';

/** What a field for renewals says of a deal's options; undefined where it has none. */
export function renewalWords({ ends, extendsTo, index }: Deal): string | undefined {
  if (!extendsTo) return undefined;
  const words = EXTENSIONS[monthsBetween(ends, extendsTo)] ?? [];
  return index % 4 === 3 ? VAGUE : (words[index % 3] ?? VAGUE);
}

/** The same as sentences of a description, with the term before any extension: Contracts Finder has no field for either. */
export function termWords({ starts, ends, extendsTo, index }: Deal): string {
  if (!extendsTo || index % 3 === 2) return '';
  const term = monthsBetween(starts, ends);
  const more = monthsBetween(ends, extendsTo);
  return index % 3 === 0
    ? ` The contract is for ${term} months with an option to extend for a further ${more} months.`
    : ` The initial term is ${term} months; there is an option to extend it by up to ${more} months.`;
}

/** Where an item is delivered, in words, as some notices say it next to the region; nothing in the others. */
export function deliveryWords({ index, buyer: { place } }: Deal): { deliveryLocation?: { description: string } } {
  const words = [
    `Various sites in ${place.name}`,
    `${place.name}, ${place.county}`,
    `Depots across ${place.county}:\r\n ${place.name}\r\n Quarry Bank`,
  ][index % 12];
  return words ? { deliveryLocation: { description: words } } : {};
}

const GROUNDS: readonly (readonly [id: string, description: string, text: string])[] = [
  [
    'extremeUrgency',
    'Extreme and unavoidable urgency',
    'A failure of the previous arrangement left no time for a competition.',
  ],
  [
    'singleSupplierTechnical',
    'Single supplier - technical reasons',
    'Only this supplier can maintain the equipment that is installed.',
  ],
  [
    'additionalRepeat',
    'Additional or repeat goods, services or works',
    'A change of supplier would bring goods that do not fit those in use.',
  ],
  ['singleSupplierIp', 'Single supplier - intellectual property', 'The software is licensed by its maker alone.'],
];

/** Why a direct award was made: the grounds, and the buyer's words. */
export function directAwardWords({ method, index }: Deal) {
  const ground = method === 'direct' ? GROUNDS[index % GROUNDS.length] : undefined;
  if (!ground) return {};
  const [id, description, text] = ground;
  return {
    procurementMethodRationale: text,
    procurementMethodRationaleClassifications: [{ scheme: 'UK_DIRECT_AWARD', id, description }],
  };
}

/** How many of the bids for an award came from small firms. */
export function smeBids({ bids, suppliers }: Deal['awards'][number]): number {
  const wonBySme = suppliers.some(({ sme }) => sme) ? 1 : 0;
  return Math.min(bids, Math.max(wonBySme, Math.floor(bids / 2)));
}

/** Some contracts are short, and over by now; not those whose life is told by later notices. */
export function shorten(random: Random, deal: Deal, isToldOf: boolean): Deal {
  const days = random.int(60, 300);
  if (isToldOf || deal.framework || !random.chance(0.16)) return deal;
  const ends = new Date(Date.parse(`${deal.starts}T12:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10);
  const { extendsTo: _none, ...rest } = deal;
  return ends < deal.ends ? { ...rest, ends } : deal;
}
