import type { Database, Statement } from '../../schema/db/interface.ts';

/** Bodies of 25 kB at most, which make a page of 1 MB. */
const PAGE_ROWS = 40;
const BODIES = `SELECT number, body FROM watch_delivery WHERE number > ? AND body IS NOT NULL ORDER BY number LIMIT ${PAGE_ROWS}`;
const REPLACE = 'UPDATE watch_delivery SET body = ? WHERE number = ? AND body IS NOT NULL';

interface Body {
  data: { name?: string; items: { kind: string; id: string; change: string; item?: object }[] };
}

/**
 * Removes the content of items that mention what was taken down from the deliveries of watches: from waiting ones, and from those
 * that can be read and sent again. The fact of the change stays. Returns how many deliveries were changed. @param fence first in every
 * batch: the lease's
 */
export async function redactWatchBodies(
  accounts: Database,
  mentions: (text: string) => boolean,
  fence: Statement,
): Promise<number> {
  let changed = 0;
  for (let after = 0; ; ) {
    const page = await accounts.read<{ number: number; body: string }>({ sql: BODIES, args: [after] });
    const last = page.at(-1);
    if (!last) return changed;
    after = last.number;
    const struck = page.filter(({ body }) => mentions(body));
    const statements = struck.map(({ number, body }) => ({ sql: REPLACE, args: [redactBody(body, mentions), number] }));
    if (statements.length > 0) await accounts.write([fence, ...statements]);
    changed += struck.length;
  }
}

function redactBody(text: string, mentions: (text: string) => boolean): string {
  const body = JSON.parse(text) as Body;
  const items = body.data.items.map((one) =>
    mentions(JSON.stringify(one)) ? { kind: one.kind, id: one.id, change: one.change } : one,
  );
  return JSON.stringify({ ...body, data: { ...body.data, items } });
}
