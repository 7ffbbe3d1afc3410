import { afterAll, beforeAll, expect, it } from 'vitest';
import { storePage } from '../../../ingest/store/page.ts';
import type { Database } from '../../../schema/db/interface.ts';
import { buyerNameId, nameIdOf } from '../../../schema/names/buyers.ts';
import type { JsonObject } from '../../../schema/text/json-values.ts';
import { makeDatabase, makeFolder } from '../../support/databases.ts';
import { actRelease, packageOf, read, reference } from '../compile/releases.ts';

/** Ids that were made from names before names were cleaned as they are now: customers keep them. */
let folder: Awaited<ReturnType<typeof makeFolder>>;
let catalogue: Database;
let serial = 0;
beforeAll(async () => {
  folder = await makeFolder();
  catalogue = await makeDatabase(folder.path, 'catalogue');
});
afterAll(async () => catalogue.close().then(folder.remove));

async function publish(buyerName: string, supplier: JsonObject): Promise<void> {
  serial += 1;
  const id = `0000${String(serial).padStart(2, '0')}-2026`;
  const buyer = { id: `own-${serial}`, name: buyerName, roles: ['buyer'] };
  const seller = { id: `sold-${serial}`, roles: ['supplier'], ...supplier };
  const release = actRelease(id, `2026-02-${String(serial).padStart(2, '0')}T00:00:00Z`, {
    ocid: `ocds-h6vhtk-0000${String(serial).padStart(2, '0')}`,
    tag: ['award', 'contract'],
    parties: [buyer, seller],
    buyer: reference(buyer),
    awards: [{ id: '1', status: 'active', title: 'Award', suppliers: [reference(seller)] }],
  });
  const page = read(packageOf([release]));
  await storePage(catalogue, { source: 'x', fetchedAt: '2026-03-01T00:00:00Z', ...page, before: [], after: [] });
}

async function leadsTo(kind: string, id: string): Promise<string | undefined> {
  const args = [kind, id.toLowerCase()];
  const rows = await catalogue.read<{ target: string }>({
    sql: 'SELECT target FROM alias WHERE kind = ? AND alias = ?',
    args,
  });
  return rows[0]?.target;
}

it('lead on, also where the name comes to a number or to another name', async () => {
  const ppm = { name: 'P. P. M. Dale Ltd', address: { postalCode: 'LS1 4AB' } };
  const formerCompany = nameIdOf('p p m dale', 'p p m dale|LS1 4AB');
  const formerBuyer = buyerNameId('kingston upon hull city');
  await publish('Kingston Upon Hull City Council', ppm);
  const present = nameIdOf('ppm dale', 'ppm dale|LS1 4AB');
  expect([await leadsTo('company', formerCompany), await leadsTo('buyer', formerBuyer)]).toEqual([
    present,
    buyerNameId('hull city'),
  ]);
  await publish('Hull City Council', { ...ppm, identifier: { scheme: 'GB-COH', id: '01234567' } });
  expect(await leadsTo('company', formerCompany)).toBe('GB-COH-01234567');
  expect(await leadsTo('company', present)).toBe('GB-COH-01234567');
  expect(await catalogue.read({ sql: 'SELECT count(*) AS buyers FROM buyer WHERE gone = 0' })).toEqual([{ buyers: 1 }]);
});

it('of a partnership lead to it, but to a company of its name at its postcode once there is one', async () => {
  const address = { postalCode: 'LS1 4AB' };
  const shared = nameIdOf('heron legal', 'heron legal|LS1 4AB');
  const own = nameIdOf('heron legal', 'heron legal|LS1 4AB|llp');
  await publish('Hull City Council', { name: 'Heron Legal LLP', address });
  expect([await leadsTo('company', shared), await leadsTo('company', own)]).toEqual([own, own]);
  await publish('Hull City Council', { name: 'Heron Legal', address });
  expect(await leadsTo('company', shared)).toBe(own);
  await publish('Hull City Council', { name: 'Heron Legal Limited', address });
  expect([await leadsTo('company', shared), await leadsTo('company', own)]).toEqual([shared, own]);
});

it('of a partnership stay with companies whose numbers disagree, and follow its own number otherwise', async () => {
  const address = { postalCode: 'LS2 4AB' };
  const numbered = (id: string) => ({ identifier: { scheme: 'GB-COH', id } });
  const shared = nameIdOf('osprey legal', 'osprey legal|LS2 4AB');
  await publish('Hull City Council', { name: 'Osprey Legal LLP', address, ...numbered('OC301234') });
  expect(await leadsTo('company', shared)).toBe('GB-COH-OC301234');
  await publish('Hull City Council', { name: 'Osprey Legal Ltd', address, ...numbered('01234568') });
  expect(await leadsTo('company', shared)).toBe('GB-COH-01234568');
  await publish('Hull City Council', { name: 'Osprey Legal Ltd', address, ...numbered('01234569') });
  expect(await leadsTo('company', shared)).toBe(shared);
});

it('of a partnership are not claimed by it any more, also where the register matched it under them', async () => {
  const address = { postalCode: 'LS3 4AB' };
  const shared = nameIdOf('curlew legal', 'curlew legal|LS3 4AB');
  const sql = `INSERT INTO identity_fact (kind, token, field, value, last_seen)
    VALUES ('company', 'gb-coh-oc301235', 'register_name_id', ?, '2026-01-01')`;
  await catalogue.write([{ sql, args: [shared] }]);
  const identifier = { scheme: 'GB-COH', id: 'OC301235' };
  await publish('Hull City Council', { name: 'Curlew Legal LLP', address, identifier });
  expect(await leadsTo('company', shared)).toBe('GB-COH-OC301235');
  await publish('Hull City Council', { name: 'Curlew Legal Limited', address });
  expect(await leadsTo('company', shared)).toBe(shared);
});
