import { fromJson } from '../../schema/answers/omit-empty.ts';
import type { NoticeDetail } from '../../schema/catalogue/details.ts';
import type { Database } from '../../schema/db/interface.ts';
import { type FrameworkRow, readFramework, readFrameworksByReference } from '../reads/frameworks.ts';
import { lookUpProcess } from './process.ts';

/**
 * The framework for an identifier: its own id, otherwise a reference that belongs to one framework only. Otherwise a
 * notice, contract or ocid that is part of it or called off from it. Undefined if there is none.
 */
export async function lookUpFramework(catalogue: Database, given: string): Promise<FrameworkRow | undefined> {
  const own = (await readFramework(catalogue, given)) ?? (await readFramework(catalogue, given.toLowerCase()));
  if (own) return own;
  const [only, ...more] = await readFrameworksByReference(catalogue, given);
  if (only && more.length === 0) return readFramework(catalogue, only);
  const asked = await lookUpProcess(catalogue, given);
  if (!asked) return undefined;
  const named = asked.contract?.framework_id ?? fromJson<NoticeDetail>(asked.notice.detail).framework_id;
  return (await readFramework(catalogue, asked.process.id)) ?? (named ? readFramework(catalogue, named) : undefined);
}
