import type { Buyer } from '../../upstream/sample/market/buyers.ts';
import type { Random } from '../../upstream/sample/random.ts';
import { SITES } from '../../upstream/sample/trades/all.ts';
import type { Need } from '../../upstream/sample/trades/types.ts';

/** How the title of a later procurement differs from that of the earlier one, and how often. All of it is assumed. */
const TITLE_RATES = [
  [30, 'same'],
  [18, 'years'],
  [12, 'retender'],
  [14, 'wrapped'],
  [8, 'buyer'],
  [6, 'reference'],
  [5, 'capitals'],
  [8, 'word'],
  [5, 'renamed'],
] as const;

/** Titles that say nothing of what is bought. */
export const GENERIC_TITLES = [
  'Consultancy Services',
  'Professional Services',
  'Building Works',
  'Supply of Equipment',
  'Maintenance Contract',
  'IT Services',
  'Training Services',
  'Project Support',
  'Technical Advisor',
  'Framework Agreement',
] as const;

const AREAS = ['North', 'South', 'East', 'West', 'Central'] as const;

/** A need's title with its site and place filled in, without any year. */
export function fillTitle({ title }: Need, buyer: Buyer, site: string): string {
  return title
    .replace(/ \{year\}/g, '')
    .replace(/^\{site\}/, site.replace(/^the /, 'The '))
    .replaceAll('{site}', site)
    .replaceAll('{place}', buyer.place.name)
    .replaceAll('{count}', '250')
    .replaceAll('{sites}', '12');
}

export function siteOf(random: Random, { kind }: Buyer): string {
  return random.pick(SITES[kind] ?? SITES.other);
}

/** The same kind of title for another place: `… - Quarry Bank Academy`, `… (North)`. */
export function otherPlaces(random: Random, title: string, buyer: Buyer): [string, string] {
  const [one = '', two = ''] = random.some(random.chance(0.6) ? (SITES[buyer.kind] ?? SITES.other) : AREAS, 2);
  const write = random.pick([
    (place: string) => `${title} - ${place}`,
    (place: string) => `${title} (${place})`,
    (place: string) => `${title} at ${place}`,
    (place: string) => `${place}: ${title}`,
  ]);
  return [write(one), write(two)];
}

/** The titles of two procurements of one need, the earlier first. */
export function titlesOfPair(random: Random, title: string, buyer: Buyer, year: number): [string, string] {
  const number = () => random.int(1000, 9999);
  switch (random.weigh(TITLE_RATES)) {
    case 'same':
      return [title, title];
    case 'years':
      return random.pick([
        [`${title} ${year - 4}-${year}`, `${title} ${year}-${year + 4}`],
        [`${title} ${year - 3}`, `${title} ${year}`],
        [`${title} (${year - 3}/${(year - 2) % 100})`, `${title} (${year}/${(year + 1) % 100})`],
        [title, `${title} ${year} to ${year + 3}`],
      ]);
    case 'retender':
      return [
        title,
        random.pick([
          `${title} (Re-tender)`,
          `Re-procurement of ${title}`,
          `${title} - Retender`,
          `Recommissioning of ${title}`,
        ]),
      ];
    case 'wrapped':
      return [
        random.pick([title, `Provision of ${title}`]),
        random.pick([`Contract for the Provision of ${title}`, `${title} Contract`, `Procurement of ${title}`]),
      ];
    case 'buyer':
      return [title, random.pick([`${buyer.name} - ${title}`, `${title} for ${buyer.name}`])];
    case 'reference':
      return [`CS-${number()} ${title}`, `CS-${number()} ${title}`];
    case 'capitals':
      return [title, title.toUpperCase().replaceAll(' AND ', ' & ')];
    case 'word':
      return [
        title,
        random.pick([
          `${title} and Associated Services`,
          `Integrated ${title}`,
          title.replace(/ (Services?|Support|Programme)$/, ''),
          `Specialist ${title}`,
        ]),
      ];
    default:
      return [title, `${random.pick(['Future', 'New', 'Wider'])} ${title.split(' ').at(-1)} Arrangements`];
  }
}
