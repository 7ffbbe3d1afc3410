import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { contractDetail, noticeDetail } from '../../../support/seed.ts';
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

const get = (path: string) => site.visitor().get(path);

describe('how performance is measured', () => {
  it('is on the page of a contract, with what notices measured, the newest first', async () => {
    const kpis = [
      { title: 'Audit', description: '98% or above', every_months: 3 },
      {
        title: 'Response',
        every_days: 1,
        results: [
          {
            notice_id: '000100-2026',
            starts: '2026-04-01',
            ends: '2026-06-30',
            measured: '75%',
            rating: 'slightlyBelow',
          },
          { notice_id: '000101-2026', ends: '2026-09-30', rating: 'farTooLate' },
          { notice_id: '000102-2026', measured: 'All of it' },
        ],
      },
      { description: 'Delivered on time', every_months: 1 },
    ];
    await alterRow(site.services.catalogue, 'contract', IDS.contract, {
      detail: JSON.stringify({ ...contractDetail, kpis }),
    });
    const words = wordsIn((await get(`/contracts/${IDS.contract}`)).html);
    expect(words).toContain(
      'How performance is measured Audit · reported every 3 months 98% or above Response · reported every day All of it 30 September 2026: far too late 1 April 2026 to 30 June 2026: 75% (close to the target) Delivered on time · reported every month',
    );
    const many = Array.from({ length: 22 }, (_, at) => ({ title: `KPI ${at + 1}.` }));
    await alterRow(site.services.catalogue, 'contract', IDS.contract, {
      detail: JSON.stringify({ ...contractDetail, kpis: many }),
    });
    expect(wordsIn((await get(`/contracts/${IDS.contract}`)).html)).toContain('KPI 20. and 2 more KPI 21. KPI 22.');
    const long = [
      { description: 'Word '.repeat(1_000), results: [{ notice_id: IDS.award, measured: 'Work '.repeat(1_000) }] },
    ];
    await alterRow(site.services.catalogue, 'contract', IDS.contract, {
      detail: JSON.stringify({ ...contractDetail, kpis: long }),
    });
    const { html } = await get(`/contracts/${IDS.contract}`);
    for (const word of [/Word/g, /Work/g]) expect(html.match(word)?.length).toBeLessThanOrEqual(400);
    await alterRow(site.services.catalogue, 'contract', IDS.contract, {
      detail: JSON.stringify({ ...contractDetail, no_kpis_reason: 'Below £5 million.' }),
    });
    const without = wordsIn((await get(`/contracts/${IDS.contract}`)).html);
    expect(without).not.toContain('How performance is measured');
    expect(without).toContain('Why it has no performance indicators Below £5 million.');
    await alterRow(site.services.catalogue, 'contract', IDS.contract, { detail: JSON.stringify(contractDetail) });
  });

  it('stands before how a contract may be extended, what more may be bought and what it cost in the end', async () => {
    const end = { value: 6_705, currency: 'GBP', value_basis: 'net' };
    const detail = { ...contractDetail, renewal: 'Two more years.', options: 'A second depot.', final_value: end };
    await alterRow(site.services.catalogue, 'contract', IDS.contract, { detail: JSON.stringify(detail) });
    const words = wordsIn((await get(`/contracts/${IDS.contract}`)).html);
    expect(words).toContain('How it may be extended Two more years.');
    expect(words).toContain('What more may be bought under it A second depot.');
    expect(words).toMatch(/Cost in the end £6,705 \([^)]+\)/);
    await alterRow(site.services.catalogue, 'contract', IDS.contract, { detail: JSON.stringify(contractDetail) });
  });

  it('is on the page of a notice that measured it', async () => {
    const kpis = [
      { title: 'Audit', results: [{ notice_id: IDS.award, ends: '2026-06-30', measured: '97%', rating: 'met' }] },
    ];
    await alterRow(site.services.catalogue, 'notice', `${IDS.award}_${IDS.process}`, {
      stage: 'performance',
      detail: JSON.stringify({ ...noticeDetail, kpis }),
    });
    expect(wordsIn((await get(`/notices/${IDS.award}`)).html)).toContain(
      'How performance is measured Audit 30 June 2026: 97% (target met)',
    );
  });
});

it('a change that is only proposed says what value and end it is to bring', async () => {
  const change = { notice_id: '000103-2026', date: '2026-08-12', proposed: true };
  const stated = { value: 509_195, currency: 'GBP', value_basis: 'net', ends: '2027-05-31', description: 'Phase 4.' };
  await alterRow(site.services.catalogue, 'contract', IDS.contract, {
    detail: JSON.stringify({
      ...contractDetail,
      changes: [
        { ...change, ...stated },
        { ...change, date: '2026-08-13' },
      ],
    }),
  });
  const words = wordsIn((await get(`/contracts/${IDS.contract}`)).html);
  expect(words).toContain('Proposed, not signed · £509,195 (excluding VAT) · until 31 May 2027: Phase 4.');
  expect(words).toMatch(/Phase 4\. Proposed, not signed(?! ·)/);
  await alterRow(site.services.catalogue, 'contract', IDS.contract, { detail: JSON.stringify(contractDetail) });
});
