import type { Database } from '../../../schema/database.ts';
import type { Match } from '../../../schema/details.ts';
import { nameKey } from '../../../schema/names.ts';
import { type NamedRow, readBuyersNamed, readCompaniesNamed } from '../../reads/names.ts';

/** What a name led to. Without `best`, no candidate is sure enough to answer, and be billed, as a fact. */
export interface NameAnswer {
  best?: { id: string; match: Match };
  candidates: { id: string; name: string; score?: number }[];
}

/** The best match of a company name among suppliers and the register. Ids are company ids or company numbers. */
export async function findCompanyByName(catalogue: Database, name: string): Promise<NameAnswer> {
  return judge(name, await readCompaniesNamed(catalogue, nameKey(name)));
}

export async function findBuyerByName(catalogue: Database, name: string): Promise<NameAnswer> {
  return judge(name, await readBuyersNamed(catalogue, nameKey(name)));
}

function judge(name: string, rows: NamedRow[]): NameAnswer {
  const [first, ...rest] = rows;
  if (!first) return { candidates: [] };
  const match = { method: 'name', score: 0.95, evidence: [`"${name}" and "${first.name}" are one cleaned name`] };
  return { best: { id: first.id, match }, candidates: rest };
}
