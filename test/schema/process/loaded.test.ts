import { join, relative, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { ROOT, readSources } from '../../support/source-files.ts';

const texts = new Map(readSources().map(({ path, text }) => [path, text]));

/** Files and packages that a file and all that it imports load at once; types, and what is imported when it is needed, are not. */
function loadedBy(entry: string): { files: string[]; packages: string[] } {
  const [seen, packages] = [new Set<string>(), new Set<string>()];
  const visit = (path: string) => {
    if (seen.has(path)) return;
    seen.add(path);
    for (const [, target = ''] of (texts.get(path) ?? '').matchAll(/^(?:import|export) (?!type)[^;]*?'([^']+)';$/gm)) {
      if (target.startsWith('.')) visit(relative(ROOT, resolve(ROOT, join(path, '..'), target)));
      else packages.add(/^(?:@[^/]+\/)?[^/]+/.exec(target)?.[0] ?? '');
    }
  };
  visit(entry);
  return { files: [...seen], packages: [...packages] };
}

const packagesOf = (entry: string) => loadedBy(entry).packages;

// Together they would double the start and the memory of a process that never uses them.
const COSTLY = ['better-auth', 'drizzle-orm', '@libsql/client', 'stripe', 'nodemailer', '@crawlee/basic'];

it.each(['api/server.ts', 'jobs/cli/main.ts'])('%s loads nothing at its start that few processes use', (entry) => {
  const loaded = packagesOf(entry);
  expect(loaded).toContain('zod');
  expect(loaded.filter((name) => COSTLY.includes(name))).toEqual([]);
});

// All of a command line's code takes a second of processor to load, which a script that runs it often would pay each time.
it.each(['jobs/cli/main.ts', 'jobs/cli/customers/account.ts', 'jobs/cli/customers/ledger.ts'])(
  '%s, which uses neither ingest nor search, loads neither',
  (entry) => {
    const { files } = loadedBy(entry);
    expect(files.length).toBeLessThan(100);
    expect(files.filter((path) => /^(ingest|search)\//.test(path))).toEqual([]);
  },
);

// Several of them run next to an API; the library of schemas takes nine megabytes in each.
const READERS = [
  'search/embedded/reader.ts',
  'search/summary/reader.ts',
  'api/find/lists.ts',
  'api/reads/export-rows/reader.ts',
];

it.each(READERS)('%s, which a process for reading runs, loads no schemas', (entry) => {
  const loaded = packagesOf(entry);
  expect(loaded.filter((name) => name === 'zod' || COSTLY.includes(name))).toEqual([]);
});
