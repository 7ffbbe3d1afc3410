import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { quote } from '../../../api/billing/price.ts';
import { openTill, paidEvent, sessionOf, type Till } from './services.ts';
import { makeEvent } from './stripe-stub.ts';

let till: Till;
beforeAll(async () => {
  till = await openTill({ SELLER: 'Example Data Ltd; 1 Test Road; VAT GB 000 0000 00' });
});
afterAll(() => till?.close());

it.each([
  [20, 1_000, 200],
  [17.5, 1_020, 179],
  [8.2, 750, 62],
])('VAT at %s per cent of %i pence is %i, to the penny', (VAT_PERCENT, net, vat) => {
  const prices = { PENCE_PER_CREDIT: 1, VAT_PERCENT };
  expect(quote(net, prices)).toMatchObject({ net, vat, total: net + vat });
});

describe('buying credits', () => {
  it('leads from the billing page to Stripe and back to a balance, a ledger line and a receipt', async () => {
    const { visitor, accountId } = await till.signUp();
    expect((await visitor.get('/dashboard/billing')).html).toContain('1,000 credits for £12.00');
    const sent = await visitor.post('/dashboard/billing/checkout', { credits: '1,500' });
    const asked = till.stripe.sessions.at(-1);
    expect([sent.status, sent.location]).toEqual([303, `https://checkout.stripe.com/c/pay/${asked?.id}`]);
    expect(Object.fromEntries(asked?.form ?? [])).toMatchObject({
      mode: 'payment',
      'line_items[0][price_data][unit_amount]': '1500',
      'line_items[0][price_data][currency]': 'gbp',
      'line_items[1][price_data][product_data][name]': 'VAT 20%',
      'line_items[1][price_data][unit_amount]': '300',
      'adaptive_pricing[enabled]': 'false',
      'payment_intent_data[receipt_email]': expect.stringContaining('@example.org'),
      'metadata[account]': accountId,
      'metadata[credits]': '1500',
      success_url: `http://localhost/dashboard/billing?payment=${asked?.idempotencyKey}`,
    });
    const order = await till.order(visitor, 1_500);
    const receiptPath = `/dashboard/billing/receipts/${order.paymentId}`;
    // Before it is paid there is no receipt of it.
    expect((await visitor.get(receiptPath)).location).toBe('/dashboard/billing');
    expect(await till.tell(paidEvent(order))).toEqual({ status: 200, outcome: 'paid: 1500 credits granted once' });
    expect(await till.balance(accountId)).toBe(1_750);
    const back = await visitor.get(`/dashboard/billing?payment=${order.paymentId}`);
    expect(back.html).toContain('Thank you. 1,500 credits were added to your balance.');
    const receipt = await visitor.get(receiptPath);
    for (const words of ['Example Data Ltd', 'VAT GB 000 0000 00', '£15.00', '£3.00', '£18.00'])
      expect(receipt.html).toContain(words);
    const { visitor: other } = await till.signUp();
    expect((await other.get(receiptPath)).location).toBe('/dashboard/billing');
    expect(await till.faults()).toEqual([]);
  });

  it('has a receipt of the day of the payment, though Stripe could report it only in the next year', async () => {
    const { visitor } = await till.signUp();
    const order = await till.order(visitor, 1_000);
    const created = Date.parse('2025-12-31T23:58:30Z') / 1_000;
    await till.tell(makeEvent('checkout.session.completed', sessionOf(order), { created }));
    await till.tell(makeEvent('checkout.session.async_payment_succeeded', sessionOf(order)));
    const receipt = await visitor.get(`/dashboard/billing/receipts/${order.paymentId}`);
    expect(receipt.html).toContain('31 December 2025 at 23:58');
    const { html } = await visitor.get('/dashboard/ledger.csv?kind=top_up');
    expect(html).toContain('bought by card');
    expect(html).not.toContain('2025-12-31');
  });

  it('speaks of no VAT where none is charged', async () => {
    const untaxed = await openTill({
      VAT_PERCENT: '0',
      OPERATOR: 'Example Data Ltd',
      PRIVACY_CONTACT: 'us@example.org',
    });
    onTestFinished(() => untaxed.close());
    const { visitor } = await untaxed.signUp();
    const order = await untaxed.order(visitor, 1_000);
    await untaxed.tell(paidEvent(order));
    const pages = ['/pricing', '/terms', '/dashboard/billing', `/dashboard/billing/receipts/${order.paymentId}`];
    for (const path of pages) {
      const { html } = await visitor.get(path);
      expect([path, html.includes('£'), html.includes('VAT')]).toEqual([path, true, false]);
    }
  });

  it('asks Stripe for nothing where the credits cannot be bought, and says when Stripe is out', async () => {
    const { visitor, accountId } = await till.signUp();
    const before = till.stripe.sessions.length;
    for (const credits of ['', '0', '-5', '1.5', '99', '99999999999', 'many']) {
      const refused = await visitor.post('/dashboard/billing/checkout', { credits });
      expect([credits, refused.status]).toEqual([credits, 422]);
      expect(refused.html).toContain('One payment buys from 100 to');
    }
    expect(till.stripe.sessions.length).toBe(before);
    till.stripe.fail(true);
    const out = await visitor.post('/dashboard/billing/checkout', { credits: '1000' });
    till.stripe.fail(false);
    expect(out.html).toContain('Nothing was charged');
    const forged = await visitor.post('/dashboard/billing/checkout', { credits: '1000', form_token: 'no' });
    expect(forged.status).toBe(403);
    const asked = till.stripe.sessions.length;
    await till.built.accounts.write([{ sql: "UPDATE account SET state = 'frozen' WHERE id = ?", args: [accountId] }]);
    const stopped = await visitor.post('/dashboard/billing/checkout', { credits: '1000' });
    expect([stopped.status, stopped.html]).toEqual([422, expect.stringContaining('This account is frozen')]);
    expect(till.stripe.sessions.length).toBe(asked);
  });

  it('begins twenty payments an hour for one account, and asks Stripe for no more', async () => {
    const { visitor, accountId } = await till.signUp();
    const { visitor: other } = await till.signUp();
    const before = till.stripe.sessions.length;
    const begin = async ({ post }: typeof visitor) =>
      (await post('/dashboard/billing/checkout', { credits: '500' })).status;
    for (let begun = 0; begun < 20; begun += 1) expect(await begin(visitor)).toBe(303);
    const refused = await visitor.post('/dashboard/billing/checkout', { credits: '500' });
    expect([refused.status, Number(refused.headers.get('retry-after')) > 3_000]).toEqual([429, true]);
    expect(refused.html).toContain('An account may begin 20 payments an hour.');
    expect(till.stripe.sessions.length).toBe(before + 20);
    const sql = 'SELECT 1 FROM payment WHERE account_id = ?';
    expect(await till.built.accounts.read({ sql, args: [accountId] })).toHaveLength(20);
    expect(await begin(other)).toBe(303);
  });

  it('grants once, however often and in whatever order events come, also at once', async () => {
    const { visitor, accountId } = await till.signUp();
    const order = await till.order(visitor, 1_000);
    const paid = paidEvent(order);
    const again = makeEvent('checkout.session.async_payment_succeeded', sessionOf(order));
    const answers = await Promise.all([paid, paid, again, paid, again].map((event) => till.tell(event)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    await till.tell(makeEvent('checkout.session.expired', sessionOf(order, { payment_status: 'unpaid' })));
    expect((await order.payment()).state).toBe('paid');
    expect(await till.balance(accountId)).toBe(1_250);
    expect(await till.faults()).toEqual([]);
  });

  it('stays ended where its session ended: a late word that it is on its way revives none, money does', async () => {
    const { visitor, accountId } = await till.signUp();
    for (const ending of ['expired', 'async_payment_failed']) {
      const order = await till.order(visitor, 1_000);
      const unpaid = sessionOf(order, { payment_status: 'unpaid' });
      await till.tell(makeEvent(`checkout.session.${ending}`, unpaid));
      const { state } = await order.payment();
      expect(state).not.toBe('pending');
      await till.tell(makeEvent('checkout.session.completed', unpaid));
      expect((await order.payment()).state).toBe(state);
      expect((await visitor.get('/dashboard/settings/delete')).html).not.toContain('A payment of yours is on its way');
      await till.tell(paidEvent(order));
      expect((await order.payment()).state).toBe('paid');
    }
    expect(await till.balance(accountId)).toBe(2_250);
    expect(await till.faults()).toEqual([]);
  });

  it('keeps a link to every receipt, and a payment on its way is known however many came after it', async () => {
    const { visitor, accountId } = await till.signUp();
    const first = await till.order(visitor, 1_000);
    await till.tell(paidEvent(first, { payment_status: 'unpaid' }));
    // Years of payments, several of them in one instant.
    await till.built.accounts.write([
      {
        sql: `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 205)
              INSERT INTO payment (id, account_id, credits, amount, vat, vat_percent, currency, live, state, created_at, paid_at)
              SELECT 'pay_many' || i, ?, 1000, 1200, 200, 20, 'gbp', 0, 'paid', at, at FROM (SELECT i, '2099-01-' || (10 + i / 50) AS at FROM n)`,
        args: [accountId],
      },
    ]);
    const receipts: string[] = [];
    let pages = 0;
    for (let path = '/dashboard/billing'; path; pages += 1) {
      const { html } = await visitor.get(path);
      for (const [, id = ''] of html.matchAll(/billing\/receipts\/(\w+)"/g)) receipts.push(id);
      path = /href="([^"]+)" rel="next"/.exec(html)?.[1] ?? '';
    }
    expect([pages, receipts.length, new Set(receipts).size]).toEqual([3, 205, 205]);
    const { visitor: other } = await till.signUp();
    await till.order(other, 1_000);
    const warned = await Promise.all([visitor, other].map((each) => each.get('/dashboard/settings/delete')));
    const isWarned = warned.map(({ html }) => html.includes('A payment of yours is on its way'));
    expect(isWarned).toEqual([true, false]);
  });

  it('waits for a payment method that takes its time, and grants nothing where it fails', async () => {
    const { visitor, accountId } = await till.signUp();
    const [slow, failing] = [await till.order(visitor, 1_000), await till.order(visitor, 5_000)];
    for (const order of [slow, failing]) {
      expect(await till.tell(paidEvent(order, { payment_status: 'unpaid' }))).toMatchObject({ outcome: 'now pending' });
    }
    expect((await visitor.get('/dashboard/billing')).html).toContain('payment on its way');
    expect(await till.balance(accountId)).toBe(250);
    await till.tell(makeEvent('checkout.session.async_payment_succeeded', sessionOf(slow)));
    await till.tell(
      makeEvent('checkout.session.async_payment_failed', sessionOf(failing, { payment_status: 'unpaid' })),
    );
    expect([(await slow.payment()).state, (await failing.payment()).state]).toEqual(['paid', 'failed']);
    expect(await till.balance(accountId)).toBe(1_250);
  });
});

describe('without Stripe', () => {
  it('the billing page says how to ask, nothing can be bought, and the webhook is no address', async () => {
    const plain = await openTill({
      STRIPE_SECRET_KEY: '',
      STRIPE_WEBHOOK_SECRET: '',
      TOP_UP_CONTACT: 'sales@example.org',
    });
    try {
      const { visitor } = await plain.signUp();
      const page = await visitor.get('/dashboard/billing');
      expect(page.html).toContain('href="mailto:sales@example.org"');
      expect(page.html).not.toContain('/dashboard/billing/checkout');
      expect((await visitor.post('/dashboard/billing/checkout', { credits: '1000' })).status).toBe(422);
      expect(await plain.tell(makeEvent('ping', {}))).toEqual({ status: 404, outcome: 'no_such_route' });
    } finally {
      await plain.close();
    }
  });
});
