import { z } from 'zod';
import { companyCore, REGISTER_KEPT, toCompanyCore } from '../../../schema/answers/company.ts';
import { awardsOf, idOf, readSicWordsOf } from '../../../schema/answers/known-company.ts';
import {
  ALTERNATIVES_KEPT,
  candidate,
  counterparty,
  frameworkReference,
  match,
  totals,
  yearTotal,
} from '../../../schema/answers/shapes.ts';
import { defineOperation } from '../../contract/operation.ts';
import { findCompanyGiven } from '../../find/by-id-or-name.ts';
import { readContractsOfCompany } from '../../reads/contracts.ts';
import { nameAgain } from '../../reads/names.ts';
import { WON_KEPT, WON_STATED, wonContracts } from '../contracts/item-shapes.ts';
import { toWonItem } from '../contracts/items.ts';
import { makePaidList } from '../contracts/list.ts';
import { toProfileTotals } from '../contracts/money.ts';
import { checkOneOf, companyName, companyNumber, listCursor, listLimit, optionally, shape } from '../shared/inputs.ts';

const operation = 'company_profile';
const credits = 12;
const list = makePaidList(operation, credits, 'company');

export const companyProfileAnswer = z.object({
  core: companyCore,
  contracts: wonContracts,
  totals,
  by_year: z.array(yearTotal),
  top_buyers: z.array(counterparty),
  frameworks: z.array(frameworkReference),
  match: match.optional(),
  alternatives: z.array(candidate).optional(),
});

export const companyProfile = defineOperation({
  name: operation,
  title: 'Profile a company',
  description:
    'Use this when you research a supplier: its Companies House record, what it won by year and currency, most frequent buyers, frameworks and newest contracts. ' +
    'Give company_number (from {lookup_company} or any contract) or name, not both. ' +
    'next_cursor leads to more contracts, free for 24 hours.',
  credits,
  input: z.strictObject({
    company_number: optionally(companyNumber),
    name: optionally(companyName),
    limit: listLimit,
    cursor: listCursor,
    ...shape,
  }),
  describedBy: { tools: ['lookup_company'], inputs: ['company_number', 'name', 'detail'] },
  output: companyProfileAnswer,
  bindings: [
    {
      method: 'GET',
      path: '/companies/:company_number/profile',
      operationId: operation,
      summary: 'A company, its register record, its buyers and the contracts it won',
      description:
        'Answers what a supplier is and what it won: its Companies House record, its contracts by year and currency, its most frequent buyers, its frameworks and its newest contracts. Further pages of contracts are free for 24 hours.',
      inputs: ['company_number', 'limit', 'cursor', 'detail', 'fields'],
      example: { company_number: '99000017', limit: 2 },
    },
  ],
  example: { company_number: '99000017', limit: 5 },
  stated: [
    'core.name',
    'core.company_number',
    'core.id',
    'core.is_sme',
    ...WON_STATED.map((field) => `contracts.${field}`),
    'totals',
    'top_buyers.id',
    'frameworks.framework_id',
    'alternatives',
  ],
  shortening: {
    of: 'contracts.items',
    keep: [
      'core.company_number',
      'core.is_sme_source',
      ...REGISTER_KEPT.map((field) => `core.${field}`),
      ...WON_KEPT.map((field) => `contracts.${field}`),
      'by_year.framework_places',
      'top_buyers.framework_places',
      'top_buyers.value',
      'top_buyers.currency',
      'match',
      ...ALTERNATIVES_KEPT,
    ],
    most: { 'contracts.items': 500 },
    whole: { top_buyers: 5 },
  },
  toolDefaults: { limit: 7 },
  check(input, services, caller) {
    checkOneOf(input, 'company_number');
    list.check(input, services, caller);
  },
  creditsNeeded: list.creditsNeeded,
  async run(input, services, caller) {
    const found = await findCompanyGiven(services.catalogue, input);
    if (found.kind === 'nothing') return found;
    const { thing, named } = found;
    const id = idOf(thing);
    const page = await list.readPage({ services, caller, input }, id, readContractsOfCompany);
    const { top, ...totals } = toProfileTotals(thing.company?.totals ?? '{}');
    const body = {
      core: toCompanyCore(thing, await readSicWordsOf(services.catalogue, thing)),
      contracts: {
        ...awardsOf(thing),
        items: page.rows.map((row) => toWonItem(row, services.clocks.catalogueNow())),
        count: page.rows.length,
        ...page.next,
      },
      ...totals,
      top_buyers: await nameAgain(services.catalogue, 'buyer', top),
      ...named,
    };
    return page.paid ? { kind: 'answer', body, charge: 'none' } : { kind: 'answer', body };
  },
});
