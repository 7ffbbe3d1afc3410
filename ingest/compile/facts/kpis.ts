import type { ContractDetail } from '../../../schema/catalogue/contract-details.ts';
import type { Kpi, KpiResult } from '../../../schema/catalogue/details.ts';
import type { OcdsContract, OcdsMetric } from '../../../schema/ocds/types.ts';
import { parseDay } from '../../fields/dates.ts';
import { cleanLine, cleanText, saysNothing } from '../../fields/text/clean.ts';
import { foldKey } from '../../fields/text/fold.ts';
import { readValue, sumMoney } from '../values/money.ts';
import { limitOf } from '../values/plausible.ts';
import { wordsOf } from './options.ts';

/** More indicators of a contract, or more results of one of them, are not kept. */
const KEPT_MOST = 1_000;

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
  const kpis = [...found].slice(0, KEPT_MOST).map(([kpi, results]) => ({
    ...kpi,
    ...(results.length > 0 ? { results: lastOf(results).slice(-KEPT_MOST) } : {}),
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
