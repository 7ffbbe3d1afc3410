import { type Question, titlesOf } from './agent.ts';

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
    ask: `Has ${NAME} won from the Crown Purchasing Service?`,
    find: async (call) => {
      const asked = { company_number: NUMBER, limit: 100, fields: 'buyer' };
      const { items } = await call('company_contracts', asked);
      return items.filter(({ buyer }: { buyer: string }) => buyer === 'Crown Purchasing Service').length;
    },
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
    ask: `Which live tenders are in the trade in which ${NAME} won last?`,
    find: async (call) => {
      const { items } = await call('company_contracts', { company_number: NUMBER, limit: 1, fields: 'cpv' });
      const cpv = items[0].cpv.slice(0, 2);
      const asked = { query: '*', cpv, sort: 'deadline', limit: 5, fields: 'notice_id,title' };
      return [cpv, ...titlesOf(await call('search_tenders', asked))];
    },
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
