import type { Stage, ValueBasis } from '../../schema/catalogue/details.ts';
import { isoInstant, londonDate } from '../../schema/config/clocks.ts';
import type { OcdsRelease, OcdsTender } from '../../schema/ocds/types.ts';
import { endOfLots, isLostAward } from '../../schema/reference/notice-types.ts';
import { findAddress } from '../../schema/text/document-links.ts';
import { groupBy } from '../../schema/text/memoise.ts';
import { categoryOf, cpvsOf, placesOfNotice, warnOfCodes } from '../fields/classifications.ts';
import { datesOf, deadlineOf, parseDay, parseInstant, takesBids, warnOfAllPeriods } from '../fields/dates.ts';
import { kindOf, type NoticeKind, noticeNamesOf, warnOfKind } from '../fields/notice.ts';
import { cleanLine, LINE_MAX, saysNothing, TEXT_MAX, warnOfCut } from '../fields/text/clean.ts';
import { findService, noticeIdOf, noticeUrl } from '../sources/index.ts';
import { documentsOfNotice, lotsOf, warnOfContents, wholeTerms } from './contents.ts';
import { competitionOf } from './facts/competition.ts';
import { kpisOf } from './facts/measures.ts';
import { wordsOf } from './facts/options.ts';
import { jointBuyersOf, partiesOf, warnOfSuppliers } from './parties/of-process.ts';
import { changesOf, continuationOf, originalOf, ownReferenceOf } from './related.ts';
import type { CompiledNotice, CompilerRelease, Money } from './types.ts';
import { estimateOf, grossOf, netOf, rangeOf, readValue, sumMoney, warnOfUnread } from './values/money.ts';
import { doubtNotice, NO_VALUE } from './values/plausible.ts';

/** The releases of one published notice, oldest first. An edit on Contracts Finder is a further release of the same notice. */
export interface NoticeGroup {
  noticeId: string;
  kind: NoticeKind;
  releases: CompilerRelease[];
}

/** Groups the releases of a process, in their order, by the notice that each of them published. */
export function groupNotices(ordered: readonly CompilerRelease[]): NoticeGroup[] {
  return [...groupBy(ordered, ({ ocds }) => noticeIdOf(ocds))].map(([noticeId, releases]) => {
    const latest = releases.at(-1)?.ocds;
    const kind = latest ? kindOf(latest) : { noticeType: 'unknown', stage: 'planning' as const, why: 'no release' };
    return { noticeId, kind, releases };
  });
}

/**
 * Marks the latest notice of the tender stage, which a search for tenders returns for the process. What a later one leaves out, as
 * corrections do, is that of the one before: a field that is undefined but there is left out on purpose.
 */
export function markTender(notices: CompiledNotice[]): CompiledNotice[] {
  const last = notices.findLast(({ stage }) => stage === 'tender');
  let before: CompiledNotice | undefined;
  return notices.map((notice) => {
    if (notice.stage !== 'tender') return notice;
    before = { ...(before ? completeLater(before, notice) : notice), isTender: notice === last };
    return before;
  });
}

function completeLater({ value, currency, valueBasis, detail }: CompiledNotice, later: CompiledNotice): CompiledNotice {
  const lots = later.detail.lots.length > 0 ? later.detail.lots : detail.lots;
  const money = later.value === null ? { value, currency, valueBasis } : {};
  return { ...later, ...money, detail: { ...detail, ...later.detail, lots } };
}

/** Whether a notice invites bids until a day that had not passed when it was published. */
export function invitesBids(group: NoticeGroup): boolean {
  const tender = group.releases.at(-1)?.ocds.tender;
  if (group.kind.stage !== 'tender' || !tender || endOfLots(tender)) return false;
  return (tender.status ?? 'active') === 'active' && takesBids(tender, publishedOf(group));
}

/** Whether a dynamic market still admits suppliers. Its own status ends it, not its tender's after an award (EU profile, F03). */
export function admitsMore(tender: OcdsTender, groups: readonly NoticeGroup[]): boolean {
  const { status = '', techniques } = tender;
  if (techniques?.marketStatus === 'terminated') return false;
  if (groups.some(({ kind }) => /^UK1[45]$/.test(kind.noticeType))) return true;
  if (!techniques?.dynamicPurchasing) return false;
  if (status === 'active') return true;
  return /complete|unsuccessful/.test(status) && groups.slice(-1).some((last) => takesBids(tender, publishedOf(last)));
}

/** One notice as its latest release states it. Facts that a short update omits come from the process. */
export function compileNotice(
  source: string,
  group: NoticeGroup,
  merged: OcdsRelease,
  setsUpFramework: boolean,
): CompiledNotice {
  const releases = group.releases.map(({ ocds }) => ocds);
  const own = releases.at(-1) ?? merged;
  const { noticeId, kind } = group;
  const publishedAt = publicationOf(group);
  const published = londonDate(publishedAt);
  const ownCpvs = cpvsOf(own);
  const cpvs = ownCpvs.codes.length > 0 ? ownCpvs : cpvsOf(merged);
  const { ownRegions, regions, places } = placesOfNotice(own, merged);
  const midnightIsDay = published < (findService(source)?.notices.deadlineTimesSince ?? '');
  const due = kind.stage === 'tender' ? deadlineOf([own, merged], published, midnightIsDay) : null;
  const value = believedValue(own, kind, setsUpFramework ? merged : null);
  const warnings = [...warnOfKind(kind, own), ...(due?.warnings ?? []), ...value.warnings];
  const parties = partiesOf(own);
  const buyerParty = parties.buyerParty ?? partiesOf(merged).buyerParty;
  const title = titleOf(own);
  const suppliers = [...own.awards, undefined].flatMap((award) => parties.suppliersOf(award));
  warnings.push(...(buyerParty === null ? ['no buyer was named'] : []), ...warnOfSuppliers(parties.parties, suppliers));
  const origin = { source, noticeId, ocid: merged.ocid ?? '', noticeType: kind.noticeType, published };
  return {
    noticeId,
    names: noticeNamesOf(releases),
    original: originalOf(source, own),
    stage: kind.stage,
    noticeType: kind.noticeType,
    title: title || titleOf(merged) || 'Untitled notice',
    description: wordsOf(own.tender.description) || wordsOf(merged.tender.description ?? own.description),
    buyerParty,
    published,
    publishedAt: isoInstant(publishedAt),
    deadline: due?.deadline?.date ?? null,
    deadlineAt: due?.deadline?.at ?? null,
    ...value.columns,
    cpvs: cpvs.codes,
    regions,
    url: noticeUrl(source, noticeId),
    isTender: false,
    awardIds: [...new Set(releases.flatMap(awardIdsIn))],
    supplierParties: [...new Set(suppliers)],
    why: {
      kind: kind.why,
      title: title ? OWN : OF_PROCESS,
      buyer: parties.buyerParty ? OWN : OF_PROCESS,
      cpvs: ownCpvs.codes.length > 0 ? OWN : OF_PROCESS,
      regions: ownRegions.length > 0 ? OWN : OF_PROCESS,
      deadline: due?.from ?? OF_PROCESS,
    },
    detail: Object.assign(detailOf(own, kind, ownCpvs.unread, warnings), value.range, {
      cpv_descriptions: cpvs.descriptions,
      ...places,
      documents: documentsOfNotice(origin, releases.toReversed()),
      ...(kind.stage === 'performance' ? kpisOf([{ noticeId, contracts: own.contracts }]) : {}),
    }),
  };
}

/** Where a fact was read. A short update takes what it omits from the process. */
const OWN = 'this notice';
const OF_PROCESS = 'the process';

/** The title of a release: its tender's, otherwise its own, otherwise that of its first contract or award; or empty. */
export function titleOf(ocds: OcdsRelease): string {
  const titles = [ocds.tender, ocds, ocds.contracts[0], ocds.awards[0]].map((one) => cleanLine(one?.title));
  return titles.find((title) => !saysNothing(title)) ?? '';
}

/** The London day on which a notice was first published, as `YYYY-MM-DD`. */
export function publishedOf(group: NoticeGroup): string {
  return londonDate(publicationOf(group));
}

/** When a notice was first published: later releases are edits. */
function publicationOf({ releases }: NoticeGroup): Date {
  const instants = releases.flatMap(({ date }) => parseInstant(date) ?? []);
  return instants.toSorted((a, b) => a.getTime() - b.getTime())[0] ?? new Date(0);
}

/**
 * The value of a notice. Awards that came to nothing add nothing to others. Each award of a framework states a
 * ceiling, and ceilings do not add up. So with several awards the tender's estimate is used.
 */
function valueOfNotice(
  ocds: OcdsRelease,
  stage: Stage,
  framework: OcdsRelease | null,
): { money: Money; basis: ValueBasis } | null {
  const { contracts } = ocds;
  const standing = ocds.awards.filter(({ status }) => !isLostAward(status));
  const awards = standing.length > 0 ? standing : ocds.awards;
  const ofContracts = contracts.map(({ value, proposedAmendments }) =>
    [...proposedAmendments.map((one) => one.value), value].findLast((one) => readValue(one) !== null),
  );
  const stated: [Money | null, ValueBasis][] = [
    [sumMoney(awards.map(({ value }) => netOf(value))), 'net'],
    [sumMoney(ofContracts.map(netOf)), 'net'],
    [sumMoney(awards.map(({ value }) => grossOf(value))), 'gross'],
    [sumMoney(ofContracts.map(grossOf)), 'gross'],
  ];
  const estimate: [Money | null, ValueBasis] = [estimateOf(ocds.tender), 'estimate'];
  const ceiling: [Money | null, ValueBasis] = [framework && estimateOf(framework.tender), 'estimate'];
  const isCeiling = framework !== null && Math.max(awards.length, contracts.length) > 1;
  const order = stage === 'planning' || stage === 'tender' ? [estimate] : [...stated, estimate];
  const candidates = isCeiling ? [estimate, ceiling] : order;
  const [money, basis] = candidates.find(([found]) => found !== null) ?? [null, 'net'];
  return money ? { money, basis } : null;
}

/** The columns of a notice's value. One that is not believed is a warning instead: as a value, it would lead every ranking. */
function believedValue(ocds: OcdsRelease, { stage }: NoticeKind, framework: OcdsRelease | null) {
  const stated = valueOfNotice(ocds, stage, framework);
  const estimate = estimateOf(ocds.tender);
  const facts = { awards: ocds.awards, stage, estimate, setsUpFramework: framework !== null };
  const doubt = stated && doubtNotice(stated, facts);
  if (!stated || doubt) return { columns: NO_VALUE, range: {}, warnings: doubt ? [doubt] : [] };
  const { money, basis } = stated;
  const columns = { value: money.value, currency: money.currency, valueBasis: basis };
  return { columns, range: rangeOf(ocds, stated), warnings: [] };
}

/** The ids of the awards that a release names, deltas and contracts included. */
export function awardIdsIn({ awards, contracts }: OcdsRelease): string[] {
  const ids = [...awards.map(({ id }) => id), ...contracts.map(({ awardID, id }) => awardID ?? id)];
  return ids.flatMap((id) => id ?? []);
}

type OwnDetail = Omit<CompiledNotice['detail'], 'documents'>;

function detailOf(ocds: OcdsRelease, { stage }: NoticeKind, noCpvs: readonly string[], warnings: string[]): OwnDetail {
  const { tender } = ocds;
  const [changes, category, reason] = [changesOf(ocds), categoryOf(ocds), wordsOf(ocds.noEngagementReason)];
  if (!titleOf(ocds)) warnings.push('no title was published');
  if (parseDay(ocds.date) === null) warnings.push('no date was published: that of its answer or its fetch is taken');
  warnings.push(
    ...warnOfCodes(noCpvs),
    ...warnOfAllPeriods(ocds),
    ...warnOfContents(tender),
    ...warnOfUnread([tender, ...ocds.awards, ...ocds.contracts].map((one) => one.value)),
    ...warnOfCut('title', tender.title, LINE_MAX),
    ...warnOfCut('description', tender.description, TEXT_MAX),
    ...warnOfCut('additional information', ocds.description, TEXT_MAX),
    ...warnOfCut('changes', changes, TEXT_MAX),
    ...warnOfCut('engagement', ocds.engagement, TEXT_MAX),
  );
  const details = wordsOf(tender.submissionMethodDetails);
  const address = findAddress(details);
  const apply = {
    ...(tender.submissionMethods.length > 0 ? { method: tender.submissionMethods.join(', ') } : {}),
    ...(address ? { url: address } : {}),
    ...(details ? { details } : {}),
  };
  return {
    lots: lotsOf(ocds),
    dates: datesOf(ocds, stage),
    additional_information: wordsOf(ocds.description) || undefined,
    what_changed: wordsOf(changes) || undefined,
    engagement: wordsOf(ocds.engagement) || undefined,
    ...(reason ? { no_engagement_reason: reason } : {}),
    ...(Object.keys(apply).length > 0 ? { how_to_apply: apply } : {}),
    ...competitionOf(ocds),
    ...wholeTerms(tender),
    ...(tender.legalBasis ? { legal_basis: tender.legalBasis } : {}),
    ...(category ? { category } : {}),
    ...jointBuyersOf(partiesOf(ocds)),
    ...ownReferenceOf(ocds),
    ...continuationOf(ocds),
    warnings,
  };
}
