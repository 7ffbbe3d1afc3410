import { describe, expect, it } from 'vitest';
import { identityId, spellId } from '../../../schema/text/ids.ts';

const SPELLINGS: [string, string, string[]][] = [
  ['GB-COH', '01234567', ['1234567', 'GB-COH-01234567', 'GB-COH 1234567', 'gb-coh:01234567', 'GB-COH/01234567']],
  ['GB-COH', 'SC012345', ['sc12345', 'GB-COH-SC012345', 'GB-COH SC 12345']],
  [
    'GB-COH',
    '07382763',
    [
      'Company Number - 07382763',
      'company no. 7382763',
      'Company Registration Number: 07382763',
      'Co. No. 07382763',
      'CRN 07382763',
      'Companies House number 07382763',
      '07382763 (England and Wales)',
      'O7382763',
      'Registered in England No. 7382763',
      'Registered in England and Wales: 07382763',
      'Reg in England & Wales - company number 07382763',
    ],
  ],
  ['GB-COH', 'NI012345', ['NIO12345', 'nio12345']],
  ['GB-COH', 'SC012345', ['Company number: SC012345', 'Reg No SC12345 (Scotland)', 'SC 12345 (Scotland)']],
  // A further education corporation.
  ['GB-COH', 'FE000012', ['FE000012', 'fe 12', 'GB-COH-FE000012']],
  ['GB-CHC', '1234567', ['1234567', 'GB-CHC-1234567', 'GB-CHC 1234567', 'gb-chc: 1234567', 'CHC 1234567', '1 234 567']],
  // A spreadsheet adds a fraction, and the register numbers a charity itself as its own linked charity 0.
  ['GB-CHC', '216250', ['216250', '0216250', 'GB-CHC-0216250', '216250.0', '216250-0']],
  ['GB-CHC', '1234567-1', ['1234567-1', '1234567.1', 'GB-CHC-1234567-1']],
  [
    'GB-SC',
    'SC012345',
    ['SC012345', 'GB-SC-SC012345', 'GB-SC SC012345', 'SC 012345', 'sc-12345', '012345', 'GB-SC-012345', '012345.0'],
  ],
  ['GB-NIC', '100002', ['100002', 'NIC100002', 'NIC 100002', 'GB-NIC-100002', 'GB-NIC-NIC100002', '100002.0']],
  [
    'GB-UKPRN',
    '10007774',
    ['10007774', 'UKPRN 10007774', 'UKPRN: 10007774', 'GB-UKPRN-10007774', '10 007 774', '10007774.0'],
  ],
  ['GB-NHS', 'RJR', ['RJR', 'rjr', 'GB-NHS-RJR', 'GB-NHS RJR', 'ODS: RJR', ' RJR ']],
  ['GB-NHS', '8HE31', ['8HE31', '8he31']],
  [
    'GB-PPON',
    'PBCD-1234-FGHJ',
    ['pbcd-1234-fghj', 'PBCD1234FGHJ', 'PBCD 1234 FGHJ', 'GB-PPON-PBCD-1234-FGHJ', 'GB-PPON PBCD-1234-FGHJ'],
  ],
];

describe('an identifier', () => {
  it.each(SPELLINGS)('of %s is %s, however it is spelled', (scheme, number, spellings) => {
    for (const one of spellings) expect([one, identityId(scheme, one)]).toEqual([one, `${scheme}-${number}`]);
  });

  it.each<[string, string[]]>([
    ['GB-CHC', ['N/A', 'na', 'TBC', 'exempt', 'Not applicable', 'GB-CHC-N/A', '0', '-']],
    ['GB-SC', ['N/A', 'none', '-']],
    ['GB-UKPRN', ['N/A', 'pending', '00000000']],
    ['GB-NHS', ['N/A', 'TBC', 'none', 'unknown']],
    ['GB-PPON', ['PBCD-1234-FGH', 'XBCD1234FGHJ', 'PBCD-12345-FGHJ', 'N/A']],
    [
      'GB-COH',
      [
        ...['RJR', 'GB-CHC-1234567', 'Company 01234567', 'N/A', 'Company number: N/A', 'Company number'],
        ...['123456 (Scotland)', 'Company number 617123 (Northern Ireland)', 'Reg No 123456 (Scotland)'],
        ...[
          'Registered in Scotland No 123456',
          'Registered in England',
          'Registered in England 2019',
          'SCO123456',
          'SCO1234',
        ],
        ...['Registered in England 05/06/2019', 'Registered in England and Wales No. 12'],
        ...['07382763 (Guernsey)', 'Company number 073827631', 'VAT number 07382763', 'O738276', 'Imosphere Ltd'],
        ...['01/04/2019', '01-04-2019', '1.4.2019', '2019-04-01'],
      ],
    ],
    ['GB-MPR', ['N/A', 'nil', '0']],
  ])('of %s is none where nothing is stated', (scheme, texts) => {
    for (const one of texts) expect([one, identityId(scheme, one)]).toEqual([one, null]);
  });

  it.each<[string, string[]]>([
    [
      'GB-COH-01234567',
      ['COMPANIES_HOUSE', 'Companies House', 'COH', 'gb-coh', ' GB-COH ', 'GB_COH', 'GB COH', 'GBCOH', 'UK-COH'],
    ],
    ['GB-PPON-PBCD-1234-FGHJ', ['PPON', 'GB_PPON', 'ppon']],
    ['GB-UKPRN-10007774', ['UKPRN', 'gb ukprn']],
  ])('is %s, however its scheme is spelled', (id, schemes) => {
    const number = id.replace(/^GB-[A-Z]+-/, '');
    for (const scheme of schemes) expect([scheme, identityId(scheme, number)]).toEqual([scheme, id]);
  });

  it.each(['COH2', 'NL-KVK', 'SC', 'NHS', 'CHC', 'NIC', 'House', 'Other', 'NONE', 'N/A', ''])(
    'of the scheme %j is none',
    (scheme) => {
      expect(identityId(scheme, '01234567')).toBeNull();
    },
  );

  it.each<[string, string, string[]]>([
    // Eight digits are a company's number, and `SC` and six digits a Scottish one's.
    [
      'GB-CHC',
      '1234567',
      ['01234567', '12345678', '123456', 'SC1234567', 'CE1234567', '1234567-8-9', '1234567 and 7654321'],
    ],
    ['GB-SC', 'SC012345', ['0012345', 'SC0012345', 'NI012345', 'SC012345-1']],
    ['GB-NIC', '100002', ['1000022', 'NI100002', '0100002']],
    ['GB-UKPRN', '10007774', ['20007774', '1000777', '100077745', '010007774']],
    ['GB-NHS', 'RJR', ['RJR, RXX', 'RJR RXX', 'RJ', 'RJR01']],
  ])('of %s is not %s where another number is stated', (scheme, number, texts) => {
    for (const one of texts) expect([one, identityId(scheme, one)]).not.toEqual([one, `${scheme}-${number}`]);
  });

  it('of any length costs no more than it is long', () => {
    for (const scheme of ['GB-COH', 'GB-CHC', 'GB-SC', 'GB-NHS', 'GB-SRS'])
      for (const piece of ['1', '1 ', 'GB-', ' ', '-']) expect(identityId(scheme, piece.repeat(300_000))).toBeNull();
  });

  it('that is asked for is the one that it spells; any other text stays', () => {
    expect(['gb-chc 0216250', 'GB-SC-SC-012345', 'GB-CHC-GB-CHC-1234567'].map(spellId)).toEqual([
      'GB-CHC-216250',
      'GB-SC-SC012345',
      'GB-CHC-1234567',
    ]);
    for (const text of ['name-a-1234', 'GB-FTS-12', 'GB-CHC-N-A', 'Leeds City Council', ''])
      expect(spellId(text)).toBe(text);
  });
});
