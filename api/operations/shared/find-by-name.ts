import type { Database } from '../../../schema/database.ts';
import type { Match } from '../../../schema/details.ts';
import { findBuyer } from '../../../search/buyers.ts';
import { findCompany } from '../../../search/companies.ts';
import { idOf, lookUpBuyer, lookUpCompany } from './find-organisation.ts';
import { type Namesake, namesakesOf, settleBuyers, settleCompanies } from './settle-tie.ts';

/** What a name led to. Without `best`, no candidate is sure enough to answer, and be billed, as a fact. */
export interface NameAnswer {
  best?: { id: string; match: Match };
  /** The best first; ids that lead onward. */
  candidates: { id: string; name: string }[];
}

/** The best match of a company name among suppliers and the register. */
export async function findCompanyByName(catalogue: Database, name: string): Promise<NameAnswer> {
  const { best, candidates } = await findCompany(catalogue, name);
  const id = best?.company_id ?? best?.company_number;
  if (best && id) return { best: { id, match: matchOf(best) }, candidates };
  const tie = settleCompanies(name, await weighCompanies(catalogue, namesakesOf(name, candidates)));
  return tie ? { best: tie, candidates } : { candidates };
}

/** The best match of a buyer's name. */
export async function findBuyerByName(catalogue: Database, name: string): Promise<NameAnswer> {
  const { best, candidates } = await findBuyer(catalogue, name);
  if (best) return { best: { id: best.buyer_id, match: matchOf(best) }, candidates };
  const tie = settleBuyers(name, await weighBuyers(catalogue, namesakesOf(name, candidates)));
  return tie ? { best: tie, candidates } : { candidates };
}

type Candidate = NameAnswer['candidates'][number];

async function weighCompanies(catalogue: Database, candidates: Candidate[]): Promise<Namesake[]> {
  const known = await Promise.all(candidates.map(({ id }) => lookUpCompany(catalogue, id)));
  return candidates.flatMap(({ name }, index) => {
    const one = known[index];
    return one ? [{ id: idOf(one), name, contractCount: one.company?.contract_count ?? 0 }] : [];
  });
}

async function weighBuyers(catalogue: Database, candidates: Candidate[]): Promise<Namesake[]> {
  const known = await Promise.all(candidates.map(({ id }) => lookUpBuyer(catalogue, id)));
  return known.flatMap((one) => (one ? [{ id: one.id, name: one.name, contractCount: one.contract_count }] : []));
}

function matchOf({ method, score, evidence }: Match): Match {
  return { method, score, evidence };
}
