import type { Database, Statement } from '../schema/database.ts';
import type { SupplierDetail } from '../schema/details.ts';
import type { IdentityKind } from './identify.ts';
import type { IdentityPlan } from './identities.ts';
import type { Fact } from './identity-facts.ts';
import { type OrganisationFact, organisationRow, type RegisterFacts } from './organisation-row.ts';
import { type HeldRow, loseRow, type Row, storeRow } from './rows.ts';
import { type CountedContract, computeTotals } from './totals.ts';

/** What the batch did to contracts: the processes it compiled, and their contracts as they will stand. */
export interface ContractOverlay {
  processIds: ReadonlySet<string>;
  contracts: readonly Row[];
  frameworkTitles: ReadonlyMap<string, string>;
}

const FACTS = `SELECT token, field, value, last_seen FROM identity_fact
WHERE kind = ? AND token IN (SELECT value FROM json_each(?))
AND field IN ('name', 'url', 'sme', 'organisation_kind', 'address', 'identifier')`;
const OF_COMPANY = `SELECT cs.company_id AS owner, c.id, c.process_id, c.buyer_id, c.buyer, c.value, c.currency, c.value_class,
  c.sort_date, c.notice_id, c.framework_id, c.framework_role, NULL AS suppliers
FROM contract_supplier cs JOIN contract c ON c.id = cs.contract_id
WHERE cs.company_id IN (SELECT value FROM json_each(?)) AND c.gone = 0`;
const OF_BUYER = `SELECT c.buyer_id AS owner, c.id, c.process_id, c.buyer_id, c.buyer, c.value, c.currency, c.value_class,
  c.sort_date, c.notice_id, c.framework_id, c.framework_role, c.suppliers
FROM contract c WHERE c.buyer_id IN (SELECT value FROM json_each(?)) AND c.gone = 0`;
const TITLES = 'SELECT id, title FROM framework WHERE id IN (SELECT value FROM json_each(?))';
const REGISTER = `SELECT company_number, json_extract(record, '$.accounts.category') AS category, locality, postcode
FROM registered_company WHERE gone = 0 AND company_number IN (SELECT value FROM json_each(?))`;

/** Organisations whose contracts are in memory together: a batch may touch every large buyer there is. */
const TOTALLED_AT_ONCE = 25;

/** The columns of a contract that totals are made from. */
interface ContractRow {
  owner: string;
  id: string;
  process_id: string;
  buyer_id: string | null;
  buyer: string | null;
  value: number | null;
  currency: string | null;
  value_class: CountedContract['valueClass'];
  sort_date: string;
  notice_id: string;
  framework_id: string | null;
  framework_role: string | null;
  suppliers: string | null;
}

/**
 * Rows of every touched buyer or company with its count and totals, as they will stand after the batch: what is stored,
 * less the processes compiled in it, plus their contracts. An identity that now leads elsewhere is gone.
 */
export async function organisationStatements(
  catalogue: Database,
  plan: IdentityPlan,
  held: ReadonlyMap<string, HeldRow>,
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
  for (let at = 0; at < said.length; at += TOTALLED_AT_ONCE) {
    const some = said.slice(at, at + TOTALLED_AT_ONCE);
    const contracts = await readContracts(catalogue, kind, some, overlay);
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

async function readFacts(catalogue: Database, { kind, aliases, facts: fresh }: IdentityPlan, ids: readonly string[]) {
  const owners = await aliases.leadingTo(ids);
  const stored = await catalogue.read<OrganisationFact & { token: string }>({
    sql: FACTS,
    args: [kind, JSON.stringify([...owners.keys()])],
  });
  const facts = new Map<string, OrganisationFact[]>();
  for (const { token, field, value, last_seen } of stored.concat(fresh.map(asStored))) {
    const owner = owners.get(token);
    if (!owner) continue;
    const known = facts.get(owner);
    if (known) known.push({ field, value, last_seen });
    else facts.set(owner, [{ field, value, last_seen }]);
  }
  return facts;
}

function asStored({ token, field, value, date }: Fact): OrganisationFact & { token: string } {
  return { token, field, value, last_seen: date };
}

async function readContracts(
  catalogue: Database,
  kind: IdentityKind,
  ids: readonly string[],
  overlay: ContractOverlay,
): Promise<Map<string, CountedContract[]>> {
  const sql = kind === 'company' ? OF_COMPANY : OF_BUYER;
  const stored = await catalogue.read<ContractRow>({ sql, args: [JSON.stringify(ids)] });
  const wanted = new Set(ids);
  const found = new Map<string, CountedContract[]>();
  const add = (owner: string, contract: CountedContract) => {
    const known = found.get(owner);
    if (known) known.push(contract);
    else found.set(owner, [contract]);
  };
  for (const row of stored) if (!overlay.processIds.has(row.process_id)) add(row.owner, countedOf(kind, row));
  for (const { id, columns } of overlay.contracts) {
    const row = { ...columns, id } as unknown as ContractRow;
    const suppliers = JSON.parse(row.suppliers ?? '[]') as SupplierDetail[];
    const owners = kind === 'company' ? suppliers.map(({ company_id }) => company_id) : [row.buyer_id ?? ''];
    for (const owner of owners) if (wanted.has(owner)) add(owner, countedOf(kind, row));
  }
  return found;
}

function countedOf(kind: IdentityKind, row: ContractRow): CountedContract {
  const suppliers = kind === 'buyer' ? (JSON.parse(row.suppliers ?? '[]') as SupplierDetail[]) : [];
  const buyer = row.buyer_id ? [{ id: row.buyer_id, name: row.buyer ?? row.buyer_id }] : [];
  return {
    id: row.id,
    value: row.value,
    currency: row.currency,
    valueClass: row.value_class,
    sortDate: row.sort_date,
    noticeId: row.notice_id,
    others: kind === 'company' ? buyer : suppliers.map(({ company_id, name }) => ({ id: company_id, name })),
    framework: row.framework_role === 'establishes' ? row.framework_id : null,
  };
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
