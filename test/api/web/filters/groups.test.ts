import { expect, it } from 'vitest';
import { groupFacets } from '../../../../api/web/filters/groups.ts';

it('a form offers the only value of a facet only where it narrows the results', () => {
  const counts = { special_regime: { lightTouch: 4 }, source: { find_a_tender: 15 } };
  const titles = new Map([['find_a_tender', 'Find a Tender']]);
  const offered = groupFacets('tenders', {}, counts, new Map(), titles, 15);
  expect(offered.find(({ name }) => name === 'special_regime')?.values).toMatchObject([
    { value: 'lightTouch', count: 4, isChosen: false },
  ]);
  expect(offered.map(({ name }) => name)).not.toContain('source');
  const chosen = groupFacets('tenders', { source: 'find_a_tender' }, counts, new Map(), titles, 15);
  expect(chosen.find(({ name }) => name === 'source')?.values).toMatchObject([
    { value: 'find_a_tender', count: 15, isChosen: true },
  ]);
});
