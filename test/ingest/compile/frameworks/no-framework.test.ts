import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../schema/text/json-values.ts';
import { actRelease, BRIGHT, COUNCIL, compileOne, OCID, reference } from '../releases.ts';

const compile = (tender: JsonObject, more: JsonObject = {}) =>
  compileOne([actRelease('000100-2026', '2026-01-05T09:00:00Z', { tender, ...more })]);
const kindOf = (tender: JsonObject, more?: JsonObject) => compile(tender, more).framework?.kind ?? null;
const described = (description: string) => ({ title: 'Window cleaning of civic buildings', description });

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
    'Sampling Framework Call -Off, STA 0166: extension',
    'Direct award under G-Cloud 14',
  ])('but a call-off, by its title: %s', (title) => {
    const { framework, callOff } = compile({ title });
    expect(framework).toBeNull();
    expect(callOff?.evidence[0]).toMatch(/title/);
  });

  it.each([
    'Other - Framework call-off',
    'Other - Framework Direct Award',
    'Other - ESPO Framework 319',
    'Other - Lot 3 of the LHC Framework',
    'Other - RM6187',
    'Other - G-Cloud 14',
  ])('but a call-off, by its procedure: %s', (procurementMethodDetails) => {
    const awards = [{ id: '1', status: 'active', suppliers: [reference(BRIGHT)], value: { amount: 50_000 } }];
    const tender = { title: 'Window cleaning', procurementMethodDetails };
    const process = compile(tender, { parties: [COUNCIL, BRIGHT], awards });
    expect(process).toMatchObject({ framework: null, contracts: [{ valueClass: 'sum', procedure: 'call_off' }] });
    expect(process.callOff?.evidence).toEqual([expect.stringMatching(/^proc(edure|urement method): /)]);
  });

  it.each([
    'Other - not a framework',
    'Other - not a call-off',
    'Open, no call-off',
    'Direct award, not from a framework',
  ])('and no call-off either where its procedure denies it: %s', (procurementMethodDetails) => {
    const process = compile({ title: 'Window cleaning', procurementMethodDetails });
    expect(process).toMatchObject({ framework: null, callOff: null });
  });

  it('but an award within a market, by the ocid that it names, though it ticks the box of a market', () => {
    const tender = { title: 'School transport, route 7', techniques: { hasDynamicPurchasingSystem: true } };
    const setUp = actRelease('000050-2026', '2025-12-05T09:00:00Z', { tender });
    const within = (identifier: string) =>
      compileOne([
        setUp,
        actRelease('000100-2026', '2026-01-05T09:00:00Z', {
          tag: ['award', 'contract'],
          tender,
          relatedProcesses: [{ id: '1', relationship: ['framework'], scheme: 'ocid', identifier }],
          parties: [COUNCIL, BRIGHT],
          awards: [{ id: '1', status: 'active', suppliers: [reference(BRIGHT)], value: { amount: 50_000 } }],
        }),
      ]);
    expect(within('ocds-h6vhtk-0000ff')).toMatchObject({ framework: null, contracts: [{ valueClass: 'sum' }] });
    expect(within(OCID)).toMatchObject({ framework: {}, contracts: [{ valueClass: 'framework_ceiling' }] });
  });

  it('but an award alone with a value, though it ticks the box of a market and names none', () => {
    const techniques = { hasDynamicPurchasingSystem: true };
    const award = { id: '1', status: 'active', suppliers: [reference(BRIGHT)] };
    const made = (title: string, value?: JsonObject) =>
      compile(
        { title, techniques },
        { tag: ['award', 'contract'], parties: [COUNCIL, BRIGHT], awards: [{ ...award, ...value }] },
      );
    const value = { value: { amount: 50_000 } };
    expect(made('New children’s home', value)).toMatchObject({ framework: null, contracts: [{ valueClass: 'sum' }] });
    expect(made('School transport').framework?.kind).toBe('dynamic_market');
    expect(made('School transport DPS', value).framework?.kind).toBe('dynamic_market');
  });

  it.each([
    'As is normal, this order was awarded through the ESPO Cleaning Framework.',
    'Six lamps of the kind normally stocked, procured under the ESPO Traffic Framework.',
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
    'Calling off from C100200 Research: Social Science. The agency wishes to know how labels are read.',
    '***THIS IS NOT A CALL FOR COMPETITION*** This contract has been awarded against CCS Research Marketplace DPS.',
    'This is not a call for competition, this is a direct award via CCS RM3785 for the Council.',
    'The Council placed a direct award contract with Oakes (Business Services) Ltd through CCS RM3822 Managed Learning.',
    'This opportunity is only available to suppliers on the Networks - Supply & Services (NSS Framework), Lot 4.',
    'Direct award NCC Highways Maintenance Framework 2018-22. Lot 16 - Planned Carriageways.',
    'Award notice following DPS competition - window services.',
    'A call off contract based on the CPC Provision of Building Services framework agreement.',
    'ESPO Framework Agreement 628 Security - Lot 2 was utilised to run a competitive quotation exercise.',
    'The Council is inviting mini quotations on the terms set out in the Minor Works Framework Agreement for Lot 2.',
    'Contracts will be entered into as specified by the Surfacing Framework Contract.',
    'Only those companies appointed to the Newtown Brokerage Framework were invited to tender.',
    'Temporary staff, under NPO Consultancy Services 1141 Framework Agreement, to the sole supplier appointed to that framework.',
    'The Agency appointed a surveying firm from it’s national property panel.',
    'It is engaging one of the Technical Contractors (TC) appointed on Lot 2 of its Technical Support Framework.',
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
    'Flexible purchasing in a risk-managed basket for all half-hourly meters.',
    'It seeks flexible purchasing of gas and electricity on the wholesale market.',
    'This is a single contract and not a framework agreement.',
    'The Council does not intend to establish a framework. Framework agreement: No',
    'A report on a dynamic market and its prices.',
    'Contracts are awarded either by direct call-off from the relevant Lot or through further competition.',
    'Participating bodies may run a mini-competition for each order.',
    'Orders will be placed following mini-competition under the agreement.',
    'Previously bought through the ESPO Leisure framework, this is now a contract of its own.',
    'The current contract was called off via a CPC framework and ends in August.',
    'After a review it decided to procure outside the LHC framework.',
    'Respite is usually commissioned via the Northshire Family Breaks Framework. This was bought outside of the framework.',
    'Signals are normally hired from a contractor under the ESPO Traffic Framework, which had none left.',
    'It isn’t a framework agreement within the meaning of the Regulations.',
    'The concession does not form part of, nor is it let under, any framework or dynamic market.',
    'This contract replaces the existing framework with a single contractor.',
    'A bridging contract while the new national framework is procured by others.',
    'Extended while the Council considers whether to join a neighbour’s framework.',
    'Interim bulking of waste for one month prior to the start of the Garden Waste DPS (Dynamic Purchasing System).',
    'The appointment of a Professional Services Framework Consultancy to deliver erosion studies.',
    'The lead works with the head of the group and wider stakeholders within DPS and other teams.',
    'The truck is a frame which is an approved framework for the equipment.',
    'Registration of the components of engineering apprenticeship frameworks and standards.',
    'To appoint a suitably qualified Framework Partner to design and manage the new classrooms.',
    'The Company has indicated that a Framework Agreement will not be established.',
    'A framework agreement is not proposed for this work, and will not be set up later.',
    'A framework agreement will not be concluded in this case.',
    'Eight days after the notice of intention to award a contract to the chosen provider or conclude a framework agreement.',
    'Technology Services 4 (TS4) Framework Agreement RM6190 has been identified as a potential route to market.',
    'Drivers will be calling off at reception from the main road.',
    'Schools may buy by calling-off from the price list.',
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
    'Passenger transport: non-framework contracts of the quarter',
    'Smarter Making Challenge: messaging framework',
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

  it.each([
    ['ESPO Framework Agreement 319', 'Award of ESPO Framework 319 Lot 2.', 'Harrowmere City Council', null],
    ['ESPO Framework Agreement 319', 'Award of ESPO Framework 319 Lot 2.', 'ESPO', 'framework'],
    ['Windows', 'NHS Supply Chain seeks to establish a framework for windows.', 'Marwell Buying Ltd', 'framework'],
    ['HCC Framework Lot 2 - Hospital', 'Oakes Ltd has been awarded through the HCC Framework.', 'Harrowmere', null],
    ['Cloud', 'Framework Agreement RM6190 has 16 lots.', 'Government Commercial Agency', 'framework'],
    ['Cloud', 'Framework Agreement RM6190 has 16 lots.', 'Northern Consortium', null],
    ['Cloud', 'To establish the ESPO framework agreement.', 'Northern Consortium', 'framework'],
    ['Insurance of Framework Homes', 'Risks as stated by Framework Homes.', 'Framework Homes', null],
    ['Insurance Framework of Framework Homes', 'Property and liability.', 'Framework Homes', 'framework'],
    ['Northshire Framework 5', 'Construction works.', 'Northshire Framework', 'framework'],
    ['Cars', 'To establish a framework agreement for cars.', 'Framework', 'framework'],
    ['Cars', 'Framework (East) [Ltd] buys cars + vans.', 'Framework (East) [Ltd]', null],
    ['HCC Framework', 'Contracts will be awarded through the HCC Framework.', 'Harrowmere', 'framework'],
  ])('where the framework is another body’s, or there already: %s, %s (%s)', (title, description, name, kind) => {
    const buyer = { parties: [{ ...COUNCIL, name }], buyer: { id: COUNCIL.id, name } };
    expect(kindOf({ title, description }, buyer)).toBe(kind);
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
