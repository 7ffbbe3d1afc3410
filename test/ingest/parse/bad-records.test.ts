import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type ReadRelease, readOcdsPage } from '../../../ingest/parse/page.ts';
import { readQuarantinedRows, retryQuarantined } from '../../../ingest/quarantine/retry.ts';
import { storePage } from '../../../ingest/store/page.ts';
import { makeClocks } from '../../../schema/config/clocks.ts';
import type { Database } from '../../../schema/db/interface.ts';
import { makeDatabase, makeFolder } from '../../support/databases.ts';
import { processorMs } from '../../support/processor-time.ts';
import { type Json, listBySource } from '../../upstream/data.ts';
import { makeSample } from '../../upstream/sample/make.ts';
import { makeScottish } from '../crawl/cells/releases.ts';
import { makeNotice, worldSettings } from '../small-world.ts';
import { readPublished } from './read-published.ts';
import { makeRandom, spoil } from './spoil.ts';

const FROM = { source: 'find_a_tender', url: 'http://127.0.0.1/x' };
let folder: Awaited<ReturnType<typeof makeFolder>>;
let catalogue: Database;
beforeEach(async () => {
  folder = await makeFolder();
  catalogue = await makeDatabase(folder.path, 'catalogue');
});
afterEach(async () => {
  await catalogue.close();
  await folder.remove();
});

const read = (releases: unknown[]) => readOcdsPage(Buffer.from(JSON.stringify({ releases })), FROM);
const store = (releases: readonly ReadRelease[], after = 'SELECT 1', source = 'find_a_tender') =>
  storePage(catalogue, {
    source,
    fetchedAt: '2026-11-20T00:00:00Z',
    releases,
    quarantined: [],
    before: [],
    after: [{ sql: after }],
  });
const release = (number: number, more: Json = {}) => makeNotice(number, new Date('2026-11-19T12:00:00Z'), more).release;
const rows = (sql: string) => catalogue.read({ sql });

/** Reads the first row in quarantine again. */
async function retry(source: string, on = catalogue) {
  const world = {
    clocks: makeClocks(),
    settings: worldSettings('http://127.0.0.1:9', folder.path),
    log: pino({ level: 'silent' }),
    fence: null,
  };
  const { value: row } = await readQuarantinedRows(on, { source }).next();
  return row && retryQuarantined({ ...world, catalogue: on }, row);
}

describe('a bad record never stops its page', () => {
  it('whatever is exchanged in it: every release is stored or in quarantine (90 random releases)', async () => {
    const published = [...listBySource(makeSample({ notices: 300, buyers: 40, companies: 20 }))];
    const random = makeRandom(20261121);
    for (let round = 0; round < 30; round++) {
      const [id, all] = published[round % published.length] ?? ['', []];
      const spoilt = [1, 2, 3].map(() => spoil(all[random(all.length)]?.release ?? {}, random));
      const page = readPublished(id, spoilt);
      expect(page.releases.length + page.quarantined.length).toBe(3);
      const { stored, unchanged, refused } = await store(page.releases);
      expect([stored + unchanged, refused]).toEqual([page.releases.length, 0]);
    }
  });

  it('a word that every object knows is an unknown category, not a stage', async () => {
    const page = read([release(1, { tag: ['constructor'], planning: { documents: [{ noticeType: 'toString' }] } })]);
    expect(page.unknown.map(({ value }) => value)).toEqual(['constructor', 'toString']);
    expect(await store(page.releases)).toMatchObject({ stored: 1, refused: 0 });
  });

  it('an identifier longer than any is left out, and its party can be read ever after', async () => {
    const party = (id: string) => ({
      id: 'GB-PPON-PBCD-1234-FGHJ',
      name: 'Little Example Council',
      roles: ['buyer'],
      identifier: { scheme: 'GB-LAE', id },
    });
    await store(read([release(1, { parties: [party('9'.repeat(3_000))] })]).releases);
    expect(await store(read([release(2, { parties: [party('123')] })]).releases)).toMatchObject({ stored: 1 });
  });

  it('one nested deeper than the stack is quarantined with its page; the others are read', () => {
    const deep = `{"ocid": "ocds-h6vhtk-000009", "id": "9", "tag": ["tender"], "x": ${'['.repeat(200_000)}${']'.repeat(200_000)}}`;
    const page = readOcdsPage(Buffer.from(`{"releases": [${JSON.stringify(release(1))}, ${deep}]}`), FROM);
    expect(page.releases).toHaveLength(1);
    expect(page.quarantined).toMatchObject([{ kind: 'page', reason: 'a release is nested too deep' }]);
  });

  it.each([
    ['brackets', '('],
    ['dashes', ' - '],
    ['commas', '1,'],
    ['blanks', '\t'],
  ])(
    'one with nothing but %s in its names and addresses takes no longer than another: it took seconds',
    async (_what, sign) => {
      const hostile = (number: number) => {
        const text = `x${sign.repeat(30_000 / sign.length)} zz ${number}`;
        const party = { name: text, address: { streetAddress: text, locality: text } };
        const parties = ['buyer', 'supplier', 'tenderer'].map((role) => ({
          ...party,
          id: `GB-FTS-${role}`,
          roles: [role],
        }));
        return release(number, { parties, buyer: { id: 'GB-FTS-buyer', name: text } });
      };
      const beganMs = processorMs();
      await store(read([hostile(1), hostile(2)]).releases);
      expect(processorMs() - beganMs).toBeLessThan(500);
      expect(await rows('SELECT count(*) AS count FROM release')).toEqual([{ count: 2 }]);
    },
  );

  it('one that our own compiler trips over is set apart with its bytes; the others and the cursor go on', async () => {
    const [first, second, third] = read([release(1), release(2), release(3)]).releases as [
      ReadRelease,
      ReadRelease,
      ReadRelease,
    ];
    const broken = { ...second, json: new Proxy({}, { get: trip }) };
    const cursor = "INSERT INTO cursor (source, value, updated_at) VALUES ('find_a_tender', 'moved', '')";
    expect(await store([first, broken, third], cursor)).toEqual({ stored: 2, unchanged: 0, refused: 1 });
    expect(await rows('SELECT notice_id FROM notice ORDER BY 1')).toEqual([
      { notice_id: '000001-2026' },
      { notice_id: '000003-2026' },
    ]);
    expect(await rows('SELECT kind, reason, record_id, CAST(bytes AS TEXT) AS text FROM quarantine')).toEqual([
      {
        kind: 'release',
        reason: 'it cannot be compiled: a fault of ours',
        record_id: '000002-2026',
        text: second.body,
      },
    ]);
    expect(await rows('SELECT value FROM cursor')).toEqual([{ value: 'moved' }]);
  });

  it('one longer than a libSQL server takes is a row without bytes there, and stops nothing', async () => {
    const bytes = Buffer.alloc(4_000_001, 'x');
    const [long, short] = [bytes, bytes.subarray(1)].map((one) => ({
      kind: 'page' as const,
      ...FROM,
      reason: 'r',
      bytes: one,
    }));
    const held = async (url: string) => {
      const page = { source: 'find_a_tender', fetchedAt: '2026-11-20T00:00:00Z', releases: [], before: [], after: [] };
      await storePage({ ...catalogue, url }, { ...page, quarantined: [long, short].flatMap((one) => one ?? []) });
      return rows('SELECT state, length(bytes) AS bytes FROM quarantine ORDER BY id');
    };
    const onServer = [
      { state: 'held', bytes: null },
      { state: 'held', bytes: 4_000_000 },
    ];
    expect(await held('http://127.0.0.1:9')).toEqual(onServer);
    await catalogue.write([{ sql: "UPDATE quarantine SET state = 'resolved'" }]);
    expect(await held('http://127.0.0.1:9')).toEqual(onServer);
    expect(await held(catalogue.url)).toMatchObject([{ bytes: 4_000_001 }, { bytes: 4_000_000 }]);
  });

  it('one that our compiler still trips over stays in quarantine with its bytes', async () => {
    const [one] = read([release(2)]).releases as [ReadRelease];
    await store([{ ...one, json: new Proxy({}, { get: trip }) }]);
    const tripping: Database = {
      ...catalogue,
      read: (statement) => (statement.sql.startsWith('SELECT id FROM process') ? trip() : catalogue.read(statement)),
    };
    for (let times = 1; times <= 2; times++) {
      expect(await retry('find_a_tender', tripping)).toMatchObject({ outcome: 'held', said: 'it cannot be compiled' });
      expect(await rows('SELECT state, CAST(bytes AS TEXT) AS text FROM quarantine')).toEqual([
        { state: 'held', text: one.body },
      ]);
    }
    expect(await retry('find_a_tender')).toMatchObject({ outcome: 'resolved', said: '1 stored, 0 stored already' });
    expect(await rows('SELECT state, bytes FROM quarantine')).toEqual([{ state: 'resolved', bytes: null }]);
  });

  it('one without a date that came several times is as old as the first of them', async () => {
    const [one] = read([release(2, { date: undefined })]).releases as [ReadRelease];
    await store([{ ...one, json: new Proxy({}, { get: trip }) }]);
    await catalogue.write([{ sql: "UPDATE quarantine SET last_seen_at = '2026-11-23T00:00:00Z', sightings = 9" }]);
    expect(await retry('find_a_tender')).toMatchObject({ outcome: 'resolved' });
    expect(await rows('SELECT published FROM notice')).toEqual([{ published: '2026-11-20' }]);
  });

  it('one of a service asked by month and type is read again as it was read first', async () => {
    const source = 'public_contracts_scotland';
    const scottish = makeScottish(1, { day: '2026-11-03', type: '14' }).release;
    const [one] = readPublished(source, [scottish], '14').releases as [ReadRelease];
    await store([{ ...one, json: new Proxy({}, { get: trip }) }], 'SELECT 1', source);
    expect(await retry(source)).toMatchObject({ outcome: 'resolved', said: '1 stored, 0 stored already' });
    expect(await rows('SELECT release_id, digest FROM release')).toEqual([
      { release_id: one.releaseId, digest: one.digest },
    ]);
  });
});

function trip(): never {
  throw new TypeError('a fault of ours');
}
