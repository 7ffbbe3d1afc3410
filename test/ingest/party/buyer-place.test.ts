import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { placeOfBuyer } from '../../../ingest/party/buyer-type.ts';
import { storePage } from '../../../ingest/store/page.ts';
import type { Database } from '../../../schema/db/interface.ts';
import { regionOfCode } from '../../../schema/reference/regions.ts';
import { makeDatabase, makeFolder } from '../../support/databases.ts';
import { actRelease, packageOf, read, reference } from '../compile/releases.ts';

const regions = (...codes: string[]) => codes.flatMap((code) => regionOfCode(code) ?? []);

describe('how far a buyer acts, and its region', () => {
  it.each([
    ['a department', ['defra'], undefined, ['UKE42', 'UKI'], 'national', undefined],
    [
      'a department under an older name of its own',
      ['Defra Group', 'DEFRA'],
      undefined,
      ['UKE'],
      'national',
      undefined,
    ],
    ['an agency', ['Environment Agency, Bristol'], undefined, ['UKK'], 'national', undefined],
    ['an agency by its initials', ['CPS'], undefined, ['UKI'], 'national', undefined],
    ['a regulator', ['General Dental Council'], 'local', ['UKI'], 'national', undefined],
    ['an unlisted ministry', ['Ministry of Marwell'], 'central', ['UKI'], 'national', undefined],
    ['a national NHS body', ['NHS England'], 'nhs', ['UKE'], 'national', undefined],
    ['a devolved government', ['The Scottish Government'], 'central', ['UKI'], 'regional', 'UKM'],
    ['a police force', ['Marwell Police'], 'police_fire', ['UKF'], 'regional', 'UKF'],
    ['a combined authority', ['Marwell Combined Authority'], 'local', ['UKF'], 'regional', 'UKF'],
    ['one of counties', ['Marwell Combined County Authority'], 'local', ['UKF'], 'regional', 'UKF'],
    ['a park authority', ['Broads Authority'], 'local', ['UKH'], 'regional', 'UKH'],
    ['an integrated care board', ['NHS Marwell ICB'], 'nhs', ['UKF'], 'regional', 'UKF'],
    ['a trust', ['Marwell NHS Trust'], 'nhs', ['UKF'], 'local', 'UKF'],
    [
      'a council, wherever a letter of its came from',
      ['Hertsmere Borough Council'],
      'local',
      ['UKI', 'UKI'],
      'local',
      'UKH',
    ],
    [
      'a council, as narrow as its addresses say',
      ['Leeds City Council'],
      'local',
      ['UKI', 'UKE', 'UKE42'],
      'local',
      'UKE42',
    ],
    ['a council that calls itself central', ['Marwell Council'], 'central', ['UKF'], 'local', 'UKF'],
    ['an unlisted body, by most of its addresses', ['Marwell Group'], undefined, ['UKI', 'UKF', 'UKF1'], null, 'UKF1'],
    ['of equally many by the latest', ['Marwell Group'], undefined, ['UKI', 'UKF'], null, 'UKI'],
    ['a body without an address', ['Marwell Group'], undefined, [], null, undefined],
  ] as const)('%s', (_, names, type, codes, scope, region) => {
    const place = placeOfBuyer(names, type, regions(...codes));
    expect([place.scope, place.region?.code]).toEqual([scope, region]);
  });
});

describe('stored', () => {
  let folder: Awaited<ReturnType<typeof makeFolder>>;
  let catalogue: Database;
  beforeAll(async () => {
    folder = await makeFolder();
    catalogue = await makeDatabase(folder.path, 'catalogue');
  });
  afterAll(async () => catalogue.close().then(folder.remove));

  it('a department has no region, though its notices give an office and a place of delivery', async () => {
    const buyer = { id: 'own-1', name: 'defra', roles: ['buyer'], address: { postalCode: 'YO1 7PX', region: 'UKE21' } };
    const release = actRelease('000001-2026', '2026-02-01T00:00:00Z', { parties: [buyer], buyer: reference(buyer) });
    const page = read(packageOf([release]));
    await storePage(catalogue, { source: 'x', fetchedAt: '2026-03-01T00:00:00Z', ...page, before: [], after: [] });
    const rows = await catalogue.read({
      sql: "SELECT name, region, region_code, detail ->> '$.scope' AS scope FROM buyer WHERE gone = 0",
    });
    expect(rows).toEqual([{ name: 'defra', region: null, region_code: null, scope: 'national' }]);
  });
});
