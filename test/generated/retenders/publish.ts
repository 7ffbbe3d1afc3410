import type { Json } from '../../upstream/data.ts';
import { buildCfNotice, buildNotice } from '../../upstream/sample/notices/build.ts';
import { makeRandom } from '../../upstream/sample/random.ts';
import type { Procurement, Retenders } from './deals.ts';

const DAY_MS = 86_400_000;
/** From this day on notices take the forms of the Procurement Act. */
const ACT_MS = Date.parse('2025-02-24T00:00:00Z');
const CF_SHARE = 0.25;

/** One notice of a generated market. */
export interface RetenderNotice {
  source: 'find_a_tender' | 'contracts_finder';
  at: number;
  release: Json;
}

type Step = readonly [kind: 'UK1' | 'UK4' | 'UK6' | 'UK7' | 'old_tender' | 'old_award', at: number];
type CfStep = readonly [kind: 'cf_planning' | 'cf_tender' | 'cf_award', at: number];

/** The notices of a market that are out by now, the oldest first, and the ocid of each procurement. */
export function publishRetenders({ procurements }: Retenders, seed: number, asOfMs: number) {
  const ocids = new Map<Procurement, string>();
  const numbers = new Map<Procurement, string>();
  const notices: RetenderNotice[] = [];
  let serial = 100_000;
  for (const one of procurements.toSorted((a, b) => a.deal.tenderAt - b.deal.tenderAt)) {
    const random = makeRandom(seed, 'publish', one.deal.index);
    const isCf = random.chance(CF_SHARE) && !one.deal.framework && !one.deal.parent;
    const deal = { ...one.deal, description: `${one.deal.description}${quote(one, numbers)}` };
    const guids = { tenderGuid: random.guid(), awardGuid: random.guid() };
    const ocid = isCf ? `ocds-b5fd17-${random.guid()}` : deal.ocid;
    ocids.set(one, ocid);
    const isOut = ([, at]: Step | CfStep) => at < asOfMs;
    for (const [kind, at] of (isCf ? cfStepsOf(one, asOfMs) : []).filter(isOut)) {
      serial += 1;
      const release = buildCfNotice(kind, { ...deal, ...guids, ocid }, { serial, at, nth: 0 });
      notices.push({ source: 'contracts_finder', at, release });
    }
    for (const [kind, at] of (isCf ? [] : stepsOf(one, asOfMs)).filter(isOut)) {
      serial += 1;
      const id = `${serial}-${new Date(at).getUTCFullYear()}`;
      notices.push({ source: 'find_a_tender', at, release: buildNotice(kind, deal, { id, at, nth: 0, sighting: 0 }) });
      numbers.set(one, id);
    }
    if (isCf) numbers.set(one, guids.awardGuid);
  }
  return { notices: notices.toSorted((a, b) => a.at - b.at), ocids };
}

function quote({ quotes }: Procurement, numbers: ReadonlyMap<Procurement, string>): string {
  const number = quotes && numbers.get(quotes);
  return number ? ` The current contract (notice ${number}) is about to expire.` : '';
}

function stepsOf({ deal, life }: Procurement, asOfMs: number): Step[] {
  const { tenderAt, awardAt, signAt } = deal;
  if (life === 'planned') return [['UK1', Math.min(tenderAt - 90 * DAY_MS, asOfMs - DAY_MS)]];
  if (signAt < ACT_MS)
    return [
      ['old_tender', tenderAt],
      ['old_award', signAt],
    ];
  return [
    ['UK4', tenderAt],
    ['UK6', awardAt],
    ['UK7', signAt],
  ];
}

function cfStepsOf({ deal, life }: Procurement, asOfMs: number): CfStep[] {
  if (life === 'planned') return [['cf_planning', Math.min(deal.tenderAt - 90 * DAY_MS, asOfMs - DAY_MS)]];
  return [
    ['cf_tender', deal.tenderAt],
    ['cf_award', deal.signAt],
  ];
}
