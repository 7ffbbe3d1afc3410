import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { applyTakedown } from '../../../ingest/store/takedown.ts';
import { makePersonTarget } from '../../../ingest/takedown/record.ts';
import type { Takedown } from '../../../ingest/takedown/treatment.ts';
import type { Database } from '../../../schema/db/interface.ts';
import { COUNCIL } from '../compile/releases.ts';
import { makeCatalogues } from '../store/any-order.ts';
import { breakProcess, killedAt, NOTICES, NUMBERED, noticeBy, readAll, store } from '../store/moving.ts';

let catalogues: Awaited<ReturnType<typeof makeCatalogues>>;
beforeAll(async () => {
  catalogues = await makeCatalogues();
});
afterAll(() => catalogues.remove());

const HEAD = { id: 'tk_1', reason: '', takenAt: '2026-11-20T00:00:00Z', takenBy: '' };
const PERSON = { names: ['Wilhelmina Oakapple'], texts: [], emails: [], telephones: [] };
const TAKEDOWNS: Takedown[] = [
  { ...HEAD, kind: 'notice', target: { noticeId: '000008-2026' } },
  { ...HEAD, kind: 'person', target: makePersonTarget(PERSON) },
];
/** A supplier, and a person behind it who has another number at the same address: the two are one. */
const CHARITY = { id: 'GB-CHC-1234567', name: 'Friends of Harrowmere', roles: ['supplier'] };
const PERSONAL = { name: 'Wilhelmina Oakapple', address: { postalCode: 'LS2 7EW' }, roles: ['supplier'] };
const TYING = { id: 'GB-PPON-PBCD-9999-FGHJ', ...PERSONAL };
const readWinners = (catalogue: Database) =>
  catalogue.read<{ company_id: string; contracts: number }>({
    sql: 'SELECT company_id, count(*) AS contracts FROM contract_supplier GROUP BY 1 ORDER BY 1',
  });

/** Notices of the charity's, and of the two as one. */
async function makeTied() {
  const catalogue = await catalogues.make();
  for (let number = 1; number <= NOTICES; number++) await store(catalogue, noticeBy(number, COUNCIL, CHARITY));
  await store(catalogue, noticeBy(9, COUNCIL, { ...PERSONAL, id: CHARITY.id }));
  const before = await readWinners(catalogue);
  expect(before).toEqual([{ company_id: CHARITY.id, contracts: NOTICES + 1 }]);
  await store(catalogue, noticeBy(8, COUNCIL, TYING));
  expect(await readWinners(catalogue)).toEqual([{ company_id: TYING.id, contracts: NOTICES + 2 }]);
  return { catalogue, before };
}

describe('processes of an organisation whose id a takedown changes', () => {
  it.each(TAKEDOWNS)('follow before the takedown of a $kind says that it is done, killed or not', async (takedown) => {
    const options = { before: [], signal: new AbortController().signal, movedMost: 2 };
    for (let at = 0, wasKilled = true; wasKilled; at++) {
      const { catalogue, before } = await makeTied();
      wasKilled = await applyTakedown(killedAt(catalogue, at), takedown, options).then(
        () => false,
        (error: Error) => error.message === 'killed',
      );
      if (wasKilled) await applyTakedown(catalogue, takedown, options);
      expect((await readWinners(catalogue)).filter((one) => one.company_id === CHARITY.id)).toEqual(before);
      expect(await catalogue.read({ sql: "SELECT 1 FROM meta WHERE name = 'moves'" })).toEqual([]);
      await catalogue.close();
    }
  });

  it.each(TAKEDOWNS)(
    'stop no takedown of a $kind where they can no longer be compiled, and are named',
    async (takedown) => {
      for (const movedMost of [2, 500]) {
        const { catalogue } = await makeTied();
        await breakProcess(catalogue, 'ocds-h6vhtk-000005');
        const options = { before: [], signal: new AbortController().signal, movedMost };
        expect(await applyTakedown(catalogue, takedown, options)).toMatchObject({ passed: ['ocds-h6vhtk-000005'] });
        const kept = takedown.kind === 'notice' ? 1 : 2;
        expect(await readWinners(catalogue)).toMatchObject([{ contracts: NOTICES }, { contracts: kept }]);
        await catalogue.close();
      }
    },
  );

  it('are read by a takedown while they wait: what they say too is not forgotten', async () => {
    const named = (name: string) => ({ id: 'GB-PPON-PQRS-2222-TVWX', name, roles: ['buyer'] });
    const one = { ...NUMBERED, additionalIdentifiers: [{ scheme: 'GB-PPON', id: 'PQRS-2222-TVWX' }] };
    const take = async (movedMost?: number) => {
      const catalogue = await catalogues.make();
      for (const [at, name] of ['Invented Board', 'Invented Office', 'Invented Office'].entries())
        await store(catalogue, noticeBy(at + 1, named(name)));
      const moving = store(killedAt(catalogue, 1), noticeBy(8, one), movedMost);
      await (movedMost ? expect(moving).rejects.toThrow('killed') : moving);
      const takedown: Takedown = { ...HEAD, kind: 'notice', target: { noticeId: '000003-2026' } };
      await applyTakedown(catalogue, takedown, { before: [], signal: new AbortController().signal });
      const { identity_fact: facts, alias, buyer } = await readAll(catalogue);
      await catalogue.close();
      return { facts, alias, buyer };
    };
    const due = await take();
    expect(JSON.stringify(due.buyer)).toContain('Invented Office');
    expect(await take(1)).toEqual(due);
  });
});
