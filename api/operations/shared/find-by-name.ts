import type { Database } from '../../../schema/database.ts';
import type { Match } from '../../../schema/details.ts';
import { findBuyer } from '../../../search/buyers.ts';
import { findCompany } from '../../../search/companies.ts';

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
  return best && id ? { best: { id, match: matchOf(best) }, candidates } : { candidates };
}

/** The best match of a buyer's name. */
export async function findBuyerByName(catalogue: Database, name: string): Promise<NameAnswer> {
  const { best, candidates } = await findBuyer(catalogue, name);
  return best ? { best: { id: best.buyer_id, match: matchOf(best) }, candidates } : { candidates };
}

function matchOf({ method, score, evidence }: Match): Match {
  return { method, score, evidence };
}
