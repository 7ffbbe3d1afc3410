import { afterAll, describe, expect, it } from 'vitest';
import { readOcdsPage } from '../../../ingest/parse/page.ts';
import { registerSources } from '../../../ingest/runs/record.ts';
import { sources } from '../../../ingest/sources/index.ts';
import { publicContractsScotland } from '../../../ingest/sources/public-contracts-scotland.ts';
import { storePage } from '../../../ingest/store/page.ts';
import { applyTakedown } from '../../../ingest/store/takedown.ts';
import { makePersonTarget, readPending, recordTakedown } from '../../../ingest/takedown/record.ts';
import { readTakedowns, type Takedown } from '../../../ingest/takedown/treatment.ts';
import { makeTimetable } from '../../../jobs/scheduler/timetable.ts';
import type { Database } from '../../../schema/db/interface.ts';
import { makeDatabase, makeFolder } from '../../support/databases.ts';
import { makeJobServices } from '../../support/job-services.ts';
import { makeScottish } from '../crawl/cells/releases.ts';
import { catalogueDigest } from '../store/catalogue-digest.ts';
import { AWARD, DETAILS, PERSON, publish, TENDER, TRACES } from './market.ts';
import { tablesWith } from './stored-words.ts';

const closing: (() => Promise<void>)[] = [];
afterAll(async () => {
  for (const close of closing) await close();
});

const RELEASES = publish().map(({ release }) => release);
const store = (catalogue: Database, fetchedAt = '2026-11-20T12:00:00Z', releases: object[] = RELEASES) =>
  storePage(catalogue, {
    ...readOcdsPage(Buffer.from(JSON.stringify({ version: '1.1', releases })), { source: 'find_a_tender', url: 'x' }),
    source: 'find_a_tender',
    fetchedAt,
    before: [],
    after: [],
  });

async function makeCatalogue(takedown?: Takedown, releases: object[] = RELEASES): Promise<Database> {
  const folder = await makeFolder();
  const catalogue = await makeDatabase(folder.path, 'catalogue');
  closing.push(async () => {
    await catalogue.close();
    await folder.remove();
  });
  const { id, kind, target, reason } = takedown ?? {};
  const args = [id ?? '', kind ?? '', JSON.stringify(target), reason ?? ''];
  if (takedown)
    await catalogue.write([
      { sql: "INSERT INTO takedown (id, kind, target, reason, taken_at) VALUES (?, ?, ?, ?, '')", args },
    ]);
  await store(catalogue, undefined, releases);
  return catalogue;
}

/** The database as a process sees it that is killed before its write number `at`. */
function killedAt(catalogue: Database, at: number): Database {
  let writes = 0;
  return {
    ...catalogue,
    read: (statement) => catalogue.read(statement),
    write: (statements) => (writes++ === at ? Promise.reject(new Error('killed')) : catalogue.write(statements)),
  };
}

const TERMS = { names: [PERSON.name], texts: ['Elm Cottage'], emails: [PERSON.email], telephones: [PERSON.phone] };
const target = makePersonTarget(TERMS);
const head = { id: 'tk_test', reason: 'r', takenAt: '', takenBy: '' };
const TAKEDOWNS: Takedown[] = [
  { ...head, kind: 'person', target },
  { ...head, kind: 'notice', target: { noticeId: AWARD } },
];
const options = { before: [], signal: new AbortController().signal };

describe.each(TAKEDOWNS)('the takedown of a $kind', (takedown) => {
  const gone = takedown.kind === 'person' ? TRACES : /hives/i;

  it('leaves the same catalogue as if it had been recorded before anything arrived', async () => {
    const catalogue = await makeCatalogue();
    const before = await makeCatalogue(takedown);
    expect(await tablesWith(before, gone)).not.toContain('release');
    await applyTakedown(catalogue, takedown, options);
    expect(await tablesWith(catalogue, gone)).toEqual([]);
    expect(await catalogueDigest(catalogue)).toEqual(await catalogueDigest(before));
  });

  it('leaves nothing of releases that were fetched again before', async () => {
    const [catalogue, before] = [await makeCatalogue(), await makeCatalogue(takedown)];
    for (const one of [catalogue, before]) await store(one, '2026-11-20T13:00:00Z');
    await applyTakedown(catalogue, takedown, options);
    expect(await tablesWith(catalogue, gone)).toEqual([]);
    expect(await catalogueDigest(catalogue)).toEqual(await catalogueDigest(before));
  });

  it('leaves no supplier whom only an earlier version of a notice names', async () => {
    const [, award = {}] = RELEASES;
    const catalogue = await makeCatalogue(undefined, [award]);
    const other = JSON.stringify(award)
      .replace(/(Mrs )?Wilhelmina +Oakapple/gi, 'Bees')
      .replaceAll('GB-FTS-4711', 'GB-FTS-4712');
    await store(catalogue, '2026-11-20T13:00:00Z', [JSON.parse(other)]);
    const readNamed = () => catalogue.read({ sql: "SELECT id FROM company WHERE name LIKE '%oakapple%'" });
    expect(await readNamed()).toHaveLength(1);
    await applyTakedown(catalogue, takedown, options);
    expect(await readNamed()).toEqual([]);
    expect(await catalogue.read({ sql: "SELECT id FROM change WHERE id LIKE '%oakapple%'" })).toEqual([]);
  });

  it.each(takedown.kind === 'person' ? [0, 1] : [0, 1, 2])(
    'killed before write %i is finished the next time',
    async (at) => {
      const catalogue = await makeCatalogue();
      await expect(applyTakedown(killedAt(catalogue, at), takedown, options)).rejects.toThrow('killed');
      await applyTakedown(catalogue, takedown, options);
      expect(await tablesWith(catalogue, gone)).toEqual([]);
      await applyTakedown(catalogue, takedown, options);
      expect(await tablesWith(catalogue, gone)).toEqual([]);
    },
  );
});

it('a person whose takedown was killed is gone once it is repeated', async () => {
  const [person] = TAKEDOWNS;
  for (const at of [0, 1, 2]) {
    const catalogue = await makeCatalogue();
    if (person) await expect(applyTakedown(killedAt(catalogue, at), person, options)).rejects.toThrow('killed');
    for (const noticeId of [TENDER, AWARD, DETAILS])
      await applyTakedown(catalogue, { ...head, kind: 'notice', target: { noticeId } }, options);
    if (person) await applyTakedown(catalogue, person, options);
    expect(await tablesWith(catalogue, TRACES)).toEqual([]);
  }
});

it('a notice whose service writes its id without our prefix goes and stays out', async () => {
  const catalogue = await makeCatalogue();
  const url = 'https://service.example/v1/Notices?dateFrom=11-2026&noticeType=2';
  const source = 'public_contracts_scotland';
  const come = (title: string) => {
    const { release } = makeScottish(1, { day: '2026-11-03', title });
    const bytes = Buffer.from(JSON.stringify({ version: '1.1', releases: [release] }));
    return storePage(catalogue, {
      ...readOcdsPage(bytes, { source, url, adapt: publicContractsScotland.adapt }),
      quarantined: [{ kind: 'page', reason: 'broken', url, bytes: bytes.subarray(0, -1) }],
      source,
      fetchedAt: '2026-11-20T12:00:00Z',
      before: [],
      after: [],
    });
  };
  await come('Gritting of roads');
  const wanted = { kind: 'notice', noticeId: 'PCS-SEP500001' } as const;
  const takedown = await recordTakedown(catalogue, wanted, { reason: 'r', now: new Date(), before: [] });
  await applyTakedown(catalogue, takedown, options);
  expect(await tablesWith(catalogue, /gritting/i)).toEqual([]);
  await come('Gritting of all roads');
  expect(await tablesWith(catalogue, /gritting/i)).toEqual([]);
});

it('bytes in quarantine that speak of her go, and do not come back', async () => {
  const catalogue = await makeCatalogue();
  const record = (text: string) => ({ kind: 'page' as const, reason: 'broken', url: 'x', bytes: Buffer.from(text) });
  const texts = [`"${PERSON.name}"`, '"Somebody Else"', `"Ask:\\n${PERSON.name}"`, `"Ask:\\n${PERSON.phone}\\n"`];
  const quarantined = texts.map((text) => record(`{"name": ${text}`));
  const page = {
    source: 'find_a_tender',
    fetchedAt: '2026-11-20T12:00:00Z',
    releases: [],
    quarantined,
    before: [],
    after: [],
  };
  await registerSources(catalogue, sources);
  const readCount = async () =>
    (await catalogue.read({ sql: "SELECT quarantined FROM source WHERE id = 'find_a_tender'" }))[0];
  await storePage(catalogue, page);
  expect(await readCount()).toEqual({ quarantined: 4 });
  const readQuarantine = () =>
    catalogue.read({ sql: 'SELECT id, bytes IS NOT NULL AS held FROM quarantine ORDER BY id' });
  await recordTakedown(catalogue, { kind: 'person', terms: TERMS }, { reason: 'r', now: new Date(), before: [] });
  const [takedown] = await readTakedowns(catalogue);
  if (takedown) await applyTakedown(catalogue, takedown, options);
  expect(await readQuarantine()).toEqual([
    { id: 1, held: 0 },
    { id: 2, held: 1 },
    { id: 3, held: 0 },
    { id: 4, held: 0 },
  ]);
  expect(await readCount()).toEqual({ quarantined: 1 });
  await storePage(catalogue, page);
  expect(await readQuarantine()).toEqual([
    { id: 1, held: 0 },
    { id: 2, held: 1 },
    { id: 3, held: 0 },
    { id: 4, held: 0 },
  ]);
});

it('upkeep finishes a takedown whose process was killed', async () => {
  const { services, close } = await makeJobServices();
  closing.push(close);
  await store(services.catalogue);
  const now = new Date('2026-11-20T12:00:00Z');
  await recordTakedown(services.catalogue, { kind: 'person', terms: TERMS }, { reason: 'r', now, before: [] });
  expect((await readPending(services.catalogue)).size).toBe(1);
  const upkeep = makeTimetable([]).find(({ job }) => job === 'upkeep');
  expect(await upkeep?.run(services, new AbortController().signal)).toMatchObject({ takedownsFinished: 1 });
  expect((await readPending(services.catalogue)).size).toBe(0);
  expect(await tablesWith(services.catalogue, TRACES)).toEqual(['takedown']);
});
