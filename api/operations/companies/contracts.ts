import { z } from 'zod';
import { awardsOf, idOf, nameOf } from '../../../schema/answers/known-company.ts';
import { defineOperation } from '../../contract/operation.ts';
import { noCompany } from '../../find/by-id-or-name.ts';
import { lookUpCompany } from '../../find/organisation.ts';
import { readContractsOfCompany } from '../../reads/contracts.ts';
import { WON_KEPT, WON_STATED, wonContracts } from '../contracts/item-shapes.ts';
import { toWonItem } from '../contracts/items.ts';
import { makePaidList } from '../contracts/list.ts';
import { companyNumber, listCursor, listLimit, namesOf, shape } from '../shared/inputs.ts';

const operation = 'company_contracts';
const credits = 10;
const list = makePaidList(operation, credits, 'company');
const input = z.strictObject({ company_number: companyNumber, limit: listLimit, cursor: listCursor, ...shape });

export const companyContracts = defineOperation({
  name: operation,
  title: 'List the contracts a company won',
  description:
    'Use this to list every public contract that one supplier won, newest first, each once. ' +
    'Takes a company_number from {lookup_company} or any contract. ' +
    'Places on frameworks are in the list, not in contract_count; next_cursor leads on, free for 24 hours. No contracts: an empty list.',
  credits,
  input,
  describedBy: { tools: ['lookup_company'], inputs: ['company_number', 'detail'] },
  output: wonContracts.extend({ company_id: z.string(), name: z.string() }),
  bindings: [
    {
      method: 'GET',
      path: '/companies/:company_number/contracts',
      operationId: operation,
      summary: 'Contracts a company won',
      description:
        'Lists every public contract that one supplier won, newest first, each once. Places on frameworks are in the list and in framework_places; contract_count leaves them out. Further pages are free for 24 hours. For a supplier without contracts the list is empty and free.',
      inputs: namesOf(input),
      example: { company_number: '99000017', limit: 2 },
    },
  ],
  example: { company_number: '99000017', limit: 5 },
  stated: [...WON_STATED, 'company_id', 'name'],
  shortening: { of: 'items', keep: WON_KEPT, most: { items: 500 } },
  toolDefaults: { limit: 15 },
  check: list.check,
  creditsNeeded: list.creditsNeeded,
  async run(input, services, caller) {
    const known = await lookUpCompany(services.catalogue, input.company_number);
    if (!known) return noCompany(services.catalogue, input.company_number);
    const id = idOf(known);
    const page = await list.readPage({ services, caller, input }, id, readContractsOfCompany);
    const body = {
      ...awardsOf(known),
      items: page.rows.map((row) => toWonItem(row, services.clocks.catalogueNow())),
      count: page.rows.length,
      company_id: id,
      name: nameOf(known),
      ...page.next,
    };
    return page.paid || page.rows.length === 0 ? { kind: 'answer', body, charge: 'none' } : { kind: 'answer', body };
  },
});
