import { describe, expect, it } from 'vitest';
import { procedureOf } from '../../../../ingest/compile/facts/competition.ts';
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
    ['Other - Direct Award from a Framework Contract', 'call_off'],
    ['Call-off from a dynamic purchasing system', 'call_off'],
    ['Award under framework', 'call_off'],
    ['Below threshold - award under framework', 'call_off'],
    ['Using pre-Procurement Act commercial tool', 'call_off'],
    ['Other - Further Competition via a purchasing system', 'call_off'],
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
