import { type Question, titlesOf } from './agent.ts';

type Item = Record<string, string>;

/** Of notices, tenders and how fresh they are. */
export const tenderQuestions: Question[] = [
  {
    ask: 'Which live tenders close next?',
    find: async (call) => {
      const asked = { query: '*', sort: 'deadline', limit: 5, fields: 'notice_id,title,deadline' };
      return (await call('search_tenders', asked)).items.map(({ notice_id, deadline }: Item) => [notice_id, deadline]);
    },
  },
  {
    ask: 'Is there a live tender for catering?',
    find: async (call) =>
      titlesOf(await call('search_tenders', { query: 'catering', limit: 3, fields: 'notice_id,title' })),
  },
  {
    ask: 'Which live tender is worth more than 10,000 pounds, for a training provider?',
    find: async (call) => {
      const asked = { query: '*', cpv: '80', value_min: 10_000, limit: 3, fields: 'notice_id,title' };
      return titlesOf(await call('search_tenders', asked));
    },
  },
  {
    ask: 'Which tenders of councils close next, and which frameworks do ministries have?',
    find: async (call) => {
      const asked = { query: '*', buyer_kind: 'local', sort: 'deadline', limit: 3, fields: 'notice_id,buyer' };
      const { items } = await call('search_tenders', asked);
      const frameworks = await call('search_frameworks', { buyer_kind: 'central', limit: 2 });
      return [items.map(({ notice_id, buyer }: Item) => [notice_id, buyer]), frameworks.total, titlesOf(frameworks)];
    },
  },
  {
    ask: 'For which grounds do notices say that nobody competes, and how many say urgency?',
    find: async (call) => {
      const { facets } = await call('search_notices', { facets: 'direct_award_ground', limit: 1, fields: 'notice_id' });
      const urgent = await call('search_notices', { direct_award_ground: 'urgency', limit: 1, fields: 'notice_id' });
      return [facets.direct_award_ground, urgent.total];
    },
  },
  {
    ask: 'How does one apply for the skills bootcamps tender, and until when?',
    find: async (call) => {
      const { items } = await call('search_tenders', { query: 'skills bootcamps', limit: 1, fields: 'notice_id' });
      const { how_to_apply, deadline } = await call('get_notice', { notice_id: items[0].notice_id });
      return [how_to_apply.method, deadline];
    },
  },
  {
    ask: 'Which documents belong to notice 500052-2026?',
    find: async (call) => {
      const { documents } = await call('contract_documents', { notice_id: '500052-2026' });
      return documents.map(({ name }: Item) => name);
    },
  },
  {
    ask: 'In which trades were most notices published?',
    find: async (call) => {
      const { facets } = await call('search_notices', { facets: 'cpv_division', limit: 1, fields: 'notice_id' });
      const counts = Object.entries(facets.cpv_division) as [string, number][];
      return counts.toSorted(([, one], [, other]) => other - one).slice(0, 3);
    },
  },
  {
    ask: 'How many notices were there in London in the second half of 2026?',
    find: async (call) => {
      const asked = { region: 'London', published_from: '2026-07-01', limit: 1, fields: 'notice_id' };
      return (await call('search_notices', asked)).total;
    },
  },
  {
    ask: 'Which procurements were ended without a contract?',
    find: async (call) => {
      const asked = { notice_type: 'UK12', limit: 5, fields: 'notice_id,title' };
      return titlesOf(await call('search_notices', asked));
    },
  },
  {
    ask: 'Who won contract 500041-2026, for how much?',
    find: async (call) => {
      const { supplier, value, currency } = await call('lookup_contract', { notice_id: '500041-2026' });
      return [supplier, value, currency];
    },
  },
  {
    ask: 'Which notices are only for suppliers of an area?',
    find: async (call) => {
      const { items, total } = await call('search_notices', { reserved_for: 'area', limit: 3 });
      return [total, items.map(({ title, published }: Item) => [title, published])];
    },
  },
  {
    ask: 'What was to be put out to tender from October 2026 on, and was it?',
    find: async (call) => {
      const planned = { stage: 'planning', tender_expected_from: '2026-10-01', sort: 'tender_expected' };
      const asked = { ...planned, limit: 4, fields: 'status,tender_expected' };
      const { items, total } = await call('search_notices', asked);
      return [total, items.map(({ title, tender_expected, status }: Item) => [title, tender_expected, status])];
    },
  },
  {
    ask: 'Up to when is Find a Tender held?',
    find: async (call) => {
      const { sources } = await call('get_status');
      return sources.find(({ source }: Item) => source?.includes('find'))?.as_of;
    },
  },
];
