import { describe, expect, it } from 'vitest';
import { bidsOf, competitionOf, procedureOf } from '../../../../ingest/compile/facts/competition.ts';
import { toOcds } from '../../../../schema/ocds/release.ts';
import { actRelease, BRIGHT, COUNCIL, compileOne, reference } from '../releases.ts';

const read = (procurementMethodDetails?: string, procurementMethod?: string) =>
  procedureOf(toOcds({ tender: { procurementMethodDetails, procurementMethod } }).tender);

describe('a procedure', () => {
  it.each([
    ['Open procedure (OJEU)', 'open'],
    ['Below threshold - open competition', 'open'],
    ['Open (non-OJEU)', 'open'],
    ['Restricted procedure', 'restricted'],
    ['Competitive flexible procedure', 'competitive_flexible'],
    ['Competitive procedure with negotiation', 'negotiated'],
    ['Competitive dialogue', 'negotiated'],
    ['Negotiated procedure with prior call for competition', 'negotiated'],
    ['Negotiated procedure without prior publication (above threshold)', 'direct'],
    ['Award procedure without prior publication of a call for competition', 'direct'],
    ['Below threshold - without competition', 'direct'],
    ['Single tender action (below threshold)', 'direct'],
    ['Other - Direct Award', 'direct'],
    ['Other - Single Source', 'direct'],
    ['Other - Services-EU-VEAT', 'direct'],
    ['Other - Voluntary ex-ante transparency notice', 'direct'],
    ['Other - Direct Award from a Framework Contract', 'call_off'],
    ['Call-off from a dynamic purchasing system', 'call_off'],
    ['Award under framework', 'call_off'],
    ['Below threshold - award under framework', 'call_off'],
    ['Using pre-Procurement Act commercial tool', 'call_off'],
    ['Other - Further Competition via a purchasing system', 'call_off'],
    ['Other - Direct award via ESPO framework', 'call_off'],
    ['Other - Framework - Direct Award', 'call_off'],
    ['Other - framework call off', 'call_off'],
    ['Other - Setting up a framework for call-offs', 'other'],
    ['Other - Framework agreement with call-offs', 'other'],
    ['Other - Framework agreement including call-offs', 'other'],
    ['Open procedure, no call-off', 'open'],
    ['Other - Direct award, not from a framework', 'direct'],
    ['Below threshold - limited competition', 'other'],
    ['Competitive quotation (below threshold)', 'other'],
    ['Other - ', 'other'],
    ['Not specified', null],
    ['Not applicable', null],
    ['Below threshold - unknown', null],
  ])('published as "%s" is %s', (words, code) => {
    expect(read(words)).toBe(code);
  });

  it('is that of its method where no words say more, and none where the method is that of several', () => {
    expect(read(undefined, 'open')).toBe('open');
    expect(read('Not specified', 'direct')).toBe('direct');
    expect(read(undefined, 'selective')).toBeNull();
    expect(read(undefined, 'limited')).toBeNull();
    expect(read()).toBeNull();
  });

  it('of a contract is a call-off where only other words say so', () => {
    const award = (tender: object) =>
      actRelease('000200-2026', '2026-03-01T09:00:00Z', {
        tag: ['award', 'contract'],
        parties: [COUNCIL, BRIGHT],
        tender,
        awards: [{ id: '1', status: 'active', suppliers: [reference(BRIGHT)] }],
        relatedProcesses: [{ id: '1', relationship: ['framework'], title: 'Cleaning services RM9876' }],
      });
    const codeOf = (tender: object) => compileOne([award(tender)]).contracts.map(({ procedure }) => procedure);
    expect(codeOf({})).toEqual(['call_off']);
    expect(codeOf({ procurementMethodDetails: 'Other -' })).toEqual(['call_off']);
    expect(codeOf({ procurementMethodDetails: 'Restricted procedure' })).toEqual(['restricted']);
  });
});

describe('a notice', () => {
  it('says why it is awarded as it is, and how many bids came in', () => {
    const grounds = [{ scheme: 'UK', id: 'urgency', description: 'Extreme urgency' }, { id: 'bare' }, 'none'];
    const tender = {
      procurementMethod: 'limited',
      procurementMethodDetails: 'Direct award',
      procurementMethodRationale: 'The roof <b>leaks</b> badly',
      procurementMethodRationaleClassifications: grounds,
    };
    const statistics = [
      { id: '1', measure: 'bids', value: '1', relatedLot: '1' },
      { id: '2', value: 7 },
      { id: '3', measure: 'bids', value: 'many', relatedLot: '2' },
    ];
    expect(competitionOf(toOcds({ tender, bids: { statistics } }))).toEqual({
      procedure: 'Direct award',
      procedure_code: 'direct',
      justification: { text: 'The roof leaks badly', grounds: ['Extreme urgency', 'bare'] },
      direct_award_grounds: ['urgency', 'other'],
      bids: { received: 1 },
    });
    expect(competitionOf(toOcds({}))).toEqual({});
  });
});

type Stated = [measure: string, value: number, ...relatedLots: string[]];
const bids = (lots: string[], ...stated: Stated[]) => {
  const statistics = stated.map(([measure, value, ...relatedLots]) => ({ measure, value, relatedLots }));
  return bidsOf({ statistics, details: [] }, lots, toOcds({}));
};

describe('the bids for an award', () => {
  it('are those of its lot, and none of another', () => {
    const stated: Stated[] = [
      ['bids', 8, '1'],
      ['smeBids', 3, '1'],
      ['bids', 5, '2'],
    ];
    expect(bids(['1'], ...stated)).toEqual({ received: 8, from_smes: 3 });
    expect(bids(['2'], ...stated)).toEqual({ received: 5 });
    expect(bids(['3'], ...stated)).toBeUndefined();
    expect(bids([], ['bids', 7.9228162514264338e28])).toBeUndefined();
  });

  it('of several lots are listed by lot and never added up', () => {
    const lots = [
      { lot_id: '1', received: 8 },
      { lot_id: '2', received: 5 },
    ];
    expect(bids(['1', '2'], ['bids', 8, '1'], ['bids', 5, '2'])).toEqual({ lots });
    expect(bids([], ['bids', 8, '1'], ['bids', 5, '2'])).toEqual({ lots });
  });

  it('are one number where one is stated for all of its lots', () => {
    expect(bids(['1', '2'], ['bids', 8])).toEqual({ received: 8 });
    expect(bids(['1', '2'], ['bids', 8, '1', '2'])).toMatchObject({ received: 8 });
    expect(bids([], ['bids', 8], ['electronicBids', 0])).toEqual({ received: 8, electronic: 0 });
    expect(bids([], ['bids', 1, '1'], ['smeBids', 0, '1'])).toEqual({ received: 1, from_smes: 0 });
  });

  it('are not stated where several numbers stand without a lot, or a number is none', () => {
    expect(bids([], ['bids', 4], ['bids', 2])).toBeUndefined();
    expect(bids([], ['bids', 4], ['bids', 4])).toBeUndefined();
    expect(bids(['1'], ['bids', -1, '1'])).toBeUndefined();
    expect(bids(['1'], ['bids', 2.5, '1'])).toBeUndefined();
    expect(bids(['1'])).toBeUndefined();
  });

  it('of the final stage are those of all where all reached it', () => {
    const final = { final_stage: 8, final_stage_from_smes: 3, final_stage_from_vcses: 0 };
    const measures: Stated[] = [
      ['finalStageBids', 8, '1'],
      ['smeFinalStageBids', 3, '1'],
      ['vcseFinalStageBids', 0, '1'],
    ];
    expect(bids(['1'], ['bids', 8, '1'], ...measures)).toEqual({ received: 8, from_smes: 3, ...final });
    expect(bids(['1'], ['bids', 9, '1'], ...measures)).toEqual({ received: 9, ...final });
    expect(bids(['1'], ...measures)).toEqual(final);
  });

  it('are read whether or not a measure has a capital', () => {
    const statistics = ['Bids', 'smeBids', 'FinalStageBids'].map((measure, place) => ({ measure, value: 8 - place }));
    const stated = { received: 8, from_smes: 7, final_stage: 6 };
    expect(competitionOf(toOcds({ bids: { statistics } }))).toEqual({ bids: stated });
  });

  it('are not believed where nobody can have counted so many', () => {
    expect(bids(['1'], ['bids', 7_700_900_123, '1'], ['smeBids', 2, '1'])).toEqual({ from_smes: 2 });
    expect(bids(['1'], ['bids', 2 ** 32 + 1, '1'])).toBeUndefined();
  });

  it('from small firms are not believed where they outnumber the bids', () => {
    expect(bids(['1'], ['bids', 2, '1'], ['smeBids', 3, '1'])).toEqual({ received: 2 });
  });
});
