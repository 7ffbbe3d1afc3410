import { describe, expect, it } from 'vitest';
import { operations } from '../../../api/operations/index.ts';
import { makeDescriber, withSources } from '../../../api/validation/known-sources.ts';
import type { Database } from '../../../schema/db/interface.ts';
import { FILTERS } from '../../../search/filters/index.ts';

const sourceRow = (id: string, kind = 'notices') => ({ id, title: id, kind, aliases: '[]' });
const reads = (answer: () => object[]) => ({ read: async () => answer() }) as unknown as Database;
const sourcesOf = (described: typeof operations) =>
  described.find(({ name }) => name === 'search_notices')?.filters?.find(({ name }) => name === 'source')?.words;

const WORDS = FILTERS.find(({ name }) => name === 'source')?.words;

describe('the operations as they are described', () => {
  it('are the same until the services of the catalogue change, and stay while it cannot be read', async () => {
    let rows: object[] | null = [sourceRow('mercia'), sourceRow('a_register', 'register')];
    const faults: unknown[] = [];
    const describeOperations = makeDescriber(
      reads(() => {
        if (!rows) throw new Error('away');
        return rows;
      }),
      operations,
      (error) => faults.push(error),
    );
    const first = await describeOperations();
    expect(sourcesOf(first)).toBe(`${WORDS} The services: mercia.`);
    expect(await describeOperations()).toBe(first);
    rows = null;
    expect(await describeOperations()).toBe(first);
    expect(faults).toEqual([new Error('away')]);
    rows = [sourceRow('mercia'), sourceRow('wessex')];
    expect(sourcesOf(await describeOperations())).toBe(`${WORDS} The services: mercia, wessex.`);
  });

  it('are as in the table where no service is known, or no operation names one', () => {
    for (const operation of operations) expect(withSources(operation, [])).toBe(operation);
    const [balance] = operations.filter(({ filters }) => !filters);
    expect(balance && withSources(balance, [{ id: 'mercia', title: 'Mercia', aliases: [] }])).toBe(balance);
  });
});
