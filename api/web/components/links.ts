/** Where each kind of thing has its page. Ids come from upstream: every one is encoded. */
const under = (folder: string) => (id: string) => `/${folder}/${encodeURIComponent(id)}`;

export const noticePath = under('notices');
export const contractPath = under('contracts');
export const companyPath = under('companies');
export const buyerPath = under('buyers');
export const frameworkPath = under('frameworks');

/** A short name for an id that is too long to read: `000123-2026` as it stands, of others the part that tells them apart. */
export function shortId(id: string): string {
  if (id.length <= 16) return id;
  return /^[0-9a-f]{8}-/i.test(id) ? `${id.slice(0, 8)}…` : `…${id.slice(-8)}`;
}

type Values = Readonly<Record<string, string | number | null | undefined>>;

/** An address with the given query, names in their order; blank and absent values are left out. Commas stay legible. */
export function withQuery(path: string, values: Values | readonly [name: string, value: string][]): string {
  const query = new URLSearchParams();
  for (const [name, value] of Array.isArray(values) ? values : Object.entries(values)) {
    if (value !== null && value !== undefined && value !== '') query.append(name, String(value));
  }
  const text = query.toString().replaceAll('%2C', ',');
  return text ? `${path}?${text}` : path;
}

/** A published address is only made a link where it is one: nothing but http and https. */
export function safeLink(address: string | null | undefined): string | null {
  if (!address || !URL.canParse(address)) return null;
  return /^https?:$/.test(new URL(address).protocol) ? address : null;
}
