import type { FrameworkCase } from '../cases.ts';
import { firm } from '../releases/notice.ts';
import { isNone, type Said } from './judged.ts';

const today = (title: string, said: Omit<Said, 'title'> = {}) =>
  isNone('today', `call-off: ${title.toLowerCase()}`, { title, ...said });
const CALL_OFF = 'Call-off from a framework agreement';

/** Purchases under a framework or a market. */
export const callOffs: FrameworkCase[] = [
  today('Noise Modelling - Call-Off Contract 4', {
    procedure: CALL_OFF,
    description: 'Discovery of a portal, delivered under the Noise Framework agreement.',
  }),
  today('Retainer for incident response', {
    procedure: CALL_OFF,
    description: 'Awarded under the Cloud Store 12 Framework Agreement.',
  }),
  today('Temporary labour bridging contract', {
    procedure: CALL_OFF,
    description: 'Call-off from the national labour Framework.',
  }),
  today('Home to school transport DPS', {
    procedure: 'Call-off from a dynamic purchasing system',
    suppliers: 12,
    description: 'Call-offs on the DPS for October to December.',
  }),
  today('Work related learning DPS', {
    procedure: 'Call-off from a dynamic purchasing system',
    suppliers: 10,
    description: 'Quarterly spend.',
  }),
  today('Bus contract 300, Wednesdays only', {
    procedure: 'Not specified',
    description:
      'The Council seeks a mini competition against the following Dynamic Purchasing System: passenger transport.',
  }),
  today('October bus tenders, tranche 3', {
    procedure: 'Other - ',
    suppliers: 4,
    description: 'Tendered under the Subsidised Bus Services Dynamic Purchasing System.',
  }),
  today('Mini Competition: home to school transport', {
    procedure: CALL_OFF,
    suppliers: 18,
    description: 'Mini competition from the framework for transport.',
  }),
  today("Hart Vale's Further Competition - Insurance Placement DPS 978", {
    procedure: 'Other - Further Competition via the Insurance Placement DPS',
    suppliers: 3,
  }),
  today('Demolition of Farm Road', {
    procedure: 'Other - ',
    description: 'Clearing a site for housing. Procured through the housing framework of a partner.',
  }),
  today('Insurance broker', {
    procedure: 'Restricted procedure',
    description: 'This mini-competition is conducted using Lot 1 of framework agreement RM9020.',
  }),
  today('Network replacement', {
    procedure: 'Restricted procedure',
    description: 'Using the Higher Education Networking Framework Agreement we wish to form one contract for switches.',
  }),
  today('Parking pilot', {
    procedure: 'Direct award',
    description: 'A data analyst, as permitted under the 509 framework.',
  }),
  today('Re-roofing, year 3 call off', {
    procedure: 'Restricted procedure',
    suppliers: 2,
    description: 'Year 3 call off from the Re-Roofing and Associated Works Framework agreement.',
  }),
  today('Specialist ICT contractors (call of under DN900804)', {
    procedure: 'Other - ',
    suppliers: 4,
    description: 'These are call off under the Temporary ICT Staff Framework.',
  }),
  today('Quantity surveyor for Armson House - AWARD', {
    procedure: 'Other - ',
    description: "Further competition under Lot 3 of the Council's Framework Agreement.",
  }),
  today('ICT equipment', {
    procedure: 'Direct award',
    suppliers: 5,
    description: "To be purchased through the Council's framework agreement for goods and services.",
  }),
  today('Internal audit', {
    procedure: CALL_OFF,
    suppliers: 2,
    description: 'Award following a further competition against Framework RM9745 Lot 3.',
  }),
  isNone('old', 'call-off: the procedure has no call, the rationale names a framework', {
    title: 'Multi-functional printers',
    procedure: 'Award procedure without prior publication of a call for competition',
    tender: { procurementMethodRationale: 'Direct award under a framework because of the cost of change.' },
  }),
  isNone('old', 'call-off: related to a framework by its title', {
    title: 'Penetration tests',
    more: { relatedProcesses: [{ id: 'framework', relationship: ['framework'], title: 'Cyber Services 3 - RM9764' }] },
  }),
  isNone('old', 'call-off: related to a framework by its ocid, several suppliers', {
    title: 'Winter gritting',
    suppliers: 4,
    more: {
      relatedProcesses: [{ id: '1', relationship: ['framework'], scheme: 'ocid', identifier: 'ocds-h6vhtk-0aa001' }],
    },
  }),
  isNone('UK6', 'call-off: award under framework', { title: 'Service desk', procedure: 'Award under framework' }),
  isNone('UK7', 'call-off: award under framework, the word is in the title', {
    title: 'Order 7 under the Estates Framework',
    procedure: 'Award under framework',
  }),
  isNone('UK7', 'call-off: below threshold - award under framework', {
    title: 'Window cleaning',
    procedure: 'Below threshold - award under framework',
  }),
  isNone('UK7', 'call-off: a tool from before the Act', {
    title: 'Cloud hosting',
    procedure: 'Using pre-Procurement Act commercial tool',
    description: 'Call-off from a framework agreement of 2022.',
  }),
  isNone('UK4', 'call-off: competition among the members of a dynamic market', {
    title: 'Taxi routes for autumn',
    suppliers: 0,
    description: 'Only members of the Passenger Transport Dynamic Market may bid for these routes.',
    doubtful: 'the market itself is named, and nothing is awarded yet',
  }),
  isNone('today', 'call-off: a company names its programme', {
    title: 'CP7 Framework - embankment works at Saltby',
    buyer: firm('Saltby Rail Infrastructure Ltd', { id: 'GB-COH-99006001', number: '99006001', postcode: 'ZE6 6RI' }),
    procedure: 'Direct award',
    description: 'Repair of one embankment between two bridges.',
  }),
  isNone('today', 'call-off: a subcontract under a framework', {
    title: 'Subcontract: groundworks at Elm School under the Northern Schools Framework',
    buyer: firm('Fenwold Construction PLC', { id: 'GB-COH-99006002', number: '99006002', postcode: 'ZE6 7FC' }),
    description: 'The main contractor on the framework seeks one subcontractor.',
  }),
];
