import { z } from 'zod';
import { companyAnswer, REGISTER_KEPT, toCompanyAnswer } from '../../../schema/answers/company.ts';
import { readCompanyText } from '../../../schema/answers/company-text.ts';
import { readSicWordsOf } from '../../../schema/answers/known-company.ts';
import { ALTERNATIVES_KEPT } from '../../../schema/answers/shapes.ts';
import { defineOperation } from '../../contract/operation.ts';
import { findCompanyGiven } from '../../find/by-id-or-name.ts';
import { numberIn } from '../../find/organisation.ts';
import { checkOneOf, companyName, companyNumber, optionally, shape } from '../shared/inputs.ts';

export const lookupCompany = defineOperation({
  name: 'lookup_company',
  title: 'Look up a company',
  description:
    'Use this when you have a company number or only a name and want to know which company it is, with its Companies House record. ' +
    'Give company_number (or the company_id from any contract) or name, not both. ' +
    'By name also the match, its evidence and alternatives; of a name that fits none well, near candidates.',
  credits: 5,
  lasting: true,
  input: z.strictObject({ company_number: optionally(companyNumber), name: optionally(companyName), ...shape }),
  output: companyAnswer,
  bindings: [
    {
      method: 'GET',
      path: '/companies/search',
      operationId: 'search_companies',
      summary: 'The company that best matches a name',
      description:
        'Answers the one company that best matches a name, with its Companies House record, the match, its evidence and the alternatives. A name that fits no company well is not found and free; the refusal names near candidates. With a number or an id, use {lookup_company}.',
      inputs: ['name', 'detail', 'fields'],
      required: ['name'],
      example: { name: 'Quayside Personnel' },
    },
    {
      method: 'GET',
      path: '/companies/:company_number',
      operationId: 'lookup_company',
      summary: 'A company by its number',
      description:
        'Answers a company with its Companies House record and the number of contracts it won. A company_id from any contract is accepted in place of the number. With a name alone, use {search_companies}.',
      inputs: ['company_number', 'detail', 'fields'],
      example: { company_number: '99000017' },
    },
  ],
  example: { name: 'Quayside Personnel' },
  stated: [
    'id',
    'name',
    'companies_house_number',
    'is_sme',
    'locality',
    'contract_count',
    'framework_places',
    'alternatives',
  ],
  shortening: { keep: ['companies_house_number', 'is_sme_source', ...REGISTER_KEPT, 'match', ...ALTERNATIVES_KEPT] },
  check: (input) => checkOneOf(input, 'company_number'),
  async readText({ company_number }, { catalogue }) {
    const number = company_number === undefined ? null : numberIn(company_number);
    return number ? readCompanyText(catalogue, number) : undefined;
  },
  async run(input, { catalogue }) {
    const found = await findCompanyGiven(catalogue, input);
    if (found.kind === 'nothing') return found;
    const { thing, named } = found;
    const answer = toCompanyAnswer(thing, await readSicWordsOf(catalogue, thing));
    return { kind: 'answer', body: { ...answer, ...named } };
  },
});
