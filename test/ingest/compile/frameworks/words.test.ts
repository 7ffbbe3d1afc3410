import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../schema/text/json-values.ts';
import { actRelease, BRIGHT, COUNCIL, compileOne, OAKES, reference, supplier } from '../releases.ts';

const THIRD = supplier('SC123456', 'Caledon Clean Ltd');

const compile = (tender: JsonObject, more: JsonObject = {}) =>
  compileOne([actRelease('000100-2026', '2026-01-05T09:00:00Z', { tender, ...more })]);
const kindOf = (tender: JsonObject) => compile(tender).framework?.kind ?? null;
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
    'Design Services Framework',
    'Children’s Services Panel',
    'Fostering Providers Panel',
    'Planning Services Framework',
    'Electrical Testing Framework',
    'Fire Risk Assessment Framework',
    'Lift Inspection Framework',
    'Legionella Monitoring Framework 2026',
    'Design & Build Framework',
    'Substation design and installation Framework',
    'Website re-design, development and maintenance Framework',
    'Software Development Framework',
    'Asbestos Testing Framework 2026-2030',
    'Behaviour Change Framework',
    'Consultancy Framework Refresh',
    'Limited Liability Framework, limited to five firms',
    'Furniture Framework Chairs and Desks',
    'Research Services Framework 2026',
    'Development Consultancy Framework',
    'Materials Testing Framework',
    'Drug and Alcohol Testing Framework 2026',
  ])('in its title: %s', (title) => {
    expect(compile({ title }).framework).toMatchObject({
      kind: 'framework',
      detail: { evidence: [expect.stringMatching(/^title: /)] },
    });
  });

  it.each([
    'Taxi DPS',
    'Northshire DPS House Clearances',
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
    'Oakes Defence, agent of the Authority, is considering a framework agreement to provide for the supply of spares.',
    'This will be a four year Framework Agreement. No business is guaranteed under any resulting Framework Agreement.',
    'The Board has put in place an agreement. The duration of the Framework Agreement is four (4) years.',
    'Providers will be eligible to join a list of qualified providers.',
    'Clinics are sought by the Any Qualified Provider route: no volume is guaranteed to any.',
    'The Authority intends to put in place an enabling agreement for the repair of pumps.',
    'THIS IS NOT A CALL FOR COMPETITION *** To establish a framework agreement for window cleaning.',
    'The Council seeks to appoint Framework Partners for window cleaning to its new framework.',
    'This framework agreement will not be available to schools.',
    'The Council seeks to establish a design and build framework.',
    'This framework agreement will not be concluded before the end of the standstill period.',
    'This framework agreement will not be put in place exclusively for the Council: others may use it.',
    'A framework agreement is not anticipated to exceed four years.',
    'The Council intends to award contracts and to conclude a framework agreement for windows.',
  ])('in its description: %s', (description) => {
    expect(compile(described(description)).framework?.detail.evidence).toEqual([
      expect.stringMatching(/^description: /),
    ]);
  });

  it('is a dynamic market where its title says so, though the form knows frameworks alone', () => {
    const techniques = { hasFrameworkAgreement: true };
    expect(compile({ title: 'Repairs and Maintenance DPS', techniques }).framework).toMatchObject({
      kind: 'dynamic_market',
      detail: { evidence: ['flag: framework agreement', 'title: dps'] },
    });
    const description = 'A framework agreement. Later needs may be met by a dynamic purchasing system.';
    expect(kindOf({ title: 'Repairs', description, techniques })).toBe('framework');
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

describe('a law, a method, a post or a firm that is called so', () => {
  it.each([
    'Water Framework Directive monitoring 2026',
    'Marine Strategy Framework Directive surveys',
    'Trader support under the Windsor Framework',
    'Windsor Framework implementation',
    'Teaching Excellence Framework consultancy',
    'Economic Framework for the North',
    'Climate Adaptation Framework',
    'Knowledge and Skills Framework',
    'Test automation framework licences',
    'Automated testing framework',
    'Framework Travel Plan',
    'Framework Masterplan for the docks',
    'Framework Manager',
    'Leadership Framework development',
    'Frameworks Ltd software',
    'Framework Housing Association: grant',
    'Framework Knitters Museum, roof',
    'Steel framework installation',
    'Steel Framework Warehouse',
    'Framework Plan for the harbour',
    'Gas Framework Review',
    'Cyber Assessment Framework',
    'School Inspection Framework',
    'Programme Monitoring Framework',
    'Review of the Legal Services Framework',
    'Development of a Support Services Framework',
    'School Leadership Development Framework',
    'National Framework website',
    'Framework agreement management software',
    'Solicitor panel management software',
    'DPS Ltd: support of scanners',
    'Dynamic market research',
  ])('is no framework in its title: %s', (title) => {
    expect(compile({ title })).toMatchObject({ framework: null, callOff: null });
  });

  it('is none in its description either', () => {
    const text =
      'The surveys were commissioned under the Water Framework Directive, and awarded under the Windsor Framework.';
    expect(compile(described(text))).toMatchObject({ framework: null, callOff: null });
    const list =
      'The Council seeks to establish a framework, limited to five suppliers. A framework manager is appointed.';
    expect(kindOf(described(list))).toBe('framework');
  });
});
