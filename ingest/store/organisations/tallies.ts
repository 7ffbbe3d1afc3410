import type { Database } from '../../../schema/db/interface.ts';
import type { IdentityKind } from '../../party/sighting.ts';
import type { Row } from '../../rows/versioned.ts';
import { type AwardChanges, awardsAmong, type CountedAward, groupByOwner, readAwardChanges } from './awards.ts';
import { differTallies } from './differences.ts';
import { type Pairs, readPairs } from './pairs.ts';
import { COUNTING, type ContractTally, type CountedContract, tallyContracts } from './totals.ts';

/** What the batch did to contracts: the processes it compiled, and their contracts as they will stand. */
export interface ContractOverlay {
  processIds: ReadonlySet<string>;
  awards: readonly CountedAward[];
  frameworkTitles: ReadonlyMap<string, string>;
  /** Of an organisation that none of these contracts is of, the stored tally is right. */
  changes: AwardChanges | 'all';
  /** Those whose contracts changed; null where a rebuild must bring the catalogue to today's way of counting first. */
  pairs: Pairs | null;
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
function storedIn(table: IdentityKind): string {
  return `SELECT id, contract_count, framework_places, totals, detail ->> '$.notice_ids' AS notice_ids FROM ${table}
WHERE id IN (SELECT value FROM json_each(?)) AND gone = 0 AND (contract_count + framework_places = 0 OR notice_ids IS NOT NULL)`;
}

/** Organisations whose contracts are in memory together: a batch may touch every large buyer there is. */
const TOTALLED_AT_ONCE = 25;

const COUNTED_SO = "SELECT 1 FROM meta WHERE name = 'counting' AND value = ?";

/**
 * What a batch does to contracts.
 * @param rows every row of the processes that it compiled
 * @param batch the ids of those processes, gone ones included, and `table id` of every row that changes or goes
 */
export async function readOverlay(
  catalogue: Database,
  rows: readonly Row[],
  { processIds, changed }: { processIds: ReadonlySet<string>; changed: ReadonlySet<string> },
): Promise<ContractOverlay> {
  const awards = awardsAmong(rows);
  const frameworks = rows.filter(({ table }) => table === 'framework');
  const frameworkTitles = new Map(frameworks.map(({ id, columns }) => [id, String(columns.title)]));
  const changes = await readAwardChanges(catalogue, awards, changed);
  const counted = await catalogue.read({ sql: COUNTED_SO, args: [String(COUNTING)] });
  const pairs = counted.length > 0 ? await readPairs(catalogue, changes) : null;
  return { processIds, awards, frameworkTitles, changes, pairs };
}

/**
 * What the contracts of these organisations come to after the batch: as stored where none of theirs changed, else by what
 * changed. An organisation without a stored tally, and any in a catalogue that counts otherwise, is counted whole.
 */
export async function readTallies(
  catalogue: Database,
  kind: IdentityKind,
  ids: readonly string[],
  overlay: ContractOverlay,
): Promise<Map<string, ContractTally>> {
  const { changes, pairs } = overlay;
  if (changes === 'all') return countWhole(catalogue, kind, ids, overlay);
  const stored = await readStoredTallies(catalogue, kind, ids);
  const changed = groupByOwner(kind, [...changes.before, ...changes.after]);
  const kept = [...stored].filter(([id]) => !changed.has(id));
  const differing = new Map(pairs === null ? [] : [...stored].filter(([id]) => changed.has(id)));
  const contracts = groupByOwner(kind, overlay.awards);
  const frameworkTitle = (id: string) => overlay.frameworkTitles.get(id);
  const details = { changes, pairs: pairs ?? new Map(), contracts, frameworkTitle };
  const differed = await differTallies(catalogue, kind, differing, details);
  const tallies = new Map([...kept, ...differed]);
  const others = ids.filter((id) => !tallies.has(id));
  return new Map([...tallies, ...(await countWhole(catalogue, kind, others, overlay))]);
}

/** Counts what is stored, less the processes compiled in the batch, plus their contracts. */
async function countWhole(
  catalogue: Database,
  kind: IdentityKind,
  ids: readonly string[],
  overlay: ContractOverlay,
): Promise<Map<string, ContractTally>> {
  const tallies = new Map<string, ContractTally>();
  const fresh = groupByOwner(kind, overlay.awards);
  for (let at = 0; at < ids.length; at += TOTALLED_AT_ONCE) {
    const some = ids.slice(at, at + TOTALLED_AT_ONCE);
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
): Promise<Map<string, ContractTally>> {
  const rows = await catalogue.read<Omit<ContractTally, 'notice_ids'> & { id: string; notice_ids: string | null }>({
    sql: STORED[kind],
    args: [JSON.stringify(ids)],
  });
  return new Map(
    rows.map(({ id, notice_ids, ...tally }) => {
      const hasContracts = tally.contract_count + tally.framework_places > 0;
      return [id, { ...tally, notice_ids: hasContracts ? (JSON.parse(notice_ids ?? '[]') as string[]) : [] }];
    }),
  );
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
