import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../schema/text/json-values.ts';
import { actRelease, BRIGHT, COUNCIL, compileOne, reference } from '../releases.ts';

const compile = (text: string, type?: string, tender: JsonObject = {}) =>
  compileOne([
    actRelease('000051-2026', '2026-03-01T10:00:00Z', {
      tag: ['award', 'contract'],
      description: text,
      parties: [COUNCIL, BRIGHT],
      planning: { rationale: text },
      tender: {
        title: text,
        description: text,
        procurementMethodRationale: text,
        submissionMethodDetails: text,
        contractTerms: { performanceTerms: text, financialTerms: text },
        selectionCriteria: {
          description: text,
          criteria: [{ ...(type ? { type } : {}), description: text, minimum: text }],
        },
        lots: [lot(text, '1'), lot(text, '2')],
        ...tender,
      },
      awards: [
        {
          id: '1',
          title: 'Cleaning',
          status: 'active',
          suppliers: [reference(BRIGHT)],
          description: text,
          relatedLots: ['1'],
        },
      ],
    }),
  ]);
const lot = (text: string, id: string): JsonObject => ({
  id,
  title: text,
  description: text,
  awardCriteria: { description: text, criteria: [{ type: 'price', name: text, description: text }] },
  renewal: { description: text },
  options: { description: text },
});

describe('a text that only says that there is none', () => {
  it.each([
    'N/A',
    "'NA'",
    'Not applicable.',
    'TBD',
    'Amherthnasol',
    'Ddim yn berthnasol',
    'Dim',
    "I'w gadarnhau",
    'N/A / Amherthnasol',
    'N / A',
    'Not-applicable',
    'Not applicable - Ddim yn berthnasol',
  ])('is served nowhere: %s', (text) => {
    for (const type of [undefined, 'suitability']) {
      expect(JSON.stringify([compile(text, type).notices, compile(text, type).contracts])).not.toContain(text);
    }
    expect(compile(text).notices[0]).toMatchObject({ title: 'Cleaning', description: '' });
    expect(compile(text).notices[0]?.detail.lots).toMatchObject([{ title: 'Lot 1' }, { title: 'Lot 2' }]);
  });

  it('is no procedure, no reference, and no title of an only lot, of a framework or of its lots', () => {
    const tender = { id: 'TBC', procurementMethodDetails: 'N/A', procurementMethod: 'open', lots: [lot('N/A', '1')] };
    const { notices, contracts, framework } = compile('N/A', undefined, {
      ...tender,
      techniques: { hasFrameworkAgreement: true },
    });
    const detail = { procedure: 'open', lots: [{ title: 'Lot 1' }] };
    expect(notices[0]?.detail).toMatchObject(detail);
    expect(notices[0]?.detail).not.toHaveProperty('reference');
    expect(contracts[0]?.detail).not.toHaveProperty('procedure');
    expect(framework).toMatchObject({ title: 'Cleaning', lots: [{ title: 'Framework' }] });
  });

  it('is no line of a criterion, and a name of one stays on a line', () => {
    const criteria = [{ name: 'Two\nlines', description: 'Words' }];
    const { notices } = compile('N/A', undefined, { selectionCriteria: { criteria } });
    expect(notices[0]?.detail.selection_criteria).toEqual([{ description: 'Two lines\nWords' }]);
  });

  it.each(['Na', 'Nac oes', 'No'])('nor is a mere no of what more may be bought: %s', (text) => {
    expect(compile(text).notices[0]?.detail.lots[0]).not.toHaveProperty('options', text);
  });

  it.each(['Dim ond llyfrau', 'Not applicable to lot 2', 'Na chaniateir', 'Nadolig'])(
    'is a text where it says more: %s',
    (text) => {
      expect(compile(text).notices[0]).toMatchObject({
        title: text,
        description: text,
        detail: { performance_terms: text },
      });
    },
  );

  it('leaves a condition that has a kind and no words', () => {
    const criteria = [{ type: 'economic' }, { type: 'technical', description: 'N/A' }];
    const release = actRelease('000052-2026', '2026-03-01T10:00:00Z', { tender: { selectionCriteria: { criteria } } });
    expect(compileOne([release]).notices[0]?.detail.selection_criteria).toEqual([{ type: 'economic' }]);
  });
});
