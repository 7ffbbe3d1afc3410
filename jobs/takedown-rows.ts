import type { Takedown } from '../ingest/takedown.ts';
import { makeStriker, strikeJson } from '../ingest/takedown-person.ts';
import type { ExportDataset } from '../schema/exports.ts';

/** A row of a finished file: column to value. */
export type RowRecord = Record<string, unknown>;
export type Fate = 'kept' | 'struck' | 'removed';

/** What becomes of a row of an export, and how it stands then. */
export type RowTreatment = (row: RowRecord) => { fate: Fate; row: RowRecord };

/** Datasets whose rows are about one organisation, which may be the person. */
const OF_ORGANISATIONS: ReadonlySet<ExportDataset> = new Set(['companies', 'buyers']);

/** A notice's own rows go; so does a person's own. Every other row that mentions the person loses the mention. */
export function makeRowTreatment(takedown: Takedown, dataset: ExportDataset): RowTreatment {
  if (takedown.kind === 'notice') {
    const { noticeId } = takedown.target;
    return (row) => ({ row, fate: String(row.notice_id ?? '').toLowerCase() === noticeId ? 'removed' : 'kept' });
  }
  const striker = makeStriker(takedown.id, takedown.target);
  return (row) => {
    const struck = strikeJson(row, striker) as RowRecord;
    if (JSON.stringify(struck) === JSON.stringify(row)) return { row, fate: 'kept' };
    const isOwn = OF_ORGANISATIONS.has(dataset) && struck.name !== row.name;
    return { row: struck, fate: isOwn ? 'removed' : 'struck' };
  };
}
