import type { FrameworkCase } from '../cases.ts';
import { firm } from '../releases/notice.ts';
import { isFramework, type Said } from './judged.ts';

const today = (title: string, said: Omit<Said, 'title'> = {}) =>
  isFramework('today', `words: ${title.toLowerCase()}`, { title, ...said });
const in2020 = (title: string, said: Omit<Said, 'title'> = {}) =>
  isFramework('2020', `words: ${title.toLowerCase()}`, { title, ...said });
const old = (title: string, said: Omit<Said, 'title'> = {}) =>
  isFramework('old', `words: ${title.toLowerCase()}`, { title, ...said });

const CENTRAL = firm('Northern Counties Purchasing Organisation', { id: 'GB-CFS-60001', postcode: 'ZE5 5NP' });

/** Only the words say so. */
export const byWords: FrameworkCase[] = [
  today('Framework Agreement for Asbestos Consultancy', { suppliers: 15 }),
  today('FRAMEWORK AGREEMENT FOR THE PROVISION OF SAFETY CASES', { suppliers: 0 }),
  today('Drainage Framework', {
    suppliers: 8,
    description: 'Contractors for the drainage of highways over four years.',
  }),
  today('Framework for Trees, Whips and Hardware', { suppliers: 3, description: 'Lots for trees, whips and stakes.' }),
  today('Construction Contractors Framework (4)', { suppliers: 30, value: 60_000_000 }),
  today('Apprenticeships Framework 2024-2028', { suppliers: 45 }),
  today('Framework Contracts for Responsive and Void Property Works', { suppliers: 14 }),
  today('Housing barristers framework - lot 7: property', { suppliers: 4 }),
  today('Sole supplier framework agreement for lift spares', { suppliers: 1 }),
  today('Framework Agreement &ndash; Occupational Health', { suppliers: 2 }),
  today('Bread, pastries and baked goods', {
    suppliers: 4,
    buyer: CENTRAL,
    description:
      'The organisation wishes to establish a framework agreement for the supply and delivery of bread to its customers.',
  }),
  today('Compostable liners', {
    suppliers: 0,
    description:
      'We are looking for providers to be appointed onto a Framework Agreement for the provision of compostable liners.',
  }),
  today('Home care', {
    suppliers: 60,
    description:
      'The Council intends to appoint up to 60 providers to a framework, from which packages of care will be called off by mini-competition.',
  }),
  today('Weight management service', {
    suppliers: 3,
    description: 'A multi-supplier framework over four years. No volume of work is guaranteed to any provider on it.',
  }),
  today('Print services', {
    suppliers: 5,
    description: 'Notification of the award of a framework to supply printed material.',
  }),
  today('Disposable kitchen products', {
    suppliers: 20,
    description: 'This process will be a renewal of the current framework agreement, which expires on 1 December.',
  }),
  today('Vehicle hire', {
    suppliers: 6,
    procedure: 'Open procedure (above threshold)',
    description: 'An open framework under which the buyer may place orders without reopening competition.',
  }),
  today('Dynamic Purchasing System for the Provision of Transport', { suppliers: 0 }),
  today('Dynamic Purchasing System - Digital Services', { suppliers: 201, value: null }),
  today('Taxi DPS - round 5 admissions', { suppliers: 9, value: null }),
  today('Home and community support', {
    suppliers: 90,
    description:
      "The Commissioners have set up a 'pseudo-Dynamic Purchasing System' (DPS) under the light touch rules.",
  }),
  today('Dynamic Market for Temporary Accommodation', { suppliers: 0 }),
  today('Flexible Purchasing System for SEND placements', {
    suppliers: 12,
    description: 'Providers may apply to join at any time and compete for each placement.',
  }),
  today('Approved Supplier List for Independent Reviewing Officers', { suppliers: 2 }),
  today('Approved list of providers of supported living', { suppliers: 17 }),
  today('Legal services', {
    suppliers: 16,
    description:
      'Appointment of firms to a panel of solicitors for four years. Instructions are given to a panel member as need arises.',
  }),
  today('Property Panel - due diligence', {
    suppliers: 14,
    description: 'Appointment to the property panel, from which work is called off.',
  }),
  today('Select list of contractors for small works', {
    suppliers: 22,
    doubtful: 'a select list may be less than a framework',
  }),
  today('Umbrella agreement for interpreters', {
    suppliers: 7,
    description: 'Orders will be called off as needed, with no guarantee of work.',
    doubtful: 'the word framework is never used',
  }),
  today('Frame work agreement for skips', { suppliers: 5, doubtful: 'written as two words' }),
  in2020('National Framework for Major Works 2020 (&pound;5m+) - AWARD', { suppliers: 28, value: 9_000_000_000 }),
  in2020('Legal Services Award Notice', {
    suppliers: 6,
    description: 'The University is awarding a Framework for legal advice.',
  }),
  in2020('Hire of Site Accommodation (Dynamic Purchasing System) - Further Rounds', { suppliers: 12 }),
  in2020('Emergency contraception in pharmacies', {
    suppliers: 4,
    description: 'The City Council have awarded Framework Agreements to the successful pharmacies.',
  }),
  old('Framework Agreement for Fish Tracking Equipment', { suppliers: 0 }),
  old('Student placement systems', {
    suppliers: 5,
    description: 'The University wishes to set up a multi-lot framework agreement.',
  }),
  old('Cytundeb Fframwaith ar gyfer Cyfieithu / Translation', {
    suppliers: 8,
    doubtful: 'the word stands in Welsh only',
  }),
];
