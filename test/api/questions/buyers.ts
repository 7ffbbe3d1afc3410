import { type Call, type Question, titlesOf } from './agent.ts';

const BUYER = 'Department for Rural Enterprise';

async function findBuyerId(call: Call): Promise<string> {
  return (await call('lookup_buyer', { name: BUYER })).buyer_id;
}

/** Of buyers, frameworks and exports. */
export const buyerQuestions: Question[] = [
  {
    ask: `What is the stable id of the ${BUYER}, and where is it?`,
    find: async (call) => {
      const { buyer_id, region } = await call('lookup_buyer', { name: BUYER });
      return { buyer_id, region };
    },
  },
  {
    ask: `Which contracts of the ${BUYER} end within six months?`,
    find: async (call) => {
      const asked = { buyer_id: await findBuyerId(call), limit: 100, fields: 'ends' };
      const { items } = await call('buyer_contracts', asked);
      const soon = ({ ends = '' }) => ends >= '2026-11-20' && ends <= '2027-05-20';
      return titlesOf({ items: items.filter(soon) });
    },
  },
  {
    ask: `What does the ${BUYER} spend by year?`,
    find: async (call) => (await call('buyer_profile', { buyer_id: await findBuyerId(call), limit: 1 })).by_year,
  },
  {
    ask: `From whom does the ${BUYER} buy most, by value?`,
    find: async (call) => {
      const { top_suppliers } = await call('buyer_profile', { buyer_id: await findBuyerId(call), limit: 1 });
      const byValue = (one: { value?: number }, other: { value?: number }) => (other.value ?? 0) - (one.value ?? 0);
      return top_suppliers
        .toSorted(byValue)
        .slice(0, 3)
        .map(({ name }: { name: string }) => name);
    },
  },
  {
    ask: `What did the ${BUYER} award last, and to whom?`,
    find: async (call) => {
      const { contract_count, items } = await call('buyer_contracts', { buyer_id: await findBuyerId(call), limit: 3 });
      return [contract_count, items.map(({ supplier }: { supplier: string }) => supplier)];
    },
  },
  {
    ask: 'What may be bid for at the Crown Estates and Workspace Agency just now?',
    find: async (call) => {
      const { buyer_id } = await call('lookup_buyer', { name: 'Crown Estates and Workspace Agency' });
      const asked = { query: '*', buyer_id, limit: 5, fields: 'notice_id,title' };
      return titlesOf(await call('search_tenders', asked));
    },
  },
  {
    ask: 'What is the Crown Purchasing Service preparing to buy?',
    find: async (call) => {
      const { buyer_id } = await call('lookup_buyer', { name: 'Crown Purchasing Service' });
      const asked = { buyer_id, stage: 'planning', limit: 5, fields: 'notice_id,title' };
      return titlesOf(await call('search_notices', asked));
    },
  },
  {
    ask: 'Which frameworks are there for legal services, and until when?',
    find: async (call) => {
      const { items } = await call('search_frameworks', { query: 'legal', limit: 3 });
      return items.map(({ title, ends }: Record<string, string>) => [title, ends]);
    },
  },
  {
    ask: 'Who is on the first lot of the legal services framework?',
    find: async (call) => {
      const { items } = await call('search_frameworks', { query: 'legal audit insurance', limit: 1 });
      const { lots } = await call('lookup_framework', { framework_id: items[0].framework_id });
      return lots[0].suppliers.map(({ name }: { name: string }) => name);
    },
  },
  {
    ask: 'How many contracts are held, and what would a file of all of them cost?',
    find: async (call) => {
      const { rows, credits_required } = await call('bulk_export', { dataset: 'contracts', dry_run: true });
      return { rows, credits_required };
    },
  },
];
