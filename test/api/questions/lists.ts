import type { Question } from './agent.ts';

type Item = Record<string, string | number | undefined>;

const namesOf = ({ items }: { items: Item[] }) => items.map(({ name }) => name);

/** Of many companies or public bodies at once, and of what searches can be narrowed by. */
export const listQuestions: Question[] = [
  {
    ask: 'Which suppliers are insolvent, and how many contracts have they won?',
    find: async (call) => {
      const asked = { status: 'liquidation,administration,receivership', won: true, limit: 5 };
      const { items, total } = await call('search_companies', asked);
      return [total, items.map(({ name, status, contract_count }: Item) => [name, status, contract_count])];
    },
  },
  {
    ask: 'Which running contracts does the insolvent supplier with most of them have?',
    find: async (call) => {
      const { items } = await call('search_companies', { status: 'liquidation,administration', won: true, limit: 1 });
      const asked = { company_number: items[0].id, status: 'active', sort: 'ends', limit: 3 };
      const running = await call('search_contracts', asked);
      return [items[0].name, running.items.map(({ title, buyer, ends }: Item) => [title, buyer, ends])];
    },
  },
  {
    ask: 'Which companies are called Netherbeck?',
    find: async (call) => {
      const { items, total } = await call('search_companies', { query: 'Netherbeck', limit: 10 });
      return [total, items.map(({ name, companies_house_number }: Item) => [name, companies_house_number])];
    },
  },
  {
    ask: 'Which of these five suppliers are known, and are they active?',
    find: async (call) => {
      const companies = ['00900010', 'NI900028', { name: 'Netherbek Protecton' }, '12', '99999998'];
      const { items } = await call('lookup_companies', { companies });
      return items.map(({ outcome, company }: { outcome: string; company?: Item }) => [outcome, company?.name]);
    },
  },
  {
    ask: 'Which small firms in London won since July 2026?',
    find: async (call) =>
      namesOf(await call('search_companies', { region: 'London', sme: true, won_from: '2026-07-01', limit: 5 })),
  },
  {
    ask: 'Which firms in postcode area M won most contracts?',
    find: async (call) => {
      const { items, total } = await call('search_companies', { postcode: 'M', won: true, limit: 3 });
      return [total, items.map(({ name, postcode, contract_count }: Item) => [name, postcode, contract_count])];
    },
  },
  {
    ask: 'Which suppliers won more than ten million pounds?',
    find: async (call) => {
      const { items, total } = await call('search_companies', { won_value_min: 10_000_000, limit: 3 });
      return [total, items.map(({ name, value }: Item) => [name, value])];
    },
  },
  {
    ask: 'Which companies younger than five years have won contracts?',
    find: async (call) => {
      const { items, total } = await call('search_companies', { incorporated_from: '2021-11-20', won: true, limit: 3 });
      return [total, items.map(({ name, incorporated }: Item) => [name, incorporated])];
    },
  },
  {
    ask: 'Which suppliers are in the building trade by their SIC code?',
    find: async (call) => namesOf(await call('search_companies', { sic: '41,42,43', won: true, limit: 3 })),
  },
  {
    ask: 'Which NHS bodies buy, the busiest first?',
    find: async (call) => {
      const { items } = await call('search_buyers', { kind: 'nhs', limit: 3 });
      return items.map(({ name, contract_count }: Item) => [name, contract_count]);
    },
  },
  {
    ask: 'Which councils buy construction?',
    find: async (call) => namesOf(await call('search_buyers', { kind: 'local', cpv: '45', limit: 5 })),
  },
  {
    ask: 'Who of those that buy most services has tenders open now?',
    find: async (call) => {
      const { items } = await call('search_buyers', { cpv: '79,85,90', limit: 30 });
      return namesOf({ items: items.filter(({ live_tender_count }: Item) => Number(live_tender_count) > 0) });
    },
  },
  {
    ask: 'What do the stages of a procurement mean?',
    find: async (call) => {
      const { items } = await call('describe_filters', { name: 'stage' });
      return items[0].values.map(({ code, name }: Item) => [code, name]);
    },
  },
];
