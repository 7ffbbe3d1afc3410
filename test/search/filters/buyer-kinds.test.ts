import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeKeyQuery } from '../../../api/operations/exports/filters.ts';
import { countRows } from '../../../api/reads/export-rows/keys.ts';
import { storePage } from '../../../ingest/store/page.ts';
import type { Database } from '../../../schema/db/interface.ts';
import type { JsonObject } from '../../../schema/text/json-values.ts';
import { READER_START, readChangesPage } from '../../../search/changes/page.ts';
import { COLLECTIONS } from '../../../search/collections/index.ts';
import type { EmbeddedEngine } from '../../../search/embedded/engine.ts';
import type { AnyHit } from '../../../search/engine.ts';
import type { SearchFilters } from '../../../search/filters/index.ts';
import { syncSearch } from '../../../search/index/sync.ts';
import { openIndex } from '../../../search/open.ts';
import { actRelease, BRIGHT, COUNCIL, packageOf, read, reference } from '../../ingest/compile/releases.ts';
import { makeDatabase, makeFolder } from '../../support/databases.ts';
import { makeTestEngine } from '../test-engine.ts';
import { openPublished } from './published.ts';

const [OF_COUNCIL, FIRST, SECOND] = ['000001-2026', '000002-2026', '000003-2026'] as const;
/** Nothing in its name says what it is. */
const BODY = {
  id: 'GB-PPON-PWXY-5678-JKLM',
  name: 'Harrowmere Partnership',
  roles: ['buyer'],
  identifier: { scheme: 'GB-PPON', id: 'PWXY-5678-JKLM' },
};
const MINISTERIAL = {
  ...BODY,
  details: { classifications: [{ scheme: 'UK_CA_TYPE', id: 'publicAuthorityCentralGovernment' }] },
};

/** Another body of the same kind. */
const named = (name: string, number: string) => (buyer: JsonObject) => {
  return { ...buyer, id: `GB-PPON-${number}`, name, identifier: { scheme: 'GB-PPON', id: number } };
};

let folder: Awaited<ReturnType<typeof makeFolder>>;
let catalogue: Database;
let engine: EmbeddedEngine<AnyHit>;

function releaseOf(id: string, date: string, buyer: JsonObject, ofAward: JsonObject = {}) {
  const value = { amount: 10, currency: 'GBP' };
  const award = { id: '1', status: 'active', suppliers: [reference(BRIGHT)], value, ...ofAward };
  const more = { tag: ['award'], parties: [buyer, BRIGHT], buyer: reference(buyer), awards: [award] };
  return { ...actRelease(id, date, more), ocid: `ocds-h6vhtk-${id.slice(0, 6)}` };
}

async function store(date: string, ...releases: JsonObject[]) {
  const fetched = { source: 'find_a_tender', fetchedAt: date, before: [], after: [] };
  await storePage(catalogue, { ...fetched, ...read(packageOf(releases)) });
}

const publish = (id: string, date: string, buyer: JsonObject, ofAward?: JsonObject) =>
  store(date, releaseOf(id, date, buyer, ofAward));

beforeAll(async () => {
  folder = await makeFolder();
  catalogue = await makeDatabase(folder.path, 'catalogue');
  await publish(OF_COUNCIL, '2026-03-01T00:00:00Z', COUNCIL);
  await publish(FIRST, '2026-03-01T00:00:00Z', BODY);
  const { index, url } = await openIndex(folder.path, COLLECTIONS.contracts);
  engine = makeTestEngine<AnyHit>(index, { catalogue, url, collection: COLLECTIONS.contracts });
});
afterAll(async () => {
  await engine.close();
  await catalogue.close();
  await folder.remove();
});

const kind = (...buyer_kind: string[]): SearchFilters => ({ buyer_kind });
const changesAfter = (filters: SearchFilters, position = READER_START) =>
  readChangesPage(catalogue, { position, kinds: ['contract'], filters, limit: 100 });

/** What a search finds, once it has the same number in exports and changes. */
async function find(filters: SearchFilters): Promise<string[]> {
  const query = { scope: 'contracts', filters, limit: 10, now: new Date() } as const;
  const { hits } = await engine.find(query);
  const { changes } = await changesAfter(filters);
  expect(await countRows(catalogue, makeKeyQuery('contracts', filters, new Date()))).toBe(hits.length);
  expect(changes).toHaveLength(hits.length);
  return hits.map(({ notice_id }) => notice_id).toSorted();
}

describe('the kind of body that bought', () => {
  it('finds the contracts of its buyers, none where it is not known', async () => {
    await syncSearch(catalogue, engine, {});
    expect(await find(kind('local'))).toEqual([OF_COUNCIL]);
    expect(await find(kind('central', 'nhs'))).toEqual([]);
    expect(await find(kind('local', 'central'))).toEqual([OF_COUNCIL]);
  });

  it('becomes that of every contract when a later notice says what their buyer is', async () => {
    const { next } = await changesAfter(kind('central'));
    await publish(SECOND, '2026-03-02T00:00:00Z', MINISTERIAL);
    const { changes } = await changesAfter(kind('central'), next);
    expect(changes.map(({ id, change, changed }) => [id.slice(12, 18), change, changed?.join()]).toSorted()).toEqual([
      ['000002', 'new', 'buyer_kind'],
      ['000003', 'new', ''],
    ]);
    await syncSearch(catalogue, engine, {});
    expect(await find(kind('central'))).toEqual([FIRST, SECOND]);
  });

  it('hides nothing that the same notice says of the contract itself', async () => {
    const alliance = named('Thorncliffe Alliance', 'PABC-1234-DEFG');
    const forum = named('Mere Forum', 'PHJK-2345-LMNP');
    await publish('000004-2026', '2026-03-04T00:00:00Z', alliance(BODY));
    await publish('000005-2026', '2026-03-04T00:00:00Z', forum(BODY));
    const { next } = await changesAfter({});
    await publish('000004-2026', '2026-03-05T00:00:00Z', alliance(MINISTERIAL), {
      value: { amount: 20, currency: 'GBP' },
    });
    await publish('000005-2026', '2026-03-05T00:00:00Z', forum(MINISTERIAL), { status: 'cancelled' });
    const { changes } = await changesAfter({}, next);
    const told = changes.map(({ id, change, changed }) => [id.slice(12, 18), change, changed?.join(' ')]);
    expect(told).toEqual([
      ['000004', 'updated', 'buyer_kind value dated'],
      ['000005', 'gone', undefined],
    ]);
    const lost = await catalogue.read({
      sql: "SELECT kind, contract_id FROM lost_contract WHERE contract_id LIKE '%000005%'",
    });
    expect(lost).toHaveLength(2);
  });

  it('is that of another buyer where a correction names it', async () => {
    const { next } = await changesAfter(kind('central'));
    await publish(FIRST, '2026-03-03T00:00:00Z', COUNCIL);
    expect((await changesAfter(kind('central'), next)).changes.map(({ change }) => change)).toEqual(['left']);
    const { changes } = await changesAfter(kind('local'), next);
    expect(changes.map(({ change, changed }) => [change, changed?.slice(0, 3)])).toEqual([
      ['new', ['buyer_id', 'buyer', 'buyer_kind']],
    ]);
    await syncSearch(catalogue, engine, {});
    expect(await find(kind('local'))).toEqual([OF_COUNCIL, FIRST]);
  });

  it('is named once where a batch gives a contract another buyer, and the former one another kind', async () => {
    const circle = named('Wold Circle', 'PQRS-3456-TVWX');
    const [sixth, seventh, date] = ['000006-2026', '000007-2026', '2026-03-06T00:00:00Z'];
    await publish(sixth, date, circle(BODY));
    await publish(seventh, date, circle(BODY));
    const { next } = await changesAfter({});
    const later = '2026-03-07T00:00:00Z';
    await store(later, releaseOf(sixth, later, COUNCIL), releaseOf(seventh, later, circle(MINISTERIAL)));
    const { changes } = await changesAfter({}, next);
    const told = changes.map(({ id, changed }) => [
      id.slice(12, 18),
      changed?.filter((name) => /kind|buyer_id/.test(name)),
    ]);
    expect(told).toEqual([
      ['000006', ['buyer_id', 'buyer_kind']],
      ['000007', ['buyer_kind']],
    ]);
  });
});

/** An agreement that is out to tender, so that its notice is a notice, a tender and a framework. */
function agreementOf(id: string, date: string, buyer: JsonObject, title = 'Framework for grounds maintenance') {
  const more = {
    parties: [buyer],
    buyer: reference(buyer),
    tender: { title, techniques: { hasFrameworkAgreement: true } },
  };
  return { ...actRelease(id, date, more), language: 'en' };
}

it.each([
  ['notices', 'notice'],
  ['tenders', 'notice'],
  ['frameworks', 'framework'],
] as const)(
  'finds %s by the kind of body that buys, also where a later notice says it or corrects the buyer',
  async (scope, table) => {
    const published = await openPublished([
      agreementOf(OF_COUNCIL, '2026-03-01T00:00:00Z', COUNCIL),
      agreementOf(FIRST, '2026-03-01T00:00:00Z', BODY),
    ]);
    const after = (filters: SearchFilters, position = READER_START) =>
      readChangesPage(published.catalogue, { position, kinds: [table], filters, limit: 100 });
    const told = async (filters: SearchFilters, position: typeof READER_START) =>
      (await after(filters, position)).changes.map(({ id, change, changed }) => [
        id.slice(-6),
        change,
        changed?.join(' '),
      ]);
    async function find(filters: SearchFilters): Promise<string[]> {
      await syncSearch(published.catalogue, published.trial.engine, {});
      const status = scope === 'tenders' ? ({ status: 'any' } as const) : {};
      const ids = await published.trial.ids({ scope, filters: { ...filters, ...status } });
      const query = makeKeyQuery(scope, { ...filters, ...status }, new Date());
      expect(await countRows(published.catalogue, query)).toBe(ids.length);
      expect((await after(filters)).changes).toHaveLength(ids.length);
      return ids.toSorted();
    }
    expect(await find(kind('local'))).toEqual([OF_COUNCIL]);
    expect(await find(kind('central', 'nhs'))).toEqual([]);
    const { next } = await after(kind('central'));
    await published.publish(agreementOf(SECOND, '2026-03-02T00:00:00Z', MINISTERIAL));
    expect((await told(kind('central'), next)).toSorted()).toEqual([
      ['000002', 'new', 'buyer_kind'],
      ['000003', 'new', ''],
    ]);
    expect(await find(kind('central'))).toEqual([FIRST, SECOND]);
    const { next: later } = await after(kind('central'));
    await published.publish(agreementOf(FIRST, '2026-03-03T00:00:00Z', COUNCIL));
    expect((await told(kind('central'), later)).map(([id, change]) => [id, change])).toEqual([['000002', 'left']]);
    expect((await told(kind('local'), later)).map(([, change, changed]) => [change, changed])).toEqual([
      ['new', expect.stringMatching(/^buyer_id buyer .*buyer_kind/)],
    ]);
    expect(await find(kind('local'))).toEqual([OF_COUNCIL, FIRST]);
    const beforeBoth = (await after({})).next;
    const alliance = named('Thorncliffe Alliance', 'PABC-1234-DEFG');
    await published.publish(agreementOf('000004-2026', '2026-03-04T00:00:00Z', alliance(BODY)));
    const { next: known } = await after({}, beforeBoth);
    await published.publish(
      agreementOf('000004-2026', '2026-03-05T00:00:00Z', alliance(MINISTERIAL), 'Framework for trees'),
    );
    expect(await told({}, known)).toEqual([['000004', 'updated', expect.stringMatching(/^buyer_kind .*title/)]]);
    await published.close();
  },
);
