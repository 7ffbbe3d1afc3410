import type { Bids } from '../../schema/catalogue/bids.ts';
import type { DocumentDetail, Match, ValueBasis, ValueClass } from '../../schema/catalogue/details.ts';

/** How the fields of one process were decided, for an operator. Absent if there is nothing to explain. */
export interface Explanation {
  asked: { by: 'notice' | 'contract' | 'ocid'; notice_id?: string; contract_id?: string };
  now: string;
  process: {
    id: string;
    ocid: string;
    source: string;
    title: string;
    stage: string;
    status: string;
    status_why: string;
    /** Stored rows that would be compiled differently now. */
    rows_differing: number;
  };
  releases: ExplainedRelease[];
  /** What the merge did beyond the standard's rules. */
  merge: string[];
  notices: ExplainedNotice[];
  contracts: ExplainedContract[];
  left_out: { award_id: string; why: string }[];
  framework: ExplainedFramework | null;
  call_off: { evidence: string[]; framework_id: string | null; method: string; link_evidence: string[] } | null;
  /** The same procurement on the other service. */
  related: ExplainedRelated[];
  /** What would identify it there, and what it cites from that service. */
  related_signs: { title: string | null; reference: string | null; mentions: string[] };
  /** Contracts of the same buyer that it may succeed, and procurements that may succeed its contracts. */
  incumbents: ExplainedSuccession[];
  successors: ExplainedSuccession[];
  documents: DocumentDetail[];
}

/** A predecessor or successor, and why. The rules are in `ingest/succession`. */
export interface ExplainedSuccession {
  process_id: string;
  contract_id: string;
  /** Of the other one. */
  title: string;
  method: string;
  score: number;
  evidence: string[];
}

interface ExplainedRelated {
  process_id: string;
  source: string;
  title: string;
  method: string;
  score: number;
  evidence: string[];
}

export interface ExplainedRelease {
  release_id: string;
  date: string;
  tag: string[];
  fetched_at: string;
  digest: string;
  /** `merged`, or why it was not. */
  state: string;
}

/** A party as named in the process and the identity it was tied to. */
export interface ExplainedParty {
  party_id: string;
  name: string;
  identity: string;
  match: Match;
  /** For a buyer: its place and kind of body, judged from this party alone. */
  region?: string;
  kind?: string;
}

/** A value and the place it was read from. */
interface Stated<T> {
  value: T;
  from: string;
}

/** The same thing as published by another service, and the notices that say so. */
export interface ExplainedCopy {
  source: string;
  /** Its notice id, contract id or framework id there. */
  id: string;
  notice_ids: string[];
}

export interface ExplainedNotice {
  notice_id: string;
  /** The notice of another service that it is a copy of; null where it is not a copy. */
  copy_of: string | null;
  also_on: ExplainedCopy[];
  notice_type: string;
  stage: string;
  kind_from: string;
  published: string;
  title: Stated<string>;
  buyer: (ExplainedParty & { from: string }) | null;
  deadline: (Stated<string> & { at: string | null }) | null;
  /** As of now. */
  status: string;
  live: boolean;
  live_why: string;
  value: { amount: number; currency: string | null; basis: ValueBasis | null } | null;
  cpvs: Stated<string[]>;
  regions: Stated<string[]> & { signs: string[] };
  /** The nation of its buyer, otherwise of the place of performance; null where neither is known. */
  nation: Stated<string> | null;
  award_ids: string[];
  documents: number;
  warnings: string[];
}

export interface ExplainedContract {
  contract_id: string;
  award_id: string;
  /** Numbers under which the same award was published again. */
  also_published_as: string[];
  /** Contracts of the other service that it counts as; empty if it counts itself. */
  counted_as: string[];
  /** Contracts of other services that are counted as this one. */
  also_on: ExplainedCopy[];
  /** Ids of the contracts signed under the award. */
  signed_ids: string[];
  /** Every notice about it. */
  notices: { notice_id: string; notice_type: string; published: string }[];
  title: string;
  status: string;
  value: {
    amount: number | null;
    currency: string | null;
    basis: ValueBasis | null;
    class: ValueClass;
    class_why: string;
    candidates: { from: string; amount: number | null; currency: string | null; chosen: boolean }[];
  };
  suppliers: (ExplainedParty & { notice_ids: string[] })[];
  dates: Record<'awarded' | 'signed' | 'starts' | 'ends' | 'ends_latest', string | null>;
  /** The source of `ends` and `ends_latest`, the latter with its words unless it is a stated day. */
  ends_from: string | null;
  ends_latest_from: string | null;
  /** The code and what is published. Other words may mark a call-off; `call_off` quotes them. */
  procedure: { code: string | null; published: string | null; justification: string[] };
  bids: (Bids & { from: string | null }) | null;
  lots: string[];
  warnings: string[];
}

export interface ExplainedFramework {
  framework_id: string;
  /** The framework of another service that it is a copy of; null where it is not a copy. */
  copy_of: string | null;
  also_on: ExplainedCopy[];
  kind: string;
  evidence: string[];
  ceiling: { amount: number | null; currency: string | null };
  starts: string | null;
  ends: string | null;
  references: string[];
  notice_ids: string[];
  lots: { lot_id: string; title: string; suppliers: string[] }[];
}
