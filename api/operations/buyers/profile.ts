import { z } from 'zod';
import { defineOperation } from '../../contract/operation.ts';
import { noBuyer } from '../../find/by-id-or-name.ts';
import { lookUpBuyer } from '../../find/organisation.ts';
import { readContractsOfBuyer } from '../../reads/contracts.ts';
import { readFrameworksOfBuyer } from '../../reads/frameworks.ts';
import { nameAgain } from '../../reads/names.ts';
import { ISSUED_KEPT, ISSUED_STATED } from '../contracts/item-shapes.ts';
import { toIssuedItem } from '../contracts/items.ts';
import { makePaidList } from '../contracts/list.ts';
import { toProfileTotals } from '../contracts/money.ts';
import { buyerId, listCursor, listLimit, namesOf, shape } from '../shared/inputs.ts';
import { buyerProfileAnswer, toBuyerCore } from './answer.ts';

const operation = 'buyer_profile';
const credits = 20;
const list = makePaidList(operation, credits, 'buyer');
const input = z.strictObject({ buyer_id: buyerId, limit: listLimit, cursor: listCursor, ...shape });

export const buyerProfile = defineOperation({
  name: operation,
  title: 'Profile a buyer',
  description:
    'Use this when you prepare a bid to a public body: what it awards by year and currency, most frequent suppliers, frameworks and newest contracts. ' +
    'next_cursor leads to more contracts, free for 24 hours.',
  credits,
  input,
  output: buyerProfileAnswer,
  bindings: [
    {
      method: 'GET',
      path: '/buyers/:buyer_id/profile',
      operationId: operation,
      summary: 'A buyer, its awards, suppliers, frameworks and contracts',
      description:
        'Answers what a public body is and what it buys: what it awarded by year and currency, its most frequent suppliers, its frameworks and its newest contracts. Further pages of contracts are free for 24 hours.',
      inputs: namesOf(input),
      example: { buyer_id: 'GB-PPON-PBPR-5137-RWZL', limit: 2 },
    },
  ],
  example: { buyer_id: 'GB-PPON-PBPR-5137-RWZL', limit: 5 },
  stated: [
    'core.buyer_id',
    'core.name',
    'core.region',
    'core.scope',
    ...ISSUED_STATED.map((field) => `contracts.${field}`),
    'totals',
    'top_suppliers.id',
    'frameworks.framework_id',
  ],
  shortening: {
    of: 'contracts.items',
    keep: [
      'core.kind',
      'core.url',
      ...ISSUED_KEPT.map((field) => `contracts.${field}`),
      'by_year.framework_places',
      'top_suppliers.framework_places',
      'top_suppliers.value',
      'top_suppliers.currency',
    ],
    most: { 'contracts.items': 500, 'contracts.items.suppliers': 10 },
    whole: { top_suppliers: 5 },
  },
  toolDefaults: { limit: 7 },
  check: list.check,
  creditsNeeded: list.creditsNeeded,
  async run(input, services, caller) {
    const buyer = await lookUpBuyer(services.catalogue, input.buyer_id);
    if (!buyer) return noBuyer(services.catalogue, input.buyer_id);
    const page = await list.readPage({ services, caller, input }, buyer.id, readContractsOfBuyer);
    const { top, ...totals } = toProfileTotals(buyer.totals);
    const body = {
      core: toBuyerCore(buyer),
      contracts: {
        contract_count: buyer.contract_count,
        framework_places: buyer.framework_places,
        items: page.rows.map((row) => toIssuedItem(row, services.clocks.catalogueNow())),
        count: page.rows.length,
        ...page.next,
      },
      ...totals,
      top_suppliers: await nameAgain(services.catalogue, 'supplier', top),
      frameworks: await readFrameworksOfBuyer(services.catalogue, buyer.id),
    };
    return page.paid ? { kind: 'answer', body, charge: 'none' } : { kind: 'answer', body };
  },
});
