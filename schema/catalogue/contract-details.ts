import type { DirectAwardGround } from '../reference/notice-types.ts';
import type { Region } from '../reference/regions.ts';
import type { Bids, Justification } from './bids.ts';
import type { Kpi, ValueBasis } from './details.ts';
import type { EndsLatestBasis } from './enums.ts';

/** What a contract says of its suppliers and its award, as filters compare it. */
export interface ContractTerms {
  sme: boolean | null;
  vcse: boolean | null;
  direct_award_grounds: string[];
  standstill_until: string | null;
}

/** `contract.detail`. */
export interface ContractDetail {
  description?: string;
  lots: { lot_id: string; title?: string }[];
  warnings: string[];
  extends_to?: string;
  /** The source of `extends_to`. */
  ends_latest_basis?: EndsLatestBasis;
  /** As published. */
  procedure?: string;
  justification?: Justification;
  /** Why there was no competition, in one word each. */
  direct_award_grounds?: DirectAwardGround[];
  /** The last day on which the award could be challenged before its contract is signed. */
  standstill_until?: string;
  bids?: Bids;
  kpis?: Kpi[];
  /** Why there are none, in the words of its notice. */
  no_kpis_reason?: string | undefined;
  /** What is published of renewals and of further purchases, in its words. */
  renewal?: string;
  options?: string;
  /** What it cost in the end, as its termination notice says. */
  final_value?: { value: number; currency: string; value_basis: ValueBasis };
  regions: Region[];
  /** Where it is delivered, as stated besides its regions. */
  delivery_places?: string[];
  cpvs: string[];
  /** How the contract was tied to its framework: `own`, `identifier`, `reference`. */
  framework_link?: { method: string; evidence: string[] };
  changes?: ContractChange[];
  /** What each notice said about the award, oldest first, where several did. */
  history?: ContractStatement[];
  /** The day a termination ended it before its time. */
  terminated?: string;
  /** Suppliers that an earlier notice named and a later one does not. */
  former_suppliers?: string[];
  /** Other ids under which the same award was published: they lead to this one. */
  also_published_as?: string[];
  /** Notices about the award, oldest first. */
  notice_ids?: string[];
}

export interface ContractChange {
  notice_id: string;
  date: string;
  description?: string;
  /** Of the contract as changed. */
  value?: number;
  currency?: string;
  value_basis?: ValueBasis;
  ends?: string;
  extends_to?: string;
  /** Announced but not signed: so far it changes nothing. */
  proposed?: true;
}

/** What one notice said about a contract; anything that it left out is absent. */
export interface ContractStatement {
  notice_id: string;
  notice_type: string;
  published: string;
  status?: string;
  value?: number;
  currency?: string;
  value_basis?: ValueBasis;
  starts?: string;
  ends?: string;
  suppliers?: string[];
}
