import type { SupplierDetail } from '../../../schema/catalogue/details.ts';
import type { Database } from '../../../schema/db/interface.ts';
import type { IdentityKind } from '../../party/sighting.ts';
import type { Row } from '../../rows/versioned.ts';
import { type ContractTally, type CountedContract, tallyContracts } from './totals.ts';

/** What the batch did to contracts: the processes it compiled, and their contracts as they will stand. */
export interface ContractOverlay {
  processIds: ReadonlySet<string>;
  contracts: readonly Row[];
  frameworkTitles: ReadonlyMap<string, string>;
  /** Buyers and companies whose contracts differ from the stored ones: of any other the stored tally is right. */
  recount: ReadonlySet<string> | 'all';
}

/** Contracts as totals count them, each organisation's in one JSON text: large ones have thousands, and as many rows take longer (by an eighth to a quarter, measured at 15,000 releases). */
const contractsWith = (
  others: string,
) => `json_group_array(json_object('id', c.id, 'value', c.value, 'currency', c.currency,
  'valueClass', c.value_class, 'sortDate', c.sort_date, 'noticeId', c.notice_id,
  'framework', iif(c.framework_role = 'establishes', c.framework_id, NULL), 'others', json(${others}))) AS contracts`;
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
/** What the rows hold; without the newest notices of their contracts it is not whole. */
const STORED: Readonly<Record<IdentityKind, string>> = { buyer: storedIn('buyer'), company: storedIn('company') };
/** Contracts that a batch changes or loses, as they are stored. */
const OWNERS = 'SELECT buyer_id, suppliers FROM contract WHERE id IN (SELECT value FROM json_each(?)) AND gone = 0';

function storedIn(table: IdentityKind): string {
  return `SELECT id, contract_count, framework_places, totals, detail ->> '$.notice_ids' AS notice_ids FROM ${table}
WHERE id IN (SELECT value FROM json_each(?)) AND gone = 0 AND (contract_count + framework_places = 0 OR notice_ids IS NOT NULL)`;
}

/** Organisations whose contracts are in memory together: a batch may touch every large buyer there is. */
const TOTALLED_AT_ONCE = 25;

/** The columns of a contract that totals are made from. */
interface ContractColumns {
  buyer_id: string | null;
  buyer: string | null;
  value: number | null;
  currency: string | null;
  value_class: CountedContract['valueClass'];
  sort_date: string;
  notice_id: string;
  framework_id: string | null;
  framework_role: string | null;
  suppliers: string;
}

/**
 * What the contracts of these organisations come to after the batch: as stored where none of theirs changed, otherwise counted
 * from what is stored, less the processes compiled in the batch, plus their contracts. Most releases of a large buyer change
 * none of its thousands of contracts.
 */
export async function readTallies(
  catalogue: Database,
  kind: IdentityKind,
  ids: readonly string[],
  overlay: ContractOverlay,
): Promise<Map<string, ContractTally>> {
  const tallies = await readStoredTallies(catalogue, kind, ids, overlay);
  const changed = ids.filter((id) => !tallies.has(id));
  const fresh = countOverlay(kind, overlay);
  for (let at = 0; at < changed.length; at += TOTALLED_AT_ONCE) {
    const some = changed.slice(at, at + TOTALLED_AT_ONCE);
    const stored = await readContracts(catalogue, kind, some, overlay);
    const contracts = new Map(some.map((id) => [id, [...(stored.get(id) ?? []), ...(fresh.get(id) ?? [])]]));
    const titles = await readTitles(catalogue, contracts, overlay);
    for (const [id, counted] of contracts)
      tallies.set(
        id,
        tallyContracts(counted, (framework) => titles.get(framework)),
      );
  }
  return tallies;
}

async function readStoredTallies(
  catalogue: Database,
  kind: IdentityKind,
  ids: readonly string[],
  { recount }: ContractOverlay,
): Promise<Map<string, ContractTally>> {
  const unchanged = recount === 'all' ? [] : ids.filter((id) => !recount.has(id));
  if (unchanged.length === 0) return new Map();
  const rows = await catalogue.read<Omit<ContractTally, 'notice_ids'> & { id: string; notice_ids: string | null }>({
    sql: STORED[kind],
    args: [JSON.stringify(unchanged)],
  });
  return new Map(
    rows.map(({ id, notice_ids, ...tally }) => {
      const hasContracts = tally.contract_count + tally.framework_places > 0;
      return [id, { ...tally, notice_ids: hasContracts ? (JSON.parse(notice_ids ?? '[]') as string[]) : [] }];
    }),
  );
}

/**
 * The buyers and companies that a batch must count again: those of contracts that change or go, or whose framework does, as
 * totals name it; before the batch and after. `changed` holds `table id` of every row that changes or goes.
 */
export async function readRecounted(
  catalogue: Database,
  rows: readonly Row[],
  changed: ReadonlySet<string>,
): Promise<ReadonlySet<string>> {
  const isChanged = ({ id, columns }: Row) =>
    changed.has(`contract ${id}`) || changed.has(`framework ${columns.process_id}`);
  const contracts = rows.filter((row) => row.table === 'contract' && isChanged(row));
  const gone = [...changed].flatMap((key) => (key.startsWith('contract ') ? key.slice('contract '.length) : []));
  const ids = JSON.stringify([...gone, ...contracts.map(({ id }) => id)]);
  const before = await catalogue.read<Owners>({ sql: OWNERS, args: [ids] });
  const after = contracts.map(({ columns }) => columns as unknown as Owners);
  return new Set([...before, ...after].flatMap(ownersOf));
}

type Owners = Pick<ContractColumns, 'buyer_id' | 'suppliers'>;

function ownersOf({ buyer_id, suppliers }: Owners): string[] {
  const companies = (JSON.parse(suppliers) as SupplierDetail[]).map(({ company_id }) => company_id);
  return buyer_id ? [buyer_id, ...companies] : companies;
}

async function readContracts(
  catalogue: Database,
  kind: IdentityKind,
  ids: readonly string[],
  { processIds }: ContractOverlay,
): Promise<Map<string, CountedContract[]>> {
  const stored = await catalogue.read<{ owner: string; contracts: string }>({
    sql: kind === 'company' ? OF_COMPANY : OF_BUYER,
    args: [JSON.stringify(ids), JSON.stringify([...processIds])],
  });
  const found = new Map<string, CountedContract[]>();
  for (const { owner, contracts } of stored) found.set(owner, JSON.parse(contracts) as CountedContract[]);
  return found;
}

/** The batch's own contracts by organisation. */
function countOverlay(kind: IdentityKind, overlay: ContractOverlay): Map<string, CountedContract[]> {
  const found = new Map<string, CountedContract[]>();
  for (const { id, columns } of overlay.contracts) {
    const row = columns as unknown as ContractColumns;
    const suppliers = (JSON.parse(row.suppliers) as SupplierDetail[]).map(({ company_id, name }) => ({
      id: company_id,
      name,
    }));
    const buyers = row.buyer_id ? [{ id: row.buyer_id, name: row.buyer ?? row.buyer_id }] : [];
    const [owners, others] = kind === 'company' ? [suppliers, buyers] : [buyers, suppliers];
    const { value, currency, value_class: valueClass, sort_date: sortDate, notice_id: noticeId } = row;
    const framework = row.framework_role === 'establishes' ? row.framework_id : null;
    const contract = { id, value, currency, valueClass, sortDate, noticeId, framework, others };
    for (const { id: owner } of owners) {
      const known = found.get(owner);
      if (known) known.push(contract);
      else found.set(owner, [contract]);
    }
  }
  return found;
}

async function readTitles(
  catalogue: Database,
  contracts: ReadonlyMap<string, CountedContract[]>,
  overlay: ContractOverlay,
) {
  const ids = [...new Set([...contracts.values()].flat().flatMap(({ framework }) => framework ?? []))];
  const missing = ids.filter((id) => !overlay.frameworkTitles.has(id));
  const titles = new Map(overlay.frameworkTitles);
  if (missing.length === 0) return titles;
  const rows = await catalogue.read<{ id: string; title: string }>({ sql: TITLES, args: [JSON.stringify(missing)] });
  for (const { id, title } of rows) titles.set(id, title);
  return titles;
}
