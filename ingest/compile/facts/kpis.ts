import type { Kpi, KpiResult } from '../../../schema/catalogue/contract-details.ts';
import type { OcdsMetric } from '../../../schema/ocds/types.ts';
import { parseDay } from '../../fields/dates.ts';
import { cleanLine, cleanText, saysNothing } from '../../fields/text/clean.ts';
import { foldKey } from '../../fields/text/fold.ts';
import type { AwardStatement } from '../awards/history.ts';
import { limitOf } from '../values/plausible.ts';

/**
 * The key performance indicators of a contract: those that the latest notice which agrees on any states, each with what notices
 * measured of it. An indicator that only a notice on performance names, or names otherwise, is one more.
 */
export function kpisOf(statements: readonly AwardStatement[]): { kpis?: Kpi[] } {
  const agreed = statements.map(({ contracts }) => contracts.flatMap((one) => one.agreedMetrics.flatMap(readKpi)));
  const latest = agreed.findLast(({ length }) => length > 0) ?? [];
  const kpis: Kpi[] = [];
  const [byTitle, byWords] = [new Map<string, Kpi[]>(), new Map<string, Kpi>()];
  const add = (kpi: Kpi): Kpi => {
    kpis.push(kpi);
    byTitle.set(titleKey(kpi), [...(byTitle.get(titleKey(kpi)) ?? []), kpi].slice(0, 2));
    byWords.set(wordsKey(kpi), kpi);
    return kpi;
  };
  for (const kpi of latest) if (!byWords.has(wordsKey(kpi))) add(kpi);
  for (const { noticeId, contracts } of statements) {
    for (const metric of contracts.flatMap(({ metrics }) => metrics)) {
      const results = metric.observations.flatMap((one) => readResult(one, noticeId));
      for (const kpi of readKpi(metric)) {
        const [alike, another] = byTitle.get(titleKey(kpi)) ?? [];
        addResults(byWords.get(wordsKey(kpi)) ?? (alike && !another ? alike : add(kpi)), results);
      }
    }
  }
  return kpis.length > 0 ? { kpis } : {};
}

/** An indicator is known again by its title; where several have that, by its description too. */
const titleKey = ({ title, description = '' }: Kpi) => foldKey(title ?? description);
const wordsKey = ({ title = '', description = '' }: Kpi) => foldKey(`${title}\n${description}`);

/** What a metric says of itself; none where it says nothing. */
function readKpi({ title, description, observations }: OcdsMetric): Kpi[] {
  const [line, words] = [cleanLine(title), cleanText(description)].map((text) => (saysNothing(text) ? '' : text));
  if (!line && !words) return [];
  const lengths = observations.flatMap(({ period, measure, rating }) => (measure || rating ? [] : (period ?? [])));
  const [days] = lengths.flatMap(({ durationInDays }) => limitOf(durationInDays) ?? []);
  const [months] = lengths.flatMap(({ durationInMonths }) => limitOf(durationInMonths) ?? []);
  return [
    {
      ...(line ? { title: line } : {}),
      ...(words ? { description: words } : {}),
      ...(days ? { every_days: days } : {}),
      ...(months && !days ? { every_months: months } : {}),
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

/** A later notice replaces what an earlier one measured in the same time. */
function addResults(kpi: Kpi, results: readonly KpiResult[]): void {
  if (results.length === 0) return;
  const isRestated = (one: KpiResult) =>
    results.some(
      ({ starts, ends, notice_id: by }) => ends && by !== one.notice_id && ends === one.ends && starts === one.starts,
    );
  kpi.results = [...(kpi.results ?? []).filter((one) => !isRestated(one)), ...results];
}
