import type { SqlValue, Statement } from '../../../schema/db/interface.ts';

/** How far the catalogue's rows are numbered. */
export const setSeq = (seq: number): Statement => ({
  sql: "UPDATE counter SET value = ? WHERE name = 'seq'",
  args: [seq],
});

export function insertInto(table: string, row: Record<string, SqlValue>): Statement {
  const names = Object.keys(row);
  return {
    sql: `INSERT OR REPLACE INTO ${table} (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`,
    args: Object.values(row),
  };
}

/** A notice row as ingest stores it. */
export function notice(number: string, seq: number, given: Record<string, SqlValue> = {}): Statement {
  return insertInto('notice', {
    id: `n-${number}`,
    notice_id: number,
    process_id: `p-${number}`,
    ocid: `ocds-h6vhtk-${number}`,
    source: 'find_a_tender',
    stage: 'tender',
    notice_type: 'UK4',
    title: `Notice ${number}`,
    published: '2026-03-01',
    published_at: '2026-03-01T09:00:00Z',
    status: 'open',
    is_tender: 1,
    detail: JSON.stringify({ cpv_descriptions: { 90911000: 'Window cleaning' }, lots: [], suppliers: [] }),
    digest: '',
    seq,
    ...given,
  });
}

/** A framework row whose notice has this id. */
export function framework(number: string, noticeId: string, seq: number, references: string[] = []): Statement {
  return insertInto('framework', {
    id: `p-${number}`,
    process_id: `p-${number}`,
    ocid: `ocds-h6vhtk-${number}`,
    source: 'find_a_tender',
    notice_id: noticeId,
    title: 'A framework',
    kind: 'framework',
    published: '2026-03-01',
    lots: '[]',
    detail: JSON.stringify({ references }),
    digest: '',
    seq,
  });
}
