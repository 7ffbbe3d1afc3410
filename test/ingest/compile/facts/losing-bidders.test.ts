import { expect, it, vi } from 'vitest';
import { bidsOf } from '../../../../ingest/compile/facts/competition.ts';
import { toOcds } from '../../../../schema/ocds/release.ts';
import type { JsonObject } from '../../../../schema/text/json-values.ts';
import { actRelease, BRIGHT, COUNCIL, compileOne, noticeDocument, OAKES, reference, supplier } from '../releases.ts';

const as = (party: JsonObject) => ({ ...party, roles: ['tenderer'] });
const MOSS = as(supplier('02222222', 'Moss &amp; Co Limited'));
const ABROAD = { id: 'GB-FTS-77', name: 'Reinigung Nord GmbH', roles: ['tenderer'] };
const NO_AWARD = { status: 'active', relatedLots: [], items: [], documents: [], amendments: [] };
const LOTS = [{ id: '1' }, { id: '2' }];

const bid = (relatedLots: unknown, ...tenderers: JsonObject[]) => ({
  id: 'b',
  status: 'valid',
  tenderers: tenderers.map(reference),
  ...(relatedLots ? { relatedLots } : {}),
});
const award = (id: string, party: JsonObject, relatedLots?: string[]) => ({
  id,
  status: 'active',
  suppliers: [reference(party)],
  ...(relatedLots ? { relatedLots } : {}),
});
const compile = (details: unknown, awards: JsonObject[], more: JsonObject = {}) =>
  compileOne([
    actRelease('000001-2026', '2026-03-01T10:00:00Z', {
      tag: ['award', 'contract'],
      tender: { lots: LOTS },
      parties: [COUNCIL, BRIGHT, as(OAKES), MOSS, ABROAD],
      awards: awards.map((one) => ({ ...one, documents: [noticeDocument('000001-2026', 'UK6')] })),
      bids: { details },
      ...more,
    }),
  ]);
const losersOf = (...made: Parameters<typeof compile>) =>
  compile(...made).contracts.map(({ detail }) => detail.bids?.unsuccessful);

const OAKES_LOST = { name: 'Oakes & Daughters Limited', companies_house_number: '07654321' };
const MOSS_LOST = { name: 'Moss & Co Limited', companies_house_number: '02222222' };
const ABROAD_LOST = { name: 'Reinigung Nord GmbH' };

it('a contract names who bid for it and did not win, each once, with its number where it is stated', () => {
  const bids = [bid(undefined, BRIGHT), bid(undefined, OAKES), bid(undefined, ABROAD), bid(undefined, OAKES)];
  const { contracts, notices } = compile(bids, [award('1', BRIGHT)]);
  expect(contracts[0]?.detail.bids).toEqual({ unsuccessful: [OAKES_LOST, ABROAD_LOST] });
  expect(notices[0]?.detail.bids).toEqual(contracts[0]?.detail.bids);
});

it('who lost a lot is named for that lot alone, though it won another', () => {
  const bids = [bid(['1'], BRIGHT), bid(['1', '2'], OAKES), bid(['2'], MOSS), bid('1', MOSS)];
  const { contracts, notices } = compile(bids, [award('1', BRIGHT, ['1']), award('2', OAKES, ['2'])]);
  expect(contracts.map(({ detail }) => detail.bids?.unsuccessful)).toEqual([[OAKES_LOST, MOSS_LOST], [MOSS_LOST]]);
  expect(notices[0]?.detail.bids?.unsuccessful).toEqual([
    { ...OAKES_LOST, lot_ids: ['1'] },
    { ...MOSS_LOST, lot_ids: ['2', '1'] },
  ]);
});

it('a bidder who won under another id, bid with a winner or withdrew did not lose', () => {
  const spelt = { id: 'org-9', name: 'BRIGHTWATER CLEANING LIMITED' };
  const taken = [
    bid(undefined, spelt),
    bid(undefined, BRIGHT, MOSS),
    { ...bid(undefined, OAKES), status: 'withdrawn' },
  ];
  expect(losersOf(taken, [award('1', BRIGHT)])).toEqual([undefined]);
  expect(losersOf([bid(['2'], OAKES)], [award('1', BRIGHT, ['1'])])).toEqual([undefined]);
  const cancelled = { ...award('2', MOSS, ['2']), status: 'cancelled' };
  const { notices } = compile([bid(['2'], OAKES)], [award('1', BRIGHT, ['1']), cancelled]);
  expect(notices[0]?.detail.bids).toBeUndefined();
});

it('nobody lost who won under another name with the same company number', () => {
  const group = { ...supplier('01234567', 'Brightwater Group Ltd'), id: 'GB-PPON-PBGH-1111-BCDF' };
  const more = { parties: [COUNCIL, BRIGHT, as(group), MOSS] };
  expect(losersOf([bid(['1'], group), bid(['1'], MOSS)], [award('1', BRIGHT, ['1'])], more)).toEqual([[MOSS_LOST]]);
});

it('a bid that names none of several lots is lost in its notice, not in a contract', () => {
  const bids = [bid(undefined, OAKES), bid(undefined, MOSS), bid(undefined, BRIGHT)];
  const { contracts, notices } = compile(bids, [award('1', BRIGHT, ['1']), award('2', OAKES, ['2'])]);
  expect(contracts.map(({ detail }) => detail.bids)).toEqual([undefined, undefined]);
  expect(notices[0]?.detail.bids?.unsuccessful).toEqual([MOSS_LOST]);
  expect(losersOf(bids, [award('1', BRIGHT, ['1', '2'])])).toEqual([[OAKES_LOST, MOSS_LOST]]);
});

it('a placeholder is no bidder, and two spellings of a name are one', () => {
  const named = (...names: string[]) => names.map((name) => ({ tenderers: [{ name }] }));
  const bids = named('N/A', 'Confidential', 'Fenn Works LIMITED', 'Fenn Works Ltd', 'Not disclosed');
  expect(losersOf(bids, [award('1', BRIGHT)])).toEqual([[{ name: 'Fenn Works LIMITED' }]]);
});

it('the awards and parties of a process are read once, though each of thousands of contracts asks', () => {
  const awards = vi.fn(() => [{ ...NO_AWARD, suppliers: [{ name: 'Fenn' }] }]);
  const merged = Object.defineProperty(toOcds({}), 'awards', { get: awards });
  const bids = { statistics: [], details: [{ tenderers: [{ name: 'Oakes' }], relatedLots: ['1'] }] };
  for (const lot of ['1', '1', '2', '3']) bidsOf(bids, [lot], merged);
  expect(bidsOf(bids, ['1'], merged)).toEqual({ unsuccessful: [{ name: 'Oakes' }] });
  expect(awards).toHaveBeenCalledTimes(1);
});

it('the places of a framework are won by several: the others lost', () => {
  const bids = [BRIGHT, OAKES, MOSS].map((one) => bid(['1'], one));
  expect(losersOf(bids, [award('1', BRIGHT, ['1']), award('2', OAKES, ['1'])])).toEqual([[MOSS_LOST], [MOSS_LOST]]);
});

it('other shapes: one bid and one bidder without a list, a bidder that only its party names, none at all', () => {
  const one = { tenderers: { id: OAKES.id }, relatedLot: '1' };
  expect(losersOf(one, [award('1', BRIGHT)])).toEqual([[{ ...OAKES_LOST, lot_ids: ['1'] }]]);
  expect(losersOf([{ tenderers: [{}, 'none', null] }, null, 7], [award('1', BRIGHT)])).toEqual([undefined]);
  const many = Array.from({ length: 2_000 }, (_, at) => bid(undefined, { id: `t-${at}`, name: `Bidder ${at}` }));
  expect(losersOf(many, [award('1', BRIGHT)])[0]).toHaveLength(50);
});

it('later notices that say nothing of bidders leave them', () => {
  const first = actRelease('000001-2026', '2026-03-01T10:00:00Z', {
    tag: ['award', 'contract'],
    parties: [COUNCIL, BRIGHT, as(OAKES)],
    awards: [{ ...award('1', BRIGHT), documents: [noticeDocument('000001-2026', 'UK6')] }],
    bids: { details: [bid(undefined, OAKES)] },
  });
  const later = actRelease('000002-2026', '2026-04-01T10:00:00Z', {
    tag: ['contract'],
    parties: [COUNCIL, BRIGHT],
    awards: [award('1', BRIGHT)],
    contracts: [{ id: '1', awardID: '1', documents: [noticeDocument('000002-2026', 'UK7')] }],
    bids: { statistics: [{ id: '1', measure: 'bids', value: 2 }] },
  });
  const [contract] = compileOne([first, later]).contracts;
  expect(contract?.detail.bids).toEqual({ received: 2, unsuccessful: [OAKES_LOST] });
});
