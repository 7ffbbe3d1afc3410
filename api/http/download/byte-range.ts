/** What of a file is asked for: all of it, a part (both ends included), or a part that it does not have. */
export type Wanted = { kind: 'whole' } | { kind: 'part'; from: number; to: number } | { kind: 'beyond' };

const ONE_RANGE = /^bytes=(?:(\d+)-(\d*)|-(\d+))$/;

/**
 * The part that a `Range` header names (RFC 9110, 14.2). Several parts at once, other units and what is no range are
 * answered whole, and so is a part of a file that has changed since (`If-Range` names another tag).
 */
export function parseRange(
  { range, 'if-range': ifRange }: { range?: string | undefined; 'if-range'?: string | string[] | undefined },
  { bytes, tag }: { bytes: number; tag: string },
): Wanted {
  const parts = ONE_RANGE.exec(range?.replaceAll(' ', '') ?? '');
  if (!parts || (ifRange !== undefined && ifRange !== tag)) return { kind: 'whole' };
  const [, first, last, suffix] = parts;
  const from = first === undefined ? Math.max(0, bytes - Number(suffix)) : Number(first);
  const to = last ? Math.min(Number(last), bytes - 1) : bytes - 1;
  if (last && Number(last) < from) return { kind: 'whole' };
  return from < bytes && from <= to ? { kind: 'part', from, to } : { kind: 'beyond' };
}
