import { type ReadPage, readOcdsPage } from '../../../ingest/parse/page.ts';
import { findService } from '../../../ingest/sources/index.ts';

/** Releases of a service as an ingest reads them from one answer; of a service asked by month and type, from that of a type. */
export function readPublished(id: string, releases: readonly unknown[], type = '2'): ReadPage {
  const source = findService(id);
  const url =
    source?.asked === 'by_cell' ? source.cellUrl('http://127.0.0.1', { month: '2026-11', type }) : 'http://127.0.0.1/x';
  const bytes = Buffer.from(JSON.stringify({ releases }));
  return readOcdsPage(bytes, { source: id, url, adapt: source?.adapt });
}
