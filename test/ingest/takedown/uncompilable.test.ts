import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { storePage } from '../../../ingest/store/page.ts';
import { applyTakedown } from '../../../ingest/store/takedown.ts';
import { makePersonTarget } from '../../../ingest/takedown/record.ts';
import type { Takedown } from '../../../ingest/takedown/treatment.ts';
import type { Database } from '../../../schema/db/interface.ts';
import { packText } from '../../../schema/text/json-values.ts';
import { readPublished } from '../parse/read-published.ts';
import { AS_OF, makeNotice } from '../small-world.ts';
import { makeCatalogues } from '../store/any-order.ts';
import { AT, beforeWrite, breakProcess } from '../store/moving.ts';
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
const breakRelease = (id: string, body = 'null') =>
  catalogue.write([{ sql: 'UPDATE release SET body = ? WHERE release_id = ?', args: [packText(body), id] }]);
const apply = (takedown: Takedown, database = catalogue) =>
  applyTakedown(database, takedown, { before: [], signal: new AbortController().signal });
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

  it('is compiled where a version of it that can be comes meanwhile', async () => {
    const own = publish().find(({ release }) => release.id === DETAILS)?.release;
    const tooDeep = JSON.stringify({ ...own, buyer: '…' }).replace('"…"', '['.repeat(60_000) + ']'.repeat(60_000));
    await breakRelease(DETAILS, tooDeep);
    const next = readPublished('find_a_tender', [{ ...own, language: 'cy' }]);
    const racing = beforeWrite(catalogue, 1, () =>
      storePage(catalogue, { ...AT, fetchedAt: '2026-11-21T00:00:00Z', ...next }),
    );
    expect(await apply(NOTICE, racing)).toMatchObject({ releases: 1, lost: [] });
    expect(await readServed()).toContain(DETAILS);
  });

  it('is compiled again where the notice that is taken down was what stopped it', async () => {
    await breakRelease(AWARD);
    expect(await apply(NOTICE)).toMatchObject({ releases: 1, lost: [], passed: [] });
    expect(await readServed()).toEqual(expect.arrayContaining([TENDER, DETAILS]));
    expect(await readServed()).not.toContain(AWARD);
  });
});

describe('a call-off that can no longer be compiled', () => {
  const process = { planning: undefined, parties: [], buyer: { name: 'Little Example Council' } };
  const tender = { id: 'r-1', title: 'Hives', techniques: { hasFrameworkAgreement: true } };
  const documents = [{ id: '900001-2026', noticeType: 'UK4' }];
  const framework = makeNotice(900_001, AS_OF, {
    ...process,
    tag: ['tender'],
    tender: { ...tender, documents },
  }).release;
  const related = { id: '1', relationship: ['framework'], scheme: 'ocid', identifier: framework.ocid };
  const awards = [{ id: '1', status: 'active', suppliers: [{ id: 'GB-COH-01234567', name: 'Quillwort Ltd' }] }];
  const callOff = makeNotice(900_002, AS_OF, {
    ...process,
    tag: ['award'],
    relatedProcesses: [related],
    awards,
  }).release;
  const store = (release: object) => storePage(catalogue, { ...AT, ...readPublished('find_a_tender', [release]) });

  it('refuses no framework that comes after it', async () => {
    await store(callOff);
    await breakProcess(catalogue, String(callOff.ocid));
    expect(await store(framework)).toMatchObject({ stored: 1, refused: 0 });
    expect(await readServed()).toEqual(expect.arrayContaining(['900001-2026', '900002-2026']));
  });

  it('stops no takedown of its framework, keeps its rows and is named', async () => {
    await store(framework);
    await store(callOff);
    await breakProcess(catalogue, String(callOff.ocid));
    const takedown: Takedown = { ...HEAD, kind: 'notice', target: { noticeId: '900001-2026' } };
    expect(await apply(takedown)).toMatchObject({ releases: 1, lost: [], passed: [callOff.ocid] });
    expect(await readServed()).toContain('900002-2026');
    expect(await readServed()).not.toContain('900001-2026');
  });
});
