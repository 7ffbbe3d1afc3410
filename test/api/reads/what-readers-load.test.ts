import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { ROOT } from '../../support/source-files.ts';

/** The code of each process that reads for the API. */
const READERS: Readonly<Record<string, string>> = {
  'a search': 'search/embedded/reader.ts',
  sums: 'search/summary/reader.ts',
  'a list': 'api/find/lists.ts',
  rows: 'api/reads/export-rows/reader.ts',
};
/** It takes nine megabytes in each process that loads it. */
const SCHEMAS = 'zod';
const IMPORT = /(?:^|\n)(?:import|export)\s+(?!type\s)[^'";]*?\bfrom\s+'([^']+)'/g;

it.each(Object.entries(READERS))('a process that reads %s loads no library of schemas', (_, start) => {
  // An import that waits until it is needed (the client of a server) does not count.
  const files = new Set([start]);
  const importing: string[] = [];
  for (const path of files) {
    for (const [, target = ''] of readFileSync(join(ROOT, path), 'utf8').matchAll(IMPORT)) {
      if (target === SCHEMAS) importing.push(path);
      if (/^\..*\.ts$/.test(target)) files.add(join(dirname(path), target));
    }
  }
  expect(importing).toEqual([]);
  expect(files).toContain('schema/db/interface.ts');
});
