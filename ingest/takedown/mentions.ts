import type { Database, Statement } from '../../schema/db/interface.ts';
import type { ContactDetails } from '../contacts/personal-details.ts';
import { COUNT_QUARANTINED } from '../runs/record.ts';
import { knownId } from '../sources/index.ts';
import { isOf, namesNotice, type Redactor } from './treatment.ts';

/** Which contacts and quarantined records mention what was taken down. */
export interface Mentions {
  contact(contact: ContactDetails): boolean;
  quarantined(text: string, recordId: string | null): boolean;
}

/** Those of a person. */
export function mentionsOfPerson(redactor: Redactor): Mentions {
  return { contact: (contact) => isOf(contact, redactor), quarantined: redactor.isIn };
}

/** Those of a notice, whose contacts went with its releases. */
export function mentionsOfNotice(noticeId: string): Mentions {
  const isKnownBy = (id: string | null) => id !== null && knownId(id) === noticeId;
  return { contact: () => false, quarantined: (text, id) => isKnownBy(id) || namesNotice(text, noticeId) };
}

const CONTACTS = 'SELECT rowid AS id, name, email, telephone FROM contact';
const DROP_CONTACTS = 'DELETE FROM contact WHERE rowid IN (SELECT value FROM json_each(?))';
/** One at a time: quarantined bytes may be a whole page, and a database server answers with 10 MB at most. */
const NEXT_WITH_BYTES =
  'SELECT id, record_id, bytes FROM quarantine WHERE id > ? AND bytes IS NOT NULL ORDER BY id LIMIT 1';
const DROP_BYTES = "UPDATE quarantine SET bytes = NULL, state = 'expired' WHERE id = ?";

/** Removes those contacts and quarantined bytes; why these were quarantined stays. @param before first in every batch */
export async function removeMentions(
  catalogue: Database,
  mentions: Mentions,
  { before, signal }: { before: readonly Statement[]; signal: AbortSignal },
): Promise<void> {
  const contacts = await catalogue.read<ContactDetails & { id: number }>({ sql: CONTACTS });
  const named = contacts.filter(mentions.contact).map(({ id }) => id);
  if (named.length > 0) await catalogue.write([...before, { sql: DROP_CONTACTS, args: [JSON.stringify(named)] }]);
  for (let after = 0; ; ) {
    signal.throwIfAborted();
    type Row = { id: number; record_id: string | null; bytes: Uint8Array };
    const [row] = await catalogue.read<Row>({ sql: NEXT_WITH_BYTES, args: [after] });
    if (!row) return;
    after = row.id;
    if (mentions.quarantined(Buffer.from(row.bytes).toString('utf8'), row.record_id))
      await catalogue.write([...before, { sql: DROP_BYTES, args: [row.id] }, COUNT_QUARANTINED]);
  }
}
