import { objectOf } from '../../schema/text/json-values.ts';

/** Shapes other than OCDS that the three services answer with: the members that give one away, and its name. */
const JSON_SHAPES: [string, string[]][] = [
  ['a Contracts Finder REST v2 search answer', ['noticeList', 'hitCount']],
  ['a Contracts Finder REST v2 notice', ['notice', 'isPublished']],
  ['a Contracts Finder REST v2 notice', ['notice', 'awards']],
  ['a Companies House company profile', ['company_number', 'jurisdiction']],
  ['a Companies House company profile', ['company_number', 'accounts']],
  ['a Companies House filing history', ['filing_history_status']],
  ['a Companies House charges list', ['unfiltered_count', 'satisfied_count']],
  ['a Companies House insolvency answer', ['cases']],
  ['an error answer', ['timestamp', 'status', 'message']],
  ['an error answer', ['errors']],
  ['an error answer', ['error']],
];

/** Name of a parsed answer that is not OCDS. */
export function nameJsonShape(json: unknown): string {
  if (Array.isArray(json)) return 'a JSON array';
  const object = objectOf(json);
  if (!object) return 'a bare JSON value';
  if (object.kind === 'search#companies') return 'a Companies House search answer';
  const [first] = Array.isArray(object.items) ? object.items : [];
  if (objectOf(first)?.category !== undefined && objectOf(first)?.type !== undefined)
    return 'a Companies House filing history';
  const known = JSON_SHAPES.find(([, keys]) => keys.every((key) => key in object));
  return known?.[0] ?? `JSON with the members ${Object.keys(object).slice(0, 6).join(', ') || '(none)'}`;
}

/** Name of bytes that are not JSON at all, or null where they may be. */
export function nameByteShape(bytes: Uint8Array): string | null {
  const head = Buffer.from(bytes.subarray(0, 400))
    .toString('latin1')
    .replace(/^\u00ef\u00bb\u00bf/, '')
    .trimStart();
  if (head === '') return 'an empty body';
  if (head.startsWith('PK')) return 'a zip archive';
  if (bytes[0] === 0x1f && bytes[1] === 0x8b) return 'a gzip file';
  if (head.startsWith('<')) return /^<(!doctype html|html)/i.test(head) ? 'an HTML page' : 'an XML or HTML document';
  if (/^[{["\d-]/.test(head) && !/^"[^"]*","/.test(head)) return null;
  if (/rate limit|too many requests|request limit/i.test(head)) return 'a rate-limit message';
  return /^[^\n]*,[^\n]*,/.test(head) ? 'a CSV file' : 'plain text';
}
