import type { Services } from '../../contract/operation.ts';
import { lookupBuyer } from '../../operations/buyers/lookup.ts';
import { lookupCompany } from '../../operations/companies/lookup.ts';
import { labelBuyerKind } from '../components/labels.ts';
import { runForPage } from './run-operation.ts';

/** A company or buyer with this name, with facts that distinguish it from namesakes. */
export interface NamedThing {
  id: string;
  name: string;
  facts: readonly (string | null | undefined)[];
  contractCount: number;
  frameworkPlaces: number;
}

/** The best match of a name, and its score. */
export interface BestMatch extends NamedThing {
  match: { method: string; score: number; evidence: string[] } | undefined;
}

export interface NameSearch {
  kind: 'company' | 'buyer';
  name: string;
  best?: BestMatch;
  others: readonly NamedThing[];
  faults?: readonly string[];
}

type Candidates = readonly { id: string; name: string }[] | undefined;

/** Finds companies by name with the API's operation: the best match and other candidates. */
export async function findCompanies(services: Services, name: string): Promise<NameSearch> {
  const kind = 'company';
  if (!name) return { kind, name, others: [] };
  const found = await runForPage(lookupCompany, { name }, services);
  if (found.kind === 'refused') return { kind, name, others: [], faults: found.faults };
  const describe = (candidates: Candidates) => describeEach(candidates, (id) => describeCompany(services, id));
  if (found.kind === 'nothing') return { kind, name, others: await describe(found.candidates) };
  const { match, alternatives } = found.body;
  return { kind, name, best: { ...companyOf(found.body), match }, others: await describe(alternatives) };
}

/** Finds buyers by name, in the same way. */
export async function findBuyers(services: Services, name: string): Promise<NameSearch> {
  const kind = 'buyer';
  if (!name) return { kind, name, others: [] };
  const found = await runForPage(lookupBuyer, { name }, services);
  if (found.kind === 'refused') return { kind, name, others: [], faults: found.faults };
  const describe = (candidates: Candidates) => describeEach(candidates, (id) => describeBuyer(services, id));
  if (found.kind === 'nothing') return { kind, name, others: await describe(found.candidates) };
  const { match, alternatives } = found.body;
  return { kind, name, best: { ...buyerOf(found.body), match }, others: await describe(alternatives) };
}

/** There are at most five candidates, so each is looked up. */
async function describeEach(
  candidates: Candidates = [],
  describe: (id: string) => Promise<NamedThing | null>,
): Promise<NamedThing[]> {
  return Promise.all(
    candidates.map(
      async ({ id, name }) => (await describe(id)) ?? { id, name, facts: [id], contractCount: 0, frameworkPlaces: 0 },
    ),
  );
}

async function describeCompany(services: Services, id: string): Promise<NamedThing | null> {
  const found = await runForPage(lookupCompany, { company_number: id }, services);
  return found.kind === 'answer' ? companyOf(found.body) : null;
}

async function describeBuyer(services: Services, id: string): Promise<NamedThing | null> {
  const found = await runForPage(lookupBuyer, { buyer_id: id }, services);
  return found.kind === 'answer' ? buyerOf(found.body) : null;
}

interface Counted {
  contract_count: number;
  framework_places: number;
}

function countsOf({ contract_count, framework_places }: Counted) {
  return { contractCount: contract_count, frameworkPlaces: framework_places };
}

interface CompanyBody extends Counted {
  id: string;
  name: string;
  locality?: string | null | undefined;
  companies_house_number?: string | null | undefined;
  status?: string | null | undefined;
}

function companyOf({ id, name, locality, companies_house_number, status, ...counted }: CompanyBody): NamedThing {
  return { id, name, facts: [companies_house_number, status, locality], ...countsOf(counted) };
}

interface BuyerBody extends Counted {
  buyer_id: string;
  name: string;
  region?: string | null | undefined;
  kind?: string | null | undefined;
}

function buyerOf({ buyer_id, name, region, kind, ...counted }: BuyerBody): NamedThing {
  return { id: buyer_id, name, facts: [kind && labelBuyerKind(kind), region], ...countsOf(counted) };
}
