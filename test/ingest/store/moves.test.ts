import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ReleaseToStore, storePage } from '../../../ingest/store/page.ts';
import { applyTakedown } from '../../../ingest/store/takedown.ts';
import { makePersonTarget } from '../../../ingest/takedown/record.ts';
import type { Takedown } from '../../../ingest/takedown/treatment.ts';
import type { Database } from '../../../schema/db/interface.ts';
import { type JsonObject, packText } from '../../../schema/text/json-values.ts';
import { actRelease, BRIGHT, COUNCIL, noticeDocument, packageOf, read, reference } from '../compile/releases.ts';
import { makeCatalogues, market, shuffle, storeBatches } from './any-order.ts';

/** The processes of an organisation whose id changes follow it a bounded number a batch, and come to what one batch makes of them. */
let catalogues: Awaited<ReturnType<typeof makeCatalogues>>;
beforeAll(async () => {
  catalogues = await makeCatalogues();
});
afterAll(() => catalogues.remove());

const TABLES =
  "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%' AND name NOT LIKE 'libsql%'";
/** Numbers of batches, and what counts those. */
const COUNTED = new Set(['seq', 'at', 'changed']);
const OTHERS = new Set(['counter', 'change_instant', 'change']);
const LOG = `SELECT kind, id, change, changed, former FROM change WHERE kind IN ('notice', 'contract', 'framework')
  ORDER BY kind, id, seq`;

/** Everything that a catalogue holds, without the numbers of its batches. */
async function readAll(catalogue: Database): Promise<Record<string, unknown>> {
  const tables = (await catalogue.read<{ name: string }>({ sql: TABLES })).map(({ name }) => name);
  const all: Record<string, unknown> = { log: await catalogue.read({ sql: LOG }) };
  for (const table of tables.filter((name) => !OTHERS.has(name))) {
    const rows = await catalogue.read<Record<string, unknown>>({ sql: `SELECT * FROM "${table}"` });
    const texts = rows.map((row) => JSON.stringify(Object.entries(row).filter(([name]) => !COUNTED.has(name))));
    all[table] = texts.sort();
  }
  return all;
}

async function storeIn(batches: readonly ReleaseToStore[][], movedMost?: number) {
  const catalogue = await catalogues.make();
  await storeBatches(catalogue, batches, movedMost ? { movedMost } : {});
  const all = await readAll(catalogue);
  await catalogue.close();
  return all;
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

const NAMED = { id: 'own-1', name: 'Ministry of Invented Affairs', roles: ['buyer'] };
const NUMBERED = { ...NAMED, id: 'GB-PPON-PBCD-9999-FGHJ', identifier: { scheme: 'GB-PPON', id: 'PBCD-9999-FGHJ' } };
const AT = { source: 'find_a_tender', fetchedAt: '2026-11-20T00:00:00Z', quarantined: [], before: [], after: [] };
const NOTICES = 7;

/** A notice of an award of its own. */
function noticeBy(number: number, buyer: JsonObject, winner: JsonObject = BRIGHT): ReleaseToStore[] {
  const id = `00000${number}-2026`;
  const release = actRelease(id, `2026-03-0${number}T09:00:00Z`, {
    ocid: `ocds-h6vhtk-00000${number}`,
    tag: ['award', 'contract'],
    parties: [buyer, winner],
    buyer: reference(buyer),
    tender: { documents: [noticeDocument(id, 'UK6')] },
    awards: [{ id: '1', status: 'active', suppliers: [reference(winner)], value: { amount: number, currency: 'GBP' } }],
  });
  return [...read(packageOf([release])).releases];
}

const KNOWN_BY_NAME = Array.from({ length: NOTICES }, (_, at) => noticeBy(at + 1, NAMED));
const FIRST_NUMBER = noticeBy(8, NUMBERED);
const store = (catalogue: Database, releases: ReleaseToStore[], movedMost?: number) =>
  storePage(catalogue, { ...AT, releases, movedMost });

async function makeNamed(): Promise<Database> {
  const catalogue = await catalogues.make();
  for (const releases of KNOWN_BY_NAME) await store(catalogue, releases);
  return catalogue;
}

const HEAD = { id: 'tk_1', reason: '', takenAt: '2026-11-20T00:00:00Z', takenBy: '' };
const PERSON = { names: ['Wilhelmina Oakapple'], texts: [], emails: [], telephones: [] };
const TAKEDOWNS: Takedown[] = [
  { ...HEAD, kind: 'notice', target: { noticeId: '000008-2026' } },
  { ...HEAD, kind: 'person', target: makePersonTarget(PERSON) },
];
/** A supplier, and a person behind it who has another number at the same address: the two are one. */
const CHARITY = { id: 'GB-CHC-1234567', name: 'Friends of Harrowmere', roles: ['supplier'] };
const PERSONAL = { name: 'Wilhelmina Oakapple', address: { postalCode: 'LS2 7EW' }, roles: ['supplier'] };
const TYING = { id: 'GB-PPON-PBCD-9999-FGHJ', ...PERSONAL };
const readWinners = (catalogue: Database) =>
  catalogue.read<{ company_id: string; contracts: number }>({
    sql: 'SELECT company_id, count(*) AS contracts FROM contract_supplier GROUP BY 1 ORDER BY 1',
  });
const countOwn = (catalogue: Database) =>
  catalogue.read<{ buyer_id: string; contracts: number }>({
    sql: 'SELECT buyer_id, count(*) AS contracts FROM contract WHERE gone = 0 GROUP BY 1 ORDER BY 1',
  });
const readBuyers = (catalogue: Database) =>
  catalogue.read({ sql: 'SELECT id, contract_count FROM buyer WHERE gone = 0 ORDER BY 1' });

describe('processes of organisations whose ids changed', () => {
  it('follow them one a batch, and come to the same as in one batch', async () => {
    await fc.assert(
      fc.asyncProperty(market.chain(shuffle), async (batches) => {
        expect(await storeIn(batches, 1)).toEqual(await storeIn(batches));
      }),
      { numRuns: 15, seed: 4 },
    );
  });

  it('follow after a kill between any two batches, with the next page that anybody stores', async () => {
    const other = noticeBy(9, COUNCIL);
    const due = await makeNamed();
    await store(due, FIRST_NUMBER);
    await store(due, other);
    // The first batch moves two; three more have the other five.
    for (const at of [0, 1, 2, 3]) {
      const catalogue = await makeNamed();
      await expect(store(killedAt(catalogue, at), FIRST_NUMBER, 2)).rejects.toThrow('killed');
      // What was moved is counted, and the rest is where it was.
      const contracts = await countOwn(catalogue);
      if (at > 0) expect(await readBuyers(catalogue)).toEqual([{ id: NUMBERED.id, contract_count: 1 + 2 * at }]);
      expect(contracts).toHaveLength(at === 0 ? 1 : 2);
      if (at === 0) await store(catalogue, FIRST_NUMBER, 2);
      await store(catalogue, other, 2);
      expect(await readAll(catalogue)).toEqual(await readAll(due));
      await catalogue.close();
    }
    await due.close();
  });

  it.each(TAKEDOWNS)('follow before the takedown of a $kind says that it is done, killed or not', async (takedown) => {
    const options = { before: [], signal: new AbortController().signal, movedMost: 2 };
    for (let at = 0, wasKilled = true; wasKilled; at++) {
      const catalogue = await catalogues.make();
      for (let number = 1; number <= NOTICES; number++) await store(catalogue, noticeBy(number, COUNCIL, CHARITY));
      await store(catalogue, noticeBy(9, COUNCIL, { ...PERSONAL, id: CHARITY.id }));
      const before = await readWinners(catalogue);
      expect(before).toEqual([{ company_id: CHARITY.id, contracts: NOTICES + 1 }]);
      await store(catalogue, noticeBy(8, COUNCIL, TYING));
      expect(await readWinners(catalogue)).toEqual([{ company_id: TYING.id, contracts: NOTICES + 2 }]);
      wasKilled = await applyTakedown(killedAt(catalogue, at), takedown, options).then(
        () => false,
        (error: Error) => error.message === 'killed',
      );
      if (wasKilled) await applyTakedown(catalogue, takedown, options);
      expect((await readWinners(catalogue)).filter((one) => one.company_id === CHARITY.id)).toEqual(before);
      expect(await catalogue.read({ sql: "SELECT 1 FROM meta WHERE name = 'moves'" })).toEqual([]);
      await catalogue.close();
    }
  });

  it('stay as they are where they can no longer be compiled, and stop nothing', async () => {
    const catalogue = await makeNamed();
    await catalogue.write([
      { sql: 'UPDATE release SET body = ? WHERE ocid = ?', args: [packText('null'), 'ocds-h6vhtk-000005'] },
    ]);
    expect(await store(catalogue, FIRST_NUMBER, 2)).toMatchObject({ stored: 1, refused: 0 });
    expect(await countOwn(catalogue)).toMatchObject([{ contracts: NOTICES }, { contracts: 1 }]);
    await catalogue.close();
  });

  it('lose none where another run passes one that can no longer be compiled at the same time', async () => {
    const catalogue = await makeNamed();
    await expect(store(killedAt(catalogue, 1), FIRST_NUMBER, 1)).rejects.toThrow('killed');
    const broken = 'ocds-h6vhtk-000003';
    await catalogue.write([{ sql: 'UPDATE release SET body = ? WHERE ocid = ?', args: [packText('null'), broken] }]);
    let isOvertaken = false;
    const overtaken: Database = {
      ...catalogue,
      write: (statements) => catalogue.write(statements),
      async read(statement) {
        const rows = await catalogue.read(statement);
        if (!isOvertaken && JSON.stringify(rows) === JSON.stringify([{ process_id: broken }])) {
          isOvertaken = true;
          await expect(store(killedAt(catalogue, 2), FIRST_NUMBER, 1)).rejects.toThrow('killed');
        }
        return rows as never;
      },
    };
    await store(overtaken, FIRST_NUMBER, 1);
    expect(isOvertaken).toBe(true);
    expect(await countOwn(catalogue)).toMatchObject([{ contracts: NOTICES }, { contracts: 1 }]);
    await catalogue.close();
  });

  it('are read by a takedown while they wait: what they say too is not forgotten', async () => {
    const named = (name: string) => ({ id: 'GB-PPON-PQRS-2222-TVWX', name, roles: ['buyer'] });
    const one = { ...NUMBERED, additionalIdentifiers: [{ scheme: 'GB-PPON', id: 'PQRS-2222-TVWX' }] };
    const take = async (movedMost?: number) => {
      const catalogue = await catalogues.make();
      for (const [at, name] of ['Invented Board', 'Invented Office', 'Invented Office'].entries())
        await store(catalogue, noticeBy(at + 1, named(name)));
      const moving = store(killedAt(catalogue, 1), noticeBy(8, one), movedMost);
      await (movedMost ? expect(moving).rejects.toThrow('killed') : moving);
      const takedown: Takedown = { ...HEAD, kind: 'notice', target: { noticeId: '000003-2026' } };
      await applyTakedown(catalogue, takedown, { before: [], signal: new AbortController().signal });
      const { identity_fact: facts, alias, buyer } = await readAll(catalogue);
      await catalogue.close();
      return { facts, alias, buyer };
    };
    const due = await take();
    expect(JSON.stringify(due.buyer)).toContain('Invented Office');
    expect(await take(1)).toEqual(due);
  });
});
