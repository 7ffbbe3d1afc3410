import { makeRandom, type Random } from '../random.ts';
import type { BuyerKind } from '../trades/types.ts';
import { makePerson, makePostcode, makePpon, makeTelephone, slug } from './identifiers.ts';
import { PLACES, type Place, STREETS } from './places.ts';

/** An invented contracting authority. */
export interface Buyer {
  name: string;
  kind: BuyerKind;
  place: Place;
  street: string;
  postcode: string;
  domain: string;
  person: string;
  telephone: string;
  ppon: string;
  /** Registered identifiers beside the PPON: GB-NHS, GB-UKPRN, GB-COH, GB-CHC. */
  other?: { scheme: string; id: string };
  /** Numbers that Find a Tender gave it before 2025: one organisation can own several. */
  ftsNumbers: readonly number[];
  /** Contracts Finder's party id: a GB-SRS code or an internal number. */
  cfId: string;
  devolved?: 'GB-SCT' | 'GB-WLS' | 'GB-NIR';
  centralGovernment: boolean;
}

const CENTRAL = [
  'Department for Coastal Resilience',
  'Office for Civic Standards',
  'Crown Estates and Workspace Agency',
  'Department for Rural Enterprise',
  'National Skills Delivery Agency',
  'Office of the Water Ombudsman',
  'Inland Navigation Commission',
  'Department for Heritage and Tourism',
  'Public Records Agency',
  'National Resilience Laboratory',
  'Maritime Training Agency',
  'Agricultural Payments Office',
];
const CONSORTIA = [
  'Crown Purchasing Service',
  'Northern Shires Purchasing Organisation',
  'Western Universities Buying Group',
  'Health Supplies Collaborative',
  'Housing Procurement Alliance',
];

type Namer = (place: Place, random: Random) => string;
const NAMERS: readonly (readonly [weight: number, kind: BuyerKind, name: Namer])[] = [
  [
    26,
    'council',
    ({ name }, random) => `${name} ${random.pick(['Borough Council', 'District Council', 'City Council', 'Council'])}`,
  ],
  [
    7,
    'county',
    ({ county }, random) => `${county} ${random.pick(['County Council', 'Combined Authority', 'Unitary Council'])}`,
  ],
  [
    14,
    'nhs',
    ({ name, county }, random) =>
      random.pick([
        `${name} Hospitals NHS Foundation Trust`,
        `${county} Partnership NHS Trust`,
        `NHS ${county} Integrated Care Board`,
        `${name} and Vale Community Health NHS Trust`,
      ]),
  ],
  [8, 'university', ({ name }, random) => random.pick([`University of ${name}`, `${name} Metropolitan University`])],
  [6, 'college', ({ name }, random) => random.pick([`${name} College`, `${name} Further Education Corporation`])],
  [
    9,
    'housing',
    ({ name }, random) =>
      random.pick([`${name} Homes Limited`, `${name} Housing Association`, `Hearth and ${name} Housing Group`]),
  ],
  [4, 'police', ({ county }) => `Police and Crime Commissioner for ${county}`],
  [3, 'fire', ({ county }) => `${county} Fire and Rescue Authority`],
  [
    10,
    'school',
    ({ name }, random) => `${name} ${random.pick(['Learning Trust', 'Academies Trust', 'Schools Partnership'])}`,
  ],
  [
    5,
    'utility',
    ({ county }, random) =>
      `${county} ${random.pick(['Water Limited', 'Networks plc', 'Rivers Water Services Limited'])}`,
  ],
];

/** Names that bodies have in one nation only. */
const NATIONAL: Readonly<Record<string, Partial<Record<BuyerKind, Namer>>>> = {
  Scotland: {
    council: ({ name }) => `${name} Council`,
    county: ({ county }) => `${county} Regional Council`,
    nhs: ({ name, county }, random) => random.pick([`NHS ${county}`, `${name} Health Board`]),
    police: ({ county }) => `${county} Joint Valuation Board`,
    fire: ({ county }) => `${county} Fire and Rescue Service`,
    school: ({ name }) => `${name} Education Trust`,
  },
  Wales: {
    council: ({ name }, random) => `${name} ${random.pick(['County Borough Council', 'County Council'])}`,
    county: ({ county }) => `${county} Corporate Joint Committee`,
    nhs: ({ name, county }, random) =>
      random.pick([`${county} University Health Board`, `${name} University NHS Trust`]),
    school: ({ name }) => `${name} Education Trust`,
  },
};

/** Invented authorities, no two of one name; the first are the purchasing bodies and departments. */
export function makeBuyers(seed: number, count: number): Buyer[] {
  const names = new Set<string>();
  const fixed = [
    ...CONSORTIA.map((name) => [name, 'consortium'] as const),
    ...CENTRAL.map((name) => [name, 'central'] as const),
  ].slice(0, count);
  const buyers = fixed.map(([name, kind], index) => makeBuyer(makeRandom(seed, 'buyer', index), name, kind, index));
  for (let index = buyers.length; index < count; index++) {
    const random = makeRandom(seed, 'buyer', index);
    const [kind, namer] = random.weigh(
      NAMERS.map(([weight, kindOf, name]) => [weight, [kindOf, name] as const] as const),
    );
    const place = PLACES[index % PLACES.length] as Place;
    const nameOf = NATIONAL[place.region]?.[kind] ?? namer;
    const name = unused(names, place, (at) => nameOf(at, random), random);
    buyers.push(makeBuyer(random, name, kind, index, place));
  }
  return buyers;
}

const SMALL_WORDS = new Set(['and', 'for', 'of', 'the']);

/** A name with the body's own abbreviation, as notices now and then have it: `Office for Civic Standards (OCS)`. */
export function withInitials(name: string): string {
  const words = name.split(' ').filter((word) => !SMALL_WORDS.has(word));
  const letters = words.map((word) => word.charAt(0)).join('');
  return `${name} (${name.startsWith('Department for') ? `Df${letters.slice(1)}` : letters})`;
}

const QUARTERS = ['North', 'South', 'East', 'West', 'Upper', 'Lower', 'Great', 'Little', 'Mid', 'New', 'Old', 'Royal'];

/** A name not taken yet: where it is, the place gets a quarter (`Upper Wexmoor`). */
function unused(names: Set<string>, place: Place, nameOf: (place: Place) => string, random: Random): string {
  let name = nameOf(place);
  for (let attempt = 1; names.has(name); attempt++) {
    const quarter = `${random.pick(QUARTERS)} ${attempt > 30 ? `${random.pick(QUARTERS)} ` : ''}`;
    name = nameOf({ ...place, name: quarter + place.name, county: quarter + place.county });
  }
  names.add(name);
  return name;
}

function makeBuyer(random: Random, name: string, kind: BuyerKind, index: number, at?: Place): Buyer {
  const place = at ?? random.pick(PLACES);
  const devolved = ({ Scotland: 'GB-SCT', Wales: 'GB-WLS', 'Northern Ireland': 'GB-NIR' } as const)[place.region];
  const owns = name.startsWith('Department')
    ? random.int(8, 20)
    : random.weigh([
        [6, 1],
        [3, 2],
        [1, 4],
      ]);
  const other = otherIdentifier(random, kind, index);
  return {
    name,
    kind,
    place,
    street: `${random.int(1, 180)} ${random.pick(STREETS)}`,
    postcode: makePostcode(random, place.district),
    domain: `${slug(name)}.example`,
    person: makePerson(random),
    telephone: makeTelephone(random),
    ppon: makePpon(random),
    ...(other ? { other } : {}),
    ftsNumbers: Array.from({ length: owns }, (_, n) => 800_000 + index * 20 + n),
    cfId: random.chance(0.45)
      ? `GB-SRS-sid4gov.cabinetoffice.gov.uk/${random.guid().replaceAll('-', '').slice(0, 8)}`
      : `GB-CFS-${700_000 + index}`,
    ...(devolved ? { devolved } : {}),
    centralGovernment: kind === 'central' || name === 'Crown Purchasing Service',
  };
}

function otherIdentifier(random: Random, kind: BuyerKind, index: number): { scheme: string; id: string } | undefined {
  const number = String(index).padStart(3, '0');
  if (kind === 'nhs') return { scheme: 'GB-NHS', id: `Z${(index + 36).toString(36).toUpperCase().padStart(2, '0')}` };
  if (kind === 'university' || kind === 'college') return { scheme: 'GB-UKPRN', id: `19900${number}` };
  if (kind === 'utility' || (kind === 'housing' && random.chance(0.4)))
    return { scheme: 'GB-COH', id: `99800${number}` };
  if (kind === 'housing') return { scheme: 'GB-CHC', id: `9900${number}` };
  return undefined;
}
