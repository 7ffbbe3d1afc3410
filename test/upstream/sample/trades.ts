import type { BuyerKind, Trade } from './trade.ts';
import { GOODS } from './trades-goods.ts';
import { PEOPLE_SERVICES } from './trades-people.ts';
import { PLACE_SERVICES } from './trades-places.ts';
import { WORKS } from './trades-works.ts';

/** Every trade of the sample. */
export const TRADES: readonly Trade[] = [...WORKS, ...PLACE_SERVICES, ...PEOPLE_SERVICES, ...GOODS];

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

/** Names of sites to refurbish, clean and furnish. */
export const SITES: readonly string[] = [
  'Priory Lane Primary School',
  'the Civic Centre',
  'Old Foundry House',
  'Riverside Leisure Centre',
  'St Osyth’s Hospital',
  'the Marlowe Building',
  'Kingsweir Depot',
  'Abbey Fields Library',
  'Weir Side Custody Suite',
  'Haven Court',
  'the Northern Campus',
  'Quarry Bank Health Centre',
];
