import { z } from 'zod';
import { defineOperation } from '../operation.ts';
import { toCompanyAnswer } from './shared/company-rows.ts';
import { companyAnswer } from './shared/company-shapes.ts';
import { readSicWordsOf } from './shared/find-organisation.ts';
import { companyName, companyNumber, optionally } from './shared/inputs.ts';
import { findCompanyGiven } from './shared/named.ts';
import { checkOneOf } from './shared/one-of.ts';

export const lookupCompany = defineOperation({
  name: 'lookup_company',
  title: 'Look up a company',
  description:
    'Use this when you have a company number or only a name and want to know which company it is. ' +
    'Give company_number (from Companies House, or the company_id of any contract) or name, not both. ' +
    'Answers one company, supplier or not, with its whole Companies House record; by name also the match, its evidence and the alternatives. ' +
    'A name that fits none well is not found and free, with near candidates.',
  credits: 5,
  lasting: true,
  input: z.strictObject({ company_number: optionally(companyNumber), name: optionally(companyName) }),
  output: companyAnswer,
  bindings: [
    {
      method: 'GET',
      path: '/companies/search',
      operationId: 'search_companies',
      summary: 'The company that best matches a name',
      inputs: ['name'],
      required: ['name'],
      example: { name: 'Quayside Personnel' },
    },
    {
      method: 'GET',
      path: '/companies/:company_number',
      operationId: 'lookup_company',
      summary: 'A company by its number',
      inputs: ['company_number'],
      example: { company_number: '99000017' },
    },
  ],
  example: { name: 'Quayside Personnel' },
  check: (input) => checkOneOf(input, 'company_number', 'name'),
  async run(input, { catalogue }) {
    const found = await findCompanyGiven(catalogue, input);
    if (found.kind === 'nothing') return found;
    const { thing, match, alternatives } = found;
    const answer = toCompanyAnswer(thing, await readSicWordsOf(catalogue, thing));
    const body = { ...answer, ...(match && { match }), ...(alternatives && { alternatives }) };
    return { kind: 'answer', body };
  },
});
