/** A cursor as both services make it: base64 of the query and the key to go on below. */
export function makeCursor(query: Record<string, string>, nextCursor: number): string {
  const parts = Object.entries(query).map(([name, value]) => `${name}=${value}`);
  return Buffer.from([...parts, `nextCursor=${nextCursor}`].join('|')).toString('base64');
}

/** The parts of a cursor, or null where the text is none. */
export function readCursor(cursor: string): Record<string, string> | null {
  if (!/^[A-Za-z0-9=+/]{1,300}$/.test(cursor)) return null;
  const pairs = Buffer.from(cursor, 'base64')
    .toString('utf8')
    .split('|')
    .map((part) => part.split(/=(.*)/s).slice(0, 2));
  const parts = Object.fromEntries(pairs) as Record<string, string>;
  return /^\d+$/.test(parts.nextCursor ?? '') ? parts : null;
}

/** `limit` as both services take it: 1 to 100, 100 where absent; null where it is neither. */
export function readLimit(raw: string | null): number | null {
  if (raw === null) return 100;
  const limit = /^\d{1,3}$/.test(raw) ? Number(raw) : 0;
  return limit >= 1 && limit <= 100 ? limit : null;
}
