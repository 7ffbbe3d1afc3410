import { type Call, type Question, titlesOf } from './agent.ts';

const BUYER = 'Department for Rural Enterprise';
const NUMBER = '00900010';

interface Group {
  id: string | null;
  name: string | null;
  contract_count: number;
  value_total: Record<string, number>;
  share: number;
}

/** The names and pounds of a summary's groups, in their order. */
const poundsOf = ({ groups }: { groups: Group[] }) => groups.map(({ name, value_total }) => [name, value_total.GBP]);
const findBuyerId = async (call: Call): Promise<string> => (await call('lookup_buyer', { name: BUYER })).buyer_id;

/** Of contracts, as a market: what ends, who supplies, what is spent and how it is awarded. */
export const marketQuestions: Question[] = [
  {
    ask: 'Which construction contracts end within six months?',
    find: async (call) => {
      const asked = { cpv: '45', status: 'active', ends_to: '2027-05-20', sort: 'ends', limit: 5 };
      const { items, total } = await call('search_contracts', asked);
      return [total, items.map(({ title, ends }: Record<string, string>) => [title, ends])];
    },
  },
  {
    ask: 'How many contracts of any kind end in London within a year?',
    find: async (call) => {
      const asked = { region: 'London', status: 'active', ends_to: '2027-11-20', limit: 1 };
      return (await call('search_contracts', asked)).total;
    },
  },
  {
    ask: 'Who are the three largest suppliers of business services in Yorkshire and The Humber?',
    find: async (call) =>
      poundsOf(
        await call('summarise_contracts', {
          group_by: 'supplier',
          cpv: '79',
          region: 'Yorkshire and The Humber',
          limit: 3,
        }),
      ),
  },
  {
    ask: 'Who buys most business services?',
    find: async (call) => poundsOf(await call('summarise_contracts', { group_by: 'buyer', cpv: '79', limit: 3 })),
  },
  {
    ask: 'What was spent each month in the second half of 2026?',
    find: async (call) => {
      const { groups } = await call('summarise_contracts', { group_by: 'month', awarded_from: '2026-07-01' });
      return groups.map(({ id, value_total }: Group) => [id, value_total.GBP]).toSorted();
    },
  },
  {
    ask: 'What was spent on health by quarter?',
    find: async (call) => {
      const { groups } = await call('summarise_contracts', { group_by: 'quarter', cpv: '85,33' });
      return groups.map(({ id, value_total }: Group) => [id, value_total.GBP]).toSorted();
    },
  },
  {
    ask: `Which bodies buy what the ${BUYER} buys most?`,
    find: async (call) => {
      const buyer_id = await findBuyerId(call);
      const { groups } = await call('summarise_contracts', { group_by: 'cpv', buyer_id, limit: 1 });
      const { items } = await call('search_buyers', { cpv: groups[0].id, limit: 4 });
      return [groups[0].name, items.map(({ name }: { name: string }) => name)];
    },
  },
  {
    ask: `How does the ${BUYER} award its contracts?`,
    find: async (call) => {
      const asked = { group_by: 'procedure', buyer_id: await findBuyerId(call), measure: 'count' };
      const { groups } = await call('summarise_contracts', asked);
      return groups.map(({ id, contract_count }: Group) => [id, contract_count]);
    },
  },
  {
    ask: 'How many bids came for the last cleaning contracts?',
    find: async (call) => {
      const { items } = await call('search_contracts', {
        query: 'cleaning',
        sort: '-awarded',
        limit: 3,
        fields: 'bids',
      });
      return items.map(({ title, bids }: { title: string; bids?: unknown }) => [title, bids]);
    },
  },
  {
    ask: 'Which contracts had a single bid, the most valuable first?',
    find: async (call) => {
      const { items, total } = await call('search_contracts', { bids_max: 1, sort: '-value', limit: 3 });
      return [total, titlesOf({ items })];
    },
  },
  {
    ask: 'What was the greatest contract awarded without competition, and why?',
    find: async (call) => {
      const { items } = await call('search_contracts', { procedure: 'direct', sort: '-value', limit: 1 });
      const asked = { notice_id: items[0].contract_id, fields: 'justification' };
      const { justification, value } = await call('lookup_contract', asked);
      return [items[0].title, value, justification];
    },
  },
  {
    ask: 'How many contracts were awarded directly because of urgency, and which were the greatest?',
    find: async (call) => {
      const asked = { direct_award_ground: 'urgency', sort: '-value', limit: 3 };
      const { items, total } = await call('search_contracts', asked);
      return [total, titlesOf({ items })];
    },
  },
  {
    ask: 'On which grounds are contracts awarded without competition most often?',
    find: async (call) => {
      const asked = { group_by: 'direct_award_ground', procedure: 'direct', measure: 'count', limit: 4 };
      const { groups } = await call('summarise_contracts', asked);
      return groups.map(({ id, contract_count }: Group) => [id, contract_count]);
    },
  },
  {
    ask: 'Which awards can still be challenged?',
    find: async (call) => {
      const { items } = await call('search_contracts', {
        standstill_from: '2026-11-24',
        limit: 3,
        fields: 'standstill_until',
      });
      return items.map(({ title, standstill_until }: Record<string, string>) => [title, standstill_until]);
    },
  },
  {
    ask: 'Which part of each year went to small suppliers?',
    find: async (call) => {
      const { groups } = await call('summarise_contracts', { group_by: 'year,sme', limit: 4 });
      return groups.map(({ id, second, share }: Group & { second: Group }) => [id, second.id, second.name, share]);
    },
  },
  {
    ask: 'In which year does most of what runs today end?',
    find: async (call) =>
      poundsOf(await call('summarise_contracts', { group_by: 'end_year', status: 'active', limit: 3 })),
  },
  {
    ask: 'In which regions do small suppliers win most?',
    find: async (call) => poundsOf(await call('summarise_contracts', { group_by: 'region', sme: true, limit: 3 })),
  },
  {
    ask: `Which running contracts of company ${NUMBER} end first?`,
    find: async (call) => {
      const asked = { company_number: NUMBER, status: 'active', sort: 'ends', limit: 3 };
      const { items } = await call('search_contracts', asked);
      return items.map(({ title, buyer, ends }: Record<string, string>) => [title, buyer, ends]);
    },
  },
  {
    ask: 'How much is called off from frameworks?',
    find: async (call) => {
      const { groups } = await call('summarise_contracts', { group_by: 'framework_role', limit: 3 });
      return groups.map(({ id, contract_count, share }: Group & { contract_count: number }) => [
        id,
        contract_count,
        share,
      ]);
    },
  },
  {
    ask: 'From which frameworks is most called off?',
    find: async (call) =>
      poundsOf(await call('summarise_contracts', { group_by: 'framework', procedure: 'call_off', limit: 3 })),
  },
  {
    ask: 'How much of what was awarded for construction is in no sum, and why?',
    find: async (call) => {
      const { total } = await call('summarise_contracts', { group_by: 'year', cpv: '45', limit: 1 });
      return [total.contract_count, total.not_in_total];
    },
  },
  {
    ask: 'Which contracts were ended early?',
    find: async (call) => {
      const { items, total } = await call('search_contracts', { status: 'terminated', limit: 3 });
      return [total, titlesOf({ items })];
    },
  },
  {
    ask: 'Which contract that ends next may be extended longest?',
    find: async (call) => {
      const { items } = await call('search_contracts', {
        status: 'active',
        sort: 'ends',
        limit: 10,
        fields: 'ends_latest',
      });
      const [longest] = items.toSorted((one: Record<string, string>, other: Record<string, string>) =>
        (one.ends_latest ?? '') < (other.ends_latest ?? '') ? 1 : -1,
      );
      return [longest.title, longest.ends, longest.ends_latest];
    },
  },
  {
    ask: 'Which supplier has the most of one buyer, by value?',
    find: async (call) => {
      const { groups } = await call('summarise_contracts', { group_by: 'buyer,supplier', limit: 3 });
      return groups.map(({ name, second, value_total }: Group & { second: Group }) => [
        name,
        second.name,
        value_total.GBP,
      ]);
    },
  },
];
