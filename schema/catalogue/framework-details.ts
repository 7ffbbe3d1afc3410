import type { Region } from '../reference/regions.ts';
import type { ParticipationFee } from './bids.ts';
import type { CeilingSource } from './enums.ts';

/** `framework.lots`: a lot and the suppliers from which it may be called off. */
export interface FrameworkLot {
  lot_id: string;
  title: string;
  value?: number;
  starts?: string;
  ends?: string;
  /** Present where a length is published instead of days. */
  duration_days?: number;
  duration_months?: number;
  suppliers: { company_id: string; name: string; companies_house_number?: string }[];
}

/** `framework.detail`. */
export interface FrameworkDetail {
  /** Why it counts as a framework: `flag: framework agreement`, `title: framework`, `description: to establish a framework`. */
  evidence: string[];
  description?: string;
  method?: string;
  /** How contracts are called off, in the words of the notice. */
  call_off_terms?: string;
  type?: string;
  who_may_use?: string;
  /** Buyers that it names as its own. */
  buyers?: string[];
  /** Ids of the buyers besides the main one that its own notice names. */
  joint_buyer_ids?: string[];
  /** Kinds and places of buyers that it is restricted to. */
  restricted_to?: string[];
  extends_to?: string;
  /** The source of the ceiling: the tender, or an amount on which its awards agree. */
  ceiling_from?: CeilingSource;
  references: string[];
  max_suppliers?: number;
  /** Whether it is one of a scheme of successive frameworks: new suppliers may join with the next (Procurement Act 2023, section 49). */
  open_framework?: true;
  /** What the latest notice that states fees says of the whole. */
  participation_fees?: ParticipationFee[];
  /** Those of its own notice, through which searches find it. */
  regions: Region[];
  warnings: string[];
  /** Notices of its process, oldest first. */
  notice_ids?: string[];
  /** All codes of its own notice. */
  cpvs: string[];
}
