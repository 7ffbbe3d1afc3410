import { describe, expect, it } from 'vitest';
import { bidsOf } from '../../../../ingest/compile/facts/competition.ts';

type Stated = [measure: string, value: number, ...relatedLots: string[]];
const bids = (lots: string[], ...stated: Stated[]) =>
  bidsOf(
    stated.map(([measure, value, ...relatedLots]) => ({ measure, value, relatedLots })),
    lots,
  );

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

  it('are not told where several numbers stand without a lot, or a number is none', () => {
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

  it('from small firms are not believed where they outnumber the bids', () => {
    expect(bids(['1'], ['bids', 2, '1'], ['smeBids', 3, '1'])).toEqual({ received: 2 });
  });
});
