import { afterEach, describe, expect, it } from 'vitest';
import { findService, listServices, sources } from '../../ingest/sources/index.ts';
import type { Database } from '../../schema/db/interface.ts';
import { makeDatabase, makeFolder } from '../support/databases.ts';
import { listBySource, type PublishedRelease, type UpstreamData } from '../upstream/data.ts';
import { haveRecordings, readKnownRecordings } from '../upstream/recordings/known.ts';
import { makeSample } from '../upstream/sample/make.ts';
import { copyRecorded, ingestAll, sinceOf } from './ingested.ts';
import { hasMarkup, readServedTexts } from './served-texts.ts';
import { runService } from './small-world.ts';
import {
  COUNTED_ROWS,
  type CountedRow,
  countByHand,
  groupRows,
  ORGANISATIONS,
  type OrganisationRow,
  tellTotals,
} from './totals-again.ts';

const present = haveRecordings('ingest of what was recorded');

let catalogue: Database;
const opened: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of opened.splice(0)) await close();
});

/** How many releases a service had published by the data's own now. */
const publishedBy = ({ asOf }: UpstreamData, releases: Iterable<PublishedRelease>) =>
  new Set(
    [...releases]
      .filter(({ publishedAt }) => publishedAt <= asOf)
      .map(({ release }) => `${String(release.ocid).toLowerCase()} ${release.id}`),
  ).size;
const rows = <T = unknown>(sql: string) => catalogue.read<T>({ sql });
const heldKeys = async (source: string) =>
  (await rows(`SELECT DISTINCT ocid, release_id FROM release WHERE source = '${source}'`)).length;

/** Live buyers, and the names among them: a buyer is one under all its identifiers and spellings. */
const buyers = () => rows('SELECT count(*) AS buyers, count(DISTINCT name_key) AS names FROM buyer WHERE gone = 0');

/** Compares the stored totals of every buyer and company with the sum of its contracts. Answers how many have some. */
async function checkTotals(): Promise<number> {
  const contracts = groupRows(await catalogue.read<CountedRow>({ sql: COUNTED_ROWS, args: [] }));
  const organisations = await catalogue.read<OrganisationRow>({ sql: ORGANISATIONS, args: [] });
  let checked = 0;
  for (const row of organisations) {
    const own = contracts.get(`${row.kind} ${row.id}`) ?? [];
    expect([row.kind, row.id, tellTotals(row)]).toEqual([row.kind, row.id, countByHand(own)]);
    if (own.length > 0) checked += 1;
  }
  expect(checked).toBe(contracts.size);
  return checked;
}

/** No tag and no entity in anything served; answers how many texts there are. */
async function checkTexts(): Promise<number> {
  const texts = await readServedTexts(catalogue);
  expect(texts.filter(hasMarkup)).toEqual([]);
  return texts.length;
}

/** Notices served without their official page, where their number is one that a page can be had for. */
const withoutOfficialPage = () =>
  rows(`SELECT n.notice_id FROM notice n WHERE n.gone = 0 AND n.url IS NOT NULL AND NOT EXISTS
    (SELECT 1 FROM json_each(n.detail, '$.documents') AS d WHERE d.value ->> 'url' = n.url)`);

describe('the generated sample', () => {
  it('comes in whole through windows, limiter and cursors, and a second time changes nothing', async () => {
    const data = makeSample({ notices: 300, buyers: 40, companies: 150 });
    const { world, reports } = await ingestAll(data);
    catalogue = world.catalogue;
    opened.push(world.close);
    for (const { id } of sources) expect(reports[id], id).toMatchObject({ state: 'succeeded', error: null });
    for (const [id, releases] of listBySource(data)) {
      // The id of a notice's page, where the service counts its releases through each answer.
      if (findService(id)?.asked === 'by_window') expect(await heldKeys(id)).toBe(publishedBy(data, releases));
      else expect(await heldKeys(id)).toBe(releases.length);
    }
    expect(reports.find_a_tender?.requests).toBeLessThan(400);
    expect(await buyers()).toEqual([{ buyers: 40, names: 40 }]);
    expect(await checkTotals()).toBeGreaterThan(50);
    expect(await checkTexts()).toBeGreaterThan(10_000);
    expect(await withoutOfficialPage()).toEqual([]);
    // Procurements on both services, of which some name the other: their awards are counted once.
    expect((await rows('SELECT id FROM process WHERE counted_as IS NOT NULL')).length).toBeGreaterThan(0);

    const digest = async () => [
      await rows('SELECT value FROM counter'),
      await rows('SELECT count(*) AS n, sum(seq) AS s FROM notice'),
      await rows('SELECT count(*) AS n, sum(seq) AS s FROM contract'),
      await rows('SELECT count(*) AS n, sum(seq) AS s FROM registered_company'),
      await rows('SELECT digest FROM release ORDER BY digest'),
    ];
    const before = await digest();
    for (const { id } of listServices()) {
      const since = sinceOf(listBySource(data).get(id) ?? []) ?? data.asOf;
      expect(await runService(world.context, id, { since, again: true })).toMatchObject({ stored: 0 });
    }
    expect(await digest()).toEqual(before);
  });
});

describe.skipIf(!present)('the genuine recordings', () => {
  it('come in whole from the service that published them', async () => {
    const data = await readKnownRecordings();
    const folder = await makeFolder();
    const reports = await copyRecorded(folder.path);
    catalogue = await makeDatabase(folder.path, 'catalogue');
    opened.push(() => catalogue.close().then(folder.remove));
    expect(reports.contracts_finder).toMatchObject({ state: 'succeeded', error: null });
    expect(reports.find_a_tender).toMatchObject({ state: 'succeeded', error: null, quarantined: 0 });
    expect(reports.companies_house).toMatchObject({ state: 'succeeded', error: null, quarantined: 0 });
    expect(await heldKeys('find_a_tender')).toBe(publishedBy(data, data.findATender));
    // Quarantine holds nothing: what the recordings hold is read or repaired, never unexplained.
    expect(await rows('SELECT * FROM quarantine')).toEqual([]);
    expect(reports.contracts_finder).toMatchObject({ stored: 546, repairs: { double_encoded_text: 28 } });
    expect(reports.find_a_tender).toMatchObject({ stored: 37, repairs: { unlimited_number: 3 } });
    expect(reports.companies_house?.releases).toBe(4537 + 31 + 23);
    expect(await buyers()).toEqual([{ buyers: 320, names: 320 }]);
    expect(await checkTotals()).toBeGreaterThan(1000);
    expect(await checkTexts()).toBeGreaterThan(50_000);
    expect(await withoutOfficialPage()).toEqual([]);
    // Notices of Contracts Finder that name one of Find a Tender: by its address (a call-off too), and by its number.
    // Copies of Scottish notices name their originals too, by ocid or number.
    expect(
      await rows("SELECT DISTINCT mention FROM process_mention WHERE mention GLOB '*-20[0-9][0-9]' ORDER BY mention"),
    ).toEqual(['002404-2025', '002433-2025', '029179-2022', '029846-2022'].map((mention) => ({ mention })));
  });
});
