import type { ProcessStatus } from '../../schema/catalogue/details.ts';
import type { FrameworkDetail } from '../../schema/catalogue/framework-details.ts';
import type { OcdsRelease } from '../../schema/ocds/types.ts';
import { makeLookup } from '../../schema/text/json-values.ts';
import { matchesOf } from '../../schema/text/memoise.ts';
import { parseDay } from '../fields/dates.ts';
import { cleanLine } from '../fields/text/clean.ts';
import type { ActiveAward } from './awards/active.ts';
import { saysCallOff } from './facts/competition.ts';
import { lineOf, wordsOf } from './facts/options.ts';
import { changedEnd, overSince, spanOf } from './facts/term.ts';
import { type FrameworkSigns, withoutFormer } from './frameworks/signs.ts';
import { buyerNames, partiesOf } from './parties/of-process.ts';
import { namesIn } from './related.ts';
import type { CallOff, CompiledContract, CompiledFramework, CompiledNotice, Money } from './types.ts';
import { estimateOf, grossOf, netOf, readValue } from './values/money.ts';
import { type Doubted, doubtCeiling, doubtedAwards, limitOf } from './values/plausible.ts';

/** `RM3764`, also written `RM 3764` or `RM3764iii`: references of the government's commercial agency. */
const REFERENCE = /\bRM\s?(\d{3,5})(?=\D|$)/gi;
const TITLE =
  /\b(call\s?[- ]?offs?(?! (?:contracts? )?framework)|(further|mini)[- ]competition|direct award (under|from|via))\b/i;

/** A text that names more notices lists them: none of them is what it is called off from. */
const NAMED_MAX = 5;

/** References in a text, each once, in capitals without a space. */
function referencesIn(...texts: (string | undefined)[]): string[] {
  const found = texts.flatMap((text) => matchesOf(text ?? '', REFERENCE).map((match) => `RM${match[1]}`));
  return [...new Set(found)];
}

/**
 * The framework or dynamic market that a process names as called off from, with the evidence; null if it is no call-off.
 * @param methods the procurement method of each release, oldest first. An award notice may say "Other" although its tender
 * notice said call-off
 * @param buysUnder evidence from title or descriptions
 */
export function callOffOf(
  merged: OcdsRelease,
  methods: readonly (string | undefined)[],
  buysUnder: readonly string[],
): CallOff | null {
  const callOffs = methods.map(cleanLine).filter(saysCallOff);
  const method = callOffs.at(-1) ?? '';
  const related = merged.relatedProcesses.filter(({ relationship }) =>
    relationship.some((code) => /^framework$/i.test(code)),
  );
  const title = cleanLine(merged.tender.title ?? merged.title);
  const evidence = [
    ...(method ? [`procurement method: ${method}`] : []),
    ...related.map((one) => `related process: ${one.identifier ?? cleanLine(one.title)}`),
    ...(TITLE.test(title) ? ['title speaks of a call-off'] : []),
    ...buysUnder,
  ];
  if (evidence.length === 0) return null;
  const identifiers = related.flatMap(({ scheme, identifier }) =>
    identifier && (scheme === undefined || /ocid/i.test(scheme)) ? [identifier.toLowerCase()] : [],
  );
  const { description, id, methodRationale } = merged.tender;
  const texts = [...related.flatMap((one) => [one.identifier, one.title]), title, description];
  const why = withoutFormer(methodRationale);
  const named = new Set(namesIn([...texts.map(withoutFormer), why].join('\n\n'), '', false));
  const numbers = [...named].filter((name) => name !== merged.ocid?.toLowerCase() && !identifiers.includes(name));
  // One of the notices or ocids that it names may be the framework's, unless they are a list.
  const references = [...referencesIn(method, ...texts, why, id), ...(named.size > NAMED_MAX ? [] : numbers)];
  return { evidence, identifiers: [...new Set(identifiers)], references, isByProcedure: method !== '' };
}

/** Not `unsuccessful`: Contracts Finder wrote that in 2015 wherever it knew no award. */
const STOPPED: ReadonlySet<ProcessStatus> = new Set(['cancelled', 'withdrawn']);

type Lots = CompiledFramework['lots'];

/**
 * The framework that a process sets up; null if the process has no notice.
 * @param awards the active awards, which set it up together
 * @param contracts what they led to
 */
export function compileFramework(
  signs: FrameworkSigns,
  merged: OcdsRelease,
  notices: readonly CompiledNotice[],
  awards: readonly ActiveAward[],
  contracts: readonly CompiledContract[],
  status: ProcessStatus,
): CompiledFramework | null {
  const own = notices.at(-1);
  if (!own) return null;
  const { tender } = merged;
  const period = spanOf(tender.techniques?.period, 'tender');
  const ends = period.ends ?? firstDay(merged, awards, 'ends');
  const over = overSince(signs.kind, merged.tender, notices, contracts);
  const { ceiling, from, warnings } = ceilingOf(merged, awards, doubtedAwards(contracts));
  const fees = notices.findLast(({ detail }) => detail.participation_fees)?.detail.participation_fees;
  // As searches find it through its own notice, it has the codes and regions of that.
  const { cpvs, regions } = own;
  return {
    noticeId: own.noticeId,
    title: lineOf(tender.title) || lineOf(merged.title) || own.title,
    kind: signs.kind,
    starts: period.starts ?? firstDay(merged, awards, 'starts'),
    ends: over ?? (signs.kind === 'framework' ? changedEnd(ends, contracts) : ends),
    ceiling: ceiling?.value ?? null,
    currency: ceiling?.currency ?? null,
    cpv: cpvs[0] ?? null,
    region: regions[0]?.code ?? null,
    url: own.url,
    published: own.published,
    lots: frameworkLots(merged, over === null ? withoutTerminated(awards, contracts) : awards),
    detail: {
      evidence: signs.evidence,
      ...describe(merged, awards, over !== null),
      ...(from ? { ceiling_from: from } : {}),
      ...(signs.kind === 'framework' && tender.techniques?.openScheme ? { open_framework: true } : {}),
      ...(fees ? { participation_fees: fees } : {}),
      references: referencesIn(tender.id, tender.title),
      regions,
      warnings: [...warnings, ...(STOPPED.has(status) ? [`it was not set up: its procurement is ${status}`] : [])],
      notice_ids: notices.map(({ noticeId }) => noticeId),
      cpvs,
    },
  };
}

/** The most that may be spent: the tender's value, otherwise the value that all awards state. Never a sum of awards. */
function ceilingOf(merged: OcdsRelease, awards: readonly ActiveAward[], doubted: Doubted): Ceiling {
  const stated = estimateOf(merged.tender);
  const each = awards.map(({ award, contracts }) =>
    [award?.value, ...contracts.map(({ value }) => value)].map(readValue).find((found) => found !== null),
  );
  const [first] = each;
  const isOne = first && each.every((one) => one?.money.value === first.money.value && one.basis === first.basis);
  const found = stated ?? (isOne ? first.money : null);
  if (!found) return { ceiling: null, warnings: [] };
  const ofAwards = stated === null && awards.some(({ awardId }) => doubted.has(awardId));
  const doubt = ofAwards ? 'the value that its awards state is not believed' : doubtCeiling(found);
  if (doubt) return { ceiling: null, warnings: [doubt] };
  return { ceiling: found, from: stated ? 'tender' : 'awards', warnings: [] };
}

interface Ceiling {
  ceiling: Money | null;
  from?: 'tender' | 'awards';
  warnings: string[];
}

/** A day in the order of the government's commercial tools register: first award that stands, first lot, first contract. */
function firstDay(
  { tender }: OcdsRelease,
  awards: readonly ActiveAward[],
  edge: 'starts' | 'ends' | 'extendsTo',
): string | null {
  const periods = [
    ...awards.map(({ award }) => award?.contractPeriod),
    ...tender.lots.map(({ contractPeriod }) => contractPeriod),
    ...awards.flatMap(({ contracts }) => contracts.map(({ period }) => period)),
    tender.contractPeriod,
  ];
  return periods.map((period) => spanOf(period, 'tender')[edge]).find(Boolean) ?? null;
}

/** `open` means that buyers not listed may use it, `closed` that they may not (UK extension). */
const WHO = makeLookup({ open: 'other authorities may use it', closed: 'only the buyers named' });

function describe(merged: OcdsRelease, awards: readonly ActiveAward[], isOver: boolean): Partial<FrameworkDetail> {
  const { techniques, description } = merged.tender;
  const [text, terms] = [description, techniques?.description].map(wordsOf);
  const who = wordsOf(techniques?.buyerCategories) || WHO[techniques?.type ?? ''];
  const extendsTo = isOver ? null : (parseDay(techniques?.openScheme?.ends) ?? firstDay(merged, awards, 'extendsTo'));
  const most = limitOf(techniques?.maximumParticipants);
  const restrictions = (techniques?.buyerRestrictions ?? []).map((one) => cleanLine(one.description) || one.id || '');
  return {
    ...(text ? { description: text } : {}),
    ...(techniques?.method ? { method: techniques.method } : {}),
    ...(terms ? { call_off_terms: terms } : {}),
    ...(techniques?.type ? { type: techniques.type } : {}),
    ...(who ? { who_may_use: who } : {}),
    ...listed('buyers', buyerNames(partiesOf(merged))),
    ...listed('restricted_to', restrictions),
    ...(extendsTo ? { extends_to: extendsTo } : {}),
    ...(most ? { max_suppliers: most } : {}),
  };
}

function listed(name: 'buyers' | 'restricted_to', texts: readonly string[]): Partial<FrameworkDetail> {
  const distinct = [...new Set(texts.filter(Boolean))];
  return distinct.length > 0 ? { [name]: distinct } : {};
}

/** Awards that a framework still runs under. Once it is over itself, its lots keep the suppliers that they had. */
function withoutTerminated(awards: readonly ActiveAward[], contracts: readonly CompiledContract[]): ActiveAward[] {
  const terminated = new Set(contracts.flatMap(({ status, awardIds }) => (status === 'terminated' ? awardIds : [])));
  return awards.filter(({ awardId }) => !terminated.has(awardId));
}

/** Lots with their suppliers. Suppliers of an active award belong to its related lots only. */
function frameworkLots(merged: OcdsRelease, awards: readonly ActiveAward[]): Lots {
  const lots = namedLots(merged);
  const unstated = blankLot('unstated', 'Lot not stated');
  // An award that names no lot is of the only one.
  const withoutLot = lots.length === 1 ? lots : [unstated];
  const byId = new Map(lots.map((lot) => [lot.lotId, lot]));
  const found = new Map<Lots[number], Set<string>>();
  for (const { award, awardedTo } of awards) {
    if (awardedTo.haveLeft) continue;
    const related = (award?.relatedLots ?? []).flatMap((id) => byId.get(id) ?? []);
    for (const lot of related.length > 0 ? related : withoutLot) {
      const suppliers = found.get(lot) ?? new Set();
      for (const id of awardedTo.current) suppliers.add(id);
      found.set(lot, suppliers);
    }
  }
  const all = found.has(unstated) ? [...lots, unstated] : lots;
  return all.map((lot) => ({ ...lot, supplierParties: [...(found.get(lot) ?? [])] }));
}

function namedLots({ tender }: OcdsRelease): Lots {
  const title = lineOf(tender.title) || 'Framework';
  if (tender.lots.length === 0) return [blankLot('1', title)];
  return tender.lots.map((lot, index) => {
    const lotId = lot.id ?? String(index + 1);
    const own = lineOf(lot.title);
    // Some publish the title of the framework as that of each lot; then the lot's id is its name (FTS 052408-2025).
    const isOwn = tender.lots.length === 1 || (own !== '' && own !== title);
    const name = isOwn ? own || title : `Lot ${lotId}`;
    return {
      ...blankLot(lotId, name),
      value: (netOf(lot.value) ?? grossOf(lot.value))?.value ?? null,
      starts: parseDay(lot.contractPeriod?.startDate),
      ends: parseDay(lot.contractPeriod?.endDate),
      durationDays: lot.contractPeriod?.durationInDays ?? null,
      durationMonths: lot.contractPeriod?.durationInMonths ?? null,
    };
  });
}

function blankLot(lotId: string, title: string): Lots[number] {
  return {
    lotId,
    title,
    value: null,
    starts: null,
    ends: null,
    durationDays: null,
    durationMonths: null,
    supplierParties: [],
  };
}
