import { CHANGE_KINDS, type ChangeKind } from '../../../schema/catalogue/changes/kinds.ts';
import type { ChangeFilters } from '../../../search/changes/match.ts';
import { READER_START, type ReaderPosition } from '../../../search/changes/page.ts';

/** Who keeps a copy by changes alone. */
export interface Reader {
  kinds: readonly ChangeKind[];
  filters: ChangeFilters;
  /** The rows of a kind that it wants, as SQL over the row `n`. */
  wants: string;
  limit: number;
  position: ReaderPosition;
  mirror: Map<string, unknown>;
}

const makeReader = (one: Pick<Reader, 'kinds' | 'filters' | 'wants' | 'limit'>): Reader => ({
  ...one,
  position: READER_START,
  mirror: new Map(),
});
/** A contract `c` of painting. */
const PAINTS = `EXISTS (SELECT 1 FROM json_each(c.detail, '$.cpvs') WHERE value LIKE '4544%')`;
/** Suppliers that won a contract that meets a condition. */
const wonOne = (condition: string) => `EXISTS (SELECT 1 FROM contract c, json_each(c.suppliers) s
  WHERE c.gone = 0 AND s.value ->> '$.company_id' = n.id AND ${condition})`;
/** Readers of filters that contracts decide, which lists take too. */
export const makeMarketReaders = () => [
  makeReader({ kinds: ['company'], filters: { cpv: ['4544'] }, wants: wonOne(PAINTS), limit: 2 }),
  makeReader({
    kinds: ['company'],
    filters: { cpv: ['4544'], won_from: '2026-02-10', won_to: '2026-03-10' },
    wants: wonOne(`${PAINTS} AND c.sort_date BETWEEN '2026-02-10' AND '2026-03-10'`),
    limit: 3,
  }),
  makeReader({
    kinds: ['company'],
    filters: { won_from: '2026-03-15', won_value_min: 4_000 },
    wants: `${wonOne("c.sort_date >= '2026-03-15'")} AND n.totals ->> '$.sum.GBP.value' >= 4000`,
    limit: 2,
  }),
  makeReader({
    kinds: ['company'],
    filters: { won_value_min: 3_000 },
    wants: "n.totals ->> '$.sum.GBP.value' >= 3000",
    limit: 100,
  }),
  makeReader({
    kinds: ['buyer'],
    filters: { cpv: ['4544'] },
    wants: `EXISTS (SELECT 1 FROM contract c WHERE c.gone = 0 AND c.buyer_id = n.id AND ${PAINTS})`,
    limit: 1,
  }),
];

const inDetail = `EXISTS (SELECT 1 FROM json_each(n.detail, '$.cpvs') WHERE value LIKE '4544%')`;
/** All readers. */
export const makeReaders = () => [
  makeReader({ kinds: CHANGE_KINDS, filters: {}, wants: 'TRUE', limit: 1_000 }),
  makeReader({ kinds: CHANGE_KINDS, filters: {}, wants: 'TRUE', limit: 7 }),
  makeReader({ kinds: ['contract'], filters: { cpv: ['4544'] }, wants: inDetail, limit: 3 }),
  makeReader({
    kinds: ['contract', 'notice'],
    filters: { value_min: 2_000 },
    wants: "n.value >= 2000 AND n.currency = 'GBP'",
    limit: 5,
  }),
  makeReader({
    kinds: ['contract'],
    filters: { company_number: 'GB-COH-07654321' },
    wants: "EXISTS (SELECT 1 FROM contract_supplier s WHERE s.contract_id = n.id AND s.company_id = 'GB-COH-07654321')",
    limit: 4,
  }),
  makeReader({
    kinds: ['company'],
    filters: { company_status: ['liquidation'] },
    wants: `EXISTS (SELECT 1 FROM registered_company r WHERE r.company_number = n.company_number AND r.status = 'Liquidation')`,
    limit: 2,
  }),
  makeReader({
    kinds: ['company'],
    filters: { postcode: ['ls2', 'N10'] },
    wants: `coalesce(n.postcode, (SELECT r.postcode FROM registered_company r WHERE r.company_number = n.company_number)) LIKE 'LS2 %'`,
    limit: 2,
  }),
  ...makeMarketReaders(),
];
