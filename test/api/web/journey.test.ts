import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeWebApp } from '../../../api/web/app.ts';
import { verifyLedger } from '../../../schema/accounts/ledger/verify.ts';
import { standInForBoth } from '../../search/both-engines.ts';
import { type BuiltServer, buildServer } from '../../support/services.ts';
import { makeSeededEngine } from './engine.ts';
import { makeOperator } from './operator.ts';
import { IDS, seedCatalogue } from './seed.ts';
import { makeVisitor, signUp } from './visitor.ts';

describe('a new customer', () => {
  const operator = makeOperator();
  let built: BuiltServer;

  beforeAll(async () => {
    built = await buildServer({
      fill: seedCatalogue,
      search: async () => standInForBoth(makeSeededEngine()),
      web: operator.web,
    });
  });
  afterAll(() => built?.close());

  it('signs up, calls the API with a key of the dashboard, sees the charge there, and revokes the key', async () => {
    const visitor = makeVisitor(built.url);
    const call = (path: string, key: string) =>
      fetch(built.url + path, { headers: { authorization: `Bearer ${key}` } });
    await signUp(visitor, operator, { email: 'ada@example.org' });
    const created = await visitor.post('/dashboard/keys', { name: 'first' });
    const key = /id="new-key">([^<]+)</.exec(created.html)?.[1] ?? '';

    expect(await (await call('/v1/balance', key)).json()).toMatchObject({ balance: 250, credits_charged: 0 });
    const contract = await call(`/v1/contracts/${IDS.award}`, key);
    expect(await contract.json()).toMatchObject({ credits_charged: 5, credits_remaining: 245 });
    const ledger = await visitor.get('/dashboard/ledger');
    expect(ledger.html).toContain('lookup_contract');
    expect(ledger.html).toContain('−5');

    const id = /name="key" value="([^"]+)"/.exec((await visitor.get('/dashboard')).html)?.[1] ?? '';
    await visitor.post('/dashboard/keys/revoke', { key: id });
    expect((await visitor.get('/dashboard')).html).toContain('revoked');
    expect((await verifyLedger(built.accounts)).faults).toEqual([]);
  });

  it('pays nothing for looking, and is led from a 402 to the billing page', async () => {
    const before = await verifyLedger(built.accounts);
    for (const path of ['/tenders?query=bridge', `/contracts/${IDS.contract}`, `/companies/${IDS.company}`]) {
      expect((await fetch(built.url + path)).status).toBe(200);
    }
    expect((await verifyLedger(built.accounts)).charges).toBe(before.charges);
    const poor = await built.addCustomer(1);
    const refused = await fetch(`${built.url}/v1/contracts/${IDS.award}`, {
      headers: { authorization: `Bearer ${poor.key}` },
    });
    expect(refused.status).toBe(402);
    const { top_up_url } = (await refused.json()) as { top_up_url: string };
    const led = await makeVisitor(built.url).get(new URL(top_up_url).pathname);
    expect(led.location).toBe('/dashboard/billing');
  });
});

describe('an address that asks too often', () => {
  it('has to wait, while the API is not affected', async () => {
    const built = await buildServer({ web: makeWebApp, settings: { WEB_REQUESTS_PER_MINUTE: '3' } });
    try {
      const answers: Response[] = [];
      for (let asked = 0; asked < 4; asked++) answers.push(await fetch(`${built.url}/status`));
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 429]);
      expect(Number(answers[3]?.headers.get('retry-after'))).toBeGreaterThan(0);
      expect((await fetch(`${built.url}/v1/status`)).status).toBe(200);
    } finally {
      await built.close();
    }
  });
});
