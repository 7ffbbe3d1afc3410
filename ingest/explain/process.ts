import { isLive, statusNow } from '../../schema/catalogue/live.ts';
import type { RelatedProcess } from '../../schema/catalogue/related-processes.ts';
import { isoInstant } from '../../schema/config/clocks.ts';
import { prepare } from '../compile/process.ts';
import type { CompiledFramework, CompiledNotice, CompiledProcess } from '../compile/types.ts';
import { addressesOf, regionSigns, wordRegion } from '../fields/classifications.ts';
import { partyKey } from '../identity/resolve.ts';
import { countDuplicateIds } from '../merge/ocds.ts';
import { latestVersions, orderReleases, type StoredRelease } from '../merge/uk.ts';
import { nationOf } from '../party/buyer-type.ts';
import { placeOnDate } from '../sources/index.ts';
import { noticeRowId, type ResolvedProcess } from '../store/process-rows.ts';
import { describeContract, describeParty } from './contract.ts';
import type { ReleaseRow, RequestedId } from './stored.ts';
import { copiesOfFramework, copiesOfNotice, type OnTwoServices } from './two-services.ts';
import type { ExplainedFramework, ExplainedNotice, ExplainedParty, ExplainedRelease, Explanation } from './types.ts';

interface ExplainedProcess {
  asked: RequestedId;
  now: Date;
  resolved: ResolvedProcess;
  /** Every release of the ocid; for those taken down, what remains. */
  releases: readonly StoredRelease[];
  stored: readonly ReleaseRow[];
  /** Other processes of the same ocid. */
  siblings: readonly CompiledProcess[];
  differing: number;
  onTwo: OnTwoServices;
  related: readonly RelatedProcess[];
  successions: Pick<Explanation, 'incumbents' | 'successors'>;
}

/** Explains how a compiled process was decided. Decides nothing itself: every reason comes from the compiler. */
export function explainProcess(explained: ExplainedProcess): Explanation {
  const { asked, now, resolved, differing } = explained;
  const { process, link } = resolved;
  const { noticeId, contractId } = asked;
  const { id, ocid, source, title, stage, status, callOff } = process;
  return {
    asked: {
      by: asked.by,
      ...(noticeId ? { notice_id: noticeId } : {}),
      ...(contractId ? { contract_id: contractId } : {}),
    },
    now: isoInstant(now),
    process: { id, ocid, source, title, stage, status, status_why: process.why.status, rows_differing: differing },
    releases: describeReleases(explained),
    merge: describeMerge(explained),
    notices: process.notices.map((notice) => describeNotice(notice, explained)),
    contracts: process.contracts.map((contract) => describeContract(contract, resolved, explained.onTwo)),
    left_out: process.why.leftOut.map(({ awardId, why }) => ({ award_id: awardId, why })),
    framework: process.framework ? describeFramework(process.framework, resolved, explained.onTwo) : null,
    call_off: callOff && {
      evidence: callOff.evidence,
      framework_id: link?.frameworkId ?? null,
      method: link?.method ?? 'none',
      link_evidence: link?.evidence ?? [],
    },
    related: explained.related.map(({ process: other, likeness }) => {
      return { process_id: other.id, source: other.source, title: other.title, ...likeness };
    }),
    related_signs: {
      title: process.related.titleKey,
      reference: process.related.reference,
      mentions: process.related.mentions,
    },
    ...explained.successions,
    documents: process.documents,
  };
}

/** In the order of the merge, followed by those that were taken down. */
function describeReleases({ releases, stored, resolved }: ExplainedProcess): ExplainedRelease[] {
  const ordered = orderReleases(releases, placeOnDate);
  const latest = new Set(latestVersions(ordered));
  const own = new Set(resolved.process.why.releases);
  const isOneOfSeveral = ({ releaseId }: StoredRelease) =>
    ordered.filter((other) => other.releaseId === releaseId).length > 1;
  const stateOf = (release: StoredRelease) => {
    if (!latest.has(release)) return 'replaced: published again with another body';
    if (!own.has(release.releaseId)) return 'of another process under this ocid';
    const { lastFetchedAt } = release;
    return lastFetchedAt && isOneOfSeveral(release) ? `merged: put back, fetched again ${lastFetchedAt}` : 'merged';
  };
  const described = ordered.map((release): ExplainedRelease => {
    const { releaseId, date, fetchedAt, digest } = release;
    const { tag } = prepare(release).ocds;
    return { release_id: releaseId, date, tag, fetched_at: fetchedAt, digest, state: stateOf(release) };
  });
  const gone = stored.filter(({ isEmpty }) => isEmpty);
  return [
    ...described,
    ...gone.map(({ releaseId, date, fetchedAt, digest }) => {
      return { release_id: releaseId, date, tag: [], fetched_at: fetchedAt, digest, state: 'taken down' };
    }),
  ];
}

function describeMerge({ resolved, releases, siblings }: ExplainedProcess): string[] {
  const { id, ocid, parties, why } = resolved.process;
  const own = new Set(why.releases);
  const merged = latestVersions(orderReleases(releases, placeOnDate)).filter(({ releaseId }) => own.has(releaseId));
  const duplicateIds = merged.reduce((sum, { json }) => sum + countDuplicateIds(json), 0);
  const { nullsKept } = why.merge;
  const counted = new Map<string, number>();
  for (const field of nullsKept) counted.set(field, (counted.get(field) ?? 0) + 1);
  const fields = [...counted].map(([field, count]) => (count > 1 ? `${field} (${count} times)` : field)).join(', ');
  const passing = parties.filter(({ partyId }) => partyId.includes('#')).length;
  const shared = new Set(parties.flatMap(({ sharedIds }) => sharedIds));
  const others = siblings.map((other) => other.id).join(', ');
  return [
    ...(nullsKept.length > 0 ? [`explicit nulls of Find a Tender wiped nothing: ${fields}`] : []),
    ...(duplicateIds > 0
      ? [`ids that stood twice in one list: ${duplicateIds}; what they stand for is kept apart where it differs`]
      : []),
    ...(passing > 0 ? [`parties whose id holds within one release only, made the release's own: ${passing}`] : []),
    ...[...shared].map((one) => `an id published for several suppliers, and believed for none: ${one}`),
    ...(id === ocid ? [] : [`the ocid is used by several sets of buyers and was split; the others: ${others}`]),
  ];
}

function buyerOf(partyId: string | null, { parties }: ResolvedProcess): ExplainedParty | null {
  const found = partyId === null ? undefined : parties.get(partyKey('buyer', partyId));
  if (partyId === null || !found) return null;
  const { region, postcode, kind } = found.party.sighting;
  const by = region?.code?.length === 3 && postcode ? ` (postcode ${postcode})` : '';
  return {
    ...describeParty(partyId, found),
    ...(region ? { region: `${wordRegion(region)}${by}` } : {}),
    ...(kind ? { kind: kind.replace(' ', ', by its ') } : {}),
  };
}

function describeNotice(notice: CompiledNotice, { resolved, now, releases, onTwo }: ExplainedProcess): ExplainedNotice {
  const addresses = releases.flatMap((release) => addressesOf(prepare(release).ocds));
  const { why, deadline, deadlineAt, value, currency, valueBasis } = notice;
  const buyer = buyerOf(notice.buyerParty, resolved);
  const buyerParty =
    notice.buyerParty === null ? undefined : resolved.parties.get(partyKey('buyer', notice.buyerParty));
  const nation = nationOf(buyerParty?.party.sighting, notice.regions);
  return {
    notice_id: notice.noticeId,
    copy_of: onTwo.copied.originals.get(noticeRowId(notice.noticeId, resolved.process.id)) ?? null,
    also_on: copiesOfNotice(notice.noticeId, onTwo),
    notice_type: notice.noticeType,
    stage: notice.stage,
    kind_from: why.kind,
    published: notice.published,
    title: { value: notice.title, from: why.title },
    buyer: buyer && { ...buyer, from: why.buyer },
    deadline: deadline === null ? null : { value: deadline, at: deadlineAt, from: why.deadline },
    ...liveness(notice, resolved.process, now),
    value: value === null ? null : { amount: value, currency, basis: valueBasis },
    cpvs: { value: notice.cpvs, from: why.cpvs },
    regions: {
      value: notice.regions.map(wordRegion),
      from: why.regions,
      signs: regionSigns(addresses, notice.regions),
    },
    nation: nation && { value: nation.nation, from: nation.sign },
    award_ids: notice.awardIds,
    documents: notice.detail.documents.length,
    warnings: notice.detail.warnings,
  };
}

function liveness(notice: CompiledNotice, process: CompiledProcess, now: Date) {
  const bids = { deadline: notice.deadline, deadline_at: notice.deadlineAt, bids_until: process.bidsUntil };
  return { status: statusNow(process.status, bids, now), ...liveOf(notice, process.status, now) };
}

function liveOf({ deadline, deadlineAt, isTender }: CompiledNotice, status: string, now: Date) {
  const live = isTender && isLive({ deadline, deadline_at: deadlineAt }, status, now);
  if (live) return { live, live_why: 'its deadline lies ahead and nothing has ended the process' };
  if (!isTender) return { live, live_why: 'it is not the latest tender notice of its process' };
  if (deadline === null) return { live, live_why: 'it states no deadline' };
  const isAhead = isLive({ deadline, deadline_at: deadlineAt }, 'open', now);
  return { live, live_why: isAhead ? `the process is ${status}` : 'its deadline has passed' };
}

function describeFramework(
  framework: CompiledFramework,
  { process, parties }: ResolvedProcess,
  onTwo: OnTwoServices,
): ExplainedFramework {
  const { kind, ceiling, currency, starts, ends, lots, detail } = framework;
  const nameOf = (partyId: string) => parties.get(partyKey('supplier', partyId))?.party.sighting.name ?? partyId;
  return {
    framework_id: process.id,
    copy_of: onTwo.copied.frameworks.get(process.id) ?? null,
    also_on: copiesOfFramework(process.id, onTwo),
    kind,
    evidence: detail.evidence,
    ceiling: { amount: ceiling, currency },
    starts,
    ends,
    references: detail.references,
    notice_ids: detail.notice_ids ?? [],
    lots: lots.map(({ lotId, title, supplierParties }) => {
      return { lot_id: lotId, title, suppliers: supplierParties.map(nameOf) };
    }),
  };
}
