import type { Services } from '../../contract/operation.ts';

const FRESH_MS = 30_000;

/** Reads the sentence that an invented catalogue carries (`meta` row `sample`), at most every half minute. */
export function makeSampleNote(services: Services): () => Promise<string | null> {
  let held: { note: string | null; readAtMs: number } | null = null;
  return async () => {
    const nowMs = services.clocks.wallNow().getTime();
    if (held && nowMs - held.readAtMs < FRESH_MS) return held.note;
    const rows = await services.catalogue.read<{ value: string }>({
      sql: "SELECT value FROM meta WHERE name = 'sample'",
    });
    held = { note: rows[0]?.value ?? null, readAtMs: nowMs };
    return held.note;
  };
}
