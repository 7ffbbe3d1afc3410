import { oneRelease } from '../build-case.ts';
import { type ContractCase, contract } from '../cases.ts';
import { C, CLEANING, J, JOINERY, R, ROOFING, under, unnumbered } from '../firms.ts';
import { COUNCIL, firm } from '../releases/notice.ts';

const ID = 'GB-CFS-512345';
const WARNED = { warned: true };
const at = (name: string, postcode: string, id: unknown = ID) => firm(name, { id, postcode });

/** Today's shapes: one id, several parties. */
export const sharedId: ContractCase[] = [
  oneRelease(
    'positive',
    'today',
    'shared id: two names under one GB-CFS number',
    [{ firms: [under(ID, unnumbered(JOINERY)), under(ID, unnumbered(ROOFING))], value: 80_000 }],
    [contract([J[0], R[0]], 80_000, WARNED)],
  ),
  oneRelease(
    'positive',
    'today',
    'shared id: two names in the references, one party in the list',
    [
      {
        firms: [under(ID, JOINERY)],
        suppliers: [
          { id: ID, name: J[0] },
          { id: ID, name: R[0] },
        ],
        value: 81_000,
      },
    ],
    [contract([J, R[0]], 81_000, WARNED)],
  ),
  oneRelease(
    'positive',
    'today',
    'shared id: two parties with company numbers of their own',
    [{ firms: [under(ID, JOINERY), under(ID, ROOFING)], value: 82_000 }],
    [contract([J, R], 82_000, WARNED)],
  ),
  oneRelease(
    'positive',
    'today',
    'shared id: two of three',
    [{ firms: [under(ID, JOINERY), under(ID, ROOFING), under('GB-CFS-512346', CLEANING)], value: 83_000 }],
    [contract([J, R, C], 83_000, WARNED)],
  ),
  oneRelease(
    'positive',
    'today',
    'shared id: one name, two company numbers',
    [
      {
        firms: [
          firm('Northgate Support Ltd', { id: ID, number: '99001111' }),
          firm('Northgate Support Ltd', { id: ID, number: '99001222' }),
        ],
        value: 84_000,
      },
    ],
    [
      contract(
        [
          ['Northgate Support Ltd', '99001111'],
          ['Northgate Support Ltd', '99001222'],
        ],
        84_000,
        WARNED,
      ),
    ],
  ),
  oneRelease(
    'positive',
    'today',
    'shared id: one name, two towns, no number',
    [{ firms: [at('Priory Care', 'ZE1 1AA'), at('Priory Care', 'ZX9 9ZZ')], value: 85_000 }],
    [contract(['Priory Care', 'Priory Care'], 85_000, WARNED)],
    {
      doubtful: 'two homes of one firm look the same; the rule as written says postcodes must agree',
    },
  ),
  oneRelease(
    'positive',
    'today',
    'shared id: the buyer and the supplier bear it',
    [{ firms: [under(COUNCIL.id, unnumbered(JOINERY))], value: 86_000 }],
    [contract([J[0]], 86_000, WARNED)],
  ),
  oneRelease(
    'positive',
    'today',
    'shared id: the buyer bears it, and the supplier is named by reference only',
    [{ firms: [], suppliers: [{ id: COUNCIL.id, name: R[0] }], value: 87_000 }],
    [contract([R[0]], 87_000, WARNED)],
  ),
  oneRelease(
    'positive',
    'today',
    'shared id: parent and subsidiary',
    [{ firms: [at('Wexcombe Holdings PLC', 'ZE7 1AA'), at('Wexcombe Facilities Ltd', 'ZE7 1AA')], value: 88_000 }],
    [contract(['Wexcombe Holdings PLC', 'Wexcombe Facilities Ltd'], 88_000, WARNED)],
  ),
  oneRelease(
    'positive',
    'today',
    'shared id: Limited and LLP of one name',
    [{ firms: [at('Marden Legal Limited', 'ZE8 1AA'), at('Marden Legal LLP', 'ZE8 1AA')], value: 89_000 }],
    [contract(['Marden Legal Limited', 'Marden Legal LLP'], 89_000, WARNED)],
    { doubtful: 'both forms could be one careless typist' },
  ),
  oneRelease(
    'positive',
    'today',
    'shared id: an unrelated number in the id itself, another in the party',
    [
      {
        firms: [
          firm('Saltby Scaffold Ltd', { id: 'GB-COH-0', number: '99003131' }),
          firm('Dunmere Scaffold Ltd', { id: 'GB-COH-0', number: '99003232' }),
        ],
        value: 91_000,
      },
    ],
    [
      contract(
        [
          ['Saltby Scaffold Ltd', '99003131'],
          ['Dunmere Scaffold Ltd', '99003232'],
        ],
        91_000,
        WARNED,
      ),
    ],
  ),
  oneRelease(
    'positive',
    'today',
    'shared id: a bare scheme without a number',
    [
      {
        firms: [at('Ash Tree Surgery', 'ZE2 2AA', 'GB-CFS-'), at('Oak Tree Surgery', 'ZE3 3AA', 'GB-CFS-')],
        value: 92_000,
      },
    ],
    [contract(['Ash Tree Surgery', 'Oak Tree Surgery'], 92_000, WARNED)],
  ),
  oneRelease(
    'positive',
    'today',
    'shared id: parties 0 and suppliers by reference 0',
    [{ firms: [under(0, JOINERY), under(0, ROOFING)], value: 93_000 }],
    [contract([J, R], 93_000, WARNED)],
  ),
  oneRelease(
    'positive',
    'today',
    'shared id: parties without ids, references without ids',
    [{ firms: [under(undefined, JOINERY), under(undefined, ROOFING)], value: 94_000 }],
    [contract([J, R], 94_000)],
  ),
];
