import { z } from 'zod';
import { defineOperation } from '../../contract/operation.ts';
import { noBuyer } from '../../find/by-id-or-name.ts';
import { lookUpBuyer } from '../../find/organisation.ts';
import { readContractsOfBuyer } from '../../reads/contracts.ts';
import { ISSUED_KEPT, ISSUED_STATED } from '../contracts/item-shapes.ts';
import { toIssuedItem } from '../contracts/items.ts';
import { makePaidList } from '../contracts/list.ts';
import { buyerId, listCursor, listLimit, namesOf, shape } from '../shared/inputs.ts';
import { buyerContractsAnswer } from './answer.ts';

const operation = 'buyer_contracts';
const credits = 10;
const list = makePaidList(operation, credits, 'buyer');
const input = z.strictObject({ buyer_id: buyerId, limit: listLimit, cursor: listCursor, ...shape });

export const buyerContracts = defineOperation({
  name: operation,
  title: 'List the contracts a buyer issued',
  description:
    'Use this to list every contract that one public body awarded, newest first, each once. ' +
    'Places on frameworks are in the list, not in contract_count; next_cursor leads on, free for 24 hours. No contracts: an empty list.',
  credits,
  input,
  output: buyerContractsAnswer,
  bindings: [
    {
      method: 'GET',
      path: '/buyers/:buyer_id/contracts',
      operationId: operation,
      summary: 'Contracts a buyer issued',
      description:
        'Lists every contract that one public body awarded, newest first, each once. Places on frameworks are in the list and in framework_places; contract_count leaves them out. Further pages are free for 24 hours. For a buyer without contracts the list is empty and free.',
      inputs: namesOf(input),
      example: { buyer_id: 'GB-PPON-PBPR-5137-RWZL', limit: 2 },
    },
  ],
  example: { buyer_id: 'GB-PPON-PBPR-5137-RWZL', limit: 5 },
  stated: [...ISSUED_STATED, 'buyer_id', 'name'],
  shortening: { of: 'items', keep: ISSUED_KEPT, most: { items: 500, 'items.suppliers': 10 } },
  toolDefaults: { limit: 11 },
  check: list.check,
  creditsNeeded: list.creditsNeeded,
  async run(input, services, caller) {
    const buyer = await lookUpBuyer(services.catalogue, input.buyer_id);
    if (!buyer) return noBuyer(services.catalogue, input.buyer_id);
    const page = await list.readPage({ services, caller, input }, buyer.id, readContractsOfBuyer);
    const body = {
      contract_count: buyer.contract_count,
      framework_places: buyer.framework_places,
      items: page.rows.map((row) => toIssuedItem(row, services.clocks.catalogueNow())),
      count: page.rows.length,
      buyer_id: buyer.id,
      name: buyer.name,
      ...page.next,
    };
    return page.paid || page.rows.length === 0 ? { kind: 'answer', body, charge: 'none' } : { kind: 'answer', body };
  },
});
