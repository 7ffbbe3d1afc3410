import { beforeAll, describe, expect, it } from 'vitest';
import type { SearchDocument, SearchQuery } from '../../../search/engine.ts';
import { FACETS } from '../../../search/filters/facets.ts';
import { someDocument } from '../documents.ts';
import type { Trial } from '../trial.ts';

const rows: SearchDocument[] = [
  someDocument({
    notice_id: 'a',
    title: 'Alpha works',
    buyer: 'North',
    buyer_id: 'gb-ppon-1',
    cpvs: ['45210000', '71000000'],
    regions: [{ code: 'UKE42', name: 'Leeds' }],
    value: 5_000,
    currency: 'GBP',
    published: '2026-01-10',
    nation: 'england',
    buyer_kind: 'local',
    source: 'find_a_tender',
    notice_type: 'UK4',
    stage: 'tender',
    deadline: '2026-06-01',
    deadline_at: '2026-06-01T12:00:01Z',
    suitable_for: ['sme', 'vcse'],
    special_regimes: ['concession', 'lightTouch'],
    reserved_for: ['shelteredWorkshop', 'smeVcse'],
    direct_award_grounds: ['technical', 'urgency'],
    above_threshold: true,
  }),
  someDocument({
    notice_id: 'b',
    title: 'Beta works',
    buyer: 'South',
    buyer_id: 'gb-ppon-12',
    joint_buyer_ids: ['gb-ppon-7', 'gb-ppon-8'],
    cpvs: ['45233140'],
    regions: [{ code: 'UKI31', name: 'Camden' }, { name: 'South West' }],
    value: 250_000,
    currency: 'GBP',
    published: '2026-02-10',
    nation: 'northern_ireland',
    buyer_kind: 'sub_central',
    source: 'contracts_finder',
    sources: ['contracts_finder', 'find_a_tender'],
    notice_type: 'tender',
    stage: 'tender',
    deadline: '2026-06-01',
    deadline_at: '2026-06-01T11:59:59Z',
    suitable_for: ['sme'],
    above_threshold: false,
    tender_expected: '2027-02-28',
  }),
  someDocument({
    notice_id: 'c',
    title: 'Gamma works',
    buyer_id: 'gb-ppon-70',
    joint_buyer_ids: ['gb-ppon-8'],
    cpvs: ['90911200'],
    value: 99,
    currency: 'EUR',
    published: '2026-03-10',
    notice_type: 'UK6',
    stage: 'award',
    status: 'awarded',
    is_tender: true,
    deadline: '2026-09-01',
    deadline_at: '2026-09-01T12:00:00Z',
  }),
  someDocument({
    notice_id: 'd',
    title: 'Delta works',
    published: '2026-04-10',
    is_tender: false,
    stage: 'planning',
    notice_type: 'UK2',
    framework_id: 'ocds-h6vhtk-fw',
    value: 2_000_000,
    currency: 'GBP',
    ceiling: 9_000_000,
    ends: '2027-06-30',
    framework_kind: 'dynamic_market',
    buyer_kind: 'central',
    regions: [{ code: 'UK', name: 'United Kingdom' }],
  }),
];

const FILTERS: [string, SearchQuery['filters'], string[]][] = [
  ['a buyer', { buyer_id: 'gb-ppon-1' }, ['a']],
  ['a buyer that others join', { buyer_id: 'gb-ppon-12' }, ['b']],
  ['one of several buyers', { buyer_id: 'gb-ppon-7' }, ['b']],
  ['a buyer that joins several', { buyer_id: 'gb-ppon-8' }, ['b', 'c']],
  ['a kind of buyer', { buyer_kind: ['local'] }, ['a']],
  ['several kinds of buyers', { buyer_kind: ['sub_central', 'local', 'nhs'] }, ['a', 'b']],
  ['one of several grounds', { direct_award_ground: ['urgency', 'defence'] }, ['a']],
  ['a CPV division', { cpv: ['45'] }, ['a', 'b']],
  ['a CPV class', { cpv: ['4523'] }, ['b']],
  ['a CPV beginning of six digits', { cpv: ['452331'] }, ['b']],
  ['a branch of two digits', { cpv: ['71'] }, ['a']],
  ['several CPV codes', { cpv: ['4523', '71'] }, ['a', 'b']],
  ['several regions', { region: ['UKI', 'UKE4'] }, ['a', 'b']],
  ['several regions, one by name', { region: ['UKE', 'south west'] }, ['a', 'b']],
  ['several stages', { stage: ['award', 'planning'] }, ['c', 'd']],
  ['several notice types', { notice_type: ['UK4', 'UK6', 'UK2'] }, ['a', 'c', 'd']],
  ['several sources', { source: ['find_a_tender', 'contracts_finder'], cpv: ['45'] }, ['a', 'b']],
  ['a region', { region: ['UKI'] }, ['b']],
  ['a whole region code', { region: ['UKE42'] }, ['a']],
  ['a region by name', { region: ['south west'] }, ['b']],
  ['a least value, in pounds', { value_min: 90 }, ['a', 'b', 'd']],
  ['a greatest value, inclusive', { value_max: 5_000 }, ['a']],
  ['values between', { value_min: 5_000, value_max: 250_000 }, ['a', 'b']],
  ['values that cannot be', { value_min: 250_000, value_max: 5_000 }, []],
  ['values that cannot be, at the edge of a band', { value_min: 100_000, value_max: 6_000 }, []],
  ['dates that cannot be', { published_from: '2026-03-10', published_to: '2026-02-10' }, []],
  ['dates of publication, inclusive', { published_from: '2026-02-10', published_to: '2026-03-10' }, ['b', 'c']],
  ['a nation', { nation: ['northern_ireland'] }, ['b']],
  ['several nations', { nation: ['england', 'northern_ireland', 'wales'] }, ['a', 'b']],
  ['a source', { source: ['contracts_finder'] }, ['b']],
  ['a source that others name second', { source: ['find_a_tender'], stage: ['tender'] }, ['a', 'b']],
  ['a notice type', { notice_type: ['UK4'] }, ['a']],
  ['a stage', { stage: ['award'] }, ['c']],
  ['whom it suits', { suitable_for: ['sme'] }, ['a', 'b']],
  ['one of those whom it suits', { suitable_for: ['vcse', 'sme'], above_threshold: true }, ['a']],
  ['a special regime', { special_regime: ['lightTouch'] }, ['a']],
  ['several special regimes', { special_regime: ['utilities', 'concession'] }, ['a']],
  ['whom it is reserved for', { reserved_for: ['publicService', 'shelteredWorkshop'] }, ['a']],
  ['what is below the threshold, not what says nothing of it', { above_threshold: false }, ['b']],
  ['an expected tender', { tender_expected_from: '2027-02-28', tender_expected_to: '2027-02-28' }, ['b']],
  [
    'an expected tender of the month that is over',
    { tender_expected_from: '2027-02-01', tender_expected_to: '2027-02-27' },
    [],
  ],
  ['an expected tender of later', { tender_expected_from: '2027-03-01' }, []],
  ['several at once', { cpv: ['45'], stage: ['tender'], value_min: 10_000 }, ['b']],
  ['a value of another kind', { buyer_id: '" OR buyer_id EXISTS OR "' }, []],
  ['a value with a backslash', { region: ['\\" OR 1'] }, []],
];

export function describeFilters(trial: () => Trial) {
  describe('filters and facets', () => {
    beforeAll(() => trial().fill(rows));

    it.each(FILTERS)('keeps to %s', async (_what, filters, expected) => {
      expect((await trial().ids({ filters })).sort()).toEqual(expected);
      expect((await trial().ids({ filters, text: 'works' })).sort()).toEqual(expected);
    });

    it('decides what is live at the moment of asking', async () => {
      expect(await trial().ids({ scope: 'tenders' })).toEqual(['a']);
      expect(await trial().ids({ scope: 'tenders', now: new Date('2026-06-01T12:00:02Z') })).toEqual([]);
      expect(await trial().ids({ scope: 'tenders', now: new Date('2026-05-31T23:30:00Z') })).toEqual(['b', 'a']);
      expect((await trial().ids({ scope: 'tenders', filters: { status: 'closed' } })).sort()).toEqual(['b', 'c']);
      expect((await trial().ids({ scope: 'tenders', filters: { status: 'any' } })).sort()).toEqual(['a', 'b', 'c']);
    });

    it('keeps to deadlines, inclusive', async () => {
      const filters = { status: 'any' as const, deadline_from: '2026-06-02', deadline_to: '2026-09-01' };
      expect(await trial().ids({ scope: 'tenders', filters })).toEqual(['c']);
    });

    it('counts facets of what was found', async () => {
      const answer = await trial().find({ text: 'works', filters: { cpv: ['45'] }, facets: [...FACETS] });
      expect(answer.facets).toEqual({
        cpv_division: { 45: 2, 71: 1 },
        region: { 'South West': 1, UKE: 1, UKI: 1 },
        nation: { england: 1, northern_ireland: 1 },
        buyer_id: { 'gb-ppon-1': 1, 'gb-ppon-12': 1, 'gb-ppon-7': 1, 'gb-ppon-8': 1 },
        stage: { tender: 2 },
        source: { contracts_finder: 1, find_a_tender: 2 },
        notice_type: { UK4: 1, tender: 1 },
        suitable_for: { sme: 2, vcse: 1 },
        special_regime: { concession: 1, lightTouch: 1 },
        reserved_for: { shelteredWorkshop: 1, smeVcse: 1 },
        direct_award_ground: { technical: 1, urgency: 1 },
        month: { '2026-01': 1, '2026-02': 1 },
        value_band: { '0-9999': 1, '100000-999999': 1 },
      });
      expect((await trial().find({ text: 'works' })).facets).toBeUndefined();
    });

    it('counts regions under what finds them again, so not the whole country', async () => {
      const { region: counts = {} } = (await trial().find({ facets: ['region'] })).facets ?? {};
      expect(Object.keys(counts)).not.toContain('United Kingdom');
      for (const [region, count] of Object.entries(counts))
        expect(await trial().ids({ filters: { region: [region] } })).toHaveLength(count);
    });

    it('counts a notice under each of its buyers, as each finds it', async () => {
      const { buyer_id: counts = {} } = (await trial().find({ facets: ['buyer_id'] })).facets ?? {};
      expect(counts).toMatchObject({ 'gb-ppon-8': 2, 'gb-ppon-70': 1 });
      for (const [buyer_id, count] of Object.entries(counts))
        expect(await trial().ids({ filters: { buyer_id } })).toHaveLength(count);
    });
  });
  describeFrameworks(trial);
}

function describeFrameworks(trial: () => Trial) {
  describe('frameworks', () => {
    beforeAll(() => trial().fill(rows));

    it('finds frameworks among their own notices', async () => {
      expect(await trial().ids({ scope: 'frameworks' })).toEqual(['d']);
      expect(await trial().ids({ scope: 'frameworks', text: 'alpha' })).toEqual([]);
    });

    it('takes the value of a framework to be its ceiling', async () => {
      const found = (scope: 'notices' | 'frameworks', value_min: number, value_max: number) =>
        trial().ids({ scope, filters: { value_min, value_max } });
      expect(await found('frameworks', 9_000_000, 9_000_000)).toEqual(['d']);
      expect(await found('frameworks', 2_000_000, 2_000_000)).toEqual([]);
      expect(await found('notices', 2_000_000, 2_000_000)).toEqual(['d']);
      expect(await found('notices', 9_000_000, 9_000_000)).toEqual([]);
      expect(await trial().ids({ scope: 'frameworks', sort: '-value' })).toEqual(['d']);
    });

    it('keeps to the end of a framework, inclusive, and to its kind', async () => {
      const found = (filters: SearchQuery['filters']) => trial().ids({ scope: 'frameworks', filters });
      expect(await found({ ends_from: '2027-01-01', ends_to: '2027-06-30' })).toEqual(['d']);
      expect(await found({ ends_from: '2027-07-01' })).toEqual([]);
      expect(await found({ ends_to: '2027-06-29' })).toEqual([]);
      expect(await found({ framework_kind: ['dynamic_market'] })).toEqual(['d']);
      expect(await found({ framework_kind: ['framework'] })).toEqual([]);
      expect(await found({ buyer_kind: ['central'] })).toEqual(['d']);
      expect(await found({ buyer_kind: ['local'] })).toEqual([]);
      expect(await trial().ids({ scope: 'frameworks', sort: 'ends' })).toEqual(['d']);
    });
  });
}
