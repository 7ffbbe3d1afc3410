import { z } from 'zod';
import { ALTERNATIVES_KEPT } from '../../../schema/answers/shapes.ts';
import { defineOperation } from '../../contract/operation.ts';
import { findBuyerGiven } from '../../find/by-id-or-name.ts';
import { buyerId, buyerName, checkOneOf, optionally, shape } from '../shared/inputs.ts';
import { buyerAnswer, toBuyerAnswer } from './answer.ts';

export const lookupBuyer = defineOperation({
  name: 'lookup_buyer',
  title: 'Look up a buyer',
  description:
    'Use this when you have a public body, by id or only by name, and want its buyer_id, region and kind. ' +
    'Give buyer_id or name, not both. ' +
    'By name also the match, its evidence and alternatives; of a name that fits none well, near candidates.',
  credits: 5,
  lasting: true,
  input: z.strictObject({ buyer_id: optionally(buyerId), name: optionally(buyerName), ...shape }),
  output: buyerAnswer,
  bindings: [
    {
      method: 'GET',
      path: '/buyers/search',
      operationId: 'search_buyers',
      summary: 'The buyer that best matches a name',
      description:
        'Answers the one public body that best matches a name, with its region, its kind, the match, its evidence and the alternatives. A name that fits no buyer well is not found and free; the refusal names near candidates. With an id, use {lookup_buyer}.',
      inputs: ['name', 'detail', 'fields'],
      required: ['name'],
      example: { name: 'Crown Purchasing Service' },
    },
    {
      method: 'GET',
      path: '/buyers/:buyer_id',
      operationId: 'lookup_buyer',
      summary: 'A buyer by its id',
      description:
        'Answers a public body with its region, its kind, its identifiers and the number of contracts it issued. Any published identifier is accepted: a PPON, GB-COH, GB-NHS and others. With a name alone, use {search_buyers}.',
      inputs: ['buyer_id', 'detail', 'fields'],
      example: { buyer_id: 'GB-PPON-PBPR-5137-RWZL' },
    },
  ],
  example: { name: 'Crown Purchasing Service' },
  stated: ['buyer_id', 'name', 'region', 'scope', 'contract_count', 'framework_places', 'alternatives'],
  shortening: {
    keep: ['kind', 'address', 'address.locality', 'address.postcode', 'url', 'match', ...ALTERNATIVES_KEPT],
  },
  check: (input) => checkOneOf(input, 'buyer_id'),
  async run(input, { catalogue }) {
    const found = await findBuyerGiven(catalogue, input);
    if (found.kind === 'nothing') return found;
    return { kind: 'answer', body: { ...toBuyerAnswer(found.thing), ...found.named } };
  },
});
