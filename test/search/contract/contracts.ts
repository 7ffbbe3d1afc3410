import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type AnyHit,
  BadCursor,
  type ContractDocument,
  type SearchEngine,
  type SearchQuery,
  type SearchSort,
} from '../../../search/engine.ts';
import { CONTRACT_FACETS } from '../../../search/filters/facets.ts';
import { makeTrial, type Trial } from '../trial.ts';

/** A contract of our own making; what matters to a test is given. */
export function someContract(given: Partial<ContractDocument> & { id: string }): ContractDocument {
  return {
    notice_id: given.id,
    ocid: `ocds-h6vhtk-${given.id}`,
    title: 'Supply of goods',
    description: '',
    buyer: null,
    buyer_id: null,
    suppliers: [],
    company_numbers: [],
    company_ids: [],
    ...{ subjects: [], districts: [] },
    value: null,
    currency: null,
    cpvs: [],
    regions: [],
    nation: null,
    source: 'find_a_tender',
    sources: [given.source ?? 'find_a_tender'],
    framework_id: null,
    dated: '2026-01-01',
    starts: null,
    ends: null,
    is_terminated: false,
    procedure: null,
    bids: null,
    sme: null,
    vcse: null,
    buyer_kind: null,
    ...{ direct_award_grounds: [], standstill_until: null },
    ...given,
  };
}

const rows = [
  someContract({
    id: 'a',
    title: 'Window cleaning',
    description: 'Of tall buildings',
    buyer: 'North Council',
    buyer_id: 'gb-north',
    suppliers: ['Bright Panes Ltd', 'Old Panes Limited'],
    company_ids: ['GB-COH-01234567'],
    company_numbers: ['01234567'],
    cpvs: ['90911300'],
    regions: [{ code: 'UKI31', name: 'Camden' }],
    nation: 'wales',
    value: 5_000,
    currency: 'GBP',
    dated: '2025-01-10',
    starts: '2025-02-01',
    ends: '2026-06-01',
    procedure: 'open',
    direct_award_grounds: ['additional'],
    buyer_kind: 'central',
    bids: 1,
    sme: true,
    vcse: false,
  }),
  someContract({
    id: 'b',
    title: 'Window frames',
    company_ids: ['GB-COH-01234567', 'name:other'],
    framework_id: 'fw-1',
    value: 250_000,
    currency: 'GBP',
    dated: '2025-03-10',
    starts: '2025-04-01',
    ends: '2026-05-31',
    standstill_until: '2025-03-25',
    procedure: 'call_off',
    buyer_kind: 'sub_central',
    bids: 4,
    sme: false,
    vcse: true,
  }),
  someContract({
    id: 'c',
    title: 'Window glass',
    source: 'contracts_finder',
    sources: ['contracts_finder', 'sell2wales'],
    value: 99,
    currency: 'EUR',
    dated: '2024-12-31',
    ends: '2027-01-31',
    is_terminated: true,
    procedure: 'direct',
    direct_award_grounds: ['technical', 'urgency'],
  }),
  someContract({ id: 'd', title: 'Window boxes', dated: '2026-01-05' }),
];

const FILTERED: [string, SearchQuery['filters'], string[]][] = [
  ['a supplier', { company_number: 'GB-COH-01234567' }, ['a', 'b']],
  ['one of several suppliers', { company_number: 'name:other' }, ['b']],
  ['any of several suppliers', { company_number: ['name:nobody', 'name:other'] }, ['b']],
  ['a buyer', { buyer_id: 'gb-north' }, ['a']],
  ['a kind of buyer', { buyer_kind: ['central'] }, ['a']],
  ['several kinds of buyers', { buyer_kind: ['sub_central', 'central', 'nhs'] }, ['a', 'b']],
  ['a framework', { framework_id: 'fw-1' }, ['b']],
  ['a ground of a direct award', { direct_award_ground: ['urgency'] }, ['c']],
  ['a standstill that lasts', { standstill_from: '2025-03-25' }, ['b']],
  ['a standstill that is over', { standstill_from: '2025-03-26' }, []],
  ['another ground', { direct_award_ground: ['no_bids'] }, []],
  ['a CPV class', { cpv: ['9091'] }, ['a']],
  ['a region by name', { region: ['camden'] }, ['a']],
  ['one of several nations', { nation: ['scotland', 'wales'] }, ['a']],
  ['a source', { source: ['contracts_finder'] }, ['c']],
  ['a service that has it too', { source: ['sell2wales'] }, ['c']],
  ['a value', { value_min: 5_000, value_max: 5_000 }, ['a']],
  ['days of the award, inclusive', { awarded_from: '2024-12-31', awarded_to: '2025-01-10' }, ['a', 'c']],
  ['days of the start, inclusive', { starts_from: '2025-04-01', starts_to: '2025-04-01' }, ['b']],
  ['days of the end, inclusive', { ends_from: '2026-05-31', ends_to: '2026-06-01' }, ['a', 'b']],
  ['an end at least', { ends_from: '2026-06-01' }, ['a', 'c']],
  ['what runs on the last of its days', { status: 'active' }, ['a']],
  ['what has ended', { status: 'ended' }, ['b']],
  ['what was terminated', { status: 'terminated' }, ['c']],
  ['any status', { status: 'any' }, ['a', 'b', 'c', 'd']],
  ['procedures', { procedure: ['open', 'direct'] }, ['a', 'c']],
  ['few bids, where these are known', { bids_max: 3 }, ['a']],
  ['small suppliers', { sme: true }, ['a']],
  ['other suppliers', { sme: false }, ['b']],
  ['social enterprises', { vcse: true }, ['b']],
  ['none of them', { vcse: false }, ['a']],
  ['several at once', { status: 'ended', procedure: ['call_off'], bids_max: 4 }, ['b']],
];

const SORTED: [SearchSort, string[]][] = [
  ['awarded', ['c', 'a', 'b', 'd']],
  ['-awarded', ['d', 'b', 'a', 'c']],
  ['ends', ['b', 'a', 'c', 'd']],
  ['-ends', ['c', 'a', 'b', 'd']],
  ['value', ['a', 'b', 'd', 'c']],
  ['-value', ['b', 'a', 'd', 'c']],
];

function describeNarrowing(trial: () => Trial<AnyHit>) {
  it.each(FILTERED)('keeps to %s', async (_what, filters, expected) => {
    expect((await trial().ids({ filters })).sort()).toEqual(expected);
    expect((await trial().ids({ filters, text: 'window' })).sort()).toEqual(expected);
  });

  it('reckons by the London day: an end is over at its midnight', async () => {
    const at = async (instant: string) =>
      (await trial().ids({ filters: { status: 'active' }, now: new Date(instant) })).join();
    expect([await at('2026-06-01T22:59:59Z'), await at('2026-06-01T23:00:00Z')]).toEqual(['a', '']);
  });

  it.each(SORTED)('sorts by %s, what has none last, in one page or many', async (sort, expected) => {
    expect(await trial().ids({ sort })).toEqual(expected);
    const paged: string[] = [];
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const answer = await trial().find({ sort, text: 'window', limit: 1, ...(cursor && { cursor }) });
      paged.push(...answer.hits.map(({ id }) => id));
      cursor = answer.nextCursor;
    }
    expect(paged).toEqual(expected);
  });
}

function describeFinding(trial: () => Trial<AnyHit>) {
  it('shows what identifies a hit, and no more', async () => {
    const [hit] = (await trial().find({ text: 'tall', highlight: true })).hits;
    expect(hit).toEqual({
      id: 'a',
      notice_id: 'a',
      title: 'Window cleaning',
      extract: 'Of tall buildings',
      highlight: 'Of <mark>tall</mark> buildings',
    });
  });

  it.each([
    ['a supplier of another name', 'old panes', ['a']],
    ['a buyer', 'north council', ['a']],
    ['a company number', '01234567', ['a']],
    ['a slip', 'windwo cleaning', ['a']],
    ['words without a match', 'bridge', []],
  ])('finds by %s', async (_what, text, expected) => {
    expect(await trial().ids({ text })).toEqual(expected);
  });

  it('counts by facet', async () => {
    const { facets } = await trial().find({ filters: { sme: true }, facets: [...CONTRACT_FACETS] });
    expect(facets).toEqual({
      buyer_id: { 'gb-north': 1 },
      company_id: { 'GB-COH-01234567': 1 },
      cpv_division: { 90: 1 },
      region: { UKI: 1 },
      nation: { wales: 1 },
      procedure: { open: 1 },
      direct_award_ground: { additional: 1 },
      source: { find_a_tender: 1 },
      end_year: { 2026: 1 },
      value_band: { '0-9999': 1 },
    });
  });

  it('counts what is on two services under both', async () => {
    const { facets, total } = await trial().find({ facets: ['source'] });
    expect({ total, ...facets }).toEqual({
      total: 4,
      source: { find_a_tender: 3, contracts_finder: 1, sell2wales: 1 },
    });
  });

  it('refuses a cursor of another search, and follows what changes and goes', async () => {
    const { nextCursor } = await trial().find({ limit: 1 });
    const other = trial().find({ limit: 1, filters: { status: 'active' }, cursor: nextCursor ?? '' });
    await expect(other).rejects.toBeInstanceOf(BadCursor);
    await trial().add([someContract({ id: 'd', title: 'Door boxes', dated: '2020-01-01' })], ['c']);
    expect(await trial().ids({ sort: 'awarded' })).toEqual(['d', 'a', 'b']);
    expect(await trial().ids({ text: 'door' })).toEqual(['d']);
  });
}

/** What every engine promises of contracts. */
export function describeContracts(
  name: string,
  open: () => Promise<{ engine: SearchEngine<AnyHit>; remove(): Promise<void> }>,
) {
  describe(`${name}, of contracts`, () => {
    let opened: Awaited<ReturnType<typeof open>>;
    let trial: Trial<AnyHit>;
    beforeAll(async () => {
      opened = await open();
      trial = makeTrial(opened.engine, 'contracts');
      await trial.fill(rows);
    });
    afterAll(async () => {
      await opened.engine.close();
      await opened.remove();
    });
    describeNarrowing(() => trial);
    describeFinding(() => trial);
  });
}
