import type { Database, Statement } from '../../../schema/db/interface.ts';
import type { ReadContact } from '../../contacts/personal-details.ts';
import { type DatedSighting, factsOf } from '../../identity/facts.ts';
import { type IdentityKind, nameId, placeId, plainNameId } from '../../party/sighting.ts';

const KINDS: readonly IdentityKind[] = ['buyer', 'company'];

const FORGET_FACTS = `DELETE FROM identity_fact WHERE (kind, token, field, value) IN
  (SELECT fact.value ->> 0, fact.value ->> 1, fact.value ->> 2, fact.value ->> 3 FROM json_each(?) AS fact)`;
const FORGET_OF_NAMES = `DELETE FROM identity_fact WHERE kind = ? AND token IN (SELECT value FROM json_each(?))`;
const FORGET_TIES = `DELETE FROM identity_fact WHERE kind = ?
  AND field IN ('same_as', 'name_id', 'plain_name_id', 'register_name_id', 'register_likely_id', 'within', 'formerly', 'leads_to') AND value IN (SELECT value FROM json_each(?))`;
const FORGET_ALIASES = 'DELETE FROM alias WHERE kind = ?1 AND alias IN (SELECT value FROM json_each(?2))';
const FORGET_LEADS = 'DELETE FROM alias WHERE kind = ?1 AND target IN (SELECT value FROM json_each(?2))';
const USED_ELSEWHERE = `SELECT DISTINCT identity_id FROM party WHERE identity_id IN (SELECT value FROM json_each(?))
  AND process_id NOT IN (SELECT id FROM process WHERE ocid IN (SELECT value FROM json_each(?)))`;

/** Rows of identities that went with the names they were made from, and spell them in their ids. Others keep their facts. */
export const REMOVE_LOST: readonly Statement[] = KINDS.map((kind) => ({
  sql: `DELETE FROM ${kind} WHERE gone = 1 AND id GLOB 'name-*' AND NOT EXISTS
    (SELECT 1 FROM identity_fact WHERE kind = '${kind}' AND token = ${kind}.id)`,
}));

/** Which contacts and quarantined records name what was taken down. */
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

/** Gone rows stay, so that search removes them, but are emptied. */
export function scrubStatements(ocids: readonly string[]): Statement[] {
  return SCRUB.map((sql) => ({ sql, args: [JSON.stringify(ocids)] }));
}

/** Removes the facts that only these sightings state. `kept` are the sightings that remain. */
export function forgetFacts(sightings: readonly DatedSighting[], kept: readonly DatedSighting[]): Statement[] {
  const keyOf = ({ kind, token, field, value }: ReturnType<typeof factsOf>[number]) => [kind, token, field, value];
  const said = new Set(kept.flatMap(factsOf).map((fact) => JSON.stringify(keyOf(fact))));
  const lost = sightings.flatMap(factsOf).map(keyOf);
  const forgotten = lost.filter((key) => !said.has(JSON.stringify(key)));
  const ofNames = KINDS.flatMap((kind) => {
    const names = JSON.stringify(lostNames(kind, sightings, kept));
    return [FORGET_OF_NAMES, FORGET_TIES, FORGET_ALIASES, FORGET_LEADS].map((sql) => ({ sql, args: [kind, names] }));
  });
  return [{ sql: FORGET_FACTS, args: [JSON.stringify(forgotten)] }, ...ofNames];
}

function lostNames(kind: IdentityKind, sightings: readonly DatedSighting[], kept: readonly DatedSighting[]): string[] {
  const still = new Set(namesOf(kind, kept));
  return [...new Set(namesOf(kind, sightings))].filter((name) => !still.has(name));
}

function namesOf(kind: IdentityKind, sightings: readonly DatedSighting[]): string[] {
  const own = sightings.filter((one) => one.kind === kind);
  return own.flatMap(({ sighting }) => [nameId(kind, sighting), placeId(kind, sighting) ?? []].flat());
}

/** Those sightings without a number whose name no process but these bears. */
export async function onlyHere(
  catalogue: Database,
  sightings: readonly DatedSighting[],
  ocids: readonly string[],
): Promise<DatedSighting[]> {
  const named = sightings.filter(({ sighting }) => sighting.ids.length === 0);
  const idsOf = ({ kind, sighting }: DatedSighting) =>
    [nameId(kind, sighting), plainNameId(kind, sighting) ?? []].flat();
  const names = named.flatMap(idsOf);
  const rows = await catalogue.read<{ identity_id: string }>({
    sql: USED_ELSEWHERE,
    args: [JSON.stringify(names), JSON.stringify(ocids)],
  });
  const elsewhere = new Set(rows.map(({ identity_id }) => identity_id));
  return named.filter((one) => !idsOf(one).some((id) => elsewhere.has(id)));
}
