import { readOcidsOf } from '../../ingest/store/takedown.ts';
import { makeRedactor, namesNotice, type Takedown } from '../../ingest/takedown/treatment.ts';
import { unpackAnswer } from '../../schema/accounts/remembered-answers.ts';
import { readRemovedIds } from '../../schema/catalogue/changes/remove.ts';
import type { Database, Statement } from '../../schema/db/interface.ts';

/** Answers of 9 kB, which make a page of 1 MB: a database server answers with 10 MB at most. */
const PAGE_ROWS = 100;
const ANSWERS = `SELECT line AS id, body FROM remembered_answer WHERE line > ? ORDER BY line LIMIT ${PAGE_ROWS}`;
const FORGET_ANSWERS = 'DELETE FROM remembered_answer WHERE line IN (SELECT value FROM json_each(?))';
/** Answers that an earlier version stored; none is left after a day. */
const FORMER = `SELECT rowid AS id, body FROM idempotency WHERE rowid > ? AND body IS NOT NULL ORDER BY rowid LIMIT ${PAGE_ROWS}`;
const FORGET_FORMER = 'UPDATE idempotency SET body = NULL WHERE rowid IN (SELECT value FROM json_each(?))';
const KEYS = `SELECT rowid AS id, row_key FROM export_row WHERE rowid > ? AND row_key >= 'name-' AND row_key < 'name.' ORDER BY rowid LIMIT ${PAGE_ROWS}`;
/** Their places stay: the refund is a share of all rows that were ordered. */
const FORGET_KEYS = "UPDATE export_row SET row_key = '' WHERE rowid IN (SELECT value FROM json_each(?))";

/**
 * Deletes remembered answers, which a repeated request would receive again, and empties row keys that spell a person's name.
 * Returns the number of answers.
 */
export async function forgetAnswers(accounts: Database, mentions: Mentions): Promise<number> {
  type Answer = { id: number; body: Uint8Array };
  const isWanted = ({ body }: Answer) => mentions(unpackAnswer(body));
  const answers = await forget(accounts, ANSWERS, isWanted, FORGET_ANSWERS);
  const former = await forget(accounts, FORMER, isWanted, FORGET_FORMER);
  await forget<{ id: number; row_key: string }>(accounts, KEYS, ({ row_key }) => mentions(row_key), FORGET_KEYS);
  return answers + former;
}

async function forget<T extends { id: number }>(
  accounts: Database,
  read: string,
  isWanted: (row: T) => boolean,
  change: string,
): Promise<number> {
  let changed = 0;
  for await (const rows of readPages<T>(accounts, read)) {
    const ids = rows.filter(isWanted).map(({ id }) => id);
    if (ids.length > 0) await accounts.write([{ sql: change, args: [JSON.stringify(ids)] }]);
    changed += ids.length;
  }
  return changed;
}

async function* readPages<T extends { id: number }>(accounts: Database, sql: string): AsyncGenerator<T[]> {
  for (let after = 0; ; ) {
    const rows = await accounts.read<T>({ sql, args: [after] });
    const last = rows.at(-1);
    if (!last) return;
    yield rows;
    after = last.id;
  }
}

/** Bodies of 25 kB at most, which make a page of 1 MB. */
const BODY_ROWS = 40;
const BODIES = `SELECT number AS id, body FROM watch_delivery WHERE number > ? AND body IS NOT NULL ORDER BY number LIMIT ${BODY_ROWS}`;
/** The receiver's answer goes too: it may repeat what it was sent. */
const REPLACE = 'UPDATE watch_delivery SET body = ?, answer = NULL WHERE number = ? AND body IS NOT NULL';

interface Body {
  data: { name?: string; items: { kind: string; id: string; change: string; item?: object }[] };
}

/**
 * Removes the content of items that mention what was taken down from deliveries of watches that wait or can be sent again.
 * The fact of the change stays. Returns how many deliveries were changed.
 * @param fence the first statement of every batch
 */
export async function redactDeliveries(accounts: Database, mentions: Mentions, fence: Statement): Promise<number> {
  let changed = 0;
  for await (const rows of readPages<{ id: number; body: string }>(accounts, BODIES)) {
    const concerned = rows.filter(({ body }) => mentions(body));
    const statements = concerned.map(({ id, body }) => ({ sql: REPLACE, args: [redactBody(body, mentions), id] }));
    if (statements.length > 0) await accounts.write([fence, ...statements]);
    changed += concerned.length;
  }
  return changed;
}

function redactBody(text: string, mentions: Mentions): string {
  const body = JSON.parse(text) as Body;
  const items = body.data.items.map((one) =>
    mentions(JSON.stringify(one)) ? { kind: one.kind, id: one.id, change: one.change } : one,
  );
  return JSON.stringify({ ...body, data: { ...body.data, items } });
}

/** Whether a text mentions what was taken down. */
type Mentions = (text: string) => boolean;

const CONTRACTS = 'SELECT id FROM contract WHERE ocid IN (SELECT ocid FROM notice WHERE notice_id = ?)';
/** An id that spells the name of an organisation. */
const NAME_ID = /name-[a-z0-9-]+/g;

/**
 * What decides whether a text mentions what was taken down: the notice, a contract of its process, an organisation that was
 * removed with it, or the person. An answer that names the process counts too, as it may give the process the notice's title.
 * To be called once the catalogue no longer has it.
 */
export async function readMentions(
  catalogue: Database,
  takedown: Takedown,
): Promise<{ inAnswer: Mentions; inItem: Mentions }> {
  if (takedown.kind === 'person') {
    const { isIn } = makeRedactor(takedown.id, takedown.target);
    return { inAnswer: isIn, inItem: isIn };
  }
  const { noticeId } = takedown.target;
  const contracts = await catalogue.read<{ id: string }>({ sql: CONTRACTS, args: [noticeId] });
  const ocids = await readOcidsOf(catalogue, noticeId);
  const isRemoved = await readRemovedIds(catalogue);
  const inItem: Mentions = (text) =>
    namesNotice(text, noticeId) ||
    contracts.some(({ id }) => text.includes(id)) ||
    (text.match(NAME_ID) ?? []).some(isRemoved);
  return { inAnswer: (text) => inItem(text) || ocids.some((ocid) => text.includes(ocid)), inItem };
}
