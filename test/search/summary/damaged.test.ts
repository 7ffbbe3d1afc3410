import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { COMPANIONS } from '../../../schema/db/generations.ts';
import type { Database } from '../../../schema/db/interface.ts';
import { SearchUnavailable } from '../../../search/engine.ts';
import { columnPath } from '../../../search/summary/file.ts';
import { openSummaries, type Summaries } from '../../../search/summary/open.ts';
import { fillContracts } from '../../generated/contracts/fill.ts';
import { makeDatabase, makeFolder } from '../../support/databases.ts';
import { LIMITS_MS } from '../../support/time-limits.ts';

const GARBAGE = 'this was never a database, and is longer than the header of one: '.repeat(40);
const QUERY = {
  groupBy: ['year'],
  cpvLevel: 2,
  filters: {},
  measure: 'value',
  limit: 1,
  today: '2026-11-22',
} as const;

describe('the columns of a machine, if their file cannot be read', () => {
  let folder: Awaited<ReturnType<typeof makeFolder>>;
  let catalogue: Database;
  let settings: { DATA_DIR: string; CATALOGUE_URL: string };
  let summaries: Summaries | undefined;

  beforeEach(async () => {
    folder = await makeFolder();
    // Where a machine keeps its copy of a server.
    await mkdir(join(folder.path, 'replica'));
    catalogue = await makeDatabase(join(folder.path, 'replica'), 'catalogue');
    await fillContracts(catalogue, 40);
    settings = { DATA_DIR: folder.path, CATALOGUE_URL: catalogue.url };
  });
  afterEach(async () => {
    await summaries?.close();
    await catalogue.close();
    await folder.remove();
  });

  /** Starts the process that adds up. Returns its first answer, however long the columns are prepared. */
  const count = async () => {
    summaries = openSummaries(settings);
    for (const deadline = performance.now() + LIMITS_MS.wait; ; await pause(50)) {
      try {
        return (await summaries.summarise(QUERY)).total.contracts;
      } catch (error) {
        if (!(error instanceof SearchUnavailable) || performance.now() > deadline) throw error;
      }
    }
  };

  it('are filled again, and the copy of the server stays', async () => {
    const whole = await count();
    await summaries?.close();
    for (const companion of ['', ...COMPANIONS]) await writeFile(`${columnPath(folder.path)}.db${companion}`, GARBAGE);
    expect(await count()).toBe(whole);
    expect(existsSync(`${join(folder.path, 'replica', 'catalogue.db')}.damaged`)).toBe(false);
  });

  it('are a fault for the operator where another cause keeps them from being used', async () => {
    await mkdir(`${columnPath(folder.path)}.db`);
    await expect(count()).rejects.toMatchObject({ name: 'DatabaseFault' });
  });
});
