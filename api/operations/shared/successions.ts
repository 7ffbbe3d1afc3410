import { z } from 'zod';
import { fromJson, omitEmpty } from '../../../schema/answers/omit-empty.ts';
import type { NoticeReference, SupplierDetail } from '../../../schema/catalogue/details.ts';
import { SUCCESSION_METHODS } from '../../../schema/catalogue/enums.ts';
import { nameSuppliers } from '../../../schema/catalogue/supplier-names.ts';
import type { Database } from '../../../schema/db/interface.ts';
import { compareText } from '../../../schema/text/ids.ts';
import { groupBy } from '../../../schema/text/memoise.ts';
import { readIncumbents, readSuccessors, type SuccessorRow } from '../../reads/successions.ts';
import { stage } from './notice-shapes.ts';

const grounds = {
  score: z.number().describe('0.8 to 1: how sure it is'),
  method: z
    .enum(SUCCESSION_METHODS)
    .describe("identifier: its text names the contract; reference: the buyer's own; title_cpv_dates: all three agree"),
  evidence: z.array(z.string()),
};

/** A supplier by name, with its id for look-ups. */
export const supplierLink = z.object({ company_id: z.string(), name: z.string() });

/** A contract of the same buyer that a notice may succeed. */
export const incumbent = z.object({
  contract_id: z.string(),
  notice_id: z.string(),
  title: z.string(),
  supplier: z.string().nullable(),
  suppliers: z.array(supplierLink),
  ends: z.string().nullable(),
  ends_latest: z.string().optional().describe('With every published option to extend'),
  ...grounds,
});

/** A procurement of the same buyer that may succeed a contract. */
export const successor = z.object({
  notice_id: z.string().describe('Its newest notice'),
  title: z.string(),
  ocid: z.string(),
  stage: stage.describe('Of its newest notice'),
  published: z.string().optional().describe('Its first notice'),
  contract_ids: z.array(z.string()).describe('Of these contracts'),
  ...grounds,
});

const SUPPLIERS_MAX = 20;
const LISTED_MAX = 50;

/** The contracts that a process may succeed, as answers show them; empty where none reaches the stated score. */
export async function toIncumbents(catalogue: Database, processId: string): Promise<z.input<typeof incumbent>[]> {
  const rows = surestFirst(await readIncumbents(catalogue, processId)).slice(0, LISTED_MAX);
  return rows.map(({ contract_id, notice_id, title, ends, ends_latest, score, method, evidence, ...row }) => {
    const suppliers = fromJson<SupplierDetail[]>(row.suppliers);
    return {
      contract_id,
      notice_id,
      title,
      supplier: nameSuppliers(suppliers) ?? row.supplier,
      suppliers: suppliers.slice(0, SUPPLIERS_MAX).map(({ company_id, name }) => ({ company_id, name })),
      ends,
      ...omitEmpty({ ends_latest }),
      score,
      method,
      evidence: fromJson<string[]>(evidence),
    };
  });
}

/** What may succeed any contract of one process: each procurement once, with its strongest evidence. */
export async function toSuccessors(
  catalogue: Database,
  contractIds: readonly string[],
): Promise<z.input<typeof successor>[]> {
  const byProcess = groupBy(surestFirst(await readSuccessors(catalogue, contractIds)), ({ ocid }) => ocid);
  return [...byProcess.values()].slice(0, LISTED_MAX).flatMap((rows) => {
    const { title, ocid, notices, first_published, score, method, evidence } = rows[0] as SuccessorRow;
    const newest = fromJson<NoticeReference[]>(notices).at(-1);
    if (!newest) return [];
    return {
      notice_id: newest.notice_id,
      title,
      ocid,
      stage: newest.stage,
      ...omitEmpty({ published: first_published }),
      contract_ids: rows.map(({ contract_id }) => contract_id),
      score,
      method,
      evidence: fromJson<string[]>(evidence),
    };
  });
}

function surestFirst<T extends { score: number; contract_id: string }>(rows: readonly T[]): T[] {
  return rows.toSorted((a, b) => b.score - a.score || compareText(a.contract_id, b.contract_id));
}
