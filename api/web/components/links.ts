import { cpvBranch } from '../../../schema/reference/cpv.ts';

/** The addresses of record pages. Ids come from publishers, so they are encoded. */
const under = (folder: string) => (id: string) => `/${folder}/${encodeURIComponent(id)}`;

export const noticePath = under('notices');
export const contractPath = under('contracts');
export const companyPath = under('companies');
export const buyerPath = under('buyers');
export const frameworkPath = under('frameworks');
/** The page of a branch of the CPV, by any form of its code. */
export const categoryPath = (code: string): string => `/categories/${cpvBranch(code)}`;

/** A short form of a long id: `000123-2026` unchanged, otherwise its distinctive part. */
export function shortId(id: string): string {
  if (id.length <= 16) return id;
  return /^[0-9a-f]{8}-/i.test(id) ? `${id.slice(0, 8)}…` : `…${id.slice(-8)}`;
}

type Values = Readonly<Record<string, string | number | null | undefined>>;

/** An address with a query. Blank and absent values are left out; commas are not encoded. */
export function withQuery(path: string, values: Values | readonly [name: string, value: string][]): string {
  const query = new URLSearchParams();
  for (const [name, value] of Array.isArray(values) ? values : Object.entries(values)) {
    if (value !== null && value !== undefined && value !== '') query.append(name, String(value));
  }
  const text = query.toString().replaceAll('%2C', ',');
  return text ? `${path}?${text}` : path;
}

/** The published address if it is a valid http or https URL, otherwise null. */
export function safeLink(address: string | null | undefined): string | null {
  if (!address || !URL.canParse(address)) return null;
  return /^https?:$/.test(new URL(address).protocol) ? address : null;
}
