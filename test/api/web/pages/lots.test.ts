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
