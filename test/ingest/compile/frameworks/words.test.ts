import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../schema/text/json-values.ts';
import { actRelease, BRIGHT, COUNCIL, compileOne, OAKES, reference, supplier } from '../releases.ts';

const THIRD = supplier('SC123456', 'Caledon Clean Ltd');

const compile = (tender: JsonObject, more: JsonObject = {}) =>
  compileOne([actRelease('000100-2026', '2026-01-05T09:00:00Z', { tender, ...more })]);
const kindOf = (tender: JsonObject, more?: JsonObject) => compile(tender, more).framework?.kind ?? null;
const described = (description: string) => ({ title: 'Window cleaning of civic buildings', description });

describe('an award to several suppliers', () => {
  const award = { id: '1', status: 'active', suppliers: [BRIGHT, OAKES, THIRD].map(reference) };
  const to = (tender: JsonObject, value = 90_000) =>
    compile(tender, {
      tag: ['award'],
      parties: [COUNCIL, BRIGHT, OAKES, THIRD],
      awards: [{ ...award, value: { amount: value, currency: 'GBP' } }],
    });

  it.each([
    ['Hedge trimmers', 'A one-off purchase of hedge trimmers for the grounds team.'],
    ['Catering equipment', 'Supply of 15 pieces of catering equipment to one kitchen.'],
    ['Placements for children', 'Spot-purchased placements of the last quarter.'],
    ['Insurance', 'Lot 1 Property, Lot 2 Liability, Lot 3 Motor.'],
  ])('is shared, and no framework: %s', (title, description) => {
    expect(to({ title, description })).toMatchObject({ framework: null, contracts: [{ valueClass: 'shared' }] });
  });

  it('is a ceiling where words say framework, and may be as large as one where none do', () => {
    expect(to(described('The Council seeks to establish a framework agreement.')).contracts[0]?.valueClass).toBe(
      'framework_ceiling',
    );
    expect(to(described('Windows.'), 6_000_000_000).contracts[0]?.valueClass).toBe('shared');
  });
});

describe('a framework by its words', () => {
  it.each([
    'Roofing Framework 2026',
    'Framework Agreement for Window Cleaning - AWARD',
    'Barristers Framework - Lot 7: Property',
    'Provision of Supply Teachers: call-off framework',
    'Supplier panel for legal advice',
    'Panel of external solicitors',
    'Approved Provider List for Independent Homes',
    'Preferred supplier list of recruitment agencies',
    'Fframwaith Glanhau Ffenestri',
    'Frame work agreement for skips',
    'Timber framework for the supply of doors',
  ])('in its title: %s', (title) => {
    expect(compile({ title }).framework).toMatchObject({
      kind: 'framework',
      detail: { evidence: [expect.stringMatching(/^title: /)] },
    });
  });

  it.each([
    'Taxi DPS',
    'Dynamic Purchasing System for Transport - First Call for Competition',
    'Framework (Dynamic Purchasing System) for Skips - Further Rounds',
    'Home Improvement Dynamic Market',
    'Flexible Purchasing System for placements',
  ])('a dynamic market: %s', (title) => {
    expect(kindOf({ title })).toBe('dynamic_market');
  });

  it.each([
    'The Authority seeks to establish a multi-supplier, multi-lot framework.',
    'Northshire has awarded the Framework Agreement for windows to four firms.',
    'Providers to be appointed onto a Framework Agreement for windows.',
    'Highway works contracts through a framework. Framework Agreement will run for a period of 4 years.',
    'This framework will provide buyers with services for the cleaning of windows.',
    'Tenders are invited with a view to renewing its current Life Sciences framework contract.',
    'The establishment of a single provider framework to supply bicycles.',
    'The Council is looking to appoint 3 Contractors on a select list for glazing.',
    'It wishes to set up a panel of experienced providers.',
    'A multi-supplier framework over four years. No volume is guaranteed to any provider on it.',
    'An open framework under which the buyer may place orders.',
    'A Framework Agreement for window cleaning. Contracts are awarded via further competition.',
    'Framework with nine providers of window cleaning.',
    'Once appointed, contractors will compete for each project under the framework.',
    'A call for competition for the glazing installation framework of the next five years.',
    'A multi-supplier agreement from which any school may buy.',
    'The current framework agreement expires in March, and this procurement will replace it.',
    'Each area will have a ranked list of up to five contractors.',
    'A framework for the provision of boots to all police forces.',
    'This notice concerns a multi supplier framework agreement for the hire of plant.',
    'The Hub has appointed 34 companies under 5 workstreams to its Heating Services framework.',
    'To establish a Framework Agreement. Members may call-off contracts under the Framework Agreement.',
  ])('in its description: %s', (description) => {
    expect(compile(described(description)).framework?.detail.evidence).toEqual([
      expect.stringMatching(/^description: /),
    ]);
  });

  it('also where only an earlier notice or the procedure says so', () => {
    const tender = actRelease('000100-2026', '2026-01-05T09:00:00Z', {
      tender: described('The Council wishes to establish a framework for windows.'),
    });
    const award = actRelease('000200-2026', '2026-03-05T09:00:00Z', { tender: described('Awarded.') });
    expect(compileOne([tender, award]).framework?.kind).toBe('framework');
    expect(kindOf({ procurementMethodDetails: 'Other - Framework Agreement' })).toBe('framework');
  });
});

describe('no framework', () => {
  it.each([
    'Windows via framework',
    'Subcontract works under the Northshire Civil Engineering Framework',
    'CCS RM6187 management consultancy',
    'Boilers from the ESPO Framework',
    'Temporary signals - Pagabo Framework',
    'Kitchens, phase 4 (framework: KCS Y20011)',
    'Framework contract 212, task order 14: bearings',
    'Gliniaduron trwy fframwaith NWUPC',
    'Roofing DPS mini-competition 14',
    'Call-off contract 4: noise modelling',
    'Direct award under G-Cloud 14',
  ])('but a call-off, by its title: %s', (title) => {
    const { framework, callOff } = compile({ title });
    expect(framework).toBeNull();
    expect(callOff?.evidence[0]).toMatch(/title/);
  });

  it.each([
    'A data analyst, as permitted under the ESPO 509_23 framework.',
    'New housing. Procured through Northshire Homes framework.',
    'This mini-competition is being conducted using Lot 1 of CCS framework agreement RM6020.',
    'Mini competition against the following Dynamic Purchasing System: passenger transport.',
    'Bus routes (Tranche 3), tendered under the TfNN Subsidised Bus Services Dynamic Purchasing SystemrrPrices are annual.',
    'This is a call for tender from NSCC Short Breaks Dynamic Purchasing System Category 1.',
    'The call of contracts are under DN189804 Temporary Staff Framework from Oakes Ltd.',
    'Awarded following a further competition against CCS Framework RM3745 Lot 3.',
    'Trust Solutions have utilised the Shared Business Services Framework: SBS/19/UK/9395.',
    'Legal services: Northshire Homes Call off from Lot 1 - Property.',
    'A further competition exercise has been undertaken under Northshire Purchasing Organisation (NPO) 772 Road Marking, Surfacing and traffic management DPS framework.',
    'The Council invited further competition responses for the supply of printers.',
    'A mini-competition was carried out among the suppliers.',
    'We sought quotations from all providers admitted to category B of our Passenger Transport DPS.',
    'Competed amongst all eight contractors on the Northshire Small Works framework.',
    'Dyfarnwyd y contract o dan fframwaith SEWSCAP3.',
    'The competition was limited to contractors on the Plant Hire DPS.',
    'Contract let through RM6182 Occupational Health.',
    'Order placed under Network Services 3 (RM6116), lot 10a.',
  ])('but a call-off, by its description: %s', (description) => {
    const { framework, callOff } = compile(described(description));
    expect(framework).toBeNull();
    expect(callOff?.evidence[0]).toMatch(/^description: /);
  });

  it.each([
    'An evaluation framework is developed with the buyer.',
    'Develop a framework including metrics to measure progress annually.',
    'Development of a framework to help guide decisions about species.',
    'Compliance with the Education Inspection Framework (EIF) is required.',
    'It meets the aims set out in its Strategic Framework.',
    'What cannot be purchased through the goods and services framework agreement of the Council.',
    'Staff are currently commissioned through an Accredited Provider List.',
    'Our existing framework agreement was awarded for other places.',
    'Hire-grade LED video panel package.',
    'The dynamic market conditions of the last year.',
    'This is a single contract and not a framework agreement.',
    'The Council does not intend to establish a framework. Framework agreement: No',
    'A report on a dynamic market and its prices.',
    'Contracts are awarded either by direct call-off from the relevant Lot or through further competition.',
    'Participating bodies may run a mini-competition for each order.',
    'Orders will be placed following mini-competition under the agreement.',
    'Previously bought through the ESPO Leisure framework, this is now a contract of its own.',
    'The current contract was called off via a CPC framework and ends in August.',
    'After a review it decided to procure outside the LHC framework.',
    'It isn’t a framework agreement within the meaning of the Regulations.',
    'The concession does not form part of, nor is it let under, any framework or dynamic market.',
    'This contract replaces the existing framework with a single contractor.',
    'A bridging contract while the new national framework is procured by others.',
    'Extended while the Council considers whether to join a neighbour’s framework.',
  ])('nor a call-off: %s', (description) => {
    expect(compile(described(description))).toMatchObject({ framework: null, callOff: null });
  });

  it.each([
    'Competency framework for social workers',
    'A framework for change',
    'Review of the planning framework',
    '.NET Framework developers',
    'Oak framework for the market hall',
    'Framework management software',
    'Advice on procuring a new repairs framework',
    'Performance management framework for school leaders',
    'Abandoned: framework for footpaths',
    'Consultant to advise on a Dynamic Purchasing System',
    'Steel framework and cladding repairs',
    'Strategic planning framework of the harbour',
    'Study of the dynamic market for electric cars',
  ])('for a word of its title: %s', (title) => {
    expect(compile({ title })).toMatchObject({ framework: null, callOff: null });
  });

  it('where DPS stands for something else', () => {
    const description = 'Renewal of the licences of the Document Print Server (DPS).';
    expect(compile({ title: 'DPS licences', description }).framework).toBeNull();
  });

  it('where a company that is no central buyer puts the name of one before its work', () => {
    const by = (name: string, tender: JsonObject) =>
      kindOf(tender, { parties: [{ ...COUNCIL, name }], buyer: { id: COUNCIL.id, name } });
    const title = 'CP7 Framework - Supply of ballast, seven weeks';
    expect(by('Brightwater Rail Limited', { title })).toBeNull();
    expect(by('Brightwater Procurement Consortium Ltd', { title })).toBe('framework');
    expect(by('Harrowmere City Council', { title })).toBe('framework');
    expect(by('Brightwater Infrastructure (Rail)', { title })).toBeNull();
    expect(by('Brightwater Infrastructure (Rail)', { title: 'BI Framework - Ballast' })).toBe('framework');
    expect(by('Brightwater Infrastructure (Rail)', { title: 'Ballast Framework - Leeds' })).toBe('framework');
    const description = 'Subcontract for two weekends of works.';
    expect(by('Brightwater Infrastructure (Rail)', { title: 'Ballast Framework - Leeds', description })).toBeNull();
    expect(by('Pagabo Ltd', { title: 'Pagabo Framework: minor works' })).toBe('framework');
    expect(by('Brightwater Rail Limited', { title: 'Ballast Framework - Lot 3' })).toBe('framework');
    expect(by('Brightwater Rail Limited', { title, description: 'To establish a framework of suppliers.' })).toBe(
      'framework',
    );
  });

  it('where its procedure says call-off, whatever box was ticked', () => {
    const techniques = { hasFrameworkAgreement: true };
    expect(kindOf({ techniques, procurementMethodDetails: 'Award under framework' })).toBeNull();
    expect(kindOf({ techniques, procurementMethodDetails: 'Open procedure' })).toBe('framework');
    const frameworkAgreement = { maximumParticipants: 4 };
    expect(kindOf({ techniques: { frameworkAgreement } })).toBe('framework');
    expect(kindOf({ techniques: { hasFrameworkAgreement: false, frameworkAgreement } })).toBeNull();
  });
});
