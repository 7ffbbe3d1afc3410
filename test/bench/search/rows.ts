import type { Database, SqlValue } from '../../../schema/db/interface.ts';
import type { AnyDocument, ContractDocument, SearchDocument } from '../../../search/engine.ts';

/** A detail has 1.3 kB on average, as recorded; most of a generated one is this. */
const FILLER = { how_to_apply: 'See the notice on the service where it was published. '.repeat(15) };

/** Stores the rows that generated documents would come from, as far as a search reads them. */
export async function storeRows(catalogue: Database, documents: readonly AnyDocument[]): Promise<void> {
  const [first] = documents;
  if (!first) return;
  const rows = documents.map((document) => ('dated' in document ? contractRow(document) : noticeRow(document)));
  const names = Object.keys(rows[0] ?? {});
  const values = names.map((name) => `value ->> '$.${name}'`).join(', ');
  await catalogue.write([
    {
      sql: `INSERT INTO ${'dated' in first ? 'contract' : 'notice'} (${names.join(', ')}) SELECT ${values} FROM json_each(?)`,
      args: [JSON.stringify(rows)],
    },
  ]);
}

const same = ({ id, notice_id, ocid, source, title, buyer, buyer_id, value, currency, nation }: AnyDocument) => ({
  id,
  notice_id,
  ocid,
  process_id: ocid,
  source,
  title,
  buyer,
  buyer_id,
  value,
  currency,
  nation,
  digest: '',
  seq: 1,
});

function noticeRow(document: SearchDocument): Record<string, SqlValue> {
  const { stage, notice_type, description, published, published_at, deadline, deadline_at, status, url } = document;
  return {
    ...same(document),
    stage,
    notice_type,
    description,
    published,
    published_at,
    deadline,
    deadline_at,
    status,
    url,
    cpvs: JSON.stringify(document.cpvs),
    regions: JSON.stringify(document.regions),
    is_tender: Number(document.is_tender),
    detail: JSON.stringify({ suppliers: document.suppliers.map((name) => ({ name })), ...FILLER }),
  };
}

function contractRow(document: ContractDocument): Record<string, SqlValue> {
  const { dated, starts, ends, procedure } = document;
  return {
    ...same(document),
    sort_date: dated,
    starts,
    ends,
    procedure,
    award_id: '1',
    status: document.is_terminated ? 'terminated' : 'active',
    value_class: 'sum',
    suppliers: JSON.stringify(document.suppliers.map((name, at) => ({ name, company_id: document.company_ids[at] }))),
    detail: JSON.stringify({ description: document.description, ...FILLER }),
  };
}
