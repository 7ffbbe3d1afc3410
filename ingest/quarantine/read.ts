import { type ReadPage, readOcdsPage } from '../parse/page.ts';
import type { Quarantined } from '../parse/quarantined.ts';
import { UnreadablePage } from '../parse/repair.ts';

/** Something in quarantine whose bytes are still there. */
export interface HeldRow {
  id: number;
  source: string;
  kind: Quarantined['kind'];
  reason: string;
  url: string;
  record_id: string | null;
  bytes: Uint8Array;
  /** When it was last fetched, ISO 8601 UTC. */
  last_seen_at: string;
}

/** What today's reader makes of held bytes: a page, or why it still makes nothing of them. */
export type ReadAgain = { page: ReadPage } | { stillFails: string };

/** Reads a held page, or a held release as a page of one. A page that can be read may hold releases that cannot. */
export function readHeld({ kind, source, url, bytes }: HeldRow): ReadAgain {
  try {
    const page = readOcdsPage(kind === 'release' ? wrapRelease(bytes) : bytes, { source, url });
    const [refused] = page.quarantined;
    return kind === 'release' && refused ? { stillFails: refused.reason } : { page };
  } catch (error) {
    if (error instanceof UnreadablePage) return { stillFails: error.message };
    throw error;
  }
}

function wrapRelease(bytes: Uint8Array): Uint8Array {
  return Buffer.concat([Buffer.from('{"releases":['), bytes, Buffer.from(']}')]);
}
