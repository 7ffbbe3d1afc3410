import { parse } from 'csv-parse/sync';
import { parseOcid } from '../../schema/text/ids.ts';
import { decodeBytes, UnreadablePage } from '../parse/repair.ts';
import type { Witnessed } from '../source.ts';

const GUID = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}';
/** How the search names a release today. */
const RELEASE_ID = new RegExp(`^${GUID}-\\d+$`, 'i');
const NOTICE = new RegExp(`/(${GUID})(?:\\.json)?$`, 'i');
const ID_COLUMN = /^releases\/(\d+)\/id$/i;

/**
 * What the harvester's file of one day lists: flattened release packages, a row each, OCDS paths as headers
 * (`releases/0/ocid`). Recorded in 2020 with ids that begin with the ocid; today's are those of the search.
 * A release without a usable ocid is left out: nothing of it can be kept.
 * @throws UnreadablePage where the bytes are no such file, or one that ends early.
 */
export function readDailyCsv(bytes: Uint8Array): Witnessed[] {
  const [header, ...rows] = readRows(decodeBytes(bytes, {}));
  if (!header) return [];
  const column = (name: string) => header.findIndex((cell) => cell.trim().toLowerCase() === name);
  const uri = column('uri');
  const places = header.flatMap((cell, id) => {
    const index = ID_COLUMN.exec(cell.trim())?.[1];
    return index === undefined ? [] : [{ id, ocid: column(`releases/${index}/ocid`) }];
  });
  if (places.length === 0) throw new UnreadablePage('not the daily CSV: no column is called releases/0/id');
  const listed = rows.flatMap((row) =>
    places.map(({ id, ocid }) => witness({ id: row[id], ocid: row[ocid], uri: row[uri] })),
  );
  return [...new Map(listed.flatMap((each) => (each ? [[each.id, each] as const] : []))).values()];
}

function readRows(text: string): string[][] {
  if (text.trim() === '') return [];
  try {
    return parse(text, { bom: true, relax_column_count: true, skip_empty_lines: true });
  } catch (error) {
    throw new UnreadablePage(`broken CSV: ${error instanceof Error ? error.message : 'cannot be parsed'}`);
  }
}

type Cells = Record<'id' | 'ocid' | 'uri', string | undefined>;

function witness(cells: Cells): Witnessed | null {
  const id = cells.id?.trim() ?? '';
  const ocid = parseOcid(cells.ocid ?? '');
  if (!id || !ocid) return null;
  if (RELEASE_ID.test(id)) return { id: id.toLowerCase(), heldAs: [id.toLowerCase()] };
  const notice = NOTICE.exec(cells.uri?.trim() ?? '')?.[1];
  return { id: ocid, heldAs: notice ? [id, notice.toLowerCase()] : [id] };
}
