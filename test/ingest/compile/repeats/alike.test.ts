import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../schema/text/json-values.ts';
import { COUNCIL, compileOne, reference } from '../releases.ts';

const OCID = 'ocds-b5fd17-11111111-2222-3333-4444-555555555555';
const guid = (n: number) => `${String(n).repeat(8)}-0000-4000-8000-000000000000`;
const AWARD = {
  status: 'active',
  date: '2022-09-22T00:00:00Z',
  value: { amount: 18_500, currency: 'GBP' },
  contractPeriod: { startDate: '2022-10-01T00:00:00Z', endDate: '2023-09-30T00:00:00Z' },
};

/** The award notice `n` of a process: each award with its number, and what differs from the usual. */
function notice(n: number, awards: [number: number, more?: JsonObject][], name = 'Tidy Hedges') {
  const partyId = `GB-CFS-${n}`;
  return {
    ocid: OCID,
    id: `${guid(n)}-${1000 + n}`,
    date: `2022-10-2${n}T09:00:00Z`,
    tag: ['award'],
    buyer: reference(COUNCIL),
    parties: [COUNCIL, { id: partyId, name, roles: ['supplier'], identifier: { legalName: name } }],
    tender: { title: 'Hedge cutting', status: 'complete' },
    awards: awards.map(([number, more]) => ({
      id: `${OCID}-${number}`,
      ...AWARD,
      suppliers: [{ id: partyId, name }],
      ...more,
    })),
  };
}
const compile = (...notices: JsonObject[]) => compileOne(notices, 'contracts_finder').contracts;

describe('an award that is published again under another number', () => {
  const [contract, ...more] = compile(notice(1, [[1]]), notice(2, [[2]]));

  it('counts once, under the first number', () => {
    expect(more).toEqual([]);
    expect(contract).toMatchObject({ id: `${OCID}-a-1`, value: 18_500, noticeId: guid(2) });
    expect(contract?.detail.warnings).toEqual([
      'published more than once with equal supplier, value and dates: counted once',
    ]);
  });

  it('is reached by the other number, and by both notices', () => {
    expect(contract?.awardIds).toEqual([`${OCID}-1`, `${OCID}-2`]);
    expect(contract?.detail.also_published_as).toEqual([`${OCID}-a-2`]);
    expect(contract?.detail.notice_ids).toEqual([guid(1), guid(2)]);
  });

  it('keeps the bids of the earlier notice, and explains its latest end by the words of the later', () => {
    const description = 'The initial period is 1 year, with an option to extend by 12 months.';
    const counted = { ...notice(1, [[1]]), bids: { statistics: [{ id: '1', measure: 'bids', value: 4 }] } };
    expect(compile(counted, notice(2, [[2, { description }]]))).toMatchObject([
      {
        bidsReceived: 4,
        endsLatest: '2024-09-30',
        why: { bids: guid(1), endsLatest: description },
      },
    ]);
  });

  it('is the same whichever number came first', () => {
    expect(compile(notice(1, [[2]]), notice(2, [[1]]))).toMatchObject([
      { id: `${OCID}-a-1`, detail: { also_published_as: [`${OCID}-a-2`], notice_ids: [guid(1), guid(2)] } },
    ]);
  });

  it('may stand with others of one price in each notice: as many as one notice has are counted', () => {
    const twice = compile(notice(1, [[1], [2]]), notice(2, [[3], [4]]));
    expect(twice.map(({ awardIds }) => awardIds.map((id) => id.slice(OCID.length)))).toEqual([
      ['-1', '-3'],
      ['-2', '-4'],
    ]);
  });
});

describe('awards of one notice that name one lot', () => {
  const lot = { relatedLots: ['1'] };

  it('are one contract where there are two, also where another notice has it again', () => {
    const [contract, ...more] = compile(
      notice(1, [
        [1, lot],
        [2, lot],
      ]),
    );
    expect(more).toEqual([]);
    expect(contract).toMatchObject({ awardIds: [`${OCID}-1`, `${OCID}-2`], value: 18_500 });
    expect(contract?.detail.history).toHaveLength(1);
    expect(
      compile(
        notice(1, [
          [1, lot],
          [2, lot],
        ]),
        notice(2, [[3, lot]]),
      ),
    ).toHaveLength(1);
  });

  it('are contracts of one price where they are more, differ, or name other lots', () => {
    expect(
      compile(
        notice(1, [
          [1, lot],
          [2, lot],
          [3, lot],
        ]),
      ),
    ).toHaveLength(3);
    expect(
      compile(
        notice(1, [
          [1, lot],
          [2, { ...lot, date: '2022-09-23T00:00:00Z' }],
        ]),
      ),
    ).toHaveLength(2);
    expect(
      compile(
        notice(1, [
          [1, lot],
          [2, { relatedLots: ['2'] }],
        ]),
      ),
    ).toHaveLength(2);
  });

  const item = (more: JsonObject) => ({ items: [{ id: '1', relatedLot: '1', ...more }] });
  const cpv = (id: string) => item({ additionalClassifications: [{ scheme: 'CPV', id }] });
  it.each<[string, JsonObject, JsonObject]>([
    [
      'at two places',
      item({ deliveryAddresses: [{ region: 'UKG21' }] }),
      item({ deliveryAddresses: [{ region: 'UKF11' }] }),
    ],
    ['for two things', cpv('77310000'), cpv('45000000')],
    ['for one thing and for no stated one', cpv('77310000'), {}],
  ])('are two call-offs of one price where they are %s', (_, one, other) => {
    const awards: [number, JsonObject][] = [
      [1, { ...lot, ...one }],
      [2, { ...lot, ...other }],
    ];
    expect(compile(notice(1, awards))).toHaveLength(2);
  });

  it('are two where their contracts state two values', () => {
    const contracts = [5, 6].map((amount, at) => ({
      id: `c${at}`,
      awardID: `${OCID}-${at + 1}`,
      status: 'active',
      value: { amount, currency: 'GBP' },
    }));
    const awards: [number, JsonObject][] = [
      [1, lot],
      [2, lot],
    ];
    expect(compile({ ...notice(1, awards), contracts })).toHaveLength(2);
  });
});

describe('awards that are alike and not the same', () => {
  it('are those of one notice: lots of one price', () => {
    expect(compile(notice(1, [[1], [2]]))).toHaveLength(2);
  });

  it.each<[string, JsonObject, string?]>([
    ['currency', { value: { amount: 18_500, currency: 'EUR' } }],
    ['date', { date: '2022-09-23T00:00:00Z' }],
    ['period', { contractPeriod: { startDate: '2023-10-01T00:00:00Z', endDate: '2024-09-30T00:00:00Z' } }],
    ['supplier', {}, 'Hedges of Merrow'],
  ])('are those that differ in %s', (_, other, name) => {
    expect(compile(notice(1, [[1]]), notice(2, [[2, other]], name))).toHaveLength(2);
  });

  it('are those of many notices, which say so', () => {
    const many = compile(...[1, 2, 3, 4, 5, 6].map((n) => notice(n, [[n]])));
    expect(many).toHaveLength(6);
    for (const { detail } of many) expect(detail.warnings).toEqual([expect.stringContaining('one of many awards')]);
  });
});
