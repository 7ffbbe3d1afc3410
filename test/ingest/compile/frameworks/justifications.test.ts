import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../schema/text/json-values.ts';
import { actRelease, COUNCIL, compileOne } from '../releases.ts';

const compile = (tender: JsonObject, more: JsonObject = {}) =>
  compileOne([actRelease('000100-2026', '2026-01-05T09:00:00Z', { tender, ...more })]);

describe('what a justification tells of a framework', () => {
  it.each([
    'Call-off from framework',
    'Award of contract using NHS SBS Digital Workplace Solutions 2 framework',
    'Direct award via G-Cloud 14 framework',
    'The contract was let through the CCS RM6130 framework.',
    'Completed a further competition via Northshire Housing Consortium DPS',
    'Call-off from the ICT Hardware Framework. The framework was established to provide for such awards.',
    'Use of the Cloud Hosting framework RM6999.',
    'G-Cloud 14 direct award',
    'Direct award. RM6999 was used to procure the service.',
    'Framework used: NPO 1141',
    'A direct award is permitted under the terms of the NPO framework.',
    'Direct award to the top ranked supplier of the framework.',
    'The Trust used the NPO 1141 framework to make a direct award.',
    'As the NPO framework does not cover firewalls, a direct award was made via G-Cloud 14 framework.',
    'Direct award under the NPO framework, which does not allow negotiation.',
    'Direct award under the NPO framework with no tender process.',
    'Award of contract using the NPO framework because no tenders were received in the open procedure.',
    'As no bids were received to the open tender the contract was let through the NPO framework.',
    'Direct award via the NPO framework after an open procedure without success.',
  ])('is a call-off: %s', (procurementMethodRationale) => {
    const { framework, callOff } = compile({ title: 'Firewalls', procurementMethodRationale });
    expect(framework).toBeNull();
    expect(callOff?.evidence[0]).toMatch(/^justification: /);
  });

  it('is none, where it names a buyer with the word in its name', () => {
    const name = 'Framework Homes';
    const buyer = { parties: [{ ...COUNCIL, name }], buyer: { id: COUNCIL.id, name } };
    const reasoned = {
      title: 'Boilers',
      procurementMethodRationale: 'It was procured through Framework Homes itself.',
    };
    expect(compile(reasoned, buyer)).toMatchObject({ framework: null, callOff: null });
  });

  it.each([
    'The value has been established through the use of the JISC Framework. Only one supplier can licence it.',
    'To ensure continuity while a new framework is procured.',
    'The supplier drafted the governance framework in phase 1.',
    'A framework agreement would take too long to establish.',
    'Attempts to procure through RM6999 failed, as nobody answered.',
    'More of the same. The original contract was awarded under framework RM6999.',
    'Direct award instead of a competition under RM6999, for urgency.',
    'Framework used: none',
    'The NPO framework permits direct award, but the supplier is not on it.',
    'Direct award is permitted by the legal framework of the region.',
    'Direct award because G-Cloud 14 allows no longer term.',
    'Use of RM6999 was considered, but rejected.',
    'Use of RM6999 would not be proportionate.',
    'Using G-Cloud 14 was not possible, as the service is not listed there.',
    'A direct award under the NPO framework was ruled out.',
    'RM6999 does not permit a direct award',
    'There is no G-Cloud listing: direct award.',
    'Direct award following expiry of RM6999.',
    'Direct award permitted under the legislative framework.',
    'Framework: nil',
    'RM6999 was used to award the original contract; this is an extension outside it.',
    'No bids were received in the mini-competition held under the Firewall DPS, so it is awarded directly.',
    'Bids through the Firewall DPS were sought twice without success.',
    'A mini-competition under the Firewall DPS received no bids.',
  ])('is none: %s', (procurementMethodRationale) => {
    expect(compile({ title: 'Firewalls', procurementMethodRationale })).toMatchObject({
      framework: null,
      callOff: null,
    });
    const title = 'Firewall framework';
    expect(compile({ title, procurementMethodRationale }).framework?.kind).toBe('framework');
  });
});
