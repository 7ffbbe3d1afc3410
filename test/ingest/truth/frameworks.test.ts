import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { lookupFramework } from '../../../api/operations/frameworks/lookup.ts';
import { storePage } from '../../../ingest/store/page.ts';
import type { Database } from '../../../schema/db/interface.ts';
import { ask, type Room } from '../../support/catalogue-services.ts';
import { haveRecordings } from '../../upstream/recordings/known.ts';
import { LABELS, readRecorded } from './labels.ts';
import { FRAMEWORKS } from './sets.ts';
import { FRAMEWORK_SHORTFALLS, LABEL_SHORTFALLS } from './shortfalls/frameworks.ts';
import { openStore, type Store, storeOneByOne } from './store.ts';
import { makeTally, tellPairs } from './tally.ts';

const present = haveRecordings('the labels of genuine processes');

let store: Store;
beforeAll(async () => {
  store = await openStore();
});
afterAll(() => store.close());

/**
 * Those of some processes that the API answers as a framework or dynamic market of their own. A process that is called off
 * from a framework leads to that framework, and is none.
 */
async function readFrameworks(room: Room): Promise<{ processes: Set<string>; frameworks: Set<string> }> {
  const { catalogue } = room.services;
  const rows = await catalogue.read<{ id: string; ocid: string }>({
    sql: 'SELECT id, ocid FROM process WHERE gone = 0',
  });
  const frameworks = new Set<string>();
  for (const { id, ocid } of rows) {
    const { found, body } = await ask(room, lookupFramework, { framework_id: id });
    if (found.kind === 'answer' && body.framework_id === id) frameworks.add(ocid);
  }
  return { processes: new Set(rows.map(({ ocid }) => ocid)), frameworks };
}

const STRIKE_OUT = 'is right now: strike it out of the known shortfalls';

describe('the judging set frameworks', () => {
  const tally = makeTally('frameworks');
  afterAll(() => console.info(tally.tell()));

  it.each(FRAMEWORKS.map((one) => [one.kind, one.name, one] as const))('%s: %s', async (_kind, name, one) => {
    const fill = (catalogue: Database) => storeOneByOne(catalogue, one.source, one.releases);
    const { frameworks } = await store.inOwnCatalogue(fill, readFrameworks);
    const right = frameworks.size > 0 === one.expect.framework;
    tally.count({ ...one, right });
    if (one.doubtful !== undefined) return;
    if (name in FRAMEWORK_SHORTFALLS) expect(right, STRIKE_OUT).toBe(false);
    else expect(frameworks.size > 0).toBe(one.expect.framework);
  });

  it('leaves no case out, and knows no shortfall of another set', () => {
    expect(tally.size()).toBe(FRAMEWORKS.length);
    const names = new Set(FRAMEWORKS.flatMap(({ name, doubtful }) => (doubtful === undefined ? name : [])));
    expect(Object.keys(FRAMEWORK_SHORTFALLS).filter((name) => !names.has(name))).toEqual([]);
  });
});

describe.skipIf(!present)('the labels of the recordings', () => {
  it('are what the API answers, but for the known shortfalls; what a reader was unsure of is not judged', async () => {
    const fill = async (catalogue: Database) => {
      const rest = { fetchedAt: '2026-11-20T00:00:00Z', quarantined: [], before: [], after: [] };
      for (const page of readRecorded()) await storePage(catalogue, { ...rest, ...page });
    };
    const { processes, frameworks } = await store.inOwnCatalogue(fill, readFrameworks);
    expect(LABELS.filter(({ ocid }) => !processes.has(ocid))).toEqual([]);
    const sure = LABELS.filter(({ label }) => label !== 'unsure').map(({ ocid, label }) => ({
      name: ocid,
      expected: label !== 'none',
      given: frameworks.has(ocid),
    }));
    const unsure = LABELS.filter(({ ocid, label }) => label === 'unsure' && frameworks.has(ocid)).length;
    console.info(
      `${tellPairs('framework labels', sure)}; unsure: ${unsure}/${LABELS.length - sure.length} are frameworks`,
    );
    const wrong = sure.filter(({ expected, given }) => expected !== given).map(({ name }) => name);
    expect(wrong.toSorted()).toEqual(Object.keys(LABEL_SHORTFALLS).toSorted());
  });
});
