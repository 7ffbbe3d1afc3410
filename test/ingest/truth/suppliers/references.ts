import { type Era, oneRelease } from '../build-case.ts';
import { type ContractCase, contract } from '../cases.ts';
import { J, JOINERY, R, ROOFING, under } from '../firms.ts';
import { party } from '../releases/contracts-finder.ts';
import { type Award, firm, type Json, reference } from '../releases/notice.ts';

const a = under('GB-CFS-61', JOINERY);
const b = under('GB-CFS-62', ROOFING);
const both = [party(a), party(b)];

/** A case of one release whose suppliers are found, whatever they are referred to by; by default Joinery and Roofing for its value. */
export const found = (
  era: Era,
  name: string,
  awards: Award[],
  contracts = [contract([J, R], awards[0]?.value ?? undefined)],
  more: { parties?: unknown; more?: Json; doubtful?: string } = {},
) => oneRelease('positive', era, `references: ${name}`, awards, contracts, more);

/** Suppliers who stand elsewhere than in a tidy pair of reference and party. */
export const references: ContractCase[] = [
  found(
    'today',
    'the party is a number, the reference a text',
    [
      {
        suppliers: [
          { id: '61', name: J[0] },
          { id: '62', name: R[0] },
        ],
        value: 101_000,
      },
    ],
    undefined,
    {
      parties: [party(under(61, JOINERY)), party(under(62, ROOFING))],
    },
  ),
  found(
    'today',
    'the party is a text, the reference a number',
    [
      {
        suppliers: [
          { id: 61, name: J[0] },
          { id: 62, name: R[0] },
        ],
        value: 102_000,
      },
    ],
    undefined,
    {
      parties: [party(under('61', JOINERY)), party(under('62', ROOFING))],
    },
  ),
  found(
    'today',
    'the reference has an id and no name',
    [{ suppliers: [{ id: 'GB-CFS-61' }, { id: 'GB-CFS-62' }], value: 103_000 }],
    undefined,
    { parties: both },
  ),
  found(
    'today',
    'the reference has a name and no id',
    [{ suppliers: [{ name: J[0] }, { name: R[0] }], value: 104_000 }],
    undefined,
    { parties: both },
  ),
  found(
    'today',
    'the reference leads to no party',
    [{ suppliers: [reference(a), reference(b)], value: 105_000 }],
    [contract([J[0], R[0]], 105_000)],
    { parties: [] },
  ),
  found(
    'today',
    'one reference leads to a party, the other to none',
    [{ suppliers: [reference(a), reference(b)], value: 106_000 }],
    [contract([J, R[0]], 106_000)],
    {
      parties: [party(a)],
    },
  ),
  found(
    'today',
    'the release has no parties',
    [{ suppliers: [reference(a), reference(b)], value: 107_000 }],
    [contract([J[0], R[0]], 107_000)],
    { more: { parties: null } },
  ),
  found(
    'today',
    'one supplier inline, one by reference',
    [
      {
        suppliers: [
          reference(a),
          {
            name: R[0],
            identifier: { scheme: 'GB-COH', id: R[1], legalName: R[0] },
            address: { streetAddress: '9 Kiln Estate\nZE2 8QR' },
          },
        ],
        value: 108_000,
      },
    ],
    undefined,
    { parties: [party(a)] },
  ),
  found(
    'today',
    'the number stands inline and not at the party',
    [{ suppliers: [{ ...reference(a), identifier: { scheme: 'GB-COH', id: J[1] } }, reference(b)], value: 109_000 }],
    undefined,
    { parties: [party({ ...a, number: undefined }), party(b)] },
  ),
  found(
    'today',
    'the inline identifier is empty and the number stands at the party',
    [
      {
        suppliers: [
          { ...reference(a), identifier: { scheme: '', id: '' } },
          { ...reference(b), identifier: { scheme: '', id: '' } },
        ],
        value: 110_000,
      },
    ],
    undefined,
    { parties: both },
  ),
  found('today', 'only the roles of the parties name the suppliers', [{ suppliers: [], value: 111_000 }], undefined, {
    parties: both,
  }),
  found('today', 'the award has no list, the parties have the role', [{ value: 112_000 }], undefined, {
    parties: both,
  }),
  found('today', 'the list is null, the parties have the role', [{ suppliers: null, value: 113_000 }], undefined, {
    parties: both,
  }),
  found('today', 'the role is a text', [{ value: 114_000 }], undefined, {
    parties: [party(a, 'supplier'), party(b, 'supplier')],
  }),
  found('today', 'the parties are an object with keys', [{ firms: [a, b], value: 115_000 }], undefined, {
    parties: { 0: party(a), 1: party(b) },
  }),
  found(
    'today',
    'a supplier with a name of blanks has its name at the party',
    [{ suppliers: [{ id: 'GB-CFS-61', name: '  ' }, reference(b)], value: 116_000 }],
    undefined,
    { parties: both },
  ),
  found(
    'today',
    'the number is written in the id alone',
    [
      {
        suppliers: [
          { id: 'GB-COH-99000101', name: J[0] },
          { id: 'GB-COH-99000202', name: R[0] },
        ],
        value: 117_000,
      },
    ],
    undefined,
    { parties: [] },
  ),
  found('today', 'the number is an additional identifier', [{ firms: [a], value: 118_000 }], [contract([J], 118_000)], {
    parties: [{ ...party({ ...a, number: undefined }), additionalIdentifiers: [{ scheme: 'GB-COH', id: J[1] }] }],
  }),
  found(
    'today',
    'three names in one field, parted by semicolons',
    [{ firms: [firm('Ivel Print Ltd; Ouse Print Ltd; Cam Print Ltd', { id: 'GB-CFS-65' })], value: 123_000 }],
    [contract(['Ivel Print Ltd', 'Ouse Print Ltd', 'Cam Print Ltd'], 123_000)],
    { doubtful: 'a service may leave a name as published and say so' },
  ),
  found(
    'today',
    'a reference that leads nowhere and has no name',
    [{ suppliers: [reference(a), { id: 'GB-CFS-99' }], value: 124_000 }],
    [contract([J], 124_000, { warned: true, countedAs: 'shared' })],
    {
      parties: [party(a)],
      doubtful: 'the second supplier is unknown: the value is not the first alone, yet only one can be named',
    },
  ),
];
