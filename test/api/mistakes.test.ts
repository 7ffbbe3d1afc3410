import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { BuiltHouse } from '../house.ts';
import { buildSampleHouse } from '../sample-house.ts';
import { callMcp, type Inputs, readReal } from './doors.ts';

/** Mistakes that agents make, each with what the refusal says to send instead; that then succeeds. */

let house: BuiltHouse;
let real: Inputs & { company: string; buyer: string };
beforeAll(async () => {
  house = await buildSampleHouse({ credits: 100_000 });
  real = await readReal(house);
}, 120_000);
afterAll(() => house.close());

const call = (tool: string, inputs: Inputs) => callMcp(house.url, `svc_${tool}`, inputs, house.key);
const LOOK = { query: 'services' };

describe('a wrong argument', () => {
  it.each<[string, Inputs, string, Inputs]>([
    [
      'search_notices',
      { ...LOOK, publishedFrom: '2025-05-01' },
      "did you mean 'published_from'?",
      { published_from: '2025-05-01' },
    ],
    [
      'search_notices',
      { ...LOOK, published_from: '01/05/2025' },
      'send "2025-05-01"',
      { published_from: '2025-05-01' },
    ],
    [
      'search_notices',
      { ...LOOK, published_from: '2025-05-01T10:00:00Z' },
      'send "2025-05-01"',
      { published_from: '2025-05-01' },
    ],
    [
      'search_notices',
      { ...LOOK, published_from: 'last month' },
      'send "2026-05-01"',
      { published_from: '2026-05-01' },
    ],
    ['search_notices', { ...LOOK, limit: '5' }, 'send 5', { limit: 5 }],
    ['search_notices', { ...LOOK, value_min: '£50k' }, 'send 50000', { value_min: 50_000 }],
    ['search_notices', { ...LOOK, value_min: '1,000' }, 'send 1000', { value_min: 1_000 }],
    ['search_notices', { ...LOOK, cpv: 45 }, 'send "45"', { cpv: '45' }],
    ['search_notices', { ...LOOK, cpv: '45000000-7' }, 'for example "45"', { cpv: '45' }],
    ['search_notices', { ...LOOK, region: null }, 'leave it out', {}],
    ['search_notices', { ...LOOK, region: '' }, 'leave it out', {}],
    ['search_notices', { ...LOOK, stage: 'awarded' }, "did you mean 'award'?", { stage: 'award' }],
    ['search_notices', { ...LOOK, facets: ['region', 'stage'] }, 'send "region,stage"', { facets: 'region,stage' }],
    ['search_notices', { ...LOOK, fields: 'link' }, 'known are notice_id', { fields: 'url' }],
    ['search_tenders', { keywords: 'services' }, "did you mean 'query'?", { query: 'services' }],
    ['search_tenders', { query: '' }, 'send some text', { query: 'maintenance' }],
    ['search_tenders', {}, 'for example "grounds maintenance"', { query: 'maintenance' }],
    [
      'bulk_export',
      { dataset: 'notice', dry_run: true },
      "did you mean 'notices'?",
      { dataset: 'notices', dry_run: true },
    ],
    ['bulk_export', { max_rows: 1e23 }, 'less than or equal to 1000000', { max_rows: 1_000_000, dry_run: true }],
    ['bulk_export', { max_rows: -1e23 }, 'greater than or equal to 1', { max_rows: 1, dry_run: true }],
    ['bulk_export', { dry_run: 'true' }, 'send true without quotes', { dry_run: true }],
  ])('%s %j: %s', async (tool, wrong, said, right) => {
    const refused = await call(tool, wrong);
    expect([refused.ok, refused.body.detail.map(({ msg }: { msg: string }) => msg).join('; ')]).toEqual([
      false,
      expect.stringContaining(said),
    ]);
    expect((await call(tool, { ...('query' in wrong ? LOOK : {}), ...right })).ok).toBe(true);
  });

  it('camel case, a number or a habit in the place of an id', async () => {
    for (const name of ['noticeId', 'id', 'notice']) {
      const { body } = await call('lookup_contract', { [name]: real.notice_id });
      expect(JSON.stringify(body)).toContain("did you mean 'notice_id'?");
    }
    const numbered = await call('lookup_company', { company_number: 12_345_678 });
    expect(numbered.body.detail[0].msg).toContain('send "12345678"');
    const named = await call('company_contracts', { name: real.company });
    expect(named.text).toContain('send company_number, which lookup_company finds by name');
    const unlike = await call('get_notice', { notice_id: real.notice_id, colour: 'red' });
    expect(unlike.body.detail[0].msg).toContain('there are notice_id, detail, fields');
  });
});

describe('what is not found', () => {
  it.each(['lookup_company', 'company_profile', 'company_contracts'])('%s, a name given as a number', async (tool) => {
    const missed = await call(tool, { company_number: real.company });
    expect(missed.body).toMatchObject({ error: 'not_found', credits_charged: 0 });
    const [candidate] = missed.body.candidates;
    expect((await call(tool, { company_number: candidate.id })).ok).toBe(true);
  });

  it.each(['lookup_buyer', 'buyer_profile', 'buyer_contracts'])('%s, a name given as an id', async (tool) => {
    const missed = await call(tool, { buyer_id: real.buyer });
    const [candidate] = missed.body.candidates;
    expect((await call(tool, { buyer_id: candidate.id })).ok).toBe(true);
  });

  it.each(['get_notice', 'lookup_contract', 'contract_documents'])('%s, the address of a notice', async (tool) => {
    const missed = await call(tool, { notice_id: `https://example.org/Notice/${real.notice_id}?origin=search` });
    expect(missed.body).toMatchObject({ error: 'not_found', candidates: [{ id: real.notice_id }] });
    expect((await call(tool, { notice_id: missed.body.candidates[0].id })).ok).toBe(true);
  });

  it('says which tool finds the ids', async () => {
    const messages = [
      (await call('get_notice', { notice_id: '999999-2026' })).body.message,
      (await call('lookup_buyer', { buyer_id: 'GB-PPON-NONE' })).body.message,
      (await call('lookup_company', { company_number: '00000001' })).body.message,
      (await call('lookup_framework', { framework_id: 'RM0000' })).body.message,
    ];
    const tools = ['search_notices', 'lookup_buyer', 'lookup_company', 'search_frameworks'];
    for (const [index, tool] of tools.entries()) expect(messages[index]).toContain(`${tool} finds`);
  });
});
