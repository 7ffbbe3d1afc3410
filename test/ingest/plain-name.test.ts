import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { storePage } from '../../ingest/store.ts';
import { plainBuyerKey } from '../../schema/buyer-names.ts';
import type { Database } from '../../schema/database.ts';
import type { JsonObject } from '../../schema/tolerant.ts';
import { findBuyer } from '../../search/buyers.ts';
import { makeDatabase, makeFolder } from '../databases.ts';
import { actRelease, packageOf, read, reference } from './compile/releases.ts';

describe('a public body written in two ways has one plain name', () => {
  it.each([
    ['London Borough of Marwell Council', 'London Borough of Marwell'],
    ['East Riding of Marwell Council', 'The East Riding of Marwell'],
    ['City of Marwell Metropolitan District Council', 'Marwell Metropolitan District Council'],
    ['City of Marwell Council', 'Marwell Council'],
    ['Marwell Strategic Commercial Unit (MSCU)', 'Marwell Strategic Commercial Unit'],
    ["Mayor's Office for Policing and Crime (MOPAC)", 'Mayors Office for Policing & Crime'],
    ['Water Services Regulation Authority (Ofwat)', 'The Water Services Regulation Authority'],
    ['Marwell & Dale Foundation Trust', 'Marwell and Dale NHS Foundation Trust'],
    ['U K Marwell Agency', 'United Kingdom Marwell Agency'],
  ])('%s, %s', (one, other) => expect(plainBuyerKey(one)).toBe(plainBuyerKey(other)));

  it.each([
    ['Marwell City Council', 'Marwell County Council'],
    ["St Anne's College (Marwell)", "St Anne's College (Dale)"],
    ['North Marwell Council', 'North Marwell County Council'],
    ['Design Council', 'Design'],
    ['Department of Education', 'Department for Education'],
    ['London Borough of Marwell', 'London Borough of Marwells'],
    ['Ministry of Marwell', 'Ministry of Marwell, Weapons'],
  ])('%s is not %s', (one, other) => expect(plainBuyerKey(one)).not.toBe(plainBuyerKey(other)));
});

describe('buyers written in two ways', () => {
  let folder: Awaited<ReturnType<typeof makeFolder>>;
  let catalogue: Database;
  let serial = 0;
  beforeAll(async () => {
    folder = await makeFolder();
    catalogue = await makeDatabase(folder.path, 'catalogue');
  });
  afterAll(async () => catalogue.close().then(folder.remove));

  async function buy(name: string, more: JsonObject = {}): Promise<void> {
    serial += 1;
    const number = String(serial).padStart(6, '0');
    const buyer = { id: `own-${serial}`, name, roles: ['buyer'], ...more };
    const ocid = `ocds-h6vhtk-${number}`;
    const release = actRelease(`${number}-2026`, '2026-02-01T00:00:00Z', {
      ocid,
      parties: [buyer],
      buyer: reference(buyer),
    });
    const page = read(packageOf([release]));
    await storePage(catalogue, { source: 'x', fetchedAt: '2026-03-01T00:00:00Z', ...page, before: [], after: [] });
  }
  const buyersLike = (beginning: string) =>
    catalogue.read<{ id: string; names: number }>({
      sql: `SELECT id, json_array_length(detail -> 'names') AS names FROM buyer WHERE gone = 0 AND name LIKE ? ORDER BY id`,
      args: [`%${beginning}%`],
    });

  it('are one buyer, which every name and id leads to', async () => {
    await buy('London Borough of Marwell Council', { address: { postalCode: 'M1 1AA' } });
    const [before] = await buyersLike('Marwell');
    await buy('London Borough of Marwell');
    expect(await buyersLike('Marwell')).toEqual([{ id: before?.id, names: 2 }]);
    await buy('London Borough of Marwell', { identifier: { scheme: 'GB-PPON', id: 'PBCD-1234-FGHJ' } });
    expect(await buyersLike('Marwell')).toEqual([{ id: 'GB-PPON-PBCD-1234-FGHJ', names: 2 }]);
    const sql = "SELECT DISTINCT target FROM alias WHERE kind = 'buyer'";
    expect(await catalogue.read({ sql })).toEqual([{ target: 'GB-PPON-PBCD-1234-FGHJ' }]);
  });

  it.each([
    ['London Borough of Marwell Council', 'other_name'],
    ['the london borough of marwell', 'cleaned'],
    ['LONDON BOROUGH OF MARWELL COUNCIL LTD', 'other_name'],
  ])('%s finds it', async (name, method) => {
    const { best } = await findBuyer(catalogue, name);
    expect(best).toMatchObject({ buyer_id: 'GB-PPON-PBCD-1234-FGHJ', method });
  });

  it('are one where only the longer way has an identifier', async () => {
    await buy('Dale Enterprise Support Unit (DESU)', { identifier: { scheme: 'GB-PPON', id: 'PCCD-1234-FGHJ' } });
    await buy('Dale Enterprise Support Unit');
    expect(await buyersLike('Dale Ent')).toEqual([{ id: 'GB-PPON-PCCD-1234-FGHJ', names: 2 }]);
  });

  it('stay two where each has a number of its own', async () => {
    await buy('Borough of Tarn Council', { identifier: { scheme: 'GB-PPON', id: 'PDCD-1234-FGHJ' } });
    await buy('Borough of Tarn', { identifier: { scheme: 'GB-PPON', id: 'PFCD-1234-FGHJ' } });
    const ids = (await buyersLike('Tarn')).map(({ id }) => id);
    expect(ids).toEqual(['GB-PPON-PDCD-1234-FGHJ', 'GB-PPON-PFCD-1234-FGHJ']);
  });
});
