import { describe, expect, it } from 'vitest';
import { linkCallOff } from '../../../../ingest/store/relations/link-rows.ts';
import type { JsonObject } from '../../../../schema/text/json-values.ts';
import { actRelease, BRIGHT, COUNCIL, compileOne, noticeDocument, OAKES, reference, supplier } from '../releases.ts';

const THIRD = supplier('SC123456', 'Caledon Clean Ltd');
const FRAMEWORK = actRelease('000100-2026', '2026-01-05T09:00:00Z', {
  tag: ['award', 'contract'],
  parties: [COUNCIL, BRIGHT, OAKES, THIRD],
  tender: {
    id: 'RM6099',
    title: 'Cleaning Services',
    value: { amount: 5_000_000, currency: 'GBP' },
    techniques: {
      hasFrameworkAgreement: true,
      frameworkAgreement: {
        method: 'withReopeningCompetition',
        type: 'open',
        maximumParticipants: 12,
        period: { startDate: '2026-02-01T00:00:00Z', endDate: '2030-01-31T23:59:59Z' },
      },
    },
    lots: [
      { id: '1', title: 'Windows' },
      { id: '2', title: 'Floors', value: { amount: 2_000_000, currency: 'GBP' } },
    ],
  },
  awards: [
    { id: '1', status: 'active', suppliers: [reference(BRIGHT), reference(OAKES)], relatedLots: ['1'] },
    {
      id: '2',
      status: 'active',
      suppliers: [reference(THIRD)],
      relatedLots: ['1', '2'],
      value: { amount: 900, currency: 'GBP' },
      documents: [noticeDocument('000100-2026', 'UK6')],
    },
  ],
});

describe('a framework', () => {
  const process = compileOne([FRAMEWORK]);

  it('is recognised by its flag, with lots, period, ceiling and who may use it', () => {
    expect(process.framework).toMatchObject({
      kind: 'framework',
      title: 'Cleaning Services',
      starts: '2026-02-01',
      ends: '2030-01-31',
      ceiling: 5_000_000,
      detail: {
        evidence: ['flag: framework agreement'],
        method: 'withReopeningCompetition',
        who_may_use: 'other authorities may use it',
        max_suppliers: 12,
        references: ['RM6099'],
      },
    });
  });

  it('has the suppliers of each lot, by its awards', () => {
    expect(process.framework?.lots.map(({ lotId, supplierParties }) => [lotId, supplierParties])).toEqual([
      ['1', ['GB-COH-01234567', 'GB-COH-07654321', 'GB-COH-SC123456']],
      ['2', ['GB-COH-SC123456']],
    ]);
  });

  it('makes awards whose value is a ceiling, never won', () => {
    expect(process.contracts.map(({ valueClass }) => valueClass)).toEqual(['framework_ceiling', 'framework_ceiling']);
  });

  it('loses a supplier that a later notice removes', () => {
    const later = actRelease('000150-2026', '2026-04-01T09:00:00Z', {
      tag: ['award', 'contract'],
      parties: [{ ...BRIGHT, roles: ['removedSupplier'] }],
      awards: [{ id: '1', amendments: [{ id: '000150-2026' }] }],
    });
    const changed = compileOne([FRAMEWORK, later]);
    expect(changed.framework?.lots[0]?.supplierParties).toEqual(['GB-COH-07654321', 'GB-COH-SC123456']);
    expect(changed.contracts).toHaveLength(2);
  });

  const signs = (tender: JsonObject, awards: JsonObject[] = [], types: string[] = []) => {
    const documents = types.map((type) => noticeDocument('000100-2026', type));
    const release = actRelease('000100-2026', '2026-01-05T09:00:00Z', { tender: { ...tender, documents }, awards });
    return compileOne([release]).framework;
  };

  it('is also recognised by its title or its notice type, never by an award to three', () => {
    const three = { id: '1', suppliers: [BRIGHT, OAKES, THIRD].map(reference) };
    expect(signs({ title: 'Roofing Framework 2026' })?.detail.evidence).toEqual(['title: framework']);
    expect(signs({ title: 'Taxi DPS' })?.kind).toBe('dynamic_market');
    expect(signs({}, [], ['UK14'])).toMatchObject({
      kind: 'dynamic_market',
      detail: { evidence: ['notice type UK14'] },
    });
    expect(signs({ techniques: { hasDynamicPurchasingSystem: true } })?.kind).toBe('dynamic_market');
    expect(signs({}, [three])).toBeNull();
  });

  it('is not what was called off from one', () => {
    const callOff = { title: 'Windows via framework', procurementMethodDetails: 'Award under framework' };
    expect(signs(callOff)).toBeNull();
  });
});

describe('a call-off', () => {
  const of = (more: JsonObject) => compileOne([actRelease('000200-2026', '2026-05-01T09:00:00Z', more)]).callOff;

  it('names its framework by identifier, by a reference in text, or not at all', () => {
    const byId = [{ id: '1', relationship: ['framework'], scheme: 'ocid', identifier: 'ocds-h6vhtk-0000FF' }];
    expect(of({ relatedProcesses: byId })?.identifiers).toEqual(['ocds-h6vhtk-0000ff']);
    const byTitle = [{ id: 'framework', relationship: ['framework'], title: 'Agency - Cleaning 2 - RM 6099' }];
    expect(of({ relatedProcesses: byTitle })).toMatchObject({ identifiers: [], references: ['RM6099'] });
    expect(of({ tender: { procurementMethodDetails: 'Below threshold - award under framework' } })).toMatchObject({
      identifiers: [],
      references: [],
    });
    expect(of({ tender: { procurementMethodDetails: 'Open procedure' } })).toBeNull();
  });

  it('stays one where its award notice says Other', () => {
    const method = (procurementMethodDetails: string) => ({ tender: { procurementMethodDetails } });
    const tender = actRelease('000100-2026', '2026-05-01T09:00:00Z', method('Call-off from a framework agreement'));
    const award = actRelease('000200-2026', '2026-06-01T09:00:00Z', method('Other - '));
    expect(compileOne([tender, award]).callOff?.evidence).toEqual([
      'procurement method: Call-off from a framework agreement',
    ]);
  });

  it('says which names led nowhere, or to several frameworks', () => {
    const process = compileOne([
      actRelease('000200-2026', '2026-05-01T09:00:00Z', {
        tender: { title: 'Cleaning via RM6099', procurementMethodDetails: 'Award under framework' },
      }),
    ]);
    const link = (...held: string[]) => linkCallOff(process, new Map([['RM6099', new Set(held)]]));
    expect(link('ocds-h6vhtk-0000ff')).toEqual({
      frameworkId: 'ocds-h6vhtk-0000ff',
      method: 'reference',
      evidence: ['RM6099'],
    });
    const said = ['procurement method: Award under framework', "title names the commercial agency's framework"];
    expect(link()).toEqual({
      frameworkId: null,
      method: 'none',
      evidence: [...said, 'names RM6099: no framework of that name is held'],
    });
    expect(link('a', 'b')?.evidence).toEqual([...said, 'names RM6099: several frameworks have it']);
  });
});

describe('what a framework says of its use', () => {
  const told = (frameworkAgreement: JsonObject, more: JsonObject = {}) =>
    compileOne([
      actRelease('000100-2026', '2026-01-05T09:00:00Z', {
        tender: { techniques: { hasFrameworkAgreement: true, frameworkAgreement } },
        ...more,
      }),
    ]).framework;

  it('is how contracts are called off, in its words', () => {
    expect(told({ description: 'Directly<br>or not.' })?.detail.call_off_terms).toBe('Directly\nor not.');
    for (const description of ['N/A', 'No']) expect(told({ description })?.detail).not.toHaveProperty('call_off_terms');
  });

  it('is who may use it, by name, by kind and by place', () => {
    const partner = { id: 'GB-PPON-PBCD-1234-ZZZZ', name: 'Merrow Fire Authority', roles: ['buyer'] };
    const agreement = {
      type: 'closed',
      buyerClassificationRestrictions: [{ scheme: 'UK_CA_TYPE', id: 'privateUtility', description: 'Private utility' }],
      buyerLocationRestrictions: [{ gazetteer: { scheme: 'NUTS', identifiers: ['UKE4'] } }],
    };
    expect(told(agreement, { parties: [COUNCIL, partner] })?.detail).toMatchObject({
      who_may_use: 'only the buyers named',
      buyers: ['Harrowmere City Council', 'Merrow Fire Authority'],
      restricted_to: ['Private utility', 'UKE4'],
    });
  });

  it('is the period of each lot, and how far an open framework may run', () => {
    const lots = [{ id: '1', title: 'Roofs', contractPeriod: { startDate: '2026-02-01', endDate: '2028-01-31' } }];
    const framework = compileOne([
      actRelease('000100-2026', '2026-01-05T09:00:00Z', {
        tender: {
          lots,
          techniques: {
            hasFrameworkAgreement: true,
            frameworkAgreement: { openFrameworkSchemeEndDate: '2034-01-31T23:59:59Z' },
          },
        },
      }),
    ]).framework;
    expect(framework?.lots).toMatchObject([{ title: 'Roofs', starts: '2026-02-01', ends: '2028-01-31' }]);
    expect(framework?.detail.extends_to).toBe('2034-01-31');
  });

  it('is its ceiling: the tender states it, or all of its awards state the same; never their sum', () => {
    const award = (id: string, amount: number) => ({
      id,
      status: 'active',
      suppliers: [reference(BRIGHT)],
      value: { amount, currency: 'GBP' },
    });
    const ceiling = (...amounts: number[]) => {
      const found = told({}, { awards: amounts.map((amount, index) => award(String(index + 1), amount)) });
      return [found?.ceiling, found?.detail.ceiling_from];
    };
    expect(ceiling(400_000, 400_000)).toEqual([400_000, 'awards']);
    expect(ceiling(400_000, 300_000)).toEqual([null, undefined]);
  });
});

describe('a dynamic market', () => {
  const market = actRelease('000100-2026', '2026-01-05T09:00:00Z', {
    tag: ['award', 'contract'],
    parties: [COUNCIL, BRIGHT, OAKES],
    tender: { techniques: { hasDynamicPurchasingSystem: true } },
    awards: [
      { id: '1', status: 'active', suppliers: [reference(BRIGHT)] },
      { id: '2', status: 'active', suppliers: [reference(OAKES)] },
    ],
  });
  const leaves = (party: JsonObject) =>
    actRelease('000150-2026', '2026-04-01T09:00:00Z', {
      tag: ['award', 'contract'],
      parties: [{ ...party, roles: ['removedSupplier'] }],
      awards: [{ id: '1', amendments: [{ id: '000150-2026' }] }],
    });

  it('that a supplier has left has no active contract with it', () => {
    const { contracts, framework } = compileOne([market, leaves(BRIGHT)]);
    expect(contracts.map(({ status, supplierParties }) => [status, supplierParties])).toEqual([
      ['terminated', ['GB-COH-01234567']],
      ['active', ['GB-COH-07654321']],
    ]);
    expect(contracts[0]?.detail.warnings).toEqual(['its supplier has left the dynamic market or framework']);
    expect(framework?.lots[0]?.supplierParties).toEqual(['GB-COH-07654321']);
  });

  it('knows who left by another id as well', () => {
    const renamed = { id: 'GB-PPON-PZZZ-1111-ZZZZ', name: 'BRIGHTWATER CLEANING LIMITED' };
    expect(compileOne([market, leaves(renamed)]).contracts[0]?.status).toBe('terminated');
  });

  it('has a supplier again who comes back', () => {
    const back = actRelease('000160-2026', '2026-05-01T09:00:00Z', { tag: ['award'], parties: [BRIGHT] });
    expect(compileOne([market, leaves(BRIGHT), back]).contracts[0]?.status).toBe('active');
  });
});
