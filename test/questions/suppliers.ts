import type { Question } from './asking.ts';

const NAME = 'Netherbeck National Protection Services';
const NUMBER = '00900010';

/** Of companies, what they won and what the account spent. */
export const supplierQuestions: Question[] = [
  {
    ask: `Which company is ${NAME}, is it an SME and where does it sit?`,
    find: async (call) => {
      const { companies_house_number, is_sme, locality } = await call('lookup_company', { name: NAME });
      return { companies_house_number, is_sme, locality };
    },
  },
  {
    ask: 'Which company has the number 900010?',
    find: async (call) => (await call('lookup_company', { company_number: '900010' })).name,
  },
  {
    ask: 'Who might "Netherbek Protecton" be?',
    find: async (call) => (await call('lookup_company', { name: 'Netherbek Protecton' })).candidates,
  },
  {
    ask: `How much did ${NAME} win in all, year by year?`,
    find: async (call) => (await call('company_profile', { name: NAME, limit: 1 })).by_year,
  },
  {
    ask: `Is ${NAME} active on the register, and in what trade?`,
    find: async (call) => {
      const { core } = await call('company_profile', { name: NAME, limit: 1 });
      return [core.status, core.sic_codes?.[0]?.code];
    },
  },
  {
    ask: `What did company ${NUMBER} win last?`,
    find: async (call) => {
      const { contract_count, items } = await call('company_contracts', { company_number: NUMBER, limit: 3 });
      return [contract_count, items.map(({ title }: { title: string }) => title)];
    },
  },
  {
    ask: `What are all the contracts of company ${NUMBER}, in pages of eight?`,
    find: async (call) => {
      const first = await call('company_contracts', { company_number: NUMBER, limit: 8 });
      const rest = await call('company_contracts', { company_number: NUMBER, limit: 8, cursor: first.next_cursor });
      return [first.items.length + rest.items.length, rest.credits_charged];
    },
  },
  {
    ask: `Who won the last security contract, and what else did the winner win?`,
    find: async (call) => {
      const found = await call('search_notices', {
        query: 'security',
        stage: 'contract',
        limit: 1,
        fields: 'notice_id',
      });
      const { suppliers } = await call('lookup_contract', { notice_id: found.items[0].notice_id });
      const company_number = suppliers[0].company_id;
      const { contract_count } = await call('company_contracts', { company_number, limit: 1 });
      return [suppliers[0].name, contract_count];
    },
  },
  {
    ask: 'What is the balance?',
    find: async (call) => typeof (await call('get_balance')).balance,
  },
  {
    ask: 'What was the last charge for?',
    find: async (call) => {
      await call('lookup_company', { company_number: NUMBER });
      const { items } = await call('list_ledger', { limit: 1 });
      return [items[0].action, items[0].credits];
    },
  },
];
