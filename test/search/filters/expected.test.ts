import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeKeyQuery } from '../../../api/operations/exports/filters.ts';
import { countRows } from '../../../api/reads/export-rows/keys.ts';
import { readBalance } from '../../../schema/accounts/ledger/transfers.ts';
import { READER_START, readChangesPage } from '../../../search/changes/page.ts';
import type { SearchFilters } from '../../../search/filters/index.ts';
import { syncSearch } from '../../../search/index/sync.ts';
import { actRelease } from '../../ingest/compile/releases.ts';
import { makeMatcher } from '../../jobs/watches/matcher.ts';
import { openAccount } from '../../jobs/watches/seed.ts';
import { openPublished, type Published } from './published.ts';

const [SOON, LATE, UNKNOWN] = ['000001-2026', '000002-2026', '000003-2026'] as const;

let published: Published;

/** A planned procurement notice (UK3 by its form), with the day on which its tender is to be published. */
function plan(id: string, date: string, expected?: string) {
  const communication = expected ? { futureNoticeDate: `${expected}T23:59:59Z` } : {};
  const tender = { status: 'planned', communication };
  return { ...actRelease(id, date, { tag: ['planning'], tender }), ocid: `ocds-h6vhtk-${id.slice(0, 6)}` };
}

beforeAll(async () => {
  published = await openPublished([
    plan(SOON, '2026-03-01T00:00:00Z', '2026-11-30'),
    plan(LATE, '2026-03-01T00:00:00Z', '2027-03-01'),
    plan(UNKNOWN, '2026-03-01T00:00:00Z'),
  ]);
});
afterAll(() => published.close());

const changesAfter = (filters: SearchFilters, position = READER_START) =>
  readChangesPage(published.catalogue, { position, kinds: ['notice'], filters, limit: 100 });

describe('the day on which a tender is expected', () => {
  it.each<[SearchFilters, string[]]>([
    [{ tender_expected_from: '2026-11-30', tender_expected_to: '2026-12-31' }, [SOON]],
    [{ tender_expected_from: '2026-11-30' }, [SOON, LATE]],
    [{ tender_expected_from: '2026-12-01', stage: ['planning'] }, [LATE]],
    [{ tender_expected_to: '2026-11-29' }, []],
    [{ tender_expected_to: '2027-03-01' }, [SOON, LATE]],
  ])('by %j searches, exports and changes find the same', async (filters, ids) => {
    const { changes } = await changesAfter(filters);
    expect((await published.trial.ids({ filters })).toSorted()).toEqual(ids);
    expect(changes.map(({ item }) => item?.notice_id).toSorted()).toEqual(ids);
    expect(await countRows(published.catalogue, makeKeyQuery('notices', filters, new Date()))).toBe(ids.length);
  });

  it('sorts them, the soonest first, those without one last, and each says its day', async () => {
    expect(await published.trial.ids({ sort: 'tender_expected' })).toEqual([SOON, LATE, UNKNOWN]);
    expect(await published.trial.ids({ sort: '-tender_expected' })).toEqual([LATE, SOON, UNKNOWN]);
    const { hits } = await published.trial.find({ sort: 'tender_expected' });
    expect(hits.map(({ tender_expected }) => tender_expected)).toEqual(['2026-11-30', '2027-03-01', null]);
    const { changes } = await changesAfter({ tender_expected_from: '2027-01-01' });
    expect(changes.map(({ item }) => item?.tender_expected)).toEqual(['2027-03-01']);
  });

  it('moves with a later edition: it leaves what is kept up with, and is found by its new day', async () => {
    const filters = { tender_expected_to: '2026-12-31' };
    const { next } = await changesAfter(filters);
    await published.publish(plan(SOON, '2026-03-02T00:00:00Z', '2027-06-30'));
    expect((await changesAfter(filters, next)).changes.map(({ change }) => change)).toEqual(['left']);
    await syncSearch(published.catalogue, published.trial.engine, {});
    expect(await published.trial.ids({ filters })).toEqual([]);
    expect(await published.trial.ids({ filters: { tender_expected_from: '2027-06-30' } })).toEqual([SOON]);
  });

  it('is watched: what comes into it, moves within it and leaves it is delivered, and charged each time', async (test) => {
    const matcher = await makeMatcher();
    test.onTestFinished(() => matcher.close());
    const account_id = await openAccount(matcher.accounts);
    const filters = '{"tender_expected_from":"2027-01-01","tender_expected_to":"2027-03-31"}';
    const id = await matcher.watch({ account_id, collection: 'notices', filters });
    const balances: (number | null)[] = [];
    const days = [undefined, '2027-04-01', '2027-03-31', '2027-01-01', '2026-12-31', undefined, '2027-02-01'];
    for (const [edition, day] of days.entries()) {
      await matcher.store([plan(SOON, `2026-05-${20 + edition}T10:00:00Z`, day)]);
      await matcher.match();
      balances.push(await readBalance(matcher.accounts, account_id));
    }
    expect((await matcher.items(id)).map(({ change }) => change)).toEqual(['new', 'updated', 'left', 'new']);
    expect(balances).toEqual([250, 250, 248, 246, 244, 244, 242]);
  });
});
