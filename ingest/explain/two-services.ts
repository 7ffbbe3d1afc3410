import type { Database } from '../../schema/db/interface.ts';
import { ocidOf } from '../../schema/text/ids.ts';
import { compileOcid } from '../compile/ocid.ts';
import type { CompiledProcess } from '../compile/types.ts';
import { noticeRowId, type ResolvedProcess } from '../store/process-rows.ts';
import { findOnTwoServices, readCrossReferenced } from '../store/relations/cross-source-duplicates.ts';
import { readProcessReleases } from '../store/releases.ts';
import { readResolvedParties } from './stored.ts';
import type { ExplainedCopy } from './types.ts';

/** What other services also published of a process. */
export interface OnTwoServices extends ReturnType<typeof findOnTwoServices> {
  /** Every process that names it or is named by it, directly or through others. */
  others: readonly ResolvedProcess[];
}

/**
 * What the processes of an ocid share with other services. It is found as when they are stored: through all processes that
 * name each other, with their resolved parties. Reads only.
 */
export async function readOnTwoServices(
  catalogue: Database,
  compiled: readonly CompiledProcess[],
): Promise<OnTwoServices> {
  const all = [...compiled];
  const ocids = new Set(compiled.map(({ ocid }) => ocid));
  for (let latest = all; latest.length > 0; ) {
    const reached = await readCrossReferenced(catalogue, latest, new Set(latest.map(({ ocid }) => ocid)));
    const further = [...new Set(reached.map(ocidOf))].filter((ocid) => !ocids.has(ocid));
    for (const ocid of further) ocids.add(ocid);
    const releases = further.length === 0 ? [] : await readProcessReleases(catalogue, further, []);
    latest = [...releases].flatMap(([ocid, own]) => compileOcid(ocid, own));
    all.push(...latest);
  }
  const resolved: ResolvedProcess[] = [];
  for (const process of all)
    resolved.push({ process, parties: await readResolvedParties(catalogue, process.id), link: null });
  const own = new Set(compiled.map(({ id }) => id));
  return { ...findOnTwoServices(resolved), others: resolved.filter(({ process }) => !own.has(process.id)) };
}

/** The copies of a notice on other services. */
export function copiesOfNotice(noticeId: string, { copied, others }: OnTwoServices): ExplainedCopy[] {
  return others.flatMap(({ process: { id, source, notices } }) =>
    notices
      .filter((notice) => copied.originals.get(noticeRowId(notice.noticeId, id)) === noticeId)
      .map((notice) => ({ source, id: notice.noticeId, notice_ids: [notice.noticeId] })),
  );
}

/** The contracts of other services that count as this one. */
export function copiesOfContract(contractId: string, { countedAs, others }: OnTwoServices): ExplainedCopy[] {
  return others.flatMap(({ process: { source, contracts } }) =>
    contracts
      .filter(({ id }) => countedAs.get(id)?.includes(contractId))
      .map(({ id, detail }) => ({ source, id, notice_ids: detail.notice_ids ?? [] })),
  );
}

/** The frameworks of other services that are copies of this one. */
export function copiesOfFramework(frameworkId: string, { copied, others }: OnTwoServices): ExplainedCopy[] {
  return others
    .filter(({ process }) => copied.frameworks.get(process.id) === frameworkId)
    .map(({ process: { id, source, framework, notices } }) => {
      return { source, id, notice_ids: framework?.detail.notice_ids ?? notices.map(({ noticeId }) => noticeId) };
    });
}
