import type { BidFigures, Bids } from '../../../schema/catalogue/bids.ts';
import type { ContractDetail } from '../../../schema/catalogue/contract-details.ts';
import type { Kpi, KpiResult } from '../../../schema/catalogue/details.ts';
import type { OcdsBid, OcdsBidStatistic, OcdsBids } from '../../../schema/ocds/bidding.ts';
import type { OcdsContract, OcdsMetric, OcdsTender } from '../../../schema/ocds/types.ts';
import { groupByEach, memoiseByObject } from '../../../schema/text/memoise.ts';
import { parseDay } from '../../fields/dates.ts';
import { cleanLine, cleanText, saysNothing } from '../../fields/text/clean.ts';
import { foldKey } from '../../fields/text/fold.ts';
import { readValue, sumMoney } from '../values/money.ts';
import { limitOf } from '../values/plausible.ts';
import { wordsOf } from './options.ts';

/** More indicators of a contract, or more results of one of them, are not kept. */
const KEPT_MAX = 1_000;

/** What one notice says of contracts. */
interface Measured {
  noticeId: string;
  contracts: readonly OcdsContract[];
}

/** The key performance indicators of a contract: those in the latest notice that states any, and what was measured of them. */
export function kpisOf(statements: readonly Measured[]): { kpis?: Kpi[] } {
  const agreed = statements.map(({ contracts }) =>
    contracts.flatMap(({ agreedMetrics }) => agreedMetrics.flatMap((one) => readKpi(one))),
  );
  const measured = statements.map(({ noticeId, contracts }) =>
    contracts.flatMap(({ metrics }) => metrics.flatMap((one) => readKpi(one, noticeId))),
  );
  return joinKpis(agreed.findLast(({ length }) => length > 0) ?? [], measured);
}

/** The indicators of a contract; where no notice states any, why not, in the words of the latest that says it. */
export function performanceOf(statements: readonly Measured[]): Pick<ContractDetail, 'kpis' | 'no_kpis_reason'> {
  const stated = kpisOf(statements);
  if (stated.kpis) return stated;
  const reasons = statements.map(({ contracts }) =>
    contracts.map((one) => wordsOf(one.noMetricsReason)).filter(Boolean),
  );
  const last = reasons.findLast(({ length }) => length > 0);
  return last ? { no_kpis_reason: cleanText([...new Set(last)].join('\n\n')) } : {};
}

/** What all contracts of an award cost in the end; absent unless each states it, in one currency and on one basis. */
export function finalValueOf(contracts: readonly OcdsContract[]): Pick<ContractDetail, 'final_value'> {
  const values = contracts.map(({ finalValue }) => readValue(finalValue));
  const [basis, ...others] = new Set(values.map((one) => one?.basis));
  const money = others.length === 0 ? sumMoney(values.map((one) => one?.money ?? null)) : null;
  return money && basis ? { final_value: { ...money, value_basis: basis } } : {};
}

/**
 * Indicators with what was measured of them, the oldest first. An indicator that a notice on performance alone names, or
 * names in other words, is one more. Several of one title in one statement are several.
 * @param isKept which of the stated indicators are taken
 */
export function joinKpis(
  agreed: readonly Kpi[],
  stated: readonly (readonly Kpi[])[],
  isKept = (_: Kpi) => true,
): { kpis?: Kpi[] } {
  const found = new Map<Kpi, KpiResult[]>();
  const [byTitle, byWords] = [new Map<string, Kpi[]>(), new Map<string, Kpi>()];
  const add = (kpi: Kpi): Kpi => {
    found.set(kpi, []);
    byTitle.set(titleKey(kpi), [...(byTitle.get(titleKey(kpi)) ?? []), kpi].slice(0, 2));
    byWords.set(wordsKey(kpi), kpi);
    return kpi;
  };
  for (const kpi of agreed) if (!byWords.has(wordsKey(kpi))) add(kpi);
  for (const statement of stated) {
    const shared = sharedTitles(statement);
    for (const kpi of statement.filter(isKept)) {
      const [alike, another] = shared.has(titleKey(kpi)) ? [] : (byTitle.get(titleKey(kpi)) ?? []);
      const known = byWords.get(wordsKey(kpi)) ?? (alike && !another ? alike : add(kpi));
      for (const result of kpi.results ?? []) found.get(known)?.push(result);
    }
  }
  const kpis = [...found].slice(0, KEPT_MAX).map(([kpi, results]) => ({
    ...kpi,
    ...(results.length > 0 ? { results: lastOf(results).slice(-KEPT_MAX) } : {}),
  }));
  return kpis.length > 0 ? { kpis } : {};
}

/** Indicators are the same if their titles are; where several share a title, their descriptions decide too. */
const titleKey = ({ title, description = '' }: Kpi) => foldKey(title ?? description);
const wordsKey = ({ title = '', description = '' }: Kpi) => foldKey(`${title}\n${description}`);

/** The titles that several of a statement's indicators have. */
function sharedTitles(statement: readonly Kpi[]): ReadonlySet<string> {
  const words = new Map<string, string>();
  const isAnother = (kpi: Kpi) => (words.get(titleKey(kpi)) ?? wordsKey(kpi)) !== wordsKey(kpi);
  const shared = new Set<string>();
  for (const kpi of statement) {
    if (isAnother(kpi)) shared.add(titleKey(kpi));
    words.set(titleKey(kpi), wordsKey(kpi));
  }
  return shared;
}

/** What a metric says of itself, and what a notice measured of it; none where it does not say what it is. */
function readKpi({ title, description, observations }: OcdsMetric, noticeId?: string): Kpi[] {
  const [line, words] = [cleanLine(title), cleanText(description)].map((text) => (saysNothing(text) ? '' : text));
  if (!line && !words) return [];
  const lengths = observations.flatMap(({ period, measure, rating }) => (measure || rating ? [] : (period ?? [])));
  const [days] = lengths.flatMap(({ durationInDays }) => limitOf(durationInDays) ?? []);
  const [months] = lengths.flatMap(({ durationInMonths }) => limitOf(durationInMonths) ?? []);
  const results = noticeId === undefined ? [] : observations.flatMap((one) => readResult(one, noticeId));
  return [
    {
      ...(line ? { title: line } : {}),
      ...(words ? { description: words } : {}),
      ...(days ? { every_days: days } : {}),
      ...(months && !days ? { every_months: months } : {}),
      ...(results.length > 0 ? { results } : {}),
    },
  ];
}

function readResult({ period, measure, rating }: OcdsMetric['observations'][number], noticeId: string): KpiResult[] {
  const words = cleanText(measure);
  const measured = saysNothing(words) ? '' : words;
  if (!measured && !rating) return [];
  const [starts, ends] = [period?.startDate, period?.endDate].map(parseDay);
  return [
    {
      notice_id: noticeId,
      ...(starts ? { starts } : {}),
      ...(ends ? { ends } : {}),
      ...(measured ? { measured } : {}),
      ...(rating ? { rating: cleanLine(rating) } : {}),
    },
  ];
}

/** What a later notice measured in the same time replaces what an earlier one did. */
function lastOf(results: readonly KpiResult[]): KpiResult[] {
  const timeOf = ({ starts, ends }: KpiResult) => ends && `${starts} ${ends}`;
  const last = new Map(results.map((one) => [timeOf(one), one.notice_id]));
  return results.filter((one) => !one.ends || last.get(timeOf(one)) === one.notice_id);
}

type Count = keyof BidFigures;

/** The measures that count bids (OCDS bid statistics, EU profile, UK extension), by the names that answers use. */
const MEASURES: Readonly<Record<Count, string>> = {
  received: 'bids',
  from_smes: 'smeBids',
  electronic: 'electronicBids',
  from_eu: 'foreignBidsFromEU',
  from_outside_eu: 'foreignBidsFromNonEU',
  final_stage: 'finalStageBids',
  final_stage_from_smes: 'smeFinalStageBids',
  final_stage_from_vcses: 'vcseFinalStageBids',
};
const COUNTS = Object.keys(MEASURES) as Count[];
/** A larger number is a slip, such as a telephone number. The columns of summaries hold four bytes. */
const BIDS_MAX = 1_000_000;

/** The figures and the bidders of the latest that states some. */
export function latestBids(stated: readonly OcdsBids[]): OcdsBids {
  const last = <K extends keyof OcdsBids>(name: K) => stated.findLast((one) => one[name].length > 0)?.[name];
  return { statistics: last('statistics') ?? [], details: last('details') ?? [] };
}

/** The bids for some lots, or all where none is given. One that names no lot counts for all of them only: it may be for others. */
export function bidsFor(bids: readonly OcdsBid[], lotIds: readonly string[], { lots }: OcdsTender): Iterable<OcdsBid> {
  if (lotIds.length === 0) return bids;
  const byLot = bidsByLot(bids);
  const areAll = lots.every(({ id = '' }) => lotIds.includes(id));
  return new Set([...(areAll ? [''] : []), ...lotIds].flatMap((id) => byLot.get(id) ?? []));
}

/** Cached, because it is read for each contract of a process. */
const bidsByLot = memoiseByObject((bids: readonly OcdsBid[]) =>
  groupByEach(bids, ({ relatedLots }) => (relatedLots.length > 0 ? relatedLots : [''])),
);

/**
 * The numbers of bids that one notice states. One counts if it is for one lot or for everything. Numbers of several lots are listed
 * but never added up, because the same bidder may have bid for several.
 * @param lotIds the lots of an award; empty for the whole procurement
 */
export function countBids(statistics: readonly OcdsBidStatistic[], lotIds: readonly string[]): Bids {
  const counted = statistics.filter(({ value }) => Number.isInteger(value) && value >= 0 && value <= BIDS_MAX);
  const wanted = new Set(lotIds);
  const named = new Set(counted.flatMap(({ relatedLots }) => relatedLots));
  const lots = [...named].filter((lotId) => wanted.size === 0 || wanted.has(lotId));
  const whole = figuresOf((measure) => countOf(counted, measure, lotIds.length > 0 ? lotIds : lots));
  const listed = lots.length > 1 ? lots.map((lotId) => ({ lot_id: lotId, ...lotFigures(counted, lotId) })) : [];
  return { ...whole, ...(listed.length > 0 ? { lots: listed } : {}) };
}

function lotFigures(statistics: readonly OcdsBidStatistic[], lotId: string): BidFigures {
  const own = statistics.filter(({ relatedLots }) => relatedLots.includes(lotId));
  return figuresOf((measure) => countOf(own, measure, [lotId]));
}

/** The number that a measure has for exactly these lots, otherwise for all lots; undefined if several numbers differ. */
function countOf(statistics: readonly OcdsBidStatistic[], measure: string, lotIds: readonly string[]) {
  const stated = statistics.filter((one) => one.measure === measure);
  const own = stated.filter(
    ({ relatedLots }) => relatedLots.length > 0 && lotIds.every((id) => relatedLots.includes(id)),
  );
  const forAll = stated.filter(({ relatedLots }) => relatedLots.length === 0);
  const values = new Set((lotIds.length > 0 && own.length > 0 ? own : forAll).map(({ value }) => value));
  // Several numbers without a lot belong to one award each, but it is not stated to which.
  return values.size === 1 && (own.length > 0 || forAll.length === 1) ? [...values][0] : undefined;
}

function figuresOf(read: (measure: string) => number | undefined): BidFigures {
  const figures: BidFigures = {};
  for (const count of COUNTS) {
    const value = read(MEASURES[count]);
    if (value !== undefined) figures[count] = value;
  }
  const { received, final_stage, final_stage_from_smes } = figures;
  // If every bid reached the final stage, the figures of that stage are the figures of all bids.
  if (figures.from_smes === undefined && final_stage_from_smes !== undefined && final_stage === received)
    figures.from_smes = final_stage_from_smes;
  if (received !== undefined && (figures.from_smes ?? 0) > received) delete figures.from_smes;
  return figures;
}
