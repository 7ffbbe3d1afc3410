import { describe, expect, it } from 'vitest';
import { likeness } from '../../../../ingest/party/match/likeness.ts';
import { readLookUp } from '../../../../ingest/party/match/methods.ts';
import { blockOf, blocksOf, splitName } from '../../../../ingest/party/match/names.ts';
import { ACCEPT, matchSupplier, REGISTER_SCORES } from '../../../../ingest/party/match/suppliers.ts';
import type { Candidate, Wanted } from '../../../../ingest/party/match/types.ts';
import { legalForm, nameKey } from '../../../../schema/names/spelling.ts';

function company(number: string, name: string, postcode: string, more: Partial<Candidate> = {}): Candidate {
  const incorporated = '2001-02-03';
  const rest = { previousNames: [], incorporated, ended: null, ...more };
  return { number, name, nameKey: nameKey(name), postcode, ...rest };
}

function supplier(name: string, postcode?: string, more: Partial<Wanted> = {}): Wanted {
  return { name, nameKey: nameKey(name), postcode, ids: [], published: '2024-05-06', ...more };
}

const formerly = (name: string, ceased?: string) => ({ previousNames: [{ name, nameKey: nameKey(name), ceased }] });

function matchOf(wanted: Wanted, companies: Candidate[]) {
  const asked = readLookUp(wanted);
  return asked && matchSupplier(asked, companies);
}

/** Which of some companies a supplier is taken to be, and how. */
function found(wanted: Wanted, ...companies: Candidate[]): string | null {
  const match = matchOf(wanted, companies);
  return match && `${match.companyNumber} ${match.method}`;
}

const KITE = company('01', 'BLUE KITE MEDIA LIMITED', 'LS1 4AB');

describe('a supplier without a company number is', () => {
  it.each([
    ['the company of its name at its postcode', supplier('Blue Kite Media Ltd', 'LS14AB'), '01 name_postcode'],
    [
      'that, too, with a name it trades under',
      supplier('Blue Kite Media Ltd t/a Skylark', 'LS1 4AB'),
      '01 name_postcode',
    ],
    ['or in brackets', supplier('Blue Kite Media (trading as Skylark)', 'LS1 4AB'), '01 name_postcode'],
    ['or as a division', supplier('Skylark, a division of Blue Kite Media Ltd', 'LS1 4AB'), '01 name_postcode'],
    ['the only one of its name in the district', supplier('Blue Kite Media Ltd', 'LS1 9ZZ'), '01 name_district'],
    ['the only one of its full name, wherever it is', supplier('Blue Kite Media Limted', 'EX1 1AA'), '01 full_name'],
    ['that, too, without an address', supplier('BLUE KITE MEDIA LTD'), '01 full_name'],
    ['or as a public one', supplier('Blue Kite Media plc'), '01 full_name'],
    ['or written together', supplier('BlueKite Media Ltd'), '01 full_name'],
    [
      'a misspelt one at its postcode, in its first letter, too',
      supplier('Vlue Kite Media', 'LS1 4AB'),
      '01 near_name',
    ],
    ['a misspelt one at its postcode', supplier('Blue Kite Medai Ltd', 'LS1 4AB'), '01 near_name'],
    ['a misspelt one in its district', supplier('Blue Kite Mediia Ltd', 'LS1 9ZZ'), '01 near_name'],
    ['one written together', supplier('Bluekite Media Ltd', 'LS1 9ZZ'), '01 near_name'],
    ['one with a country added', supplier('Blue Kite Media (UK) Ltd', 'LS1 9ZZ'), '01 near_name'],
  ])('%s', (_, wanted, answer) => {
    expect(found(wanted, KITE)).toBe(answer);
  });

  it('one that had the name before, at its postcode', () => {
    const renamed = company('02', 'HERON GROUP PLC', 'LS1 4AB', formerly('OSPREY PAVING LIMITED', '2025-01-01'));
    expect(found(supplier('Osprey Paving Ltd', 'LS1 4AB'), renamed)).toBe('02 previous_name_postcode');
    expect(found(supplier('Osprey Holdings (formerly Osprey Paving Ltd)', 'LS1 4AB'), renamed)).toBe(
      '02 previous_name_postcode',
    );
    const bearer = company('12', 'OSPREY PAVING LIMITED', 'LS1 4AB');
    expect(found(supplier('Osprey Paving Ltd', 'LS1 4AB'), renamed, bearer)).toBe('02 previous_name_postcode');
    const later = { published: '2025-01-02' };
    expect(found(supplier('Osprey Paving Ltd', 'LS1 4AB', later), renamed, bearer)).toBe('12 name_postcode');
  });

  it('one that had it before, in its district; elsewhere while it had it, unless another has it now', () => {
    const renamed = company('02', 'HERON GROUP PLC', 'LS1 4AB', formerly('OSPREY PAVING LIMITED', '2024-06-01'));
    const later = { published: '2024-07-01' };
    expect(found(supplier('Osprey Paving Ltd', 'LS1 9ZZ', later), renamed)).toBe('02 previous_name_district');
    expect(found(supplier('Osprey Paving Ltd', 'LS2 1AA'), renamed)).toBe('02 previous_full_name');
    expect(found(supplier('Osprey Paving Ltd', 'LS2 1AA', later), renamed)).toBeNull();
    expect(found(supplier('Osprey Paving', 'LS1 9ZZ'), renamed)).toBeNull();
    const present = company('12', 'OSPREY PAVING LIMITED', 'EX1 1AA');
    expect(found(supplier('Osprey Paving Ltd', 'LS1 9ZZ', later), renamed, present)).toBe('12 full_name');
  });

  it('one that has gone since the notice', () => {
    const gone = { ...KITE, ended: '2025-01-01' };
    expect(found(supplier('Blue Kite Media Ltd', 'LS1 4AB'), gone)).toBe('01 name_postcode');
    expect(found(supplier('Blue Kite Media Ltd', 'LS1 4AB', { published: '2025-01-02' }), gone)).toBeNull();
    expect(found(supplier('Blue Kite Media Ltd', 'LS1 4AB', { published: '' }), gone)).toBeNull();
  });

  it('the one of two of a name that is at its postcode, or has its legal form', () => {
    const partners = company('03', 'BLUE KITE MEDIA LLP', 'LS1 4AB');
    expect(found(supplier('Blue Kite Media LLP', 'LS1 4AB'), KITE, partners)).toBe('03 name_postcode');
    expect(found(supplier('Blue Kite Media LLP'), KITE, partners)).toBe('03 full_name');
    const elsewhere = company('04', 'BLUE KITE MEDIA LIMITED', 'M1 1AA');
    expect(found(supplier('Blue Kite Media', 'LS1 4AB'), KITE, elsewhere)).toBe('01 name_postcode');
  });

  it('of another legal form only where nobody has the one that it states; what each says is reported', () => {
    const limited = company('15', 'MARWELL LIMITED', 'LS1 4AB');
    const open = company('16', 'MARWELL PLC', 'M1 1AA');
    const wanted = supplier('Marwell Public Limited Company', 'LS1 4AB');
    expect(found(wanted, limited)).toBe('15 name_postcode');
    expect(found(wanted, limited, open)).toBeNull();
    expect(found(wanted, limited, { ...open, ended: '2020-01-01' })).toBe('15 name_postcode');
    expect(found(supplier('Marwell P L C', 'LS1 9ZZ'), limited, open)).toBe('16 full_name');
    expect(matchOf(supplier('Marwell P L C', 'EX1 1AA'), [limited])?.evidence).toContain(
      'the only live company of that name; legal form: plc in the notice, limited on the register',
    );
  });

  it('reported with its score and what that rests on', () => {
    expect(matchOf(supplier('Blue Kite Media Ltd t/a Skylark', 'LS1 9ZZ'), [KITE])).toEqual({
      companyNumber: '01',
      method: 'name_district',
      score: REGISTER_SCORES.name_district,
      evidence: [
        'cleaned name: blue kite media',
        'trading as: Skylark',
        'the only one of that name in postcode district LS1',
        'on the Companies House register as BLUE KITE MEDIA LIMITED',
      ],
    });
    const refused = Object.entries(REGISTER_SCORES).flatMap(([method, score]) => (score < ACCEPT ? [method] : []));
    expect(refused).toEqual(['short_name_district', 'name_alone']);
  });
});

it('whose name is a total is a company all the same', () => {
  expect(found(supplier('Total Kite Ltd'), company('17', 'TOTAL KITE LIMITED', 'LS1 4AB'))).toBe('17 full_name');
});

describe('it stays unmatched', () => {
  const twin = company('05', 'BLUE KITE MEDIA LTD', 'LS1 4AB');
  it.each([
    ['between two of its name at one postcode', supplier('Blue Kite Media Ltd', 'LS1 4AB'), [KITE, twin]],
    ['between two of its full name in the country', supplier('Blue Kite Media Ltd', 'EX1 1AA'), [KITE, twin]],
    [
      'between two names equally like its own',
      supplier('Coper Kite Ltd', 'M1 1AA'),
      [company('06', 'COPPER KITE LTD', 'M1 2AA'), company('07', 'COOPER KITE LTD', 'M1 3AA')],
    ],
    ['without a legal form, elsewhere', supplier('Blue Kite Media', 'EX1 1AA'), [KITE]],
    ['without a legal form, in its district', supplier('Blue Kite Media', 'LS1 9ZZ'), [KITE]],
    [
      'where a company of a longer name sits at its postcode',
      supplier('Blue Kite Media Ltd', 'EX1 1AA'),
      [KITE, company('13', 'BLUE KITE MEDIA EXETER LTD', 'EX1 1AA')],
    ],
    ['for a parent abroad', supplier('Blue Kite Media Inc', 'LS1 4AB'), [KITE]],
    ['for one under another law', supplier('Blue Kite Media Pty Ltd', 'LS1 9ZZ'), [KITE]],
    ['for a namesake abroad', supplier('Blue Kite Media Limited', undefined, { country: 'Ireland' }), [KITE]],
    ['with another legal form', supplier('Blue Kite Media LLP', 'LS1 4AB'), [KITE]],
    [
      'if the company did not exist yet',
      supplier('Blue Kite Media Ltd', 'LS1 4AB', { published: '2000-12-31' }),
      [KITE],
    ],
    [
      'if one that is gone bore the name then',
      supplier('Blue Kite Media Ltd', 'LS1 4AB'),
      [KITE, { ...twin, ended: '2025-01-01' }],
    ],
    [
      'if only the day is unknown and only the name is',
      supplier('Blue Kite Media Ltd', undefined, { published: '' }),
      [KITE],
    ],
    ['for a sister company', supplier('Blue Kite Media Holdings Ltd', 'LS1 4AB'), [KITE]],
    [
      'for another number in the name',
      supplier('Zone 2 Homes Ltd', 'LS1 4AB'),
      [company('08', 'ZONE 3 HOMES LTD', 'LS1 4AB')],
    ],
    ['for other initials', supplier('J S Taxis Ltd', 'LS1 4AB'), [company('09', 'J R TAXIS LTD', 'LS1 4AB')]],
    ['for another short word', supplier('Oak Homes Ltd', 'LS1 4AB'), [company('10', 'OAT HOMES LTD', 'LS1 4AB')]],
    [
      'for another point of the compass',
      supplier('Heron Homes South Ltd', 'LS1 4AB'),
      [company('14', 'HERON HOMES NORTH LTD', 'LS1 4AB')],
    ],
    ['for a misspelling in another district', supplier('Blue Kite Mediia Ltd', 'LS2 4AB'), [KITE]],
    ['for the name it trades under alone', supplier('Skylark t/a Blue Kite Media', 'LS1 4AB'), [KITE]],
  ])('%s', (_, wanted, companies) => {
    expect(found(wanted, ...companies)).toBeNull();
  });

  it.each([
    ['a consortium', 'Blue Kite Media and Heron Consortium'],
    ['two companies', 'Blue Kite Media Ltd & Heron Paving Ltd'],
    ['a person', 'Mr Kite'],
    ['a sum', 'Blue Kite Media Ltd Total'],
    ['a sum in brackets', 'BLUE KITE MEDIA LIMITED (TOTAL)'],
    ['nobody named', ''],
  ])('as %s, though a company be called so', (_, name) => {
    expect(found(supplier(name, 'LS1 4AB'), company('11', name, 'LS1 4AB'))).toBeNull();
  });

  it.each([
    ['a council', 'Leeds City Council', []],
    ['a university', 'University of Leeds', []],
    ['a charitable organisation', 'Blue Kite CIO', []],
    ['a charity by its number', 'Blue Kite Limited', ['GB-CHC-1234567']],
  ])('as %s, unless the register has it at that postcode', (_, name, ids) => {
    const listed = company('11', name, 'LS1 4AB');
    expect(found(supplier(name, 'LS1 9ZZ', { ids }), listed)).toBeNull();
    expect(found(supplier(name, undefined, { ids }), listed)).toBeNull();
    expect(found(supplier(name, 'LS1 4AB', { ids }), listed)).toBe('11 name_postcode');
  });

  it('whatever the order of the companies', () => {
    const companies = [
      KITE,
      company('06', 'COPPER KITES LTD', 'LS1 2AA'),
      company('07', 'COPPER KYTES LTD', 'LS1 3AA'),
    ];
    for (const wanted of [supplier('Blue Kyte Media', 'LS1 1AA'), supplier('Copper Kite', 'LS1 1AA')])
      expect(found(wanted, ...companies)).toBe(found(wanted, ...companies.toReversed()));
  });
});

it('names are taken apart by what they say', () => {
  expect(splitName('Hill Ltd TA The Hive')).toEqual({ legal: 'Hill Limited', trading: 'The Hive' });
  expect(splitName('The Hive t/a Hill Ltd')).toEqual({ legal: 'Hill Limited', trading: 'The Hive' });
  expect(splitName('TA Browne Services Ltd')).toEqual({ legal: 'TA Browne Services Limited' });
  expect(splitName('Maybrick MaintenanceLtd')).toEqual({ legal: 'Maybrick Maintenance Limited' });
  expect(['X Ltd.', 'X P.L.C.', 'X Limited Liability Partnership', 'X Cyf', 'Limited Edition'].map(legalForm)).toEqual([
    'limited',
    'plc',
    'llp',
    'limited',
    '',
  ]);
});

it('misspellings of a name meet in one block, or in one of those looked at', () => {
  expect(blockOf('phoenix cars', 'LS1 1AA')).toBe(blockOf('fenix cars', 'LS1 9ZZ'));
  expect(blocksOf('pheonnix cars', 'LS1 1AA')).toContain(blockOf('phoenix cars', 'LS1 9ZZ'));
  expect(blocksOf('sbucan', 'LS1 1AA')).toContain(blockOf('subcan', 'LS1 9ZZ'));
  expect(blockOf('phoenix cars', 'Dublin')).toBeNull();
  expect(blockOf('', 'LS1 1AA')).toBeNull();
});

it('likeness is 1 for one name, less for slips, 0 for another word', () => {
  expect(likeness('price waterhouse', 'pricewaterhouse')).toBe(1);
  expect(likeness('kite and hill media', 'hill media kite')).toBe(1);
  expect(likeness('subscan systems', 'subcan systems')).toBeGreaterThan(0.9);
  expect(likeness('subcan systems', 'subcan homes')).toBe(0);
});
