import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildSampleServer } from '../../support/sample-services.ts';
import type { BuiltServer } from '../../support/services.ts';
import { callMcp, type Inputs, readReal } from '../transports.ts';
import { MISTAKES, NOWHERE } from './mistakes.ts';

/** Mistakes that agents make, each with what the refusal says to send instead; that then succeeds. */

let server: BuiltServer;
let real: Inputs & { company: string; buyer: string };
beforeAll(async () => {
  server = await buildSampleServer({ credits: 100_000 });
  real = await readReal(server);
});
afterAll(() => server.close());

const call = (tool: string, inputs: Inputs) => callMcp(server.url, `svc_${tool}`, inputs, server.key);
const LOOK = { query: 'services' };

describe('a wrong argument', () => {
  it.each(MISTAKES)('%s %j: %s', async (tool, wrong, said, right) => {
    const refused = await call(tool, wrong);
    expect([refused.ok, refused.body.detail.map(({ msg }: { msg: string }) => msg).join('; ')]).toEqual([
      false,
      expect.stringContaining(said),
    ]);
    expect((await call(tool, { ...('query' in wrong ? LOOK : {}), ...right })).ok).toBe(true);
  });

  it.each([
    ['search_notices', { limit: '5' }, { limit: 5 }],
    ['search_notices', { value_min: ' 1000.50 ' }, { value_min: 1000.5 }],
    ['search_notices', { limit: '5.0', value_max: '1e6' }, { limit: 5, value_max: 1_000_000 }],
    ['search_notices', { limit: '+5', value_max: '+.5' }, { limit: 5, value_max: 0.5 }],
    ['search_notices', { published_from: ' 2026-01-01 ' }, { published_from: '2026-01-01' }],
    ['search_notices', { facets: 'Region, STAGE' }, { facets: 'region,stage' }],
    ['search_notices', { fields: 'URL,Extract' }, { fields: 'url,extract' }],
    ['search_notices', { region: 'LONDON' }, { region: 'london' }],
    ['search_notices', { cpv: 45 }, { cpv: '45' }],
    ['search_notices', { query: 2026 }, { query: '2026' }],
    ['search_notices', { stage: 'Award, CONTRACT' }, { stage: 'award,contract' }],
    [
      'search_notices',
      { source: 'FIND_A_TENDER', notice_type: 'uk6,Award' },
      { source: 'find_a_tender', notice_type: 'UK6,award' },
    ],
    ['search_notices', { sort: '-Published', detail: 'BRIEF' }, { sort: '-published', detail: 'brief' }],
    [
      'search_tenders',
      { query: '*', status: 'Any', highlight: 'True' },
      { query: '*', status: 'any', highlight: true },
    ],
    ['bulk_export', { dataset: 'Notices', dry_run: 'TRUE' }, { dataset: 'notices', dry_run: true }],
  ])('%s reads what is plainly meant: %j', async (tool, sent, meant) => {
    const [one, other] = [await call(tool, sent), await call(tool, meant)];
    const said = ({ body: { meta = {}, ...body } }: typeof one) => ({
      ...body,
      filters: meta.filters,
      sort: meta.sort,
    });
    const strip = ({ credits_remaining: _left, charge_id: _id, ...rest }: Record<string, unknown>) => rest;
    expect(one.ok, one.text).toBe(true);
    expect(strip(said(one))).toEqual(strip(said(other)));
  });

  it('a company number sent as a number is read', async () => {
    const { body } = await call('lookup_company', { company_number: Number(real.company_number) });
    expect(body.companies_house_number).toBe(real.company_number);
  });

  it('camel case or a habit in the place of an id', async () => {
    for (const name of ['noticeId', 'id', 'notice']) {
      const { body } = await call('lookup_contract', { [name]: real.notice_id });
      expect(JSON.stringify(body)).toContain("did you mean 'notice_id'?");
    }
    const named = await call('company_contracts', { name: real.company });
    expect(named.text).toContain('send company_number, which svc_lookup_company finds by name');
    const unlike = await call('get_notice', { notice_id: real.notice_id, colour: 'red' });
    expect(unlike.body.detail[0].msg).toContain('there are notice_id, detail, fields');
  });
});

describe.each(['search_notices', 'search_tenders', 'search_frameworks', 'bulk_export'])(
  '%s by what is nowhere',
  (tool) => {
    it.each(NOWHERE)('%j: %s', async (filter, said, near) => {
      const more = tool === 'bulk_export' ? { dry_run: true } : { query: '*' };
      const { ok, body } = await call(tool, { ...more, ...filter });
      const [unknown] = (tool === 'bulk_export' ? body : body.meta).unknown_filters;
      expect([ok, body.credits_charged, unknown]).toEqual([
        true,
        0,
        expect.objectContaining({ input: Object.keys(filter)[0], message: expect.stringContaining(said) }),
      ]);
      expect((unknown.candidates ?? []).map(({ id }: { id: string }) => id)).toEqual(near);
    });
  },
);

describe('an id as it is pasted', () => {
  it.each([
    ['an official page', 'https://www.find-tender.service.gov.uk/Notice/{}?origin=SearchResults&p=1'],
    ['a page of ours', 'http://localhost/contracts/{}'],
    ['a resource', 'notice://{}'],
    ['a slash', (id: string) => id.replace('-', '/')],
    ['a long dash, with spaces', (id: string) => id.replace('-', ' – ')],
    ['as notices print it', (id: string) => id.replace(/^(\d+)-(\d+)$/, '$2/S 000-$1')],
  ])('of a notice: %s', async (_form, write) => {
    const id = String(real.notice_id);
    const notice_id = typeof write === 'string' ? write.replace('{}', id) : write(id);
    for (const tool of ['get_notice', 'lookup_contract', 'contract_documents'])
      expect([tool, (await call(tool, { notice_id })).body.notice_id]).toEqual([tool, id]);
  });

  it.each(['public_contracts_scotland', 'sell2wales'])('of a notice on the page that %s gives it', async (source) => {
    const { body } = await call('search_notices', { source, limit: 1, detail: 'full' });
    const [{ notice_id, url }] = body.items;
    expect((await call('get_notice', { notice_id: url })).body.notice_id).toBe(notice_id);
  });

  it('of a company, a buyer, a framework', async () => {
    const number = real.company_number;
    const register = `https://find-and-update.company-information.service.gov.uk/company/${number}/officers`;
    const company = await call('lookup_company', { company_number: register });
    expect(company.body.companies_house_number).toBe(number);
    for (const buyer_id of [
      'PBPR-5137-RWZL',
      'buyer://GB-PPON-PBPR-5137-RWZL',
      'http://localhost/buyers/gb-ppon-pbpr-5137-rwzl',
    ])
      expect((await call('lookup_buyer', { buyer_id })).body.buyer_id).toBe('GB-PPON-PBPR-5137-RWZL');
    expect((await call('lookup_buyer', { name: 'GB-PPON-PBPR-5137-RWZL' })).ok).toBe(true);
    const framework = await call('lookup_framework', {
      framework_id: `http://localhost/frameworks/${real.framework_id}`,
    });
    expect(framework.body.framework_id).toBe(real.framework_id);
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
    expect((await call(tool, { buyer_id: real.buyer })).ok).toBe(true);
    const missed = await call(tool, { buyer_id: `${real.buyer} Annexe` });
    const [candidate] = missed.body.candidates;
    expect((await call(tool, { buyer_id: candidate.id })).ok).toBe(true);
  });

  it.each(['get_notice', 'lookup_contract', 'contract_documents'])(
    '%s, an id among words, or of another year',
    async (tool) => {
      const [number] = String(real.notice_id).split('-');
      for (const notice_id of [`see ${real.notice_id}`, `${number}-1999`, `${number}`]) {
        const missed = await call(tool, { notice_id });
        expect(missed.body.error).toBe('not_found');
        expect(missed.body.candidates.map(({ id }: { id: string }) => id)).toContain(real.notice_id);
      }
    },
  );

  it('get_notice, an id of another form with the same digits: none is near it', async () => {
    const [number] = String(real.notice_id).split('-');
    for (const notice_id of [`PCS-JAN${number}`, `S2W-JAN${number}1`, `${number}ab-1111-4111-8111-111111111111`])
      expect(await call('get_notice', { notice_id })).toMatchObject({
        body: { error: 'not_found', message: expect.stringContaining('finds the ids of notices by words') },
      });
  });

  it('lookup_framework, words in the place of an id', async () => {
    const missed = await call('lookup_framework', { framework_id: 'legal services' });
    const [candidate] = missed.body.candidates;
    expect((await call('lookup_framework', { framework_id: candidate.id })).ok).toBe(true);
  });

  it('get_export, another id: the newest ones of the account', async () => {
    const missed = await call('get_export', { export_id: 'latest' });
    expect(missed.body.candidates[0]).toMatchObject({
      id: real.export_id,
      name: expect.stringMatching(/^notices as csv/),
    });
  });

  it('a buyer for a company, a company for a buyer, and either for a notice', async () => {
    const company = await call('lookup_company', { company_number: real.buyer_id });
    expect(company.body.message).toContain('it is a buyer; svc_lookup_buyer takes its id');
    const buyer = await call('lookup_buyer', { buyer_id: real.company_number });
    expect(buyer.body.message).toContain('it is a company; svc_lookup_company takes its id');
    for (const tool of ['get_notice', 'lookup_contract', 'contract_documents']) {
      const issued = await call(tool, { notice_id: real.buyer_id });
      expect(issued.body.message).toContain('it is a buyer; svc_search_notices and svc_search_contracts take it');
      const won = await call(tool, { notice_id: real.company_number });
      expect(won.body.message).toContain('it is a company; svc_company_contracts lists what it won');
    }
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
