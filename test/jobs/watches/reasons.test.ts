import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createKey } from '../../../schema/accounts/customer/account.ts';
import { grantStatement } from '../../../schema/accounts/ledger/transfers.ts';
import { changeWatch } from '../../../schema/accounts/watches/lifecycle.ts';
import { makeMatcher, tender } from './matcher.ts';
import { openAccount } from './seed.ts';

const AT = '2026-06-01T08:00:00Z';
let matcher: Awaited<ReturnType<typeof makeMatcher>>;
beforeAll(async () => {
  matcher = await makeMatcher();
});
afterAll(() => matcher?.close());
beforeEach(() => matcher.set());

let made = 0;
const standing = async (id: string) => {
  const { state, reason } = await matcher.readWatch(id);
  return [state, reason];
};
async function matchNext(title: string): Promise<void> {
  await matcher.store([tender(++made, title)]);
  await matcher.match();
}

describe('a watch that waits', () => {
  it('for credits is paused once its key has expired, whether or not there are some by then', async () => {
    const accountId = await openAccount(matcher.accounts, 0);
    const key = { accountId, name: 'agent', prefix: 'svc_live_', at: AT, expiresAt: '2026-06-02T00:00:00Z' };
    const { id: key_id } = await createKey(matcher.accounts, key);
    const id = await matcher.watch({ account_id: accountId, key_id, filters: '{"query":"glazing"}' });
    await matchNext('Glazing');
    expect(await standing(id)).toEqual(['waiting', 'no_credits']);
    matcher.set('2026-06-02T00:00:00Z');
    await matcher.accounts.write([grantStatement({ key: 'glazing', accountId, credits: 100, at: AT })]);
    await matcher.match();
    expect(await standing(id)).toEqual(['paused', 'key_revoked']);
  });

  it('for a newer program waits for credits once that program is there, and for nothing once there are some', async () => {
    const accountId = await openAccount(matcher.accounts, 2);
    const newer = '{"of_tomorrow":["yes"],"query":"ferry"}';
    const ids = [newer, '{"query":"ferry"}'].map((filters) => matcher.watch({ account_id: accountId, filters }));
    const [id = ''] = await Promise.all(ids);
    await matchNext('Ferry services');
    expect(await standing(id)).toEqual(['waiting', 'older_service']);
    // In place of a program that knows the filter.
    await matcher.accounts.write([{ sql: `UPDATE watch SET filters = '{"query":"ferry"}' WHERE id = ?`, args: [id] }]);
    await matcher.match();
    expect(await standing(id)).toEqual(['waiting', 'no_credits']);
    await matcher.accounts.write([grantStatement({ key: 'ferry', accountId, credits: 100, at: AT })]);
    await matcher.match();
    expect(await standing(id)).toEqual(['active', null]);
    expect(await matcher.items(id)).toHaveLength(1);
  });

  it('for a newer program no longer does once its filters are changed, though its digest is due in a week', async () => {
    const account_id = await openAccount(matcher.accounts);
    const id = await matcher.watch({ account_id, filters: '{"of_tomorrow":["yes"],"query":"ferry"}', every: 'week' });
    await matchNext('Ferry');
    const row = await matcher.readWatch(id);
    expect(row.reason).toBe('older_service');
    const position = await matcher.head();
    const begun = { secret: row.secret, position, dueAt: '2026-06-08T06:00:00Z', at: AT };
    await changeWatch(matcher.accounts, row, { ...row, ...begun, filters: { query: 'ferry' }, changes: ['new'] });
    await matcher.match();
    expect(await standing(id)).toEqual(['active', null]);
  });
});
