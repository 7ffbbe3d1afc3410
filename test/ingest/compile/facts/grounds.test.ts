import { expect, it } from 'vitest';
import { groundsOf } from '../../../../schema/reference/notice-types.ts';

it.each([
  ['urgency', 'urgency'],
  ['D_EXTREME_URGENCY', 'urgency'],
  ['singleSuppliersTechnicalReasons', 'technical'],
  ['D_TECHNICAL', 'technical'],
  ['singleSuppliersIntellectualPropertyExclusiveRights', 'exclusive_rights'],
  ['D_PROTECT_RIGHTS', 'exclusive_rights'],
  ['singleSuppliersUniqueWorkArtPerformance', 'artistic'],
  ['additionalRepeatExtensionPartialReplacement', 'additional'],
  ['additionalRepeatFurtherFollowingCompetitiveProcedure', 'additional'],
  ['D_ADD_DELIVERIES_ORDERED', 'additional'],
  ['D_REPETITION_EXISTING', 'additional'],
  ['switchingDirectAward', 'no_bids'],
  ['D_NO_TENDERS_REQUESTS', 'no_bids'],
  ['D_PROC_OPEN', 'no_bids'],
  ['userChoice', 'user_choice'],
  ['defenceSecurityOperational', 'defence'],
  ['defenceSecurityQualifyingNewAward', 'defence'],
  ['prototypesDevelopment', 'research'],
  ['D_FROM_LIQUIDATOR_CREDITOR', 'bargain'],
  ['D_COMMODITY_MARKET', 'commodity'],
  ['D_OUTSIDE_SCOPE', 'outside_scope'],
  ['protection of human life', 'protect_life'],
  ['D_SERVICES_LISTED', 'other'],
])('the ground %s of a direct award is %s, in any case and also as a label', (code, ground) => {
  expect(groundsOf([{ id: code }])).toEqual([ground]);
  expect(groundsOf([{ id: code.toUpperCase() === code ? code.toLowerCase() : code }])).toEqual([ground]);
  const label = code.replace(/([a-z])(?=[A-Z])/g, '$1 ').replaceAll('_', ' ');
  expect(groundsOf([{ description: `${label}.` }])).toEqual([ground]);
});

it.each([
  'Non-exclusive offer',
  'Network switching equipment',
  'End-of-life equipment',
  'Most economically advantageous tender',
  'Winding engines',
  'Microscope',
  'Lifelong learning',
])('%s is no ground that we know', (description) => {
  expect(groundsOf([{ description }])).toEqual(['other']);
});

it('several grounds are stated once each; a code decides before its label, and an empty one says nothing', () => {
  const stated = [
    { id: 'D_TECHNICAL', description: 'Works of art' },
    { id: 'x1', description: 'Extreme and unavoidable urgency' },
    { description: 'Reasons of extreme urgency brought about by unforeseeable events' },
    { id: ' ' },
    {},
  ];
  expect(groundsOf(stated)).toEqual(['technical', 'urgency']);
  expect(groundsOf([])).toEqual([]);
});
