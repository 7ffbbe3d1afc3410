import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeSeededEngine } from '../engine.ts';
import { alterRow, IDS, seedCatalogue } from '../seed.ts';
import { type Site, startSite } from '../site.ts';
import { wordsIn } from '../visitor.ts';

let site: Site;
beforeAll(async () => {
  site = await startSite({}, makeSeededEngine());
  await seedCatalogue(site.services.catalogue);
});
afterAll(() => site?.close());

it('a notice says how long each of its lots runs where no end is stated, and how it may be extended', async () => {
  const lengths = [
    { duration_days: 1440, renewal: 'Twice by a year.' },
    { duration_days: 730 },
    { duration_days: 45 },
    { duration_months: 1 },
    { duration_months: 1.5 },
    { duration_days: 1440, ends: '2030-03-31' },
    {},
  ];
  const lots = lengths.map((one, n) => ({ lot_id: `${n + 1}`, title: `Pier ${n + 1}`, ...one }));
  const detail = { lots, dates: {}, documents: [], suppliers: [], contract_ids: [], warnings: [] };
  const row = `${IDS.tender}_${IDS.process}`;
  await alterRow(site.services.catalogue, 'notice', row, { detail: JSON.stringify(detail) });
  const { html } = await site.visitor().get(`/notices/${IDS.tender}`);
  expect(wordsIn(html)).toContain(
    'Pier 1 Extension: Twice by a year. for 48 months Pier 2 for 24 months Pier 3 for 45 days Pier 4 for 1 month Pier 5 for 45 days Pier 6 until 31 March 2030 Pier 7',
  );
});

it('a notice shows what it changes, and the options of its lots', async () => {
  const lots = [
    { lot_id: '1', title: 'Pier', ends: '2028-03-31', extends_to: '2030-03-31', options: 'Two more piers.' },
    { lot_id: '2', title: 'Jetty', invited_min: 3, invited_max: 5 },
    { lot_id: '3', title: 'Slip', invited_max: 6 },
    { lot_id: '4', title: 'Quay', renewal: 'A year more.', options: 'A year more.' },
  ];
  const texts = {
    delivery_places: Array.from({ length: 22 }, (_, n) => `Pier <${n + 1}>`),
    what_changed: 'The deadline is a week later.',
    engagement: 'A webinar on 3 April.',
    no_engagement_reason: 'The market is known.',
    additional_information: 'The project code is 19390.',
  };
  const detail = { lots, dates: {}, documents: [], suppliers: [], contract_ids: [], warnings: [], ...texts };
  const row = `${IDS.tender}_${IDS.process}`;
  await alterRow(site.services.catalogue, 'notice', row, { detail: JSON.stringify(detail) });
  const words = wordsIn((await site.visitor().get(`/notices/${IDS.tender}`)).html);
  expect(words).toContain('What changes The deadline is a week later. Description');
  expect(words).toContain(
    'Engagement with the market A webinar on 3 April. Why no engagement notice was published The market is known.',
  );
  expect(words).toMatch(/Places of delivery Pier &lt;1>; Pier &lt;2>; .*; Pier &lt;20>; and 2 more /);
  expect(words).toContain('Options: Two more piers. until 31 March 2028 with every extension until 31 March 2030');
  expect(words).toContain(
    'Jetty 3 to 5 are invited to bid Slip at most 6 are invited to bid Quay Extension: A year more. Additional',
  );
  expect(words).toContain('Additional information The project code is 19390.');
  await alterRow(site.services.catalogue, 'notice', row, { stage: 'termination' });
  const ended = wordsIn((await site.visitor().get(`/notices/${IDS.tender}`)).html);
  await alterRow(site.services.catalogue, 'notice', row, { stage: 'tender' });
  expect(ended).toContain('Why it ended The deadline is a week later. Description');
});

it('a notice shows the whole description of each lot, and of very many lots the beginning', async () => {
  const description = `${'It floats on the tide. '.repeat(60)}Questions are answered until noon on 4 October.`;
  const shown = async (count: number) => {
    const lots = Array.from({ length: count }, (_, n) => ({ lot_id: `${n}`, title: `Pier ${n}`, description }));
    const detail = { lots, dates: {}, documents: [], suppliers: [], contract_ids: [], warnings: [] };
    const row = `${IDS.tender}_${IDS.process}`;
    await alterRow(site.services.catalogue, 'notice', row, { detail: JSON.stringify(detail) });
    return wordsIn((await site.visitor().get(`/notices/${IDS.tender}`)).html);
  };
  expect(await shown(2)).toContain('Questions are answered until noon on 4 October.');
  expect(await shown(13)).not.toContain('Questions are answered');
});

it('a notice shows once by what bids are compared where its lots agree, and for each lot where they differ', async () => {
  const criteria = (weight: number) => [
    {
      type: 'quality',
      name: 'Social value',
      description: 'Jobs for the town.',
      weight,
      weight_type: 'percentageExact',
    },
    { type: 'price', weight: 90 },
    { type: 'quality', name: 'Quality of the team', order: 2 },
  ];
  const shown = async (lots: object[], more: object = {}) => {
    const detail = { lots, dates: {}, documents: [], suppliers: [], contract_ids: [], warnings: [], ...more };
    const row = `${IDS.tender}_${IDS.process}`;
    await alterRow(site.services.catalogue, 'notice', row, { detail: JSON.stringify(detail) });
    return wordsIn((await site.visitor().get(`/notices/${IDS.tender}`)).html);
  };
  const [pier, jetty] = [
    { lot_id: '1', title: 'Pier' },
    { lot_id: '2', title: 'Jetty' },
  ];
  const same = { award_criteria: criteria(10) };
  const said = 'Social value (quality): 10% Jobs for the town. Price: weight 90 Quality of the team, number 2 in order';
  const agreed = await shown([
    { ...pier, ...same },
    { ...jetty, ...same },
  ]);
  expect(agreed).toContain(`How bids are compared ${said} 2 lots Pier Jetty`);
  const differing = await shown(
    [
      { ...pier, ...same },
      { ...jetty, award_criteria_text: 'Quality 70, price 30.' },
    ],
    { award_criteria_text: 'The best of each lot.', special_regimes: ['lightTouch'], suitable_for_vcse: true },
  );
  expect(differing).toContain(
    `How bids are compared The best of each lot. 2 lots Pier How bids are compared: ${said} Jetty How bids are compared: Quality 70, price 30.`,
  );
  expect(differing).toContain('Suitable for voluntary, community and social enterprises yes Special rules Light touch');
  expect(await shown([{ ...pier, award_criteria: [{ type: 'price' }] }])).toContain(
    'How bids are compared Price alone',
  );
  const questions = Array.from({ length: 100 }, (_, n) => ({ name: `Question ${n + 1}` }));
  expect(await shown([{ ...pier, award_criteria: questions }])).toContain('Question 20 and 80 more');
  const piers = Array.from({ length: 1_000 }, (_, n) => ({ ...pier, lot_id: `${n}`, title: `Pier ${n}` }));
  const many = piers.map((one) => ({ ...one, award_criteria: [{ name: one.title }, ...questions] }));
  expect(await shown(many)).toContain('Pier 7 How bids are compared: Pier 7 Question 1 and 99 more Pier 8');
});

it('a notice keeps the lines of what describes how bids are compared, and shows long texts whole', async () => {
  const description = `Tell us how.\n1. ${'Outreach. '.repeat(60)}The end of the question.`;
  const text = `Lots and suppliers:\n1 Paint - 3\n2 Roofing - 5\n${'Nobody wins all of them. '.repeat(100)}The end.`;
  const terms = { award_criteria: [{ type: 'quality', name: 'Quality', description }], award_criteria_text: text };
  const lots = [
    { lot_id: '1', title: 'Pier', suitable_for_sme: true, suitable_for_vcse: true },
    { lot_id: '2', title: 'Jetty' },
  ];
  const detail = { lots, dates: {}, documents: [], suppliers: [], contract_ids: [], warnings: [], ...terms };
  await alterRow(site.services.catalogue, 'notice', `${IDS.tender}_${IDS.process}`, { detail: JSON.stringify(detail) });
  const { html } = await site.visitor().get(`/notices/${IDS.tender}`);
  expect(html).toMatch(/<p[^>]*>Tell us how\.\n1\. Outreach\. .* The end of the question\.<\/p>/);
  expect(html).toContain('1 Paint - 3\n2 Roofing - 5');
  expect(wordsIn(html)).toMatch(/The rest of the text .* The end\. 2 lots/);
  expect(wordsIn(html)).toContain(
    'Pier suitable for small businesses and voluntary, community and social enterprises Jetty',
  );
});

it('a notice shows who may bid: of the whole, or of each lot, and the first of very many conditions', async () => {
  const shown = async (more: object) => {
    const detail = { lots: [], dates: {}, documents: [], suppliers: [], contract_ids: [], warnings: [], ...more };
    await alterRow(site.services.catalogue, 'notice', `${IDS.tender}_${IDS.process}`, {
      detail: JSON.stringify(detail),
    });
    const { html } = await site.visitor().get(`/notices/${IDS.tender}`);
    return { html, words: wordsIn(html) };
  };
  const selection_criteria = [
    { type: 'economic', description: 'Insurance:\n- of 5 million', minimum: 'Two years of accounts.' },
    { description: 'The best five are invited.', for_reduction: true },
  ];
  const said =
    'Economic Insurance: - of 5 million Minimum: Two years of accounts. Other, reduces the number of bidders The best five are invited.';
  const whole = await shown({ selection_criteria, selection_criteria_text: 'Two stages.' });
  expect(whole.words).toContain(`Conditions of participation ${said} Two stages.`);
  expect(whole.html).toContain('Insurance:\n- of 5 million');
  const [pier, jetty] = [
    { lot_id: '1', title: 'Pier', selection_criteria },
    { lot_id: '2', title: 'Jetty', selection_criteria_text: 'As in the documents.', variants: 'not_allowed' },
  ];
  const { words } = await shown({ lots: [pier, jetty], bid_valid_until: '2026-09-01' });
  expect(words).toContain(
    `2 lots Pier Conditions of participation: ${said} Jetty Conditions of participation: As in the documents. variants not allowed`,
  );
  expect(words).toContain('Bids stay valid until 1 September 2026');
  const agreed = await shown({ variants: 'allowed', bid_valid_days: 90 });
  expect(agreed.words).toContain('Variants Allowed Bids stay valid for 3 months');
  const terms = { guarantees: 'A bond.', performance_terms: 'Fair work.', financial_terms: '30 days.' };
  const told = await shown({ ...terms, procedure_features: 'Two stages.' });
  expect(told.words).toContain(
    'Deposits and guarantees A bond. How the contract is performed Fair work. How the contract is paid 30 days.',
  );
  expect(told.words).toContain('How the procedure runs Two stages.');
  const hasty = await shown({ risks: 'Weather.', accelerated: true, accelerated_reason: 'State of urgency' });
  expect(hasty.words).toContain('Risks to the contract Weather.');
  expect(hasty.words).toContain('Takes less time than usual State of urgency');
  expect((await shown({ accelerated: true })).words).toContain('Takes less time than usual Yes');
  const participation_fees = [
    { types: ['win'], percent: 2.5, of: 'award', description: 'Each quarter.' },
    { types: ['document', 'deposit'], value: 60, currency: 'GBP' },
    { description: 'None' },
  ];
  const fees = 'For winning: 2.5% of the award Each quarter. For the documents, Deposit: £60 Fee None';
  expect((await shown({ participation_fees })).words).toContain(`Fees for bidders ${fees}`);
  expect((await shown({ lots: [{ ...pier, participation_fees }, jetty] })).words).toContain(
    `Minimum: Two years of accounts. Other, reduces the number of bidders The best five are invited. Fees for bidders: ${fees} Jetty`,
  );
  expect((await shown({ bid_valid_days: 100 })).words).toContain('Bids stay valid for 100 days');
  const reserved = await shown({ reserved_for: ['smeVcse', 'area'], reserved_places: ['Kent'] });
  expect(reserved.words).toContain(
    'Reserved for small businesses and voluntary, community and social enterprises based in Kent',
  );
  expect((await shown({ reserved_for: ['shelteredEmployment'], lots_bid_max: 3, lots_won_max: 2 })).words).toMatch(
    /Reserved for performance in sheltered employment programmes .*Lots for one bidder bids for up to 3, wins up to 2/,
  );
  expect((await shown({ joint_buyers: ['Vale Council', 'Moor Trust'] })).words).toContain(
    'Together with Vale Council; Moor Trust',
  );
  expect((await shown({ recurrence: 'In 3 years', value_min: 26_410 })).words).toMatch(
    /Worth at least £26,410 .*Advertised again In 3 years/,
  );
  expect((await shown({ reserved_for: ['area'], reserved_places: ['United Kingdom'] })).words).toContain(
    'Reserved for suppliers based in the United Kingdom',
  );
  const long = [{ description: 'More. '.repeat(200), minimum: 'Less. '.repeat(200) }, {}, {}];
  const lots = Array.from({ length: 2_000 }, (_, n) => ({
    lot_id: `${n}`,
    title: `Pier ${n}`,
    selection_criteria: long,
    award_criteria: [{ name: 'Quality', description: 'More. '.repeat(200) }, {}, {}],
  }));
  const many = await shown({ lots: [...lots, { lot_id: 'x', title: 'Jetty' }] });
  expect(many.words).toMatch(
    /Conditions of participation: Other More\. .{50,120} Less\. .{50,120} and 2 more How bids/,
  );
  expect(many.html.length).toBeLessThan(2_000_000);
});
