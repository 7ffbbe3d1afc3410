import type { Database, Statement } from '../../../schema/db/interface.ts';
import type { ReadContact } from '../../contacts/personal-details.ts';

/** Which of the records beside the releases speak of what was taken down. */
export interface Remains {
  contact(contact: Omit<ReadContact, 'partyId'>): boolean;
  quarantined(text: string, recordId: string | null): boolean;
}

const PAGE_ROWS = 50;
const CONTACTS = 'SELECT rowid AS id, name, email, telephone FROM contact';
const DROP_CONTACTS = 'DELETE FROM contact WHERE rowid IN (SELECT value FROM json_each(?))';
const HELD = `SELECT id, record_id, bytes FROM quarantine WHERE id > ? AND bytes IS NOT NULL ORDER BY id LIMIT ${PAGE_ROWS}`;
const DROP_BYTES = `UPDATE quarantine SET bytes = NULL, state = 'expired' WHERE id IN (SELECT value FROM json_each(?))`;

/** Removes contacts and quarantined bytes; the rows that say why something was quarantined stay. */
export async function removeRemains(
  catalogue: Database,
  remains: Remains,
  { before, signal }: { before: readonly Statement[]; signal: AbortSignal },
): Promise<void> {
  const contacts = await catalogue.read<Omit<ReadContact, 'partyId'> & { id: number }>({ sql: CONTACTS });
  const drop = async (sql: string, ids: readonly number[]) => {
    if (ids.length > 0) await catalogue.write([...before, { sql, args: [JSON.stringify(ids)] }]);
  };
  await drop(
    DROP_CONTACTS,
    contacts.filter(remains.contact).map(({ id }) => id),
  );
  for (let after = 0; ; ) {
    signal.throwIfAborted();
    type Row = { id: number; record_id: string | null; bytes: Uint8Array };
    const rows = await catalogue.read<Row>({ sql: HELD, args: [after] });
    const last = rows.at(-1);
    if (!last) return;
    after = last.id;
    const text = ({ bytes }: Row) => Buffer.from(bytes).toString('utf8');
    await drop(
      DROP_BYTES,
      rows.filter((row) => remains.quarantined(text(row), row.record_id)).map(({ id }) => id),
    );
  }
}

const OF_OCIDS = 'gone = 1 AND ocid IN (SELECT value FROM json_each(?))';
const SCRUB = [
  `UPDATE notice SET title = '', description = '', buyer = NULL, detail = '{}' WHERE ${OF_OCIDS}`,
  `UPDATE contract SET title = '', buyer = NULL, supplier = NULL, suppliers = '[]', detail = '{}' WHERE ${OF_OCIDS}`,
  `UPDATE framework SET title = '', buyer = NULL, lots = '[]', detail = '{}' WHERE ${OF_OCIDS}`,
  `UPDATE process SET title = '', documents = '[]', notices = '[]' WHERE ${OF_OCIDS}`,
];

/** Rows that went stay, so that search hears of it, but say nothing any more. */
export function scrubStatements(ocids: readonly string[]): Statement[] {
  return SCRUB.map((sql) => ({ sql, args: [JSON.stringify(ocids)] }));
}
