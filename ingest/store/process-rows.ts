import type { NoticeDetail, SupplierDetail } from '../../schema/catalogue/details.ts';
import type { FrameworkLot } from '../../schema/catalogue/framework-details.ts';
import { EMPTY } from '../../schema/text/json-values.ts';
import { jointBuyerIds } from '../compile/parties/of-process.ts';
import type { CompiledContract, CompiledFramework, CompiledNotice, CompiledProcess } from '../compile/types.ts';
import { namingNotices, partyKey, type ResolvedParty, suppliersOf, suppliersWithNotices } from '../identity/resolve.ts';
import { nationOf } from '../party/buyer-type.ts';
import type { Row } from '../rows/versioned.ts';

/** Contracts that are counted as contracts of the other service: contract id -> contract ids. */
export type CountedAs = ReadonlyMap<string, readonly string[]>;

/** The framework of a call-off, or that it names one that is not stored. */
export interface FrameworkLink {
  frameworkId: string | null;
  /** `identifier`, `reference` or `none`. */
  method: string;
  evidence: string[];
}

/** What two services published, by the ids of rows. */
export interface Copied {
  /** If a notice is a copy: the notice id of its original. */
  originals: ReadonlyMap<string, string>;
  /** If a framework is a copy: the id of its original. */
  frameworks: ReadonlyMap<string, string>;
  /** For an original, and a contract that others count as: the other services that have it, as JSON. */
  alsoOn: ReadonlyMap<string, string>;
}

/** A process with resolved parties and its framework. */
export interface ResolvedProcess {
  process: CompiledProcess;
  parties: ReadonlyMap<string, ResolvedParty>;
  link: FrameworkLink | null;
  /** Absent where none of its contracts is. */
  countedAs?: CountedAs;
  copied?: Copied;
}

/** Every versioned row of a process. */
export function rowsOfProcess(resolved: ResolvedProcess): Row[] {
  const { process } = resolved;
  const naming = namingNotices(process);
  return [
    processRow(resolved),
    ...process.notices.map((notice) => noticeRow(notice, resolved)),
    ...process.contracts
      .filter(({ id }) => !resolved.countedAs?.has(id))
      .map((contract) => contractRow(contract, resolved, naming)),
    ...(process.framework ? [frameworkRow(process.framework, resolved)] : []),
  ];
}

/** A buyer, and where it is, otherwise where it buys. */
function buyerOf(partyId: string | null, { parties }: ResolvedProcess, places: CompiledNotice['regions'] = []) {
  const found = partyId === null ? undefined : parties.get(partyKey('buyer', partyId));
  const nation = nationOf(found?.party.sighting, places)?.nation ?? null;
  return { buyer_id: found?.identityId ?? null, buyer: found?.party.sighting.name ?? null, nation };
}

function processRow(resolved: ResolvedProcess): Row {
  const { process, countedAs } = resolved;
  const { titleKey, reference, firstPublished, lastPublished, deadline, awarded } = process.related;
  const elsewhere = process.contracts.flatMap(({ id }) => (countedAs?.has(id) ? [[id, countedAs.get(id)]] : []));
  return {
    table: 'process',
    id: process.id,
    columns: {
      ocid: process.ocid,
      source: process.source,
      title: process.title,
      buyer_id: buyerOf(process.buyerParty, resolved).buyer_id,
      stage: process.stage,
      status: process.status,
      documents: JSON.stringify(process.documents),
      notices: JSON.stringify(process.noticeReferences),
      title_key: titleKey,
      reference,
      first_published: firstPublished,
      last_published: lastPublished,
      deadline,
      awarded,
      counted_as: elsewhere.length > 0 ? JSON.stringify(Object.fromEntries(elsewhere)) : null,
    },
  };
}

/** `<notice id>_<process id>` in the characters that a search document's id may have. */
export function noticeRowId(noticeId: string, processId: string): string {
  return `${noticeId}_${processId}`.replace(/[^A-Za-z0-9_-]/g, '-');
}

function noticeRow(notice: CompiledNotice, resolved: ResolvedProcess): Row {
  const { process, link, copied } = resolved;
  const id = noticeRowId(notice.noticeId, process.id);
  const original = copied?.originals.get(id) ?? null;
  const awards = new Set(notice.awardIds);
  const contracts = process.contracts.filter(({ awardIds }) => awardIds.some((id) => awards.has(id)));
  const frameworkId = process.framework ? frameworkOf(resolved) : link?.frameworkId;
  const { jointBuyerParties: _, ...ownDetail } = notice.detail;
  const detail: NoticeDetail = {
    ...EMPTY,
    ...ownDetail,
    suppliers: suppliersOf(notice.supplierParties, resolved.parties),
    contract_ids: [...new Set(contracts.flatMap(({ id }) => resolved.countedAs?.get(id) ?? [id]))],
    ...(frameworkId ? { framework_id: frameworkId } : {}),
    ...(process.bidsUntil && process.bidsUntil !== notice.deadlineAt ? { bids_until: process.bidsUntil } : {}),
  };
  return {
    table: 'notice',
    id,
    columns: {
      notice_id: notice.noticeId,
      process_id: process.id,
      ocid: process.ocid,
      source: process.source,
      stage: notice.stage,
      notice_type: notice.noticeType,
      title: notice.title,
      description: notice.description,
      ...buyerOf(notice.buyerParty, resolved, notice.regions),
      published: notice.published,
      published_at: notice.publishedAt,
      deadline: notice.deadline,
      deadline_at: notice.deadlineAt,
      value: notice.value,
      currency: notice.currency,
      value_basis: notice.valueBasis,
      cpv: notice.cpvs[0] ?? null,
      cpvs: JSON.stringify(notice.cpvs),
      region: notice.regions.find(({ code }) => code)?.code ?? null,
      regions: JSON.stringify(notice.regions),
      status: process.status,
      url: notice.url,
      is_tender: notice.isTender && original === null ? 1 : 0,
      copy_of: original,
      also_on: copied?.alsoOn.get(id) ?? null,
      joint_buyer_ids: JSON.stringify(jointBuyerIds(notice, (party) => buyerOf(party, resolved).buyer_id)),
      detail: JSON.stringify(detail),
    },
  };
}

function contractRow(contract: CompiledContract, resolved: ResolvedProcess, naming: Map<string, string[]>): Row {
  const { process, link } = resolved;
  const suppliers = suppliersWithNotices(contract.supplierParties, resolved.parties, naming);
  const isOwn = process.framework !== null;
  const frameworkLink = isOwn
    ? { method: 'own', evidence: process.framework?.detail.evidence ?? [] }
    : link && { method: link.method, evidence: link.evidence };
  const callOff = process.callOff ? 'call_off' : null;
  return {
    table: 'contract',
    id: contract.id,
    columns: {
      process_id: process.id,
      ocid: process.ocid,
      source: process.source,
      notice_id: contract.noticeId,
      award_id: contract.awardId,
      title: contract.title,
      ...buyerOf(contract.buyerParty, resolved, contract.detail.regions),
      supplier: suppliers[0]?.name ?? null,
      suppliers: JSON.stringify(suppliers),
      value: contract.value,
      currency: contract.currency,
      value_basis: contract.valueBasis,
      value_class: contract.valueClass,
      awarded: contract.awarded,
      signed: contract.signed,
      starts: contract.starts,
      ends: contract.ends,
      status: contract.status,
      sort_date: contract.sortDate,
      cpv: contract.detail.cpvs[0] ?? null,
      region: contract.detail.regions.find(({ code }) => code)?.code ?? null,
      url: contract.url,
      // Undefined where there are none: then a row keeps the digest from before these were stored, and counts as unchanged.
      also_on: resolved.copied?.alsoOn.get(contract.id),
      framework_id: isOwn ? frameworkOf(resolved) : (link?.frameworkId ?? null),
      framework_role: isOwn ? 'establishes' : callOff,
      ends_latest: contract.endsLatest,
      ends_basis: contract.endsBasis,
      procedure: contract.procedure,
      bids_received: contract.bidsReceived,
      bids_from_smes: contract.bidsFromSmes,
      sme: smeOf(suppliers),
      detail: JSON.stringify(frameworkLink ? { ...contract.detail, framework_link: frameworkLink } : contract.detail),
    },
  };
}

/** 1 where a supplier is an SME, 0 where none is, null where neither is known. */
function smeOf(suppliers: readonly SupplierDetail[]): 0 | 1 | null {
  if (suppliers.some(({ is_sme }) => is_sme)) return 1;
  return suppliers.length > 0 && suppliers.every(({ is_sme }) => is_sme === false) ? 0 : null;
}

/** The framework that a process sets up; for a copy its original. */
function frameworkOf({ process, copied }: ResolvedProcess): string {
  return copied?.frameworks.get(process.id) ?? process.id;
}

function frameworkRow(framework: CompiledFramework, resolved: ResolvedProcess): Row {
  const { process, parties } = resolved;
  const lots: FrameworkLot[] = framework.lots.map(
    ({ lotId, title, value, starts, ends, supplierParties, ...length }) => ({
      lot_id: lotId,
      title,
      ...(value ? { value } : {}),
      ...(starts ? { starts } : {}),
      ...(ends ? { ends } : {}),
      ...(length.durationDays ? { duration_days: length.durationDays } : {}),
      ...(length.durationMonths ? { duration_months: length.durationMonths } : {}),
      suppliers: suppliersOf(supplierParties, parties).map(({ is_sme: _s, is_vcse: _v, match: _m, ...named }) => named),
    }),
  );
  const { noticeId, title, kind, starts, ends, ceiling, currency, cpv, region, url, published, detail } = framework;
  const own = process.notices.find((notice) => notice.noticeId === noticeId);
  return {
    table: 'framework',
    id: process.id,
    columns: {
      process_id: process.id,
      ocid: process.ocid,
      source: process.source,
      notice_id: noticeId,
      title,
      kind,
      ...buyerOf(process.buyerParty, resolved, detail.regions),
      starts,
      ends,
      ceiling,
      currency,
      cpv,
      region,
      url,
      published,
      lots: JSON.stringify(lots),
      // As of contracts, undefined where there is none. It is found through its own notice, under the services of that.
      copy_of: resolved.copied?.frameworks.get(process.id),
      also_on: resolved.copied?.alsoOn.get(noticeRowId(noticeId, process.id)),
      detail: JSON.stringify({
        ...detail,
        joint_buyer_ids: own && jointBuyerIds(own, (party) => buyerOf(party, resolved).buyer_id),
      }),
    },
  };
}
