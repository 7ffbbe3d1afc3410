import type { NoticeDetail } from '../../../schema/catalogue/details.ts';
import type { Database, SqlValue } from '../../../schema/db/interface.ts';
import type { SearchDocument } from '../../../search/engine.ts';
import { makeNotices } from '../../generated/notices/make.ts';

const BATCH_ROWS = 5_000;
/** Notices that are made; the others are these again under ids and days of their own. */
const MADE_ROWS = 50_000;
/** Letters of what a notice holds beside its columns, as measured on recordings. */
const DETAIL_LETTERS = 1_200;

const NAMES = [
  ...['id', 'notice_id', 'process_id', 'ocid', 'source', 'stage', 'notice_type', 'title', 'description', 'buyer_id'],
  ...['buyer', 'published', 'published_at', 'deadline', 'deadline_at', 'value', 'currency', 'cpv', 'cpvs', 'region'],
  ...['regions', 'status', 'url', 'is_tender', 'detail', 'digest', 'seq'],
];
const INSERT = `INSERT INTO notice (${NAMES.join(', ')})
  SELECT ${NAMES.map((_name, at) => `value ->> ${at}`).join(', ')} FROM json_each(?)`;
/** A copy of a run of rows: its ids end in the copy's number, and it was published as many hours later. */
const ANEW: Record<string, string> = {
  id: "id || '-' || ?1",
  notice_id: "notice_id || '-' || ?1",
  process_id: "process_id || '-' || ?1",
  published_at: "strftime('%Y-%m-%dT%H:%M:%SZ', published_at, '-' || ?1 || ' hours')",
  digest: "digest || '-' || ?1",
  seq: `seq + ?1 * ${MADE_ROWS}`,
};
const COPY = `INSERT INTO notice (${NAMES.join(', ')})
  SELECT ${NAMES.map((name) => ANEW[name] ?? name).join(', ')} FROM notice WHERE seq > ?2 AND seq <= ?3 ORDER BY seq`;

/** Generated notices as rows of the catalogue, whole: their lengths are those measured on recordings. */
export async function fillNotices(catalogue: Database, count: number): Promise<void> {
  const made = Math.min(count, MADE_ROWS);
  let batch: SqlValue[][] = [];
  let seq = 0;
  for (const document of makeNotices(made)) {
    batch.push(toRow(document, ++seq));
    if (batch.length < BATCH_ROWS && seq < made) continue;
    await catalogue.write([{ sql: INSERT, args: [JSON.stringify(batch)] }]);
    batch = [];
  }
  for (let copy = 1; seq < count; copy++) {
    for (let from = 0; from < made && seq < count; from += BATCH_ROWS) {
      const rows = Math.min(BATCH_ROWS, made - from, count - seq);
      await catalogue.write([{ sql: COPY, args: [copy, from, from + rows] }]);
      seq += rows;
    }
  }
}

function toRow(one: SearchDocument, seq: number): SqlValue[] {
  const [region] = one.regions;
  return [
    ...[one.id, one.notice_id, one.ocid, one.ocid, one.source, one.stage, one.notice_type, one.title],
    ...[one.description, one.buyer_id, one.buyer, one.published, one.published_at, one.deadline, one.deadline_at],
    ...[one.value, one.currency, one.cpvs[0] ?? null, JSON.stringify(one.cpvs), region?.code ?? null],
    ...[JSON.stringify(one.regions), one.status, one.url, one.is_tender ? 1 : 0, DETAIL, String(seq), seq],
  ];
}

const DETAIL = JSON.stringify({
  lots: [{ lot_id: '1', title: 'lot '.repeat(DETAIL_LETTERS / 4) }],
  dates: {},
  documents: [],
  suppliers: [],
  contract_ids: [],
  warnings: [],
} satisfies NoticeDetail);
