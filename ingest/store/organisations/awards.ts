import type { SupplierDetail, ValueClass } from '../../../schema/catalogue/details.ts';
import type { Database } from '../../../schema/db/interface.ts';
import { chunksOf } from '../../../schema/text/memoise.ts';
import type { IdentityKind } from '../../party/sighting.ts';
import { type Row, readInParts } from '../../rows/versioned.ts';
import { type ContractTally, type CountedContract, tallyContracts } from './totals.ts';

/** A buyer or supplier of a contract, as that contract spells its name. */
type Named = CountedContract['others'][number];

/** A contract as counted in the totals of its buyer and suppliers. */
export interface CountedAward extends Omit<CountedContract, 'others'> {
  /** One, or none where the buyer is not known. */
  buyers: Named[];
  suppliers: Named[];
}

/** The effect of a batch on contracts. One that only gets another framework title is on both sides. */
export interface AwardChanges {
  /** Changed or removed contracts, as stored. */
  before: CountedAward[];
  /** New or changed contracts, as they will be. */
  after: CountedAward[];
}

interface ContractColumns {
  buyer_id: string | null;
  buyer: string | null;
  value: number | null;
  currency: string | null;
  value_class: ValueClass;
  sort_date: string;
  notice_id: string;
  framework_id: string | null;
  framework_role: string | null;
  status: string;
  suppliers: string;
}

const STORED = `SELECT id, buyer_id, buyer, value, currency, value_class, sort_date, notice_id, framework_id, framework_role, status, suppliers
FROM contract WHERE id IN (SELECT value FROM json_each(?)) AND gone = 0`;

/** The contracts among the rows that a batch compiled. */
export function awardsAmong(rows: readonly Row[]): CountedAward[] {
  return rows.flatMap(({ table, id, columns }) =>
    table === 'contract' ? [readAward(id, columns as unknown as ContractColumns)] : [],
  );
}

function readAward(id: string, columns: ContractColumns): CountedAward {
  const { buyer_id, value, currency, value_class: valueClass, sort_date: sortDate, notice_id: noticeId } = columns;
  const suppliers = JSON.parse(columns.suppliers) as SupplierDetail[];
  const framework = columns.framework_role === 'establishes' ? columns.framework_id : null;
  return {
    id,
    value,
    currency,
    valueClass,
    sortDate,
    noticeId,
    framework,
    onFramework: columns.status === 'terminated' || columns.status === 'ended' ? null : framework,
    buyers: buyer_id ? [{ id: buyer_id, name: columns.buyer ?? buyer_id }] : [],
    suppliers: suppliers.map(({ company_id, name }) => ({ id: company_id, name })),
  };
}

/**
 * The contracts that a batch changes, before and after it.
 * @param awards all contracts of the processes that it compiled
 * @param changed `table id` of every row that changes or goes
 */
export async function readAwardChanges(
  catalogue: Database,
  awards: readonly CountedAward[],
  changed: ReadonlySet<string>,
): Promise<AwardChanges> {
  const after = awards.filter(
    ({ id, framework }) =>
      changed.has(`contract ${id}`) || (framework !== null && changed.has(`framework ${framework}`)),
  );
  const keys = [...changed].flatMap((key) => (key.startsWith('contract ') ? key.slice('contract '.length) : []));
  const ids = [...new Set([...keys, ...after.map(({ id }) => id)])];
  return { before: await readAwards(catalogue, ids), after };
}

/** The stored contracts with these ids, without removed ones. */
export async function readAwards(catalogue: Database, ids: readonly string[]): Promise<CountedAward[]> {
  const rows = await readInParts<ContractColumns & { id: string }>(catalogue, STORED, ids);
  return rows.map(({ id, ...columns }) => readAward(id, columns));
}

/** Contracts of each buyer, or of each company, as counted in its totals. */
export function groupByOwner(kind: IdentityKind, awards: readonly CountedAward[]): Map<string, CountedContract[]> {
  const found = new Map<string, CountedContract[]>();
  for (const { buyers, suppliers, ...award } of awards) {
    const [owners, others] = kind === 'company' ? [suppliers, buyers] : [buyers, suppliers];
    const contract = { others, ...award };
    for (const { id: owner } of owners) {
      const known = found.get(owner);
      if (known) known.push(contract);
      else found.set(owner, [contract]);
    }
  }
  return found;
}

/**
 * Contracts as totals count them, with those of each organisation in one JSON text. Large ones have thousands, and as many
 * rows take longer (by an eighth to a quarter, measured at 15,000 releases).
 */
const contractsWith = (
  others: string,
) => `json_group_array(json_object('id', c.id, 'value', c.value, 'currency', c.currency,
  'valueClass', c.value_class, 'sortDate', c.sort_date, 'noticeId', c.notice_id,
  'framework', iif(c.framework_role = 'establishes', c.framework_id, NULL),
  'onFramework', iif(c.framework_role = 'establishes' AND c.status NOT IN ('ended', 'terminated'), c.framework_id, NULL), 'others', json(${others}))) AS contracts`;
const ITS_BUYER = `iif(c.buyer_id IS NULL, '[]', json_array(json_object('id', c.buyer_id, 'name', ifnull(c.buyer, c.buyer_id))))`;
const ITS_SUPPLIERS = `(SELECT json_group_array(json_object('id', value ->> 'company_id', 'name', value ->> 'name'))
  FROM json_each(c.suppliers))`;
const OF_COMPANY = `SELECT cs.company_id AS owner, ${contractsWith(ITS_BUYER)}
FROM contract_supplier cs JOIN contract c ON c.id = cs.contract_id
WHERE cs.company_id IN (SELECT value FROM json_each(?1)) AND c.gone = 0
AND c.process_id NOT IN (SELECT value FROM json_each(?2)) GROUP BY cs.company_id`;
const OF_BUYER = `SELECT c.buyer_id AS owner, ${contractsWith(ITS_SUPPLIERS)}
FROM contract c WHERE c.buyer_id IN (SELECT value FROM json_each(?1)) AND c.gone = 0
AND c.process_id NOT IN (SELECT value FROM json_each(?2)) GROUP BY c.buyer_id`;
const TITLES = 'SELECT id, title FROM framework WHERE id IN (SELECT value FROM json_each(?))';

/** Organisations whose contracts are in memory together: a batch may involve every large buyer there is. */
const TOTALLED_AT_ONCE = 25;

/** The processes that a batch compiled, and their contracts and frameworks as they will be. */
export interface CompiledAwards {
  processIds: ReadonlySet<string>;
  awards: readonly CountedAward[];
  frameworkTitles: ReadonlyMap<string, string>;
}

/** Counts what is stored, without the processes compiled in the batch, plus their contracts. */
export async function countWhole(
  catalogue: Database,
  kind: IdentityKind,
  ids: readonly string[],
  compiled: CompiledAwards,
): Promise<Map<string, ContractTally>> {
  const tallies = new Map<string, ContractTally>();
  const fresh = groupByOwner(kind, compiled.awards);
  for (const some of chunksOf(ids, TOTALLED_AT_ONCE)) {
    const stored = await readContracts(catalogue, kind, some, compiled);
    const contracts = new Map(some.map((id) => [id, [...(stored.get(id) ?? []), ...(fresh.get(id) ?? [])]]));
    const titles = await readTitles(catalogue, contracts, compiled);
    for (const [id, counted] of contracts)
      tallies.set(
        id,
        tallyContracts(counted, (framework) => titles.get(framework)),
      );
  }
  return tallies;
}

async function readContracts(
  catalogue: Database,
  kind: IdentityKind,
  ids: readonly string[],
  { processIds }: CompiledAwards,
): Promise<Map<string, CountedContract[]>> {
  const stored = await catalogue.read<{ owner: string; contracts: string }>({
    sql: kind === 'company' ? OF_COMPANY : OF_BUYER,
    args: [JSON.stringify(ids), JSON.stringify([...processIds])],
  });
  const found = new Map<string, CountedContract[]>();
  for (const { owner, contracts } of stored) found.set(owner, JSON.parse(contracts) as CountedContract[]);
  return found;
}

async function readTitles(
  catalogue: Database,
  contracts: ReadonlyMap<string, CountedContract[]>,
  compiled: CompiledAwards,
) {
  const ids = [...new Set([...contracts.values()].flat().flatMap(({ framework }) => framework ?? []))];
  const missing = ids.filter((id) => !compiled.frameworkTitles.has(id));
  const titles = new Map(compiled.frameworkTitles);
  if (missing.length === 0) return titles;
  const rows = await catalogue.read<{ id: string; title: string }>({ sql: TITLES, args: [JSON.stringify(missing)] });
  for (const { id, title } of rows) titles.set(id, title);
  return titles;
}
