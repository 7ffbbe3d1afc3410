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
const FORGET_KEYS = 'DELETE FROM export_row WHERE rowid IN (SELECT value FROM json_each(?))';

/**
 * Deletes remembered answers, which a repeated request would receive again, and row keys that spell a person's name. Returns
 * the number of answers.
 */
export async function forgetAnswers(accounts: Database, mentions: Mentions): Promise<number> {
  type Answer = { id: number; body: Uint8Array };
  const isWanted = ({ body }: Answer) => mentions(unpackAnswer(body));
  const answers = await forEachPage(accounts, ANSWERS, isWanted, FORGET_ANSWERS);
  const former = await forEachPage(accounts, FORMER, isWanted, FORGET_FORMER);
  await forEachPage<{ id: number; row_key: string }>(accounts, KEYS, ({ row_key }) => mentions(row_key), FORGET_KEYS);
  return answers + former;
}

async function forEachPage<T extends { id: number }>(
  accounts: Database,
  read: string,
  isWanted: (row: T) => boolean,
  change: string,
): Promise<number> {
  let changed = 0;
  for (let after = 0; ; ) {
    const rows = await accounts.read<T>({ sql: read, args: [after] });
    const last = rows.at(-1);
    if (!last) return changed;
    after = last.id;
    const ids = rows.filter(isWanted).map(({ id }) => id);
    const statement: Statement = { sql: change, args: [JSON.stringify(ids)] };
    if (ids.length > 0) await accounts.write([statement]);
    changed += ids.length;
  }
}

/** Bodies of 25 kB at most, which make a page of 1 MB. */
const BODY_ROWS = 40;
const BODIES = `SELECT number, body FROM watch_delivery WHERE number > ? AND body IS NOT NULL ORDER BY number LIMIT ${BODY_ROWS}`;
const REPLACE = 'UPDATE watch_delivery SET body = ? WHERE number = ? AND body IS NOT NULL';

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
  for (let after = 0; ; ) {
    const page = await accounts.read<{ number: number; body: string }>({ sql: BODIES, args: [after] });
    const last = page.at(-1);
    if (!last) return changed;
    after = last.number;
    const concerned = page.filter(({ body }) => mentions(body));
    const statements = concerned.map(({ number, body }) => ({
      sql: REPLACE,
      args: [redactBody(body, mentions), number],
    }));
    if (statements.length > 0) await accounts.write([fence, ...statements]);
    changed += concerned.length;
  }
}

function redactBody(text: string, mentions: (text: string) => boolean): string {
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
 * Decides whether a text mentions what was taken down: the notice, a contract of its process, an organisation that was
 * removed with it, or the person. Asked once the catalogue is without it.
 */
export async function readMentions(catalogue: Database, takedown: Takedown): Promise<Mentions> {
  if (takedown.kind === 'person') {
    const { redact } = makeRedactor(takedown.id, takedown.target);
    return (text) => redact(text) !== text;
  }
  const { noticeId } = takedown.target;
  const contracts = await catalogue.read<{ id: string }>({ sql: CONTRACTS, args: [noticeId] });
  const isRemoved = await readRemovedIds(catalogue);
  return (text) =>
    namesNotice(text, noticeId) ||
    contracts.some(({ id }) => text.includes(id)) ||
    (text.match(NAME_ID) ?? []).some(isRemoved);
}
