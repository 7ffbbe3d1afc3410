import type { Database } from '../../schema/db/interface.ts';

/** Contracts looked through, newest first: enough for so many different winners. */
const CONTRACTS = 60;

export interface ActiveCompany {
  id: string;
  name: string;
  locality: string | null;
  contract_count: number;
  framework_places: number;
}

const NEWEST = `SELECT id, sort_date FROM contract WHERE sort_date <= ?1 AND gone = 0
  ORDER BY sort_date DESC, id DESC LIMIT ${CONTRACTS}`;
const WINNERS = `SELECT w.id, w.name, w.locality, w.contract_count, w.framework_places FROM (${NEWEST}) c
  JOIN contract_supplier s ON s.contract_id = c.id JOIN company w ON w.id = s.company_id AND w.gone = 0
  GROUP BY w.id ORDER BY max(c.sort_date) DESC, w.contract_count DESC, w.id LIMIT ?2`;

/** Who won last. @param today - `YYYY-MM-DD`: publishers also write days that are yet to come. */
export function readActiveCompanies(catalogue: Database, today: string, most: number): Promise<ActiveCompany[]> {
  return catalogue.read<ActiveCompany>({ sql: WINNERS, args: [today, most] });
}
