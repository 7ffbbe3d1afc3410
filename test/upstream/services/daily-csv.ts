import type { Json } from '../data.ts';

/** The daily harvester file: one package of one release a line, OCDS paths as headers (`releases/0/tender/title`). */
export function dailyCsv(releases: readonly Json[]): string {
  const rows = releases.map((release) => new Map([...packageCells(release), ...flatten(release, 'releases/0')]));
  const headers = [...new Set(rows.flatMap((row) => [...row.keys()]))];
  const lines = rows.map((row) => headers.map((header) => quote(row.get(header) ?? '')).join(','));
  return [headers.join(','), ...lines, ''].join('\r\n');
}

/** The package's own columns, which come first (recorded in 2020). */
function packageCells(release: Json): [string, string][] {
  const notice = String(release.id ?? '').replace(/-\d+$/, '');
  return [
    ['uri', `https://www.contractsfinder.service.gov.uk/Published/Notice/releases/${notice}.json`],
    ['publishedDate', String(release.date ?? '')],
    ['publisher/name', 'Contracts Finder'],
    ['version', '1.1'],
  ];
}

function flatten(value: unknown, path: string): [string, string][] {
  if (value === null || value === undefined) return [];
  if (typeof value !== 'object') return [[path, String(value)]];
  return Object.entries(value).flatMap(([key, inner]) => flatten(inner, `${path}/${key}`));
}

function quote(cell: string): string {
  return /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
