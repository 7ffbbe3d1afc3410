import { createReadStream } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { ensureFolder } from '../../../schema/config/ensure-folder.ts';
import { UpstreamRefused, UpstreamUnavailable } from '../../http/client.ts';
import { type ReadPage, readOcdsPage } from '../../parse/page.ts';
import { UnreadablePage } from '../../parse/repair.ts';
import { splitPackage } from '../../parse/split-package.ts';
import type { Cell, CellsSource } from '../../source.ts';
import { digestOf } from '../buffer.ts';
import type { StoringRun } from '../types.ts';

/** A run over cells that is in progress. */
export interface CellsRun extends StoringRun {
  source: CellsSource;
  baseUrl: string;
}

/** The answer of one cell; its pages are read from the file again, a few releases at a time. */
interface ReadCell {
  kind: 'read';
  url: string;
  releases: number;
  digest: string;
  pages(): AsyncGenerator<ReadPage>;
}

/** An answer that cannot be believed. `bytes` holds a broken package for quarantine. */
interface BadCell {
  kind: 'bad';
  url: string;
  reason: string;
  bytes?: Uint8Array;
}

/** Releases in one page: as many as one batch stores. */
const PAGE_RELEASES = 200;
/** The title of an error page. */
const TITLE = /<title>\s*([^<]{1,200}?)\s*<\/title>/i;
/** A broken answer longer than this is reported but not kept. */
const KEPT_MAX = 8 * 1024 * 1024;

/** Asks one cell and passes the answer to `use` while its file exists. @param attempts - the most times it is asked */
export async function withCell<T>(
  run: CellsRun,
  cell: Cell,
  attempts: number,
  use: (answer: ReadCell | BadCell) => Promise<T>,
): Promise<T> {
  const folder = join(run.context.settings.DATA_DIR, 'incoming', run.source.id);
  await ensureFolder(folder);
  const file = join(folder, `${run.source.id}-${run.runId}-${cell.month}-${cell.type}.json`);
  try {
    return await use(await readCell(run, { cell, attempts, file }));
  } finally {
    await rm(file, { force: true });
  }
}

async function readCell(
  run: CellsRun,
  { cell, attempts, file }: { cell: Cell; attempts: number; file: string },
): Promise<ReadCell | BadCell> {
  const url = run.source.cellUrl(run.baseUrl, cell);
  const fault = await download(run, { url, attempts, file });
  if (fault !== null) return { kind: 'bad', url, reason: fault };
  const pages = () => readPages(run.source, { url, file });
  const digests: string[] = [];
  let releases = 0;
  try {
    for await (const page of pages()) {
      releases += page.releases.length + page.quarantined.length;
      digests.push(...page.releases.map(({ digest }) => digest), ...page.quarantined.map(({ reason }) => reason));
    }
  } catch (error) {
    if (!(error instanceof UnreadablePage)) throw error;
    const bytes = await readFile(file);
    const isData = !/HTML|empty body/.test(error.message) && bytes.length <= KEPT_MAX;
    return { kind: 'bad', url, reason: nameFault(error.message, bytes), ...(isData ? { bytes } : {}) };
  }
  return { kind: 'read', url, releases, digest: releases === 0 ? '' : digestOf(digests), pages };
}

/** Writes the answer to a file; returns the fault if there was no useful one. */
async function download(
  { client, signal }: CellsRun,
  { url, attempts, file }: { url: string; attempts: number; file: string },
): Promise<string | null> {
  try {
    const answer = await client.fetch({ url, attempts, intoFile: file, signal });
    return answer === null ? 'nothing is served at this address (404)' : null;
  } catch (error) {
    if (error instanceof UpstreamUnavailable) return nameFault(error.message, error.bytes);
    if (error instanceof UpstreamRefused) return error.message;
    throw error;
  }
}

/** A page of HTML instead of data has its reason in the title: `Error converting data type nvarchar to float`. */
function nameFault(reason: string, bytes: Uint8Array | null): string {
  const title = bytes && TITLE.exec(Buffer.from(bytes.subarray(0, 4_096)).toString('utf8'))?.[1];
  return title ? `${reason}: "${title}"` : reason;
}

async function* readPages(source: CellsSource, { url, file }: { url: string; file: string }): AsyncGenerator<ReadPage> {
  const packages = splitPackage(createReadStream(file), PAGE_RELEASES);
  for await (const bytes of packages) {
    yield readOcdsPage(bytes, { source: source.id, url, adapt: source.adapt });
  }
}
