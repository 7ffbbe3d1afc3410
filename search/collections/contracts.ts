import { CONTRACT_VALUE, vcseSql } from '../../schema/catalogue/enums.ts';
import { londonDate } from '../../schema/config/clocks.ts';
import { contractFacets, makeContractDocument } from '../documents/contract.ts';
import { dayNumber, knownDayNumber } from '../documents/days.ts';
import { DESCRIPTION_SHOWN, valueInPounds } from '../documents/from-row.ts';
import type { ContractDocument, SearchQuery } from '../engine.ts';
import { CONTRACT_FACETS } from '../filters/facets.ts';
import { type Collection, type IndexToken, namesAsColumns } from './shape.ts';
import { bidsTokens, monthTokens, valueTokens, wantedBids, wantedMonths, wantedValues } from './tokens.ts';

/** The register's current and former names of a contract's suppliers. */
const REGISTER_NAMES = `(SELECT json_group_array(name) FROM (
    SELECT r.name FROM contract_supplier s JOIN company c ON c.id = s.company_id
      JOIN registered_company r ON r.company_number = c.company_number WHERE s.contract_id = n.id
    UNION SELECT p.name FROM contract_supplier s JOIN company c ON c.id = s.company_id
      JOIN previous_name p ON p.company_number = c.company_number WHERE s.contract_id = n.id))`;

/** The descriptions that its notice gives for a contract's codes: people search by these words. */
const CODE_NAMES = `(SELECT w.detail -> '$.cpv_descriptions' FROM notice w
    WHERE w.notice_id = n.notice_id AND w.process_id = n.process_id)`;

interface ShownContract extends Pick<ContractDocument, 'id' | 'notice_id' | 'title'> {
  description: string | null;
}

/** Contracts, each award once. */
export const CONTRACTS: Collection<ContractDocument> = {
  name: 'contracts',
  stem: 'contracts',
  datasets: ['contracts'],
  drained: {
    table: 'contract',
    columns: `n.id, n.notice_id, n.ocid, n.source, n.nation, n.title, n.buyer, n.buyer_id, n.buyer_kind, ${CONTRACT_VALUE} AS value, n.currency,
  n.sort_date AS dated, n.starts, n.ends, n.status, n.procedure, n.bids_received AS bids, n.sme,
  ${vcseSql('n.suppliers')} AS vcse, n.framework_id, n.suppliers,
  n.also_on, n.detail, n.seq, n.gone, ${REGISTER_NAMES} AS register_names,
  ${CODE_NAMES} AS code_names`,
    join: '',
    absent: ['gone = 1'],
    // If the register renames a company, its contracts are indexed again, although their own rows do not change.
    others: {
      // Suppliers are fewer than registered companies, so they are read in order, and not at all if no record changed.
      changed: `SELECT c.id FROM company c CROSS JOIN registered_company r ON r.company_number = c.company_number
        WHERE EXISTS (SELECT 1 FROM registered_company WHERE seq > ?1) AND r.match_seq > ?1 AND r.match_seq <= ?2
        AND c.id > ?3 ORDER BY c.id`,
      concerns:
        'n.id IN (SELECT contract_id FROM contract_supplier WHERE company_id IN (SELECT value FROM json_each(?)))',
    },
    toDocument: makeContractDocument,
    shown: {
      columns: {
        ...namesAsColumns(['id', 'notice_id', 'title', 'gone']),
        description: `substr(n.detail ->> '$.description', 1, ${DESCRIPTION_SHOWN})`,
      },
      toShown: ({ description, ...row }: ShownContract) => ({ ...row, description: description ?? '' }),
    },
  },
  day: { of: ({ dated }) => dated, field: 'dated' },
  facets: CONTRACT_FACETS,
  facetValues: contractFacets,
  shown: ['id', 'notice_id', 'title'],
  compared: [
    { name: 'starts_day', of: ({ starts }) => knownDayNumber(starts) },
    { name: 'ends_day', of: ({ ends }) => knownDayNumber(ends), sorts: true },
    { name: 'standstill_day', of: ({ standstill_until: until }) => knownDayNumber(until) },
    { name: 'pounds', of: valueInPounds, sorts: true },
    { name: 'bids', of: ({ bids }) => bids },
  ],
  boundColumn: (field) => BOUNDS[field] ?? null,
  sortColumn: (field) => BOUNDS[field] ?? null,
  newest: '-awarded',
  clock,
  flags: ({ is_terminated }) => [is_terminated ? 'terminated' : 'running'],
  wantedFlag: (query) => {
    const status = statusOf(query);
    if (status === 'any') return null;
    return status === 'terminated' ? 'terminated' : 'running';
  },
  tokens: (document) => [
    ...monthTokens('d', document.ends),
    ...monthTokens('t', document.starts),
    ...monthTokens('s', document.standstill_until),
    ...valueTokens('v', valueInPounds(document)),
    ...bidsTokens('w', document.bids),
  ],
  wantedTokens,
};

const BOUNDS: Readonly<Record<string, string>> = {
  value: 'pounds',
  starts: 'starts_day',
  ends: 'ends_day',
  standstill_until: 'standstill_day',
  bids: 'bids',
};

function statusOf({ filters }: SearchQuery) {
  return filters.status ?? 'any';
}

/** The state of a contract on the London day of `now`: unless terminated, it runs to the end of its last day. */
function clock(query: SearchQuery): ReturnType<Collection['clock']> {
  const status = statusOf(query);
  if (status !== 'active' && status !== 'ended') return [];
  return [{ column: 'ends_day', operator: status === 'active' ? '>=' : '<', value: dayNumber(londonDate(query.now)) }];
}

function wantedTokens(query: SearchQuery): IndexToken[][] {
  const { filters, now } = query;
  return [
    ...wantedValues('v', filters),
    ...wantedBids('w', filters),
    ...wantedMonths('t', filters.starts_from, filters.starts_to),
    ...wantedMonths('d', filters.ends_from, filters.ends_to),
    ...wantedMonths('s', filters.standstill_from, filters.standstill_to),
    ...(statusOf(query) === 'active' ? wantedMonths('d', londonDate(now), filters.ends_to) : []),
  ];
}
