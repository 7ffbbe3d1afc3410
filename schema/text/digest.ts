import { hash } from 'node:crypto';

/** sha256 in hex. */
export function sha256(data: string | Uint8Array): string {
  return hash('sha256', data);
}

/** What JSON may not hold as it is: half of a pair of surrogates must be escaped, a whole pair need not be. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what JSON escapes
const ESCAPED = /["\\\0-\x1f\ud800-\udfff]/;

/** A string as JSON: most have nothing to escape, and joining them takes half the time of asking `JSON.stringify`. */
function quote(text: string): string {
  return ESCAPED.test(text) ? JSON.stringify(text) : `"${text}"`;
}

/** JSON with object keys sorted and absent members left out: one text for one meaning. */
export function canonicalJson(value: unknown): string {
  if (typeof value === 'string') return quote(value);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  let text = '';
  if (Array.isArray(value)) {
    for (const member of value) text += `${text && ','}${canonicalJson(member)}`;
    return `[${text}]`;
  }
  const object = value as Record<string, unknown>;
  for (const key of Object.keys(object).sort()) {
    const member = object[key];
    if (member !== undefined) text += `${text && ','}${quote(key)}:${canonicalJson(member)}`;
  }
  return `{${text}}`;
}
