import type { ContractDetail } from '../../schema/catalogue/contract-details.ts';
import type {
  DocumentDetail,
  LotDetail,
  NoticeDetail,
  NoticeReference,
  ProcessStatus,
  Stage,
  ValueBasis,
  ValueClass,
} from '../../schema/catalogue/details.ts';
import type { ContractStatus, EndsBasis, Procedure } from '../../schema/catalogue/enums.ts';
import type { FrameworkDetail } from '../../schema/catalogue/framework-details.ts';
import type { OcdsRelease } from '../../schema/ocds/types.ts';
import type { Region } from '../../schema/reference/regions.ts';
import type { MergeReport } from '../merge/ocds.ts';
import type { Sighting } from '../party/sighting.ts';

/** An amount that may become the value of a contract. */
export interface ValueCandidate {
  from: string;
  money: Money | null;
  basis: ValueBasis;
}

/** An award that is not counted as a contract, and why. */
export interface LeftOut {
  awardId: string;
  why: string;
}

/** A release of a process with its parsed JSON: the input of the compiler. */
export interface CompilerRelease {
  releaseId: string;
  date: string;
  ocds: OcdsRelease;
}

export type Role = 'buyer' | 'supplier';

export interface CompiledParty {
  partyId: string;
  role: Role;
  sighting: Sighting;
  /** Ids and numbers that were published for several suppliers, so none of them is believed. Never stored. */
  sharedIds: readonly string[];
}

export interface Money {
  value: number;
  currency: string;
}

/** The buyers besides the main one: the names that differ from its own, and the party ids, which are not stored. */
export interface JointBuyers {
  joint_buyers?: string[] | undefined;
  jointBuyerParties?: string[] | undefined;
}

/** A notice before its parties have identities: `buyerParty` and `supplierParties` are party ids. */
export interface CompiledNotice {
  noticeId: string;
  /** Its other names on its service, in lower case. */
  names: string[];
  /** The notice of another service that it says it copies: ocid and name. */
  original: { process?: string; notice?: string };
  stage: Stage;
  noticeType: string;
  title: string;
  description: string;
  buyerParty: string | null;
  published: string;
  publishedAt: string;
  deadline: string | null;
  deadlineAt: string | null;
  value: number | null;
  currency: string | null;
  valueBasis: ValueBasis | null;
  cpvs: string[];
  regions: Region[];
  url: string | null;
  isTender: boolean;
  /** Award ids that the releases of this notice name. */
  awardIds: string[];
  supplierParties: string[];
  /** Where each fact was read: shown by `explain`, never stored. */
  why: Record<'kind' | 'title' | 'buyer' | 'cpvs' | 'regions' | 'deadline', string>;
  detail: Omit<NoticeDetail, 'suppliers' | 'contract_ids' | 'framework_id'> & JointBuyers;
}

export interface CompiledContract {
  id: string;
  awardId: string;
  /** Its own award id, and those under which it was published again. Never stored. */
  awardIds: string[];
  noticeId: string;
  title: string;
  buyerParty: string | null;
  supplierParties: string[];
  value: number | null;
  currency: string | null;
  valueBasis: ValueBasis | null;
  /** The amounts considered, in order of preference. The first that is stated is the value. Never stored. */
  valueCandidates: ValueCandidate[];
  valueClass: ValueClass;
  awarded: string | null;
  signed: string | null;
  starts: string | null;
  ends: string | null;
  endsBasis: EndsBasis | null;
  /** Last day if every published option to extend is used. */
  endsLatest: string | null;
  procedure: Procedure | null;
  bidsReceived: number | null;
  bidsFromSmes: number | null;
  /** The words from which the latest end was read, and the notice that counts the bids. Never stored. */
  why: { endsLatest: string | null; bids: string | null };
  status: ContractStatus;
  sortDate: string;
  url: string | null;
  lotIds: string[];
  /** Ids of the contracts signed under the award. Never stored. */
  signedIds: string[];
  detail: Omit<ContractDetail, 'framework_link'>;
}

export interface CompiledFramework {
  noticeId: string;
  title: string;
  kind: 'framework' | 'dynamic_market';
  starts: string | null;
  ends: string | null;
  ceiling: number | null;
  currency: string | null;
  cpv: string | null;
  region: string | null;
  url: string | null;
  published: string;
  lots: {
    lotId: string;
    title: string;
    value: number | null;
    starts: string | null;
    ends: string | null;
    durationDays: number | null;
    durationMonths: number | null;
    supplierParties: string[];
  }[];
  detail: FrameworkDetail;
}

/** The framework that a call-off names. */
export interface CallOff {
  evidence: string[];
  /** Ocids named by identifier. */
  identifiers: string[];
  /** References such as `RM3764`, numbers of notices and ocids named in text. */
  references: string[];
  /** Whether its published procedure says that it is a call-off. */
  isByProcedure: boolean;
}

/** The signs by which the same procurement on another service is found. A sign is null if it is not published. */
export interface RelatedSigns {
  titleKey: string | null;
  /** The buyer's own reference, in capitals without punctuation. */
  reference: string | null;
  /** Ocids and names of notices of other services that the process names. */
  mentions: string[];
  /** Those among them that it says it copies. */
  originals: string[];
  firstPublished: string | null;
  lastPublished: string | null;
  deadline: string | null;
  awarded: string | null;
}

/** One compiled contracting process, without the identities of its parties. */
export interface CompiledProcess {
  id: string;
  ocid: string;
  source: string;
  title: string;
  stage: Stage;
  status: ProcessStatus;
  /** The last instant for bids while it is open; null if none is known. */
  bidsUntil: string | null;
  buyerParty: string | null;
  parties: CompiledParty[];
  documents: DocumentDetail[];
  notices: CompiledNotice[];
  noticeReferences: NoticeReference[];
  contracts: CompiledContract[];
  framework: CompiledFramework | null;
  callOff: CallOff | null;
  lots: LotDetail[];
  /** The signs by which the same procurement on another service is found. */
  related: RelatedSigns;
  /** How it was derived. Shown by `explain`, never stored. */
  why: {
    /** Ids of the releases merged, in order. */
    releases: string[];
    merge: MergeReport;
    /** Why the process has its status. */
    status: string;
    /** Awards that are not counted as contracts. */
    leftOut: LeftOut[];
  };
}
