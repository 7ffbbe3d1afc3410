import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { toWatch } from '../../../api/operations/watches/shapes.ts';
import { isSame } from '../../../api/operations/watches/spec.ts';
import { createKey } from '../../../schema/accounts/customer/account.ts';
import { grantStatement, readBalance } from '../../../schema/accounts/ledger/transfers.ts';
import { changeWatch } from '../../../schema/accounts/watches/lifecycle.ts';
import { actRelease, BRIGHT, COUNCIL, OAKES, reference } from '../../ingest/compile/releases.ts';
import { makeMatcher, tender } from './matcher.ts';
import { openAccount } from './seed.ts';

const HOSPITAL = {
  id: 'GB-NHS-RX1',
  name: 'Harrowmere Town Hospital',
  identifier: { scheme: 'GB-NHS', id: 'RX1' },
  address: COUNCIL.address,
  roles: COUNCIL.roles,
};
/** From the first notice of it on they are one buyer, under the council's id. */
const MERGED = { ...COUNCIL, additionalIdentifiers: [HOSPITAL.identifier] };
/** Known by its identifier of another register, and then by its number too. */
const FIRM = { ...BRIGHT, id: 'GB-PPON-PCDF-5678-GHJK', identifier: { scheme: 'GB-PPON', id: 'PCDF-5678-GHJK' } };
const NUMBERED = { ...FIRM, additionalIdentifiers: [{ scheme: 'GB-COH', id: '01234567' }] };

const known = (scheme: string, id: string, name: string) => {
  return { ...HOSPITAL, id: `${scheme}-${id}`, name, identifier: { scheme, id } };
};

let matcher: Awaited<ReturnType<typeof makeMatcher>>;
beforeAll(async () => {
  matcher = await makeMatcher();
});
afterAll(() => matcher?.close());

let made = 0;
const releaseOf = (title: string, parties: (typeof COUNCIL)[], more: object = {}) => {
  const number = String(++made).padStart(6, '0');
  const [buyer = COUNCIL] = parties;
  return actRelease(`${number}-2026`, `2026-05-20T10:00:${number.slice(-2)}Z`, {
    ocid: `ocds-h6vhtk-${number}`,
    parties,
    buyer: reference(buyer),
    tender: { id: number, title },
    ...more,
  });
};

async function told(id: string) {
  await matcher.match();
  return (await matcher.items(id)).map(({ change, item }) => `${change} ${item?.title}`);
}

it('a watch of a region finds what has a code that by now means that region, though it was stored without', async () => {
  const account_id = await openAccount(matcher.accounts);
  const id = await matcher.watch({ account_id, filters: '{"region":["UKL3"]}' });
  const inNorthWales = { title: 'Weir', items: [{ id: '1', deliveryAddresses: [{ region: 'UKL13' }] }] };
  await matcher.store([releaseOf('Weir', [COUNCIL], { tender: inNorthWales }), releaseOf('Quay', [COUNCIL])]);
  expect(await told(id)).toEqual(['new Weir']);
  // A new name alone is to drop no delivery.
  const row = await matcher.readWatch(id);
  const filters = { region: ['UKL11', 'UKL12', 'UKL13', 'UKL23', 'UKL3'] };
  expect(await isSame(matcher, { ...row, filters, changes: JSON.parse(row.changes) }, row)).toBe(true);
});

it('a watch of a buyer continues where that is merged with another, and is told of nothing old as new', async () => {
  await matcher.store([releaseOf('Council before', [COUNCIL]), releaseOf('Hospital before', [HOSPITAL])]);
  const id = await matcher.watch({
    account_id: await openAccount(matcher.accounts),
    filters: `{"buyer_id":"${HOSPITAL.id}"}`,
    changes: '["new"]',
  });
  await matcher.store([releaseOf('Both', [MERGED])]);
  expect(await told(id)).toEqual(['new Both']);
  await matcher.store([releaseOf('Hospital after', [HOSPITAL])]);
  expect(await told(id)).toEqual(['new Both', 'new Hospital after']);
});

it('a watch of a buyer is told of what it buys with others, and follows its id there', async () => {
  const clinic = known('GB-NHS', 'RX7', 'Harrowmere Clinic');
  const account_id = await openAccount(matcher.accounts);
  const id = await matcher.watch({ account_id, filters: `{"buyer_id":"${clinic.id}"}`, changes: '["new","left"]' });
  await matcher.store([releaseOf('Together', [COUNCIL, clinic]), releaseOf('Alone', [COUNCIL])]);
  expect(await told(id)).toEqual(['new Together']);
  const renamed = known('GB-PPON', 'PCLN-4321-ABCD', clinic.name);
  await matcher.store([
    releaseOf('Later', [COUNCIL, { ...renamed, additionalIdentifiers: [clinic.identifier] } as typeof clinic]),
  ]);
  expect(await told(id)).toEqual(['new Together', 'new Later']);
});

const award = (title: string, firm: typeof FIRM) =>
  releaseOf(title, [COUNCIL, firm as typeof COUNCIL], {
    tag: ['award', 'contract'],
    awards: [{ id: '1', status: 'active', suppliers: [reference(firm)], value: { amount: 9_000, currency: 'GBP' } }],
  });

it('a watch of a supplier continues where that becomes known by a better identifier', async () => {
  await matcher.store([award('Before', FIRM)]);
  const filters = `{"company_number":"${FIRM.id}"}`;
  const account_id = await openAccount(matcher.accounts);
  const id = await matcher.watch({ account_id, collection: 'contracts', filters, changes: '["new"]' });
  await matcher.store([award('By its number', NUMBERED as typeof FIRM)]);
  expect(await told(id)).toEqual(['new By its number']);
});

it('a watch of several suppliers is told what any of them wins, and stays the same where they are merged', async () => {
  const account_id = await openAccount(matcher.accounts);
  const watchOf = (company_number: string[]) =>
    matcher.watch({ account_id, collection: 'contracts', filters: JSON.stringify({ company_number }) });
  const id = await watchOf([OAKES.id as string, FIRM.id]);
  const ofOne = await watchOf(['GB-COH-01234567', FIRM.id]);
  await matcher.store([
    award('Of one of them', OAKES as typeof FIRM),
    award('Of the other', NUMBERED as typeof FIRM),
    award('Of neither', known('GB-CHC', '1150009', 'Millbrook Makers') as typeof FIRM),
  ]);
  expect((await told(id)).toSorted()).toEqual(['new Of one of them', 'new Of the other']);
  expect(await told(ofOne)).toEqual(['new Of the other']);
  const isStill = async (watch: string, company_number: string | string[]) => {
    const row = await matcher.readWatch(watch);
    return isSame(matcher, { ...row, filters: { company_number }, changes: JSON.parse(row.changes) }, row);
  };
  expect(await isStill(id, ['GB-COH-01234567', 'GB-COH-07654321'])).toBe(true);
  expect(await isStill(ofOne, 'GB-COH-01234567')).toBe(true);
});

it('an older watch of a bare number, which was not known when it was made, is told what that company wins', async () => {
  const account_id = await openAccount(matcher.accounts);
  const filters = '{"company_number":"7654321"}';
  const id = await matcher.watch({ account_id, collection: 'contracts', filters, changes: '["new"]' });
  await matcher.store([award('The first of Oakes', OAKES as typeof FIRM)]);
  expect(await told(id)).toEqual(['new The first of Oakes']);
});

it('a watch follows its id further, and is told of nothing old as new again', async () => {
  const clinic = known('GB-NHS', 'RX2', 'Millbrook Clinic');
  const charity = known('GB-CHC', '1150001', 'Friends of Millbrook');
  const trust = known('GB-PPON', 'PDDD-1234-FFFF', 'Upper Valley Care Trust');
  await matcher.store([clinic, charity, trust].map((one) => releaseOf(`${one.name} before`, [one])));
  const account_id = await openAccount(matcher.accounts);
  const id = await matcher.watch({ account_id, filters: `{"buyer_id":"${clinic.id}"}`, changes: '["new"]' });
  const both = (one: typeof clinic, other: typeof clinic) => ({ ...one, additionalIdentifiers: [other.identifier] });
  await matcher.store([releaseOf('The clinic is the charity', [both(charity, clinic)])]);
  expect(await told(id)).toEqual(['new The clinic is the charity']);
  await matcher.store([releaseOf('Both are the trust', [both(trust, charity)])]);
  expect(await told(id)).toEqual(['new The clinic is the charity', 'new Both are the trust']);
});

it('a watch of another name of a notice, such as the number of its page, is told of that notice', async () => {
  await matcher.store([releaseOf('Ferry', [COUNCIL])]);
  const notice = `${String(made).padStart(6, '0')}-2026`;
  const sql = "INSERT INTO notice_name (name, process_id, notice_id) VALUES ('sep427811', 'ocds-r6ebe6-1', ?)";
  await matcher.catalogue.write([{ sql, args: [notice] }]);
  const id = await matcher.watch({
    account_id: await openAccount(matcher.accounts),
    filters: '{"query":"SEP427811"}',
  });
  const ocid = `ocds-h6vhtk-${notice.slice(0, 6)}`;
  await matcher.store([
    actRelease(notice, '2026-05-21T10:00:00Z', {
      ocid,
      buyer: reference(COUNCIL),
      parties: [COUNCIL],
      tender: { id: '1', title: 'Ferry and pier' },
    }),
  ]);
  await matcher.store([releaseOf('Ferry of others', [COUNCIL])]);
  expect(await told(id)).toEqual(['updated Ferry and pier']);
});

it('a watch with a filter that only a newer program knows waits for that program', async () => {
  const accountId = await openAccount(matcher.accounts);
  const id = await matcher.watch({ account_id: accountId, filters: '{"of_tomorrow":["yes"],"query":"ferry"}' });
  const { position } = await matcher.readWatch(id);
  await matcher.store([tender(++made, 'Ferry services')]);
  await matcher.match();
  expect(await matcher.deliveries(id)).toEqual([]);
  const waiting = await matcher.readWatch(id);
  expect(waiting.position).toBe(position);
  const message = expect.stringContaining('It has a filter that is newer than the part of this service that delivers');
  expect(toWatch(waiting)).toMatchObject({ status: 'waiting', reason: 'older_service', message });
  expect(await readBalance(matcher.accounts, accountId)).toBe(250);

  // In place of a program that knows the filter.
  await matcher.accounts.write([{ sql: `UPDATE watch SET filters = '{"query":"ferry"}' WHERE id = ?`, args: [id] }]);
  await matcher.match();
  expect((await matcher.items(id)).map(({ item }) => item?.title)).toEqual(['Ferry services']);
  expect(toWatch(await matcher.readWatch(id))).toMatchObject({ status: 'active' });
});

const AT = '2026-06-01T08:00:00Z';
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
