import { createHash } from 'node:crypto';
import { readdir, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { UpstreamData } from '../upstream/data.ts';
import type { DemoOptions } from './options.ts';

/** Raise it when the sample changes: an older demo folder is then filled again, as it is where the rules have another edition. */
const DEMO_VERSION = 18;

/** The data of a demo, identified without loading it, so that a second run need not load it. */
export interface DemoData {
  /** Identifies exactly this data: with another name it is filled again. */
  name: string;
  /** A separate folder below DATA_DIR. */
  folder: string;
  load(): Promise<UpstreamData>;
}

/** The generated sample, or a folder of recordings. @throws Error where the folder cannot be read. */
export async function findDemoData(options: DemoOptions): Promise<DemoData> {
  const clock = options.asOf ? ` at ${options.asOf.toISOString()}` : '';
  const asOf = options.asOf ? { asOf: options.asOf } : {};
  if (options.recordings === undefined) {
    const load = async () => (await import('./retenders.ts')).makeDemoSample(asOf);
    return { name: `sample ${DEMO_VERSION}${clock}`, folder: 'demo', load };
  }
  const folder = resolve(options.recordings);
  const load = async () => (await import('../upstream/recordings/read-folder.ts')).readRecordings(folder, asOf);
  return { name: `recordings ${DEMO_VERSION} ${await nameFolder(folder)}${clock}`, folder: 'demo-recordings', load };
}

/** A digest of the names, sizes and change times of a folder's files. */
async function nameFolder(folder: string): Promise<string> {
  const names = (await readdir(folder, { recursive: true })).sort();
  const hash = createHash('sha256').update(folder);
  for (const name of names) {
    const { size, mtimeMs } = await stat(join(folder, name));
    hash.update(`${name} ${size} ${mtimeMs}\n`);
  }
  return hash.digest('hex').slice(0, 16);
}
