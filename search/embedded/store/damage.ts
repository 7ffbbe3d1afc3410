import { existsSync } from 'node:fs';
import { readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type GenerationFiles, generationFiles } from '../../../schema/db/generations.ts';
import { DatabaseFault, isUnreadable } from '../../../schema/db/interface.ts';

const MARK = '.damaged';

/** Whether a process has met a damaged page in the file of an index. */
export function isDamaged(path: string): boolean {
  return existsSync(path + MARK);
}

/**
 * Does `work` on the indexes at an address. If an error says that one of their files is damaged, marks that file, so that the
 * process that fills the index builds another one. The error is thrown in any case.
 */
export async function notingDamage<T>(url: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const path = findDamaged(generationFiles(url), error);
    // Where this process may not write, only the error reports it.
    if (path) await Promise.allSettled([writeFile(path + MARK, '')]);
    throw error;
  }
}

function findDamaged({ folder, stem }: GenerationFiles, error: unknown): string | undefined {
  if (!(error instanceof DatabaseFault) || !isUnreadable(error)) return undefined;
  return error.file?.startsWith(join(folder, stem)) ? error.file : undefined;
}

/** Removes the marks of files that are gone. */
export async function removeMarks({ folder, stem }: GenerationFiles): Promise<void> {
  const marks = (await readdir(folder)).filter((name) => name.startsWith(stem) && name.endsWith(MARK));
  for (const name of marks) if (!existsSync(join(folder, name.slice(0, -MARK.length)))) await rm(join(folder, name));
}
