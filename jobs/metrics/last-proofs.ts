import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Settings } from '../../schema/config/settings.ts';

/** What an operator has to do regularly. */
export const PROOFS = ['accounts_backup', 'catalogue_backup', 'ledger_verify'] as const;
export type Proof = (typeof PROOFS)[number];

type Place = Pick<Settings, 'DATA_DIR'>;

const fileOf = ({ DATA_DIR }: Place, proof: Proof) => join(DATA_DIR, 'proofs', proof);

/**
 * Records in a file that something was just done and found right; the jobs process reads it for its metrics. @returns whether it
 * could be recorded; the result stands in either case
 */
export async function noteProof(settings: Place, proof: Proof, at: Date): Promise<boolean> {
  const file = fileOf(settings, proof);
  try {
    // Not the folders above it: a command with a wrong setting must not create a data folder.
    await mkdir(join(settings.DATA_DIR, 'proofs')).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
    await writeFile(`${file}.part`, `${at.toISOString()}\n`);
    await rename(`${file}.part`, file);
    return true;
  } catch {
    return false;
  }
}

/** When it was last done, in seconds since 1970; 0 where it never was, or is unknown. */
export async function readProof(settings: Place, proof: Proof): Promise<number> {
  const text = await readFile(fileOf(settings, proof), 'utf8').catch(() => '');
  const atMs = Date.parse(text.trim());
  return Number.isNaN(atMs) ? 0 : atMs / 1_000;
}
