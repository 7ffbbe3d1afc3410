import type { FrameworkCase } from '../cases.ts';
import { pool } from '../firms.ts';
import { findATender } from '../releases/find-a-tender.ts';
import { isFramework } from './judged.ts';

const FLAG = { techniques: { hasFrameworkAgreement: true } };
const MARKET = { techniques: { hasDynamicPurchasingSystem: true } };
const details = {
  hasFrameworkAgreement: true,
  frameworkAgreement: {
    method: 'withReopeningCompetition',
    type: 'open',
    maximumParticipants: 20,
    period: { startDate: '2025-07-01T00:00:00+01:00', endDate: '2029-06-30T23:59:59+01:00' },
  },
};
const plumbing = {
  title: 'Plumbing and heating materials',
  description: 'Supply of pipes, valves and boilers to depots.',
};

/** A field says so, whatever the words. */
export const byField: FrameworkCase[] = [
  isFramework('old', 'field: the flag on a tender', { ...plumbing, suppliers: 0, tender: FLAG }),
  isFramework('old', 'field: the flag on an award to one', { ...plumbing, tender: FLAG }),
  isFramework('old', 'field: the flag on an award to six, no value', {
    ...plumbing,
    suppliers: 6,
    value: null,
    tender: FLAG,
  }),
  isFramework('UK4', 'field: the flag with all its details', {
    ...plumbing,
    suppliers: 0,
    tender: { techniques: details },
  }),
  isFramework('UK6', 'field: the flag on a notice of award', {
    ...plumbing,
    suppliers: 9,
    value: 40_000_000,
    tender: { techniques: details },
  }),
  isFramework('UK7', 'field: the flag on a notice of contract details', { ...plumbing, suppliers: 4, tender: FLAG }),
  isFramework('UK3', 'field: the flag on a planned procurement', { ...plumbing, suppliers: 0, tender: FLAG }),
  isFramework('UK5', 'field: the flag on a direct award of a framework to one', {
    ...plumbing,
    procedure: 'Direct award',
    tender: FLAG,
  }),
  isFramework('UK4', 'field: an open framework scheme', {
    ...plumbing,
    suppliers: 0,
    tender: { techniques: { hasFrameworkAgreement: true, frameworkAgreement: { isOpenFrameworkScheme: true } } },
  }),
  isFramework('UK6', 'field: the details stand without the flag', {
    ...plumbing,
    suppliers: 5,
    tender: { techniques: { frameworkAgreement: details.frameworkAgreement } },
  }),
  isFramework('old', 'field: the flag stands at the lot', {
    ...plumbing,
    suppliers: 5,
    tender: { lots: [{ id: '1', status: 'complete', techniques: details }] },
    doubtful: 'the lot is no published place of the flag',
  }),
  isFramework('old', 'field: a dynamic purchasing system', {
    title: 'School holiday activities',
    suppliers: 0,
    tender: MARKET,
  }),
  isFramework('old', 'field: admissions to a dynamic purchasing system', {
    title: 'School holiday activities',
    suppliers: 14,
    value: null,
    tender: MARKET,
  }),
  isFramework('UK4', 'field: a dynamic market', {
    title: 'Passenger transport of pupils',
    suppliers: 0,
    tender: MARKET,
  }),
  isFramework('UK13', 'field: the notice type of an intended dynamic market', {
    title: 'Passenger transport of pupils',
    suppliers: 0,
  }),
  isFramework('UK14', 'field: the notice type of an established dynamic market', {
    title: 'Passenger transport of pupils',
    suppliers: 11,
    value: null,
  }),
  {
    name: 'field: the tender has the flag, the award has lost it',
    kind: 'positive',
    source: 'find_a_tender',
    releases: [
      findATender('UK4', { process: 'flag lost', at: '2025-03-05T10:00:00', ...plumbing, tender: FLAG }),
      findATender('UK6', {
        process: 'flag lost',
        notice: 2,
        ...plumbing,
        awards: [{ firms: pool(7), value: 12_000_000 }],
      }),
    ],
    expect: { framework: true },
  },
];
