import { type Era, oneRelease } from '../build-case.ts';
import { type ContractCase, contract, type ExpectedContract } from '../cases.ts';
import { J, JOINERY, R, ROOFING, under } from '../firms.ts';
import { party } from '../releases/contracts-finder.ts';
import { tenderParty } from '../releases/find-a-tender.ts';
import { type Award, COUNCIL, firm, type Notice } from '../releases/notice.ts';

const QUIET = { warned: false };
const a = under('GB-CFS-81', JOINERY);
const b = under('GB-CFS-82', ROOFING);

const quiet = (
  era: Era,
  name: string,
  awards: Award[],
  contracts: ExpectedContract[],
  more: Omit<Notice, 'process' | 'awards'> & { doubtful?: string } = {},
) => oneRelease('near-miss', era, `one supplier: ${name}`, awards, contracts, more);

/** Buyers, bidders and names with several firms in them: one supplier all the same. */
export const otherParties: ContractCase[] = [
  quiet(
    'today',
    'the buyer supplies itself',
    [{ firms: [COUNCIL], value: 313_000 }],
    [contract([COUNCIL.name ?? ''], 313_000, QUIET)],
    {
      parties: [party({ ...COUNCIL, more: {} }, ['buyer', 'supplier'])],
    },
  ),
  quiet(
    'today',
    'buyer and supplier are two sightings of one council',
    [{ firms: [COUNCIL], value: 314_000 }],
    [contract([COUNCIL.name ?? ''], 314_000, QUIET)],
  ),
  quiet(
    'today',
    'the losing bidders are parties too',
    [{ firms: [a], value: 315_000 }],
    [contract([J], 315_000, QUIET)],
    {
      parties: [party(a), party(b, ['tenderer'])],
    },
  ),
  quiet(
    'today',
    'the losing bidders, and no list in the award',
    [{ value: 316_000 }],
    [contract([J], 316_000, QUIET)],
    {
      parties: [party(a, ['supplier', 'tenderer']), party(b, ['tenderer'])],
    },
  ),
  quiet(
    'today',
    'a review body and an agent are parties',
    [{ firms: [b], value: 317_000 }],
    [contract([R], 317_000, QUIET)],
    {
      parties: [
        party(b),
        party(firm('Royal Courts', { id: 'GB-CFS-83' }), ['reviewBody']),
        party(firm('Bid Portal Ltd', { id: 'GB-CFS-84' }), ['processContactPoint']),
      ],
    },
  ),
  quiet(
    'today',
    'the award names one of two parties with the role',
    [
      { firms: [a], value: 43_000, title: 'Lot 1: doors' },
      { firms: [b], value: 44_000, title: 'Lot 2: roofs' },
    ],
    [contract([J], 43_000, QUIET), contract([R], 44_000, QUIET)],
  ),
  quiet(
    'UK7',
    'award and contract name the same',
    [{ firms: [a], value: 318_000, contract: { suppliers: [{ id: 'GB-CFS-81', name: J[0] }] } }],
    [contract([J], 318_000, QUIET)],
  ),
  quiet(
    'UK6',
    'a subcontractor is named beside it',
    [
      {
        firms: [a],
        value: 319_000,
        more: { subcontracting: { subcontracts: [{ id: '1', subcontractors: [{ id: 'GB-CFS-82', name: R[0] }] }] } },
      },
    ],
    [contract([J], 319_000, QUIET)],
    {
      parties: [tenderParty(a), tenderParty(b, ['subcontractor'])],
    },
  ),
  quiet(
    'today',
    'a name with and in it',
    [{ firms: [firm('Barrow and Tine Ltd', { id: 'GB-CFS-85' })], value: 320_000 }],
    [contract(['Barrow and Tine Ltd'], 320_000, QUIET)],
  ),
  quiet(
    'today',
    'a partnership of three names',
    [{ firms: [firm('Barrow, Tine & Wold LLP', { id: 'GB-CFS-86' })], value: 321_000 }],
    [contract(['Barrow, Tine & Wold LLP'], 321_000, QUIET)],
  ),
  quiet(
    'today',
    'a joint venture under one name',
    [{ firms: [firm('Barrow Ltd and Tine Ltd JV', { id: 'GB-CFS-87' })], value: 322_000 }],
    [contract(['Barrow Ltd and Tine Ltd JV'], 322_000, QUIET)],
    {
      doubtful: 'two companies stand in one name; as published it is one party',
    },
  ),
  quiet(
    'today',
    'two companies in one name, parted by a stroke',
    [{ firms: [firm('Barrow Ltd / Tine Ltd', { id: 'GB-CFS-88' })], value: 323_000 }],
    [contract(['Barrow Ltd / Tine Ltd'], 323_000)],
    {
      doubtful: 'a fair service may part them and count the value as shared',
    },
  ),
  quiet(
    'today',
    'a trading name',
    [{ firms: [firm('Tine Ltd T/A Barrow Homes', { id: 'GB-CFS-89' })], value: 324_000 }],
    [contract(['Tine Ltd T/A Barrow Homes'], 324_000, QUIET)],
  ),
];
