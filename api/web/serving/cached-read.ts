import { publishersOf } from '../../../schema/reference/licence.ts';
import type { Services } from '../../contract/operation.ts';
import { readAttributions, readSources } from '../../reads/sources.ts';
import type { SourceTitles } from '../components/source-title.ts';

const FRESH_MS = 30_000;

/** Wraps a read so that its value is reused for `freshMs`, whatever the wall clock does. Concurrent callers share one read; a failed read is not cached. */
export function cacheFor<T>(freshMs: number, read: () => Promise<T>): () => Promise<T> {
  let cached: { value: Promise<T>; readAtMs: number } | null = null;
  return async () => {
    const nowMs = performance.now();
    if (cached && nowMs - cached.readAtMs < freshMs) return cached.value;
    const started = { value: read(), readAtMs: nowMs };
    cached = started;
    try {
      return await started.value;
    } catch (error) {
      if (cached === started) cached = null;
      throw error;
    }
  };
}

/** Reads the notice of a sample catalogue (`meta` row `sample`), at most every 30 seconds; null for real data. */
export function makeSampleNote({ catalogue }: Services): () => Promise<string | null> {
  return cacheFor(FRESH_MS, async () => {
    const rows = await catalogue.read<{ value: string }>({ sql: "SELECT value FROM meta WHERE name = 'sample'" });
    return rows[0]?.value ?? null;
  });
}

/** Reads the titles of the services that publish notices, at most every 30 seconds. */
export function makeSourceTitles({ catalogue }: Services): () => Promise<SourceTitles> {
  return cacheFor(FRESH_MS, async () => {
    const sources = await readSources(catalogue);
    return new Map(sources.flatMap(({ id, kind, title }) => (kind === 'notices' ? [[id, title]] : [])));
  });
}

/** Reads what each publisher adds to the sentence of the licence, at most every 30 seconds. */
export function makePublishers({ catalogue }: Services): () => Promise<string[]> {
  return cacheFor(FRESH_MS, async () => publishersOf(await readAttributions(catalogue)));
}
