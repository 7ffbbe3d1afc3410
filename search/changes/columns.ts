import type { ChangeKind } from '../../schema/catalogue/changes/kinds.ts';
import type { RowColumns } from '../../schema/catalogue/changes/read.ts';
import type { buyer, company } from '../../schema/catalogue/tables/parties.ts';
import type { contract, framework, notice } from '../../schema/catalogue/tables/procurement.ts';
import { REGISTERED, type Registered } from '../directory/register/describe.ts';

const POUNDS_WON = "n.totals ->> '$.sum.GBP.value' AS pounds";
const REGIONS = "n.detail -> '$.regions' AS regions";
const ofRow = (...names: string[]) => names.map((name) => `n.${name}`).join(', ');

/** The columns of a brief item, read with its row `n` alone; for a supplier, its register data too. */
export const ITEM_COLUMNS: Readonly<Record<ChangeKind, RowColumns>> = {
  notice: {
    columns: `${ofRow('notice_id', 'ocid', 'title', 'buyer', 'buyer_id', 'published', 'published_at', 'deadline')},
      ${ofRow('deadline_at', 'value', 'currency', 'cpvs', 'regions', 'source', 'stage', 'notice_type', 'status', 'url')},
      n.nation, n.buyer_kind, n.is_tender, n.also_on, n.detail ->> '$.framework_id' AS framework_id,
      n.detail ->> '$.dates.tender_expected' AS tender_expected`,
  },
  contract: {
    columns: `${ofRow('notice_id', 'ocid', 'title', 'buyer', 'buyer_id', 'buyer_kind', 'supplier', 'suppliers', 'value', 'currency')},
      ${ofRow('value_basis', 'value_class', 'awarded', 'signed', 'starts', 'ends', 'ends_latest', 'procedure', 'status')},
      ${ofRow('bids_received', 'bids_from_smes', 'cpv', 'framework_id', 'framework_role', 'sort_date', 'source', 'url')}, n.nation,
      n.also_on, ${REGIONS}`,
  },
  company: {
    columns: `coalesce(r.name, n.name) AS name, n.company_number, n.is_sme, coalesce(n.locality, r.locality) AS locality,
      coalesce(n.postcode, r.postcode) AS postcode, ${ofRow('contract_count', 'framework_places')}, ${POUNDS_WON}, ${REGISTERED}`,
    join: 'LEFT JOIN registered_company r ON r.company_number = n.company_number',
  },
  buyer: {
    columns: `${ofRow('name', 'region', 'region_code', 'nation', 'contract_count', 'framework_places')}, n.kind AS body,
      n.detail ->> '$.scope' AS scope, ${POUNDS_WON}`,
  },
  framework: {
    columns: `${ofRow('title', 'buyer', 'buyer_id', 'starts', 'ends', 'ceiling', 'currency', 'cpv', 'ocid')},
      ${ofRow('notice_id', 'published', 'url', 'source', 'nation', 'buyer_kind', 'also_on')}, n.kind AS form, json_array_length(n.lots) AS lot_count,
      ${REGIONS}`,
  },
};

type Select<Table extends { $inferSelect: object }, Names extends keyof Table['$inferSelect']> = Pick<
  Table['$inferSelect'],
  Names
>;
export type NoticeItemRow = Select<
  typeof notice,
  'id' | 'notice_id' | 'ocid' | 'title' | 'buyer' | 'buyer_id' | 'published'
> &
  Select<typeof notice, 'published_at' | 'deadline' | 'deadline_at' | 'source' | 'stage' | 'notice_type' | 'url'> &
  Select<typeof notice, 'nation' | 'status' | 'is_tender' | 'cpvs' | 'regions' | 'value' | 'currency' | 'also_on'> &
  Select<typeof notice, 'buyer_kind'> & {
    framework_id: string | null;
    tender_expected: string | null;
  };
export type ContractItemRow = Select<typeof contract, 'id' | 'notice_id' | 'ocid' | 'title' | 'buyer' | 'buyer_id'> &
  Select<typeof contract, 'currency' | 'value_basis' | 'awarded' | 'signed' | 'starts' | 'ends' | 'ends_latest'> &
  Select<typeof contract, 'procedure' | 'bids_received' | 'bids_from_smes' | 'cpv' | 'framework_id' | 'nation'> &
  Select<typeof contract, 'framework_role' | 'source' | 'url' | 'status' | 'supplier' | 'suppliers'> &
  Select<typeof contract, 'value' | 'value_class' | 'sort_date' | 'also_on' | 'buyer_kind'> & {
    regions: string | null;
  };
export type CompanyItemRow = Select<typeof company, 'id' | 'is_sme' | 'contract_count' | 'framework_places'> &
  Omit<Registered, 'name_key'> & { pounds: number | null };
export type BuyerItemRow = Select<typeof buyer, 'id' | 'name' | 'region' | 'region_code' | 'nation'> &
  Select<typeof buyer, 'contract_count' | 'framework_places'> & {
    body: string | null;
    scope: string | null;
    pounds: number | null;
  };
export type FrameworkItemRow = Select<
  typeof framework,
  'id' | 'title' | 'buyer' | 'buyer_id' | 'starts' | 'ends' | 'ceiling'
> &
  Select<typeof framework, 'currency' | 'cpv' | 'ocid' | 'notice_id' | 'published' | 'url' | 'source'> &
  Select<typeof framework, 'nation' | 'buyer_kind' | 'also_on'> & {
    form: string;
    lot_count: number;
    regions: string | null;
  };

/** A row as `ITEM_COLUMNS` reads it, with its id. */
export type ItemRow = NoticeItemRow | ContractItemRow | CompanyItemRow | BuyerItemRow | FrameworkItemRow;
