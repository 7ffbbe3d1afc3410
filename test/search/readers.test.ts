import { afterEach, describe, expect, it } from 'vitest';
import { openReaders } from '../../search/open.ts';
import { makeFolder } from '../support/databases.ts';

const open: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of open.splice(0).toReversed()) await close();
});

describe('search readers', () => {
  it.each([
    ['of a reader, whose customers wait', 'reader', undefined, 1],
    ['of a writer, which seldom searches', 'writer', undefined, 0],
    ['of a reader with Meilisearch, which seldom needs them', 'reader', 'http://127.0.0.1:9', 0],
  ] as const)('%s, start before they are asked only where somebody would wait', async (_, role, MEILI_URL, running) => {
    const folder = await makeFolder();
    const readers = openReaders({ DATA_DIR: folder.path, MEILI_URL }, role);
    open.push(folder.remove, readers.close);
    expect(readers.pids()).toHaveLength(running);
  });
});
