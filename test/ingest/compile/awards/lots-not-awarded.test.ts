import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../schema/text/json-values.ts';
import { actRelease, COUNCIL, compileOne, noticeDocument, OAKES, reference } from '../releases.ts';

const DECIDED = '2026-05-18T00:00:00+01:00';
const WON = { id: '1', suppliers: [reference(OAKES)], value: { amount: 900, currency: 'GBP' }, relatedLots: ['1'] };

/** A contract award notice with these awards besides that of lot 1. */
function awarded(other: JsonObject, won: JsonObject[] = [{ ...WON, status: 'pending' }]) {
  const documents = [noticeDocument('000100-2026', 'UK6')];
  return actRelease('000100-2026', '2026-06-01T09:00:00Z', {
    tag: ['award', 'contract'],
    parties: [COUNCIL, OAKES],
    tender: { lots: [{ id: '1' }, { id: '2' }] },
    awards: [other, ...won].map((award) => ({ ...award, documents })),
  });
}

describe('lots that a contract award notice awards to nobody', () => {
  const nobody = { id: '-1', status: 'active', finalStatusDate: DECIDED, relatedLots: ['2'] };

  it.each([[nobody], [{ ...nobody, status: undefined }], [{ ...nobody, suppliers: null }]])(
    'are no contract: %j',
    (award) => {
      const { contracts, why } = compileOne([awarded(award)]);
      expect(contracts).toMatchObject([{ value: 900, detail: { lots: [{ lot_id: '1' }] } }]);
      expect(why.leftOut).toEqual([{ awardId: '-1', why: 'award status cancelled' }]);
    },
  );

  it('are none in an update of the notice', () => {
    expect(compileOne([{ ...awarded(nobody), tag: ['awardUpdate', 'contractUpdate'] }]).contracts).toHaveLength(1);
  });

  it('came to nothing where there are no others', () => {
    expect(compileOne([awarded(nobody, [])])).toMatchObject({ status: 'unsuccessful', contracts: [] });
  });

  it.each([
    ['a supplier', { suppliers: [reference(OAKES)] }],
    ['a value', { value: { amount: 100, currency: 'GBP' } }],
  ])('are an award all the same where it states %s', (_, stated) => {
    expect(compileOne([awarded({ ...nobody, ...stated })]).contracts).toHaveLength(2);
  });

  it('are an award all the same where a contract of it was signed, whose supplier an earlier notice named', () => {
    const signed = actRelease('000200-2026', '2026-07-01T09:00:00Z', {
      tag: ['awardUpdate', 'contract'],
      awards: [
        { id: '1', status: 'active', finalStatusDate: DECIDED, documents: [noticeDocument('000200-2026', 'UK7')] },
      ],
      contracts: [{ id: '1', awardID: '1', status: 'active' }],
    });
    const [contract, ...others] = compileOne([awarded(nobody), signed]).contracts;
    expect(contract).toMatchObject({ value: 900, status: 'active' });
    expect(others).toEqual([]);
  });

  it('are an award whose supplier is not told where no decision ended it', () => {
    const untold = { ...nobody, finalStatusDate: null };
    expect(compileOne([awarded(untold)]).contracts).toHaveLength(2);
  });
});
