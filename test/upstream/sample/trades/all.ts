import { CARE } from './care.ts';
import { GOODS } from './goods.ts';
import { PEOPLE_SERVICES } from './people.ts';
import { PLACE_SERVICES } from './places.ts';
import { TECHNOLOGY } from './technology.ts';
import type { BuyerKind, Trade } from './types.ts';
import { VISITS } from './visits.ts';
import { WORKS } from './works.ts';

/** Every trade of the sample. */
export const TRADES: readonly Trade[] = [
  ...WORKS,
  ...PLACE_SERVICES,
  ...VISITS,
  ...CARE,
  ...PEOPLE_SERVICES,
  ...TECHNOLOGY,
  ...GOODS,
];

/** The trades a kind of buyer buys. */
export function tradesOf(kind: BuyerKind): readonly Trade[] {
  return TRADES.filter(({ buyers }) => buyers.includes(kind));
}

/** Sentences that stand in notices of every trade. */
export const PROCEDURE_SENTENCES: readonly string[] = [
  'The authority reserves the right not to award any contract and accepts no liability for the costs of tendering.',
  'Tender documents are available free of charge through the e-tendering portal. All questions must be raised through the portal’s messaging facility.',
  'Social value carries 10% of the quality score and will be measured against the national TOMs.',
  'Bidders must confirm compliance with PPN 006 by publishing a carbon reduction plan where the contract value requires one.',
  'The contract may be extended at the sole discretion of the authority, subject to satisfactory performance.',
  'This opportunity is considered suitable for small and medium-sized enterprises and voluntary, community and social enterprises.',
  'Evaluation will be on the basis of the most advantageous tender: 60% quality and 40% price.',
  'Key performance indicators will be agreed before contract start and reported quarterly.',
];

const OFFICES = [
  'the Civic Centre',
  'Old Foundry House',
  'Riverside Leisure Centre',
  'Abbey Fields Library',
  'Kingsweir Depot',
  'Guildhall Annexe',
];

/** Names of sites to refurbish, clean and furnish, by who has them. */
export const SITES: Partial<Record<BuyerKind, readonly string[]>> & { other: readonly string[] } = {
  nhs: [
    'St Osyth’s Hospital',
    'Quarry Bank Health Centre',
    'the Marlowe Wing',
    'Linden House Day Hospital',
    'the Eastgate Clinic',
  ],
  university: [
    'the Marlowe Building',
    'the Northern Campus',
    'Haven Court Residences',
    'the Turing Laboratories',
    'the Old Library',
  ],
  college: ['the Skills Centre', 'the Northern Campus', 'the Construction Workshops', 'the Sixth Form Block'],
  school: [
    'Priory Lane Primary School',
    'Quarry Bank Academy',
    'St Osyth’s Church of England School',
    'Weir Side High School',
  ],
  police: ['Weir Side Custody Suite', 'the Headquarters Annexe', 'Foundry Road Police Station'],
  fire: ['Foundry Road Fire Station', 'the Training Centre', 'the Headquarters Workshops'],
  housing: ['Haven Court', 'Linden House', 'Old Foundry House', 'the Tannery Yard Estate'],
  county: ['County Hall', 'Priory Lane Primary School', ...OFFICES.slice(1)],
  other: OFFICES,
};
