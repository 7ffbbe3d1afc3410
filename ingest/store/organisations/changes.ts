import { setImmediate as nextTurn } from 'node:timers/promises';
import type { SupplierDetail } from '../../../schema/catalogue/details.ts';
import type { Database, Statement } from '../../../schema/db/interface.ts';
import type { Fact } from '../../identity/facts.ts';
import { type IdentityPlan, openAliases } from '../../identity/plan.ts';
import type { IdentityKind } from '../../party/sighting.ts';
import { bumpSeq, loseRow, type Row, readStoredOrganisations, type StoredRow, storeRow } from '../../rows/versioned.ts';
import { type OrganisationFact, organisationRow, type RegisterFacts } from './row.ts';
import { type CountedContract, computeTotals } from './totals.ts';

/** What the batch did to contracts: the processes it compiled, and their contracts as they will stand. */
export interface ContractOverlay {
  processIds: ReadonlySet<string>;
  contracts: readonly Row[];
  frameworkTitles: ReadonlyMap<string, string>;
}

/** What an organisation's row is made from. */
const SAID: ReadonlySet<string> = new Set(['name', 'url', 'sme', 'organisation_kind', 'address', 'identifier']);
const FACTS = `SELECT token, field, value, last_seen, notice_id FROM identity_fact
WHERE kind = ? AND token IN (SELECT value FROM json_each(?))
AND field IN (${[...SAID].map((field) => `'${field}'`).join(', ')})`;
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
const REGISTER = `SELECT company_number, json_extract(record, '$.accounts.category') AS category, locality, postcode
FROM registered_company WHERE gone = 0 AND company_number IN (SELECT value FROM json_each(?))`;

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
 * Rows of every touched buyer or company with its count and totals, as they will stand after the batch: what is stored,
 * less the processes compiled in it, plus their contracts. An identity that now leads elsewhere is gone.
 */
export async function organisationStatements(
  catalogue: Database,
  plan: Pick<IdentityPlan, 'kind' | 'aliases' | 'facts'>,
  held: ReadonlyMap<string, StoredRow>,
  ids: readonly string[],
  overlay: ContractOverlay,
): Promise<Statement[]> {
  const { kind, aliases } = plan;
  await aliases.load(ids);
  const standing = ids.filter((id) => aliases.targetOf(id) === id);
  const facts = await readFacts(catalogue, plan, standing);
  const register = kind === 'company' ? await readRegister(catalogue, standing) : new Map<string, RegisterFacts>();
  const statements = ids
    .filter((id) => !facts.has(id) && held.get(id)?.gone === 0)
    .map((id): Statement => loseRow(kind, id));
  const said = ids.filter((id) => facts.has(id));
  const fresh = countOverlay(kind, overlay);
  for (let at = 0; at < said.length; at += TOTALLED_AT_ONCE) {
    const some = said.slice(at, at + TOTALLED_AT_ONCE);
    const stored = await readContracts(catalogue, kind, some, overlay);
    const contracts = new Map(some.map((id) => [id, [...(stored.get(id) ?? []), ...(fresh.get(id) ?? [])]]));
    const titles = await readTitles(catalogue, contracts, overlay);
    for (const id of some) {
      const counted = contracts.get(id) ?? [];
      const totals = computeTotals(counted, (framework) => titles.get(framework));
      const row = organisationRow(kind, id, facts.get(id) ?? [], register.get(id), counted, totals);
      const statement = storeRow(row, held.get(id));
      if (statement) statements.push(statement);
    }
  }
  return statements;
}

const TARGETS = 'SELECT DISTINCT target FROM alias WHERE kind = ? AND target > ? ORDER BY target LIMIT ?';
const STORED_AT_ONCE = 500;
const NOTHING: ContractOverlay = { processIds: new Set(), contracts: [], frameworkTitles: new Map() };

/**
 * Stores the row of every buyer and company from what the catalogue holds: once, where each batch of a rebuild would read
 * again every contract of whom it touches.
 */
export async function storeOrganisations(catalogue: Database, signal?: AbortSignal): Promise<void> {
  for (const kind of ['buyer', 'company'] as const) {
    for (let last = ''; ; ) {
      signal?.throwIfAborted();
      const rows = await catalogue.read<{ target: string }>({ sql: TARGETS, args: [kind, last, STORED_AT_ONCE] });
      const ids = rows.map(({ target }) => target);
      const end = ids.at(-1);
      if (end === undefined) break;
      last = end;
      const held = await readStoredOrganisations(catalogue, kind, ids);
      const plan = { kind, aliases: openAliases(catalogue, kind), facts: [] };
      const statements = await organisationStatements(catalogue, plan, held, ids, NOTHING);
      if (statements.length > 0) await catalogue.write([bumpSeq, ...statements]);
      // Local reads and writes are synchronous: a lease's heartbeat gets its turn between batches.
      await nextTurn();
    }
  }
}

async function readFacts(
  catalogue: Database,
  { kind, aliases, facts: fresh }: Pick<IdentityPlan, 'kind' | 'aliases' | 'facts'>,
  ids: readonly string[],
) {
  const owners = await aliases.leadingTo(ids);
  const stored = await catalogue.read<OrganisationFact & { token: string }>({
    sql: FACTS,
    args: [kind, JSON.stringify([...owners.keys()])],
  });
  const facts = new Map<string, OrganisationFact[]>();
  for (const { token, ...fact } of stored.concat(fresh.filter(({ field }) => SAID.has(field)).map(asStored))) {
    const owner = owners.get(token);
    if (!owner) continue;
    const known = facts.get(owner);
    if (known) known.push(fact);
    else facts.set(owner, [fact]);
  }
  return facts;
}

function asStored({ token, field, value, date, noticeId }: Fact): OrganisationFact & { token: string } {
  return { token, field, value, last_seen: date, notice_id: noticeId ?? null };
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

async function readRegister(catalogue: Database, ids: readonly string[]): Promise<Map<string, RegisterFacts>> {
  const numbers = ids.flatMap((id) => (id.startsWith('GB-COH-') ? id.slice('GB-COH-'.length) : []));
  if (numbers.length === 0) return new Map();
  const rows = await catalogue.read<RegisterFacts & { company_number: string }>({
    sql: REGISTER,
    args: [JSON.stringify(numbers)],
  });
  return new Map(rows.map((row) => [`GB-COH-${row.company_number}`, row]));
}
