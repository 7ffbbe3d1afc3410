import { type CountedContract, computeTotals, countAwards } from '../../../ingest/store/organisations/totals.ts';
import { nameKey } from '../../../schema/names/spelling.ts';
import type { SearchDocument } from '../../../search/engine.ts';
import { contractId, type FrameworkLink, type Row, registerRow, type Supplier, valueClass } from './rows.ts';

interface Counted {
  name: string;
  contracts: CountedContract[];
}

/** Buyers and suppliers of a generated world, with the contracts that their totals are made of. */
export interface Parties {
  buyers: Map<string, Counted>;
  companies: Map<string, Counted>;
}

export function makeParties(): Parties {
  return { buyers: new Map(), companies: new Map() };
}

/** Notes who bought, and what was won by whom. */
export function countParties(
  { buyers, companies }: Parties,
  document: SearchDocument,
  suppliers: readonly Supplier[],
  framework: FrameworkLink | null,
): void {
  const { buyer_id: id, buyer: name } = document;
  if (!id || !name) return;
  const bought = held(buyers, id, name);
  if (suppliers.length === 0) return;
  const contract = {
    id: contractId(document),
    value: document.value,
    currency: document.currency,
    valueClass: valueClass(document),
    sortDate: document.published,
    noticeId: document.notice_id,
    framework: framework?.role === 'establishes' ? framework.id : null,
    onFramework: framework?.role === 'establishes' ? framework.id : null,
  } as const;
  bought.contracts.push({
    ...contract,
    others: suppliers.map((supplier) => ({ id: supplier.company_id, name: supplier.name })),
  });
  const others = [{ id, name }];
  for (const { company_id, name } of suppliers)
    held(companies, company_id, name).contracts.push({ ...contract, others });
}

function held(among: Map<string, Counted>, id: string, name: string): Counted {
  const known = among.get(id) ?? { name, contracts: [] };
  among.set(id, known);
  return known;
}

/** Rows of every buyer, each with its totals. */
export function* buyerRows({ buyers }: Parties): Generator<Row> {
  for (const [id, { name, contracts }] of buyers) {
    yield { ...organisation(id, name, contracts), region: 'London', region_code: 'TLI', kind: 'local authority' };
  }
}

/** Rows of every supplier, and of the register behind it. */
export function* companyRows({ companies }: Parties): Generator<{ company: Row; registered: Row }> {
  for (const [id, { name, contracts }] of companies) {
    const number = id.slice('GB-COH-'.length);
    const company = { ...organisation(id, name, contracts), company_number: number, is_sme: 1, locality: 'Ambleford' };
    yield { company, registered: registerRow(number, name, nameKey(name)) };
  }
}

function organisation(id: string, name: string, contracts: CountedContract[]): Row {
  return {
    id,
    name,
    name_key: nameKey(name),
    ...countAwards(contracts),
    totals: JSON.stringify(computeTotals(contracts, () => 'A framework')),
    detail: JSON.stringify({ identifiers: [], also_known_as: [], names: [{ name }] }),
    digest: '',
    seq: 1,
  };
}
