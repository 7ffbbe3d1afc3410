import { afterAll, describe, expect, it } from 'vitest';
import { listedStatements, listRecord } from '../../../ingest/register/store.ts';
import { bumpSeq } from '../../../ingest/rows/versioned.ts';
import { applyTakedown } from '../../../ingest/store/takedown.ts';
import { makePersonTarget } from '../../../ingest/takedown/record.ts';
import type { Takedown } from '../../../ingest/takedown/treatment.ts';
import type { RegisterRecord } from '../../../schema/catalogue/details.ts';
import type { Database } from '../../../schema/db/interface.ts';
import { sha256 } from '../../../schema/text/json-values.ts';
import { type ReaderPosition, readChangesPage } from '../../../search/changes/page.ts';
import { listBuyers } from '../../../search/directory/buyers.ts';
import { type CompaniesAsk, listCompanies } from '../../../search/directory/companies.ts';
import { actRelease, BRIGHT, COUNCIL, OAKES, reference, supplier } from '../../ingest/compile/releases.ts';
import { type FilledJobs, openJobs, rebuild, storeReleases } from '../../jobs/tasks/rebuild/filled-services.ts';
import { makeFolder } from '../../support/databases.ts';
import { makeRandom, type Random } from '../../upstream/sample/random.ts';
import { makeMarketReaders, makeReaders, type Reader } from './readers.ts';
import { readStoredItems } from './stored-items.ts';

/** A sole trader without a number: the id of its row spells its name. */
const TRADER = { ...supplier('', 'Wilhelmina Oakapple'), id: 'trader', identifier: undefined };
const OTHER = supplier('01234999', 'Cartwright Paving Ltd');
const SUPPLIERS = [BRIGHT, OAKES, OTHER, TRADER];
const PAINTING = '45440000';
const TOWN = {
  id: 'GB-NHS-RX1',
  name: 'Harrowmere Town Hospital',
  identifier: { scheme: 'GB-NHS', id: 'RX1' },
  address: COUNCIL.address,
  roles: COUNCIL.roles,
};
/** From the first notice of it on they are one buyer. */
const MERGED = { ...COUNCIL, additionalIdentifiers: [TOWN.identifier] };

/** One page of changes, applied to a copy as the README describes. */
async function turn(catalogue: Database, reader: Reader): Promise<boolean> {
  const { changes, next, isDone } = await readChangesPage(catalogue, reader);
  expect(changes.length).toBeLessThanOrEqual(reader.limit);
  for (const { kind, id, change, item } of changes) {
    if (change === 'new' || change === 'updated') reader.mirror.set(`${kind} ${id}`, item);
    else if (id.startsWith('sha256:')) {
      for (const key of reader.mirror.keys())
        if (`sha256:${sha256(key.slice(kind.length + 1))}` === id) reader.mirror.delete(key);
    } else reader.mirror.delete(`${kind} ${id}`);
  }
  reader.position = JSON.parse(JSON.stringify(next)) as ReaderPosition;
  return isDone;
}

const closing: (() => Promise<void>)[] = [];
afterAll(async () => {
  for (const close of closing) await close();
});

async function open(): Promise<FilledJobs['jobs']> {
  const folder = await makeFolder();
  const jobs = await openJobs(folder.path);
  closing.push(async () => {
    await jobs.close();
    await folder.remove();
  });
  return jobs;
}

/** A release of one of a few processes, so that later ones change what earlier ones said. */
function makeRelease(random: Random, serial: number) {
  const process = random.int(1, 9);
  const supplier = random.pick(SUPPLIERS);
  const isAward = random.chance(0.7);
  const buyer = random.pick([COUNCIL, COUNCIL, TOWN, random.chance(0.2) ? MERGED : TOWN]);
  return actRelease(`${String(serial).padStart(6, '0')}-2026`, new Date(Date.UTC(2026, 1, 1, serial)).toISOString(), {
    ocid: `ocds-h6vhtk-00000${process}`,
    tag: isAward ? ['award', 'contract'] : ['tender'],
    parties: isAward ? [buyer, supplier] : [buyer],
    buyer: reference(buyer),
    tender: {
      title: `${random.pick(['Painting', 'Paving', 'Cleaning'])} of square ${process}`,
      value: { amount: random.int(1, 4) * 1_000, currency: 'GBP' },
      items: [{ id: '1', classification: { scheme: 'CPV', id: random.pick([PAINTING, '90910000']) } }],
      tenderPeriod: { endDate: '2026-12-20T12:00:00Z' },
    },
    ...(isAward && {
      awards: [
        {
          id: '1',
          status: random.chance(0.9) ? 'active' : 'cancelled',
          suppliers: [reference(supplier)],
          date: `2026-0${random.int(1, 4)}-0${random.int(1, 9)}T00:00:00Z`,
          value: { amount: random.int(1, 4) * 1_000, currency: 'GBP' },
        },
      ],
    }),
  });
}

/** What a rule of before left behind: a row that compiles otherwise now, and one that nothing compiles to any more. */
async function disturb({ catalogue }: FilledJobs['jobs'], serial: number) {
  const columns = (await catalogue.read<{ name: string }>({ sql: "SELECT name FROM pragma_table_info('notice')" }))
    .map(({ name }) => name)
    .filter((name) => name !== 'id' && name !== 'seq');
  const seq = "(SELECT value FROM counter WHERE name = 'seq')";
  await catalogue.write([
    bumpSeq,
    {
      sql: `UPDATE contract SET detail = json_set(detail, '$.cpvs', json(iif(detail -> '$.cpvs' = '["${PAINTING}"]', '[]', '["${PAINTING}"]'))),
        ends = '2030-01-01', digest = 'other', seq = ${seq} WHERE id IN (SELECT id FROM contract WHERE gone = 0 ORDER BY id LIMIT 3)`,
    },
    {
      sql: `INSERT INTO notice (id, seq, ${columns.join()}) SELECT 'phantom-${serial}', ${seq}, ${columns.join()}
        FROM notice WHERE gone = 0 LIMIT 1`,
    },
  ]);
}

async function takeDown(jobs: FilledJobs['jobs'], takedown: Pick<Takedown, 'kind' | 'target'>, serial: number) {
  const one = {
    id: `tk_${serial}`,
    reason: 'r',
    takenAt: '2026-11-20T00:00:00Z',
    takenBy: 'me',
    ...takedown,
  } as Takedown;
  await jobs.catalogue.write([
    {
      sql: 'INSERT INTO takedown (id, kind, target, reason, taken_at, taken_by) VALUES (?, ?, ?, ?, ?, ?)',
      args: [one.id, one.kind, JSON.stringify(one.target), one.reason, one.takenAt, one.takenBy],
    },
  ]);
  await applyTakedown(jobs.catalogue, one, { before: [], signal: AbortSignal.timeout(60_000) });
}

async function register({ catalogue }: FilledJobs['jobs'], random: Random) {
  const record = {
    company_number: random.pick(['01234567', '07654321', '01234999', '09999999']),
    company_name: random.pick(['Quayside Ltd', 'Harbour Ltd']),
    status: random.pick(['Active', 'Liquidation']),
    postal_code: random.pick(['LS2 7EW', 'N1 9AA']),
    previous_names: [],
    sic_codes: [{ code: '43341' }],
  };
  const listed = listRecord(record as unknown as RegisterRecord);
  await catalogue.write((await listedStatements(catalogue, [listed], null, () => false)).statements);
}

async function play(seed: number, steps: number) {
  const random = makeRandom(seed);
  const jobs = await open();
  const readers = makeReaders();
  const published: unknown[] = [];
  for (let step = 1; step <= steps; step++) {
    const dice = random.int(1, 12);
    if (step === steps - 4) {
      await disturb(jobs, step);
      for (const reader of readers) if (random.chance(0.5)) await turn(jobs.catalogue, reader);
      await rebuild(jobs);
    } else if (step === steps - 2) {
      const target = makePersonTarget({ names: ['Wilhelmina Oakapple'], texts: [], emails: [], telephones: [] });
      await takeDown(jobs, { kind: 'person', target }, step);
    } else if (dice === 1)
      await takeDown(jobs, { kind: 'notice', target: { noticeId: `00000${random.int(1, 9)}-2026` } }, step);
    else if (dice <= 3) await register(jobs, random);
    else if (dice === 4 && published.length > 0) await storeReleases(jobs, 'find_a_tender', [random.pick(published)]);
    else {
      const releases = Array.from({ length: random.int(1, 4) }, (_, index) => makeRelease(random, step * 5 + index));
      published.push(...releases);
      await storeReleases(jobs, 'find_a_tender', releases);
    }
    for (const reader of readers) if (random.chance(0.7)) await turn(jobs.catalogue, reader);
    await drain(jobs.catalogue, random.pick(readers));
  }
  return { jobs, readers };
}

/** Brings a copy up to date, which then has every row that is wanted, as it is, and no other. */
async function drain(catalogue: Database, reader: Reader) {
  for (let pages = 0; !(await turn(catalogue, reader)); pages++) expect(pages).toBeLessThan(200);
  const stored = await readStoredItems(catalogue, reader);
  expect(Object.fromEntries(reader.mirror), JSON.stringify(reader.filters)).toEqual(Object.fromEntries(stored));
}

/** The ids of a list with the filters of a reader. */
async function listIds(catalogue: Database, { kinds, filters }: Reader): Promise<string[]> {
  const asked = { ...filters, limit: 100 } as CompaniesAsk;
  const list = () => (kinds[0] === 'buyer' ? listBuyers(catalogue, asked) : listCompanies(catalogue, asked));
  for (;;) {
    const page = await list();
    if (page) return page.entries.map(({ id }) => id).toSorted();
  }
}

describe('a copy that is kept by changes alone', () => {
  it.each([1, 2, 3])('equals the catalogue after random ingests, rebuilds and takedowns (seed %i)', async (seed) => {
    const { jobs, readers } = await play(seed, 24);
    for (const reader of readers) {
      await drain(jobs.catalogue, reader);
      expect((await readChangesPage(jobs.catalogue, reader)).changes).toEqual([]);
    }
    expect(readers[0]?.mirror.size).toBeGreaterThan(15);
    for (const reader of readers.slice(-makeMarketReaders().length)) {
      const ids = [...reader.mirror.keys()].map((key) => key.slice(key.indexOf(' ') + 1)).toSorted();
      expect(ids).toEqual(await listIds(jobs.catalogue, reader));
    }
    // A name that was taken down is in no id of the log.
    expect(
      await jobs.catalogue.read({
        sql: `SELECT id FROM change WHERE id LIKE '%oakapple%' OR former LIKE '%oakapple%'
          UNION SELECT owner_id FROM lost_contract WHERE owner_id LIKE '%oakapple%'`,
      }),
    ).toEqual([]);
  });
});
