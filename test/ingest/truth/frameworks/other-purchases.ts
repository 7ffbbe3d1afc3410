import type { FrameworkCase } from '../cases.ts';
import { pool } from '../firms.ts';
import { isNone, type Said } from './judged.ts';

const today = (title: string, said: Omit<Said, 'title'> = {}) =>
  isNone('today', `none: ${title.toLowerCase()}`, { title, ...said });
const [first = {}, second = {}, third = {}] = pool(3);

/** Several suppliers, or a word that means something else. */
export const otherPurchases: FrameworkCase[] = [
  today('Naval stores, marine electrical', { suppliers: 3, description: 'One delivery, shared among three firms.' }),
  today('Laptops for schools', { suppliers: 5, description: 'A single purchase of 900 laptops from five resellers.' }),
  today('Spot placements in residential care', {
    suppliers: 40,
    value: 6_000_000,
    description: 'Spot purchases of single placements made in the last quarter.',
  }),
  today('Bed and breakfast accommodation, spend of June', {
    suppliers: 24,
    description: 'Payments to hotels for emergency nights.',
  }),
  isNone('2020', 'none: four firms inline, one job', {
    title: 'Storm damage repairs',
    suppliers: 4,
    description: 'Four local builders repaired one school each.',
  }),
  today('Insurance programme', {
    awards: [
      { firms: [first], value: 90_000, title: 'Lot 1: property' },
      { firms: [second], value: 40_000, title: 'Lot 2: liability' },
      { firms: [third, first], value: 60_000, title: 'Lot 3: motor' },
    ],
  }),
  isNone('UK6', 'none: three lots to three insurers', {
    title: 'Insurance programme',
    awards: [
      { firms: [first], value: 90_000, lots: ['1'] },
      { firms: [second], value: 40_000, lots: ['2'] },
      { firms: [third], value: 60_000, lots: ['3'] },
    ],
  }),
  isNone('old', 'none: a consortium of three', {
    title: 'Design of a hospital wing',
    suppliers: 3,
    description: 'One contract with an architect, an engineer and a cost adviser.',
  }),
  isNone('old', 'none: the flag is false', {
    title: 'Road salt',
    suppliers: 2,
    tender: { techniques: { hasFrameworkAgreement: false } },
  }),
  today('Competency framework for social workers', {
    description: 'Design of a competency framework and of the training for it.',
  }),
  today('A framework for change: evaluation partner', {
    description: 'One evaluator for the programme "A framework for change".',
  }),
  today('School quality improvement', {
    suppliers: 2,
    description:
      'Following the introduction of the Education Inspection Framework (EIF), two advisers support schools.',
  }),
  today('Community workshops', {
    suppliers: 3,
    description: "To reach the aims set out in the university's Strategic Framework.",
  }),
  today('Evaluation framework and toolkit', {
    suppliers: 0,
    description: 'Develop a framework including measures of progress.',
  }),
  today('Support on the National Planning Policy Framework', { description: 'Advice to planners on the changes.' }),
  today('.NET Framework developers', {
    description: 'Two developers to move an application away from the .NET Framework.',
  }),
  today('Outcomes framework for public health', {
    suppliers: 0,
    description: 'A data model for the outcomes framework.',
  }),
  today('Timber framework for the market hall', { description: 'Cutting and raising an oak framework.' }),
  today('Risk management framework review', {
    description: 'A review of the risk and assurance framework by auditors.',
  }),
  today('Framework management software', { description: 'A system in which staff manage suppliers and call-offs.' }),
  today('Advice on procuring a new repairs framework', {
    description: 'A consultant drafts the papers for a framework that will be tendered next year.',
  }),
  today('Road resurfacing', { suppliers: 0, description: 'This is a single contract and not a framework agreement.' }),
  today('Catering at the town hall', {
    description: 'The previous framework has expired; the Council now lets one contract.',
  }),
  today('Hydrotherapy pool', { description: 'No suitable framework was found, so an open tender was held.' }),
  today('Solar panels for the depot', { suppliers: 2, description: 'Supply and fixing of 400 panels.' }),
  today("Citizens' panel survey", { description: 'Recruiting a panel of residents and asking them each quarter.' }),
  today('Panel vans', { suppliers: 2, description: 'Twelve panel vans, in two lots.' }),
  today('Interview panel training', { description: 'A day of training for members of the interview panel.' }),
  today('Paint for bridges', { description: 'The product must be on the approved list of the highways agency.' }),
  today('DPS licence renewal', { description: 'Renewal of the Document Print Server (DPS) licences.' }),
  today('Study of the dynamic market for electric cars', {
    description: 'A report on a dynamic market and its prices.',
  }),
  today('Steel frames and works', { description: 'Fabrication of frames, work on site included.' }),
  isNone('UK5', 'none: direct award, a framework is weighed and refused', {
    title: 'Vaccine fridges',
    procedure: 'Direct award',
    description: 'Existing frameworks were considered. None could deliver in time.',
  }),
  isNone('UK2', 'none: early talks about a single contract', {
    title: 'Leisure management',
    suppliers: 0,
    description: 'We ask whether a contract or a framework would suit the market better.',
    doubtful: 'a framework is one of the two options',
  }),
  isNone('UK4', 'none: one contract with several lots', {
    title: 'Waste collection',
    suppliers: 0,
    tender: {
      lots: [
        { id: '1', title: 'Paper', status: 'active' },
        { id: '2', title: 'Glass', status: 'active' },
      ],
    },
  }),
];
