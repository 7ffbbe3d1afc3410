import { newPaymentStatement, storeReversal, storeSession } from '../../schema/accounts/payments.ts';
import type { Database } from '../../schema/db/interface.ts';

const AT = '2026-06-01T08:00:00Z';

/** Lets an account buy credits and spend its whole balance, and has the payment disputed: it has 0 credits, and owes those that it bought. */
export async function oweCredits(accounts: Database, accountId: string, credits: number): Promise<void> {
  const sum = { credits, amount: credits, vat: 0, vat_percent: 0, currency: 'gbp' };
  const payment = { id: `pay_${accountId}`, account_id: accountId, ...sum, live: 0, created_at: AT };
  await accounts.write([newPaymentStatement(payment)]);
  const rest = { called_back: 0, session_id: null, payment_intent: null, paid_at: null };
  const intent = `pi_${accountId}`;
  const news = { paymentId: payment.id, sessionId: `cs_${accountId}`, intent, state: 'paid' as const, saidAt: 1 };
  await storeSession(accounts, { ...payment, ...rest, state: 'open' }, news, AT);
  const spend = `INSERT INTO transfer (key, kind, from_account, to_account, credits, action, created_at)
    SELECT 'charge:all of ' || id, 'charge', id, '@revenue', balance, 'lookup_thing', ? FROM account WHERE id = ?`;
  await accounts.write([{ sql: spend, args: [AT, accountId] }]);
  const dispute = { id: `du_${accountId}`, intent, kind: 'dispute' as const, amount: credits };
  await storeReversal(accounts, { ...dispute, isEffective: true, status: 'lost', saidAt: 0 }, AT);
}
