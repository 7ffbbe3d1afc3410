import { describe, expect, it } from 'vitest';
import { isTotalRow, keyOf, splitName } from '../../../../ingest/party/match/names.ts';
import { legalForm } from '../../../../schema/names/legal-forms.ts';

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

it('a total is told from a company called so', () => {
  const sums = ['Dale Ltd Total', 'DALE LIMITED - TOTAL', 'Dale plc (Total)', 'Dale Ltd. Sub-Total', 'Grand Total'];
  expect(sums.filter((name) => !isTotalRow(name))).toEqual([]);
  const companies = ['Total Ltd', 'Total Fitness Limited', 'Dale Total Ltd', 'Dale Total', 'Totaljobs Group Ltd'];
  expect(companies.filter(isTotalRow)).toEqual([]);
});
