import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { storePage } from '../../../ingest/store/page.ts';
import { applyTakedown } from '../../../ingest/store/takedown.ts';
import { makePersonTarget } from '../../../ingest/takedown/record.ts';
import type { Takedown } from '../../../ingest/takedown/treatment.ts';
import type { Database } from '../../../schema/db/interface.ts';
import { packText } from '../../../schema/text/json-values.ts';
import { readPublished } from '../parse/read-published.ts';
import { makeCatalogues } from '../store/any-order.ts';
import { AT } from '../store/moving.ts';
import { AWARD, DETAILS, PERSON, publish, TENDER, TRACES } from './market.ts';
import { tablesWith } from './stored-words.ts';

/** The award and its details are one process, the tender is another. */
const OCID = 'ocds-h6vhtk-00aaaa';
let catalogues: Awaited<ReturnType<typeof makeCatalogues>>;
let catalogue: Database;
beforeAll(async () => {
  catalogues = await makeCatalogues();
});
beforeEach(async () => {
  catalogue = await catalogues.make();
  const releases = publish().map(({ release }) => release);
  await storePage(catalogue, { ...AT, ...readPublished('find_a_tender', releases) });
});
afterAll(() => catalogues.remove());

/** Leaves a release that can no longer be compiled, as an upgrade may. */
const breakRelease = (id: string) =>
  catalogue.write([{ sql: 'UPDATE release SET body = ? WHERE release_id = ?', args: [packText('null'), id] }]);
const apply = (takedown: Takedown) =>
  applyTakedown(catalogue, takedown, { before: [], signal: new AbortController().signal });
const readServed = async () => {
  const rows = await catalogue.read<{ notice_id: string }>({ sql: 'SELECT notice_id FROM notice WHERE gone = 0' });
  return rows.map(({ notice_id }) => notice_id);
};

const HEAD = { id: 'tk_1', reason: '', takenAt: '2026-11-20T00:00:00Z', takenBy: '' };
const target = makePersonTarget({
  names: [PERSON.name],
  texts: ['Elm Cottage'],
  emails: [PERSON.email],
  telephones: [PERSON.phone],
});
const NOTICE: Takedown = { ...HEAD, kind: 'notice', target: { noticeId: AWARD } };
const PERSONAL: Takedown = { ...HEAD, kind: 'person', target };

describe('a process that can no longer be compiled', () => {
  it.each([
    [NOTICE, /Elm Cottage/i],
    [PERSONAL, TRACES],
  ])('is served no more where a takedown of a $kind is about it, and is named', async (takedown, gone) => {
    await breakRelease(DETAILS);
    expect(await apply(takedown)).toMatchObject({ lost: [OCID], passed: [] });
    expect(await tablesWith(catalogue, gone)).toEqual([]);
    expect(await readServed()).toContain(TENDER);
    expect(await readServed()).not.toContain(DETAILS);
  });

  it('is compiled again where the notice that is taken down was what stopped it', async () => {
    await breakRelease(AWARD);
    expect(await apply(NOTICE)).toMatchObject({ releases: 1, lost: [], passed: [] });
    expect(await readServed()).toEqual(expect.arrayContaining([TENDER, DETAILS]));
    expect(await readServed()).not.toContain(AWARD);
  });
});
