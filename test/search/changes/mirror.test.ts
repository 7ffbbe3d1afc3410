import { afterAll, describe, expect, it } from 'vitest';
import { listedStatements, listRecord } from '../../../ingest/register/store.ts';
import { bumpSeq } from '../../../ingest/rows/versioned.ts';
import { applyTakedown } from '../../../ingest/store/takedown.ts';
import { makePersonTarget } from '../../../ingest/takedown/record.ts';
import type { Takedown } from '../../../ingest/takedown/treatment.ts';
import { CHANGE_KINDS, type ChangeKind } from '../../../schema/catalogue/changes/kinds.ts';
import type { RegisterRecord } from '../../../schema/catalogue/details.ts';
import type { Database } from '../../../schema/db/interface.ts';
import { sha256 } from '../../../schema/text/json-values.ts';
import type { ChangeFilters } from '../../../search/changes/match.ts';
import { WALK_START, type WalkPosition, walkChanges } from '../../../search/changes/walk.ts';
import { actRelease, BRIGHT, COUNCIL, OAKES, reference, supplier } from '../../ingest/compile/releases.ts';
import { type FilledJobs, openJobs, rebuild, storeReleases } from '../../jobs/tasks/rebuild/filled-services.ts';
import { makeFolder } from '../../support/databases.ts';
import { makeRandom, type Random } from '../../upstream/sample/random.ts';
import { readHeld } from './held.ts';

/** A sole trader without a number: the id of its row spells its name. */
const TRADER = { ...supplier('', 'Wilhelmina Oakapple'), id: 'trader', identifier: undefined };
const OTHER = supplier('01234999', 'Cartwright Paving Ltd');
const SUPPLIERS = [BRIGHT, OAKES, OTHER, TRADER];
const PAINTING = '45440000';

interface Reader {
  kinds: readonly ChangeKind[];
  filters: ChangeFilters;
  /** The rows of a kind that it wants, as SQL over the row `n`. */
  wants: string;
  limit: number;
  position: WalkPosition;
  mirror: Map<string, unknown>;
}

const makeReader = (one: Pick<Reader, 'kinds' | 'filters' | 'wants' | 'limit'>): Reader => ({
  ...one,
  position: WALK_START,
  mirror: new Map(),
});
const inDetail = `EXISTS (SELECT 1 FROM json_each(n.detail, '$.cpvs') WHERE value LIKE '4544%')`;
const makeReaders = () => [
  makeReader({ kinds: CHANGE_KINDS, filters: {}, wants: 'TRUE', limit: 1_000 }),
  makeReader({ kinds: CHANGE_KINDS, filters: {}, wants: 'TRUE', limit: 7 }),
  makeReader({ kinds: ['contract'], filters: { cpv: ['4544'] }, wants: inDetail, limit: 3 }),
  makeReader({
    kinds: ['contract', 'notice'],
    filters: { value_min: 2_000 },
    wants: "n.value >= 2000 AND n.currency = 'GBP'",
    limit: 5,
  }),
  makeReader({
    kinds: ['contract'],
    filters: { company_number: 'GB-COH-07654321' },
    wants: "EXISTS (SELECT 1 FROM contract_supplier s WHERE s.contract_id = n.id AND s.company_id = 'GB-COH-07654321')",
    limit: 4,
  }),
  makeReader({
    kinds: ['company'],
    filters: { company_status: ['liquidation'] },
    wants: `EXISTS (SELECT 1 FROM registered_company r WHERE r.company_number = n.company_number AND r.status = 'Liquidation')`,
    limit: 2,
  }),
];

/** One page of a walk, kept as the README tells a client to. */
async function turn(catalogue: Database, reader: Reader): Promise<boolean> {
  const { changes, next, isDone } = await walkChanges(catalogue, reader);
  expect(changes.length).toBeLessThanOrEqual(reader.limit);
  for (const { kind, id, change, item } of changes) {
    if (change === 'new' || change === 'updated') reader.mirror.set(`${kind} ${id}`, item);
    else if (id.startsWith('sha256:')) {
      for (const key of reader.mirror.keys())
        if (`sha256:${sha256(key.slice(kind.length + 1))}` === id) reader.mirror.delete(key);
    } else reader.mirror.delete(`${kind} ${id}`);
  }
  reader.position = JSON.parse(JSON.stringify(next)) as WalkPosition;
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
  const winner = random.pick(SUPPLIERS);
  const isAward = random.chance(0.6);
  return actRelease(`${String(serial).padStart(6, '0')}-2026`, new Date(Date.UTC(2026, 1, 1, serial)).toISOString(), {
    ocid: `ocds-h6vhtk-00000${process}`,
    tag: isAward ? ['award', 'contract'] : ['tender'],
    parties: isAward ? [COUNCIL, winner] : [COUNCIL],
    tender: {
      title: `${random.pick(['Painting', 'Paving', 'Cleaning'])} of square ${process}`,
      value: { amount: random.int(1, 4) * 1_000, currency: 'GBP' },
      items: [{ id: '1', classification: { scheme: 'CPV', id: random.pick([PAINTING, '90910000']) } }],
      tenderPeriod: { endDate: '2026-12-20T12:00:00Z' },
    },
    ...(isAward && {
      awards: [
        {
          ...{ id: '1', status: 'active', suppliers: [reference(winner)] },
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
      sql: `UPDATE contract SET value = 9000, digest = 'other', seq = ${seq} WHERE id = (SELECT min(id) FROM contract WHERE gone = 0)`,
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
    ...{ postal_code: random.pick(['LS2 7EW', 'N1 9AA']), previous_names: [], sic_codes: [{ code: '43341' }] },
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
  }
  return { jobs, readers };
}

describe('a copy that is kept by changes alone', () => {
  it.each([1, 2, 3])('equals the catalogue after random ingests, rebuilds and takedowns (seed %i)', async (seed) => {
    const { jobs, readers } = await play(seed, 24);
    for (const reader of readers) {
      for (let pages = 0; !(await turn(jobs.catalogue, reader)); pages++) expect(pages).toBeLessThan(200);
      const held = await readHeld(jobs.catalogue, reader);
      expect(Object.fromEntries(reader.mirror)).toEqual(Object.fromEntries(held));
      expect((await walkChanges(jobs.catalogue, reader)).changes).toEqual([]);
    }
    expect(readers[0]?.mirror.size).toBeGreaterThan(15);
    // A name that was taken down is in no id of the log.
    expect(
      await jobs.catalogue.read({
        sql: "SELECT id FROM change WHERE id LIKE '%oakapple%' OR former LIKE '%oakapple%'",
      }),
    ).toEqual([]);
  });
});
