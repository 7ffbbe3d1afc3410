import { type Era, oneRelease, severalReleases } from '../build-case.ts';
import { type ContractCase, contract } from '../cases.ts';
import { type Firm, firm } from '../releases/notice.ts';

const QUIET = { warned: false };
let value = 200_000;

/** One firm under one id, written in two ways: one supplier, its value its own, no warning. */
function same(
  era: Era,
  how: string,
  first: string,
  second: string,
  more: Omit<Firm, 'name' | 'id'> = {},
  doubtful?: string,
): ContractCase {
  value += 500;
  const id = era === '2020' ? 0 : 'GB-CFS-70001';
  const number = more.number;
  return oneRelease(
    'near-miss',
    era,
    `spelling: ${how} (${era})`,
    [
      {
        firms: [firm(first, { id, postcode: 'ZE1 4JD', ...more }), firm(second, { id, postcode: 'ZE1 4JD', ...more })],
        value,
      },
    ],
    [contract([number ? [first, number] : first], value, QUIET)],
    doubtful ? { doubtful } : {},
  );
}

/** The reference is written in another way than the party. */
function referenceDiffers(how: string, inParty: string, inAward: string): ContractCase {
  value += 500;
  const listed = firm(inParty, { id: 'GB-CFS-70002', number: '99007002' });
  return oneRelease(
    'near-miss',
    'today',
    `spelling: reference and party, ${how}`,
    [{ firms: [listed], suppliers: [{ id: 'GB-CFS-70002', name: inAward }], value }],
    [contract([[inParty, '99007002']], value, QUIET)],
  );
}

export const spellings: ContractCase[] = [
  same('today', 'Ltd and Limited', 'Dunmere Glass Ltd', 'Dunmere Glass Limited'),
  same('2020', 'Ltd and Limited', 'Dunmere Glass Ltd', 'Dunmere Glass Limited'),
  same('today', 'a full stop after Ltd', 'Dunmere Glass Ltd', 'Dunmere Glass Ltd.'),
  same('today', 'ampersand and and', 'Rook & Heron Ltd', 'Rook and Heron Ltd'),
  same('2020', 'an escaped ampersand', 'Rook & Heron Ltd', 'Rook &amp; Heron Ltd'),
  same('today', 'an escaped ampersand', 'Rook & Heron Ltd', 'Rook &amp; Heron Ltd'),
  same('today', 'an ampersand escaped twice', 'Rook & Heron Ltd', 'Rook &amp;amp; Heron Ltd'),
  same('today', 'an escaped apostrophe', "Hale's Bakery Ltd", 'Hale&#039;s Bakery Ltd'),
  same('today', 'a curly apostrophe', "Hale's Bakery Ltd", 'Hale’s Bakery Ltd'),
  same('today', 'capital letters', 'Dunmere Glass Ltd', 'DUNMERE GLASS LTD'),
  same('2020', 'small letters', 'Dunmere Glass Ltd', 'dunmere glass ltd'),
  same('today', 'blanks at the end', 'Dunmere Glass Ltd', 'Dunmere Glass Ltd   '),
  same('2020', 'blanks in the middle and a tab', 'Dunmere Glass Ltd', ' Dunmere  Glass\tLtd'),
  same('today', 'a no-break space', 'Dunmere Glass Ltd', 'Dunmere\u00a0Glass\u00a0Ltd'),
  same(
    'today',
    'The in front',
    'The Dunmere Trust',
    'Dunmere Trust',
    {},
    'The can part two bodies, though seldom under one id',
  ),
  same('today', 'dotted initials', 'A.B. Dunmere Ltd', 'AB Dunmere Ltd'),
  same('today', 'PLC in small letters and with full stops', 'Dunmere Water PLC', 'Dunmere Water p.l.c.'),
  same('today', 'public limited company in words', 'Dunmere Water PLC', 'Dunmere Water Public Limited Company'),
  same('today', 'a comma before Ltd', 'Dunmere Glass Ltd', 'Dunmere Glass, Ltd'),
  same('today', 'a hyphen', 'Brook-Side Nursery Ltd', 'Brook Side Nursery Ltd'),
  same('today', 'an accent', 'Café Dunmere Ltd', 'Cafe Dunmere Ltd'),
  same(
    'today',
    'an accent that was read as two letters',
    'Café Dunmere Ltd',
    'CafÃ© Dunmere Ltd',
    {},
    'only a service that mends text can know',
  ),
  same(
    'today',
    'one company number and a trading name',
    'Dunmere Glass Ltd',
    'Dunmere Glass Ltd t/a Clearview',
    { number: '99007777' },
    'the trading name is part of what is published',
  ),
  same(
    'today',
    'no suffix',
    'Dunmere Glass Ltd',
    'Dunmere Glass',
    {},
    'a sole trader and a company may share a name, but hardly an id and a postcode',
  ),
  same('2020', 'the same in every letter', 'Dunmere Glass Ltd', 'Dunmere Glass Ltd'),
  same('today', 'the same in every letter', 'Dunmere Glass Ltd', 'Dunmere Glass Ltd'),
  same('UK6', 'Ltd and Limited', 'Dunmere Glass Ltd', 'Dunmere Glass Limited', { number: '99007778' }),
  same('old', 'capital letters', 'Dunmere Glass Ltd', 'DUNMERE GLASS LTD', { number: '99007779' }),
  referenceDiffers('Ltd and Limited', 'Dunmere Glass Limited', 'Dunmere Glass Ltd'),
  referenceDiffers('case', 'DUNMERE GLASS LIMITED', 'Dunmere Glass Limited'),
  referenceDiffers('blanks', 'Dunmere Glass Ltd', ' Dunmere Glass Ltd '),
  referenceDiffers('escaped text', 'Rook & Heron Ltd', 'Rook &amp; Heron Ltd'),
  severalReleases(
    'near-miss',
    'today',
    'spelling: the update writes Limited for Ltd',
    [
      { awards: [{ firms: [firm('Dunmere Glass Ltd', { id: 'GB-CFS-70003' })], value: 251_000 }] },
      {
        at: '2024-03-05T11:00:00',
        tag: ['awardUpdate'],
        awards: [{ firms: [firm('Dunmere Glass Limited', { id: 'GB-CFS-70003' })], value: 251_000 }],
      },
    ],
    [contract(['Dunmere Glass Limited'], 251_000, QUIET)],
  ),
  severalReleases(
    'near-miss',
    'today',
    'spelling: the update gives the firm another GB-CFS number',
    [
      { awards: [{ firms: [firm('Dunmere Glass Ltd', { id: 'GB-CFS-70004', number: '99007780' })], value: 252_000 }] },
      {
        at: '2024-03-05T11:00:00',
        tag: ['awardUpdate'],
        awards: [{ firms: [firm('Dunmere Glass Ltd', { id: 'GB-CFS-70005', number: '99007780' })], value: 252_000 }],
      },
    ],
    [contract([['Dunmere Glass Ltd', '99007780']], 252_000, QUIET)],
  ),
  oneRelease(
    'near-miss',
    'today',
    'spelling: a company number padded here and unpadded there',
    [
      {
        firms: [
          firm('Dunmere Glass Ltd', { id: 'GB-CFS-70006', number: '00912399' }),
          firm('Dunmere Glass Ltd', { id: 'GB-CFS-70006', number: '912399' }),
        ],
        value: 253_000,
      },
    ],
    [contract([['Dunmere Glass Ltd', '00912399']], 253_000, QUIET)],
  ),
  oneRelease(
    'near-miss',
    'today',
    'spelling: a postcode with and without its blank',
    [
      {
        firms: [
          firm('Dunmere Glass Ltd', { id: 'GB-CFS-70007', postcode: 'ZE1 4JD' }),
          firm('Dunmere Glass Ltd', { id: 'GB-CFS-70007', postcode: 'ze14jd' }),
        ],
        value: 254_000,
      },
    ],
    [contract(['Dunmere Glass Ltd'], 254_000, QUIET)],
  ),
  oneRelease(
    'near-miss',
    'today',
    'spelling: the company number stands at one of two sightings',
    [
      {
        firms: [
          firm('Dunmere Glass Ltd', { id: 'GB-CFS-70008', number: '99007781' }),
          firm('Dunmere Glass Ltd', { id: 'GB-CFS-70008' }),
        ],
        value: 255_000,
      },
    ],
    [contract([['Dunmere Glass Ltd', '99007781']], 255_000, QUIET)],
  ),
  oneRelease(
    'near-miss',
    'today',
    'spelling: the legal name is longer than the name',
    [
      {
        firms: [
          firm('Dunmere Glass', {
            id: 'GB-CFS-70009',
            more: { identifier: { legalName: 'Dunmere Glass Limited', scheme: 'GB-COH', id: '99007782' } },
          }),
        ],
        value: 256_000,
      },
    ],
    [contract([['Dunmere Glass', '99007782']], 256_000, QUIET)],
  ),
];
