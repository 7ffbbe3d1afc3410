import { describe, expect, it } from 'vitest';
import { readLookUp } from '../../../../ingest/party/match/methods.ts';
import { isTotalRow, keyOf, splitName } from '../../../../ingest/party/match/names.ts';
import { matchSupplier } from '../../../../ingest/party/match/suppliers.ts';
import type { Candidate } from '../../../../ingest/party/match/types.ts';
import { legalForm, nameKey } from '../../../../schema/names/spelling.ts';

describe('a company written in two ways has one cleaned name and one legal form', () => {
  it.each([
    ['P. P. M. Ltd', 'PPM LIMITED'],
    ['P.P.M. Limited', 'P P M LTD'],
    ['G.EVANS LTD', 'G. EVANS LIMITED'],
    ['Marwell P L C', 'MARWELL PUBLIC LIMITED COMPANY'],
    ['B.P.P. p.l.c.', 'BPP PLC'],
    ['Dale & Co.Ltd', 'DALE AND CO LIMITED'],
    ['Dale L L P', 'DALE LLP'],
    ['Marwell Ltd T A Skylark', 'MARWELL LIMITED'],
    ['Marwell LTD dba Skylark', 'MARWELL LIMITED'],
    ['Marwell Ltd T/as Skylark', 'MARWELL LIMITED'],
    ['Old Dale Ltd now known as Marwell Ltd', 'MARWELL LIMITED'],
    ['S Y Leisure Ltd', 'SY LEISURE LIMITED'],
    ['I.T.S. (UK) Ltd', 'ITS UK LIMITED'],
    ['Nestor S.A.', 'NESTOR S A'],
  ])('%s, %s', (published, registered) => {
    const { legal } = splitName(published);
    expect([keyOf(legal), legalForm(legal)]).toEqual([keyOf(registered), legalForm(registered)]);
  });

  it.each([
    ['J & J Dale', 'JJ Dale'],
    ['G Evans', 'Gevans'],
    ['J S Taxis', 'J R Taxis'],
    ['Plan B', 'Plan'],
    ['3 D Dale', 'D Dale'],
  ])('%s is not %s', (one, other) => expect(keyOf(one)).not.toBe(keyOf(other)));
});

it.each([
  ['Marwell Ltd - formerly Eldon Depot', { legal: 'Marwell Limited', former: 'Eldon Depot' }],
  ['Marwell Ltd - t/a The Print Office', { legal: 'Marwell Limited', trading: 'The Print Office' }],
  ['Marwell Ltd - Print Office', { legal: 'Marwell Limited' }],
])('another name of a company is no branch of it: %s', (published, parts) =>
  expect(splitName(published)).toEqual(parts),
);

it('a total is distinguished from a company of that name', () => {
  const sums = ['Dale Ltd Total', 'DALE LIMITED - TOTAL', 'Dale plc (Total)', 'Dale Ltd. Sub-Total', 'Grand Total'];
  expect(sums.filter((name) => !isTotalRow(name))).toEqual([]);
  const companies = ['Total Ltd', 'Total Fitness Limited', 'Dale Total Ltd', 'Dale Total', 'Totaljobs Group Ltd'];
  expect(companies.filter(isTotalRow)).toEqual([]);
});

const company = (number: string, name: string): Candidate => ({
  number,
  name,
  nameKey: nameKey(name),
  previousNames: [],
  postcode: 'LS1 4AB',
  incorporated: '2001-02-03',
  ended: null,
});

/** The number of the company that a supplier of this name is, and how that is known. */
function found(name: string, ...companies: Candidate[]): string | null {
  const asked = readLookUp({ name, nameKey: nameKey(name), ids: [], published: '2024-05-06' });
  const match = asked && matchSupplier(asked, companies);
  return match && `${match.companyNumber} ${match.method}`;
}

const KITE = company('01', 'BLUE KITE MEDIA LIMITED');

describe('a name as a list of awards writes it', () => {
  it.each([
    'Lot 2: Blue Kite Media Ltd',
    'Lots 1, 2 & 4 - Blue Kite Media Ltd',
    '3. Blue Kite Media Ltd',
    'Messrs Blue Kite Media Ltd',
    'Blue Kite Media Ltd (SME)',
    'Blue Kite Media Ltd. (BKM)',
    'Blue Kite Media Ltd (in liquidation)',
    'Blue Kite Media Ltd, part of the Heron Group',
    'Blue Kite Media Ltd - Lot 3',
    'Blue Kite Media Limited - Framework Supplier',
    'Blue Kite Media Ltd, 4 Mill Lane, Leeds',
    'Blue Kite Media Ltd c/o Heron Bank plc',
    'Blue Kite Media Ltd, trading name Skylark',
    'Lot 1: Blue Kite Media Ltd t/a Skylark (SME)',
  ])('is the company without what stands about it: %s', (name) => {
    expect(found(name, KITE, company('04', 'BKM LIMITED'))).toBe('01 full_name');
  });

  it.each([
    'Blue Kite Media Ltd (Guernsey)',
    'Blue Kite Media Ltd (North)',
    'Blue Kite Media Ltd (XYZ)',
    'Blue Kite Media Ltd (Pension Trustees)',
    'Blue Kite Media Ltd - 09876543',
    'Blue Kite Media (SME)',
    'Blue Kite Media Ltd and Heron Ltd',
    'Blue Kite Media Ltd (part of Heron Ltd and Swift Ltd)',
    'Blue Kite Media Ltd, part of a JV with Heron Ltd',
    'Blue Kite Media Ltd (a member of the consortium led by Heron Ltd)',
    'Blue Kite Media Ltd, part of Heron Joint Venture Ltd',
    'Lot 2: Blue Kite Media Ltd; Lot 3: Heron Ltd',
    'Blue Kite Media CIC',
    'Heron Ltd, a wholly owned subsidiary of Blue Kite Media Ltd',
    'Heron (a subsidiary of Blue Kite Media Ltd)',
  ])('is nobody where that may tell of another: %s', (name) => {
    expect(found(name, KITE)).toBeNull();
  });

  it('may write out what the register shortens, and shorten what it writes out', () => {
    const partners = company('05', 'HERON PARTNERS LLP');
    expect(found('Heron Partners Limited Liability Partnership', partners)).toBe('05 full_name');
    expect(found('Heron Co. Ltd', company('06', 'HERON COMPANY LIMITED'))).toBe('06 full_name');
    expect(found('Heron Company Ltd', company('07', 'HERON CO. LIMITED'))).toBe('07 full_name');
    expect(found('Heron Company Ltd', company('08', 'HERON LIMITED'))).toBeNull();
  });
});
