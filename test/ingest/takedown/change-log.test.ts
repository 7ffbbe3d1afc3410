import { afterAll, beforeAll, expect, it } from 'vitest';
import { storePage } from '../../../ingest/store/page.ts';
import { applyTakedown } from '../../../ingest/store/takedown.ts';
import { makePersonTarget } from '../../../ingest/takedown/record.ts';
import type { Takedown } from '../../../ingest/takedown/treatment.ts';
import type { Database } from '../../../schema/db/interface.ts';
import { actRelease, BRIGHT, noticeDocument, reference } from '../compile/releases.ts';
import { readPublished } from '../parse/read-published.ts';
import { makeCatalogues } from '../store/any-order.ts';
import { AT } from '../store/moving.ts';
import { tablesWith } from './stored-words.ts';

let catalogues: Awaited<ReturnType<typeof makeCatalogues>>;
beforeAll(async () => {
  catalogues = await makeCatalogues();
});
afterAll(() => catalogues.remove());

/** A buyer without a number: the id that filters read spells its name. */
const PERSONAL = { id: 'own-1', name: 'Wilhelmina Oakapple', roles: ['buyer'] };

/** A framework that she buys through, with another value each time. */
const awardOf = (number: number, amount: number) =>
  actRelease(`00000${number}-2026`, `2026-03-0${number}T10:00:00Z`, {
    tag: ['award', 'contract'],
    parties: [PERSONAL, BRIGHT],
    buyer: reference(PERSONAL),
    tender: {
      techniques: { hasFrameworkAgreement: true, frameworkAgreement: { type: 'closed' } },
      value: { amount, currency: 'GBP' },
    },
    awards: [
      {
        id: '1',
        status: 'active',
        suppliers: [reference(BRIGHT)],
        value: { amount, currency: 'GBP' },
        documents: [noticeDocument(`00000${number}-2026`, 'UK6')],
      },
    ],
  });

const FORMER = "SELECT DISTINCT kind FROM change WHERE former LIKE '%oakapple%' ORDER BY kind";
const readKinds = async (catalogue: Database) =>
  (await catalogue.read<{ kind: string }>({ sql: FORMER })).map(({ kind }) => kind);

it('a person is no longer in what the log says that filters read of contracts and frameworks', async () => {
  const catalogue = await catalogues.make();
  for (const release of [awardOf(1, 900), awardOf(2, 800)])
    await storePage(catalogue, { ...AT, ...readPublished('find_a_tender', [release]) });
  expect(await readKinds(catalogue)).toEqual(['contract', 'framework']);
  const target = makePersonTarget({ names: [PERSONAL.name], texts: [], emails: [], telephones: [] });
  const takedown: Takedown = { id: 'tk_1', kind: 'person', target, reason: '', takenAt: '', takenBy: '' };
  await applyTakedown(catalogue, takedown, { before: [], signal: new AbortController().signal });
  expect(await tablesWith(catalogue, /oakapple/i)).toEqual([]);
  await catalogue.close();
});
