import { hash } from 'node:crypto';

/** sha256 in hex. */
export function sha256(data: string | Uint8Array): string {
  return hash('sha256', data);
}

/** JSON with object keys sorted and absent members left out: one text for one meaning. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map((member) => canonicalJson(member ?? null)).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const object = value as Record<string, unknown>;
  const members = Object.keys(object)
    .sort()
    .filter((key) => object[key] !== undefined)
    .map((key) => `${JSON.stringify(key)}:${canonicalJson(object[key])}`);
  return `{${members.join(',')}}`;
}
