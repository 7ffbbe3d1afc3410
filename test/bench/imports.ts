import { readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { ROOT } from '../support/source-files.ts';

/** The files that a stranger opens to follow one thing from its front door to its end, and how many it may come to touch. */
export const WAYS: Readonly<Record<string, { starts: readonly string[]; most?: number }>> = {
  'a release': { starts: ['ingest/run.ts'], most: 90 },
  'a REST look-up': { starts: ['api/http/rest/routes.ts', 'api/operations/companies/lookup.ts'], most: 55 },
  'an MCP call': { starts: ['api/mcp/endpoint.ts', 'api/operations/companies/lookup.ts'], most: 65 },
  'a search': {
    starts: ['api/http/rest/routes.ts', 'api/operations/search/tenders.ts', 'search/embedded/engine.ts'],
    most: 100,
  },
};
const IMPORT = /(?:^|\n)(?:import|export)\s+([^'";]*?\s+from\s+)?'(\.[^']+)'|\bimport\('(\.[^']+)'\)/g;

/** A release passes one row of the sources table, the way it came; to follow it takes none of the others. */
const OTHER_ROWS = /^ingest\/sources\/(?!index\.ts|find-a-tender\.ts)/;

/** Prints, for each way, how many files it reaches by imports, how deep they lie, and how many are of each sub-room. */
export async function benchImports(): Promise<void> {
  for (const [name, { starts }] of Object.entries(WAYS)) {
    const depths = reach(starts);
    const rooms = countBy([...depths.keys()], (path) => path.split('/')[0] ?? '');
    const folders = countBy([...depths.keys()], (path) => path.split('/').slice(0, -1).slice(0, 2).join('/'));
    console.log(`${name}: ${depths.size} files, depth ${Math.max(...depths.values())} (${print(rooms)})`);
    console.log(`  ${print(folders)}\n`);
  }
}

/** Every file that the starts import, and those files in turn, with the shortest distance to a start. Types are not counted. */
export function reach(starts: readonly string[]): Map<string, number> {
  const depths = new Map(starts.map((path) => [path, 1]));
  for (const [path, depth] of depths) {
    for (const target of readImports(path)) if (!depths.has(target)) depths.set(target, depth + 1);
  }
  return depths;
}

/** Files of the project that a file imports for more than their types, as paths from the root. */
function readImports(path: string): string[] {
  const text = readFileSync(join(ROOT, path), 'utf8');
  return [...text.matchAll(IMPORT)]
    .filter(([, names = '']) => !isTypesOnly(names))
    .map(([, , plain, dynamic]) => relative(ROOT, resolve(ROOT, dirname(path), plain ?? dynamic ?? '')))
    .filter((target) => /\.tsx?$/.test(target) && !OTHER_ROWS.test(target));
}

function isTypesOnly(names: string): boolean {
  if (/^type\s/.test(names)) return true;
  const [, inner] = /^\{([^}]*)\}/.exec(names.trim()) ?? [];
  const each = inner?.split(',').filter((name) => name.trim() !== '') ?? [];
  return each.length > 0 && each.every((name) => /^\s*type\s/.test(name));
}

function countBy(paths: readonly string[], keyOf: (path: string) => string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const path of paths) counts.set(keyOf(path), (counts.get(keyOf(path)) ?? 0) + 1);
  return counts;
}

function print(counts: ReadonlyMap<string, number>): string {
  return [...counts]
    .sort(([a, one], [b, other]) => other - one || (a < b ? -1 : 1))
    .map(([name, count]) => `${name} ${count}`)
    .join(', ');
}
