import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { applyTakedown } from '../../../ingest/store/takedown.ts';
import { followSuccessions } from '../../../ingest/succession/follow.ts';
import type { Database } from '../../../schema/db/interface.ts';
import {
  drawRetenders,
  measureRetenders,
  type RetenderFigures,
  storeRetenders,
} from '../../generated/retenders/measure.ts';
import type { RetenderNotice } from '../../generated/retenders/publish.ts';
import { makeDatabase, makeFolder } from '../../support/databases.ts';
import { actRelease, BRIGHT, COUNCIL, reference } from '../compile/releases.ts';

const PROCUREMENTS = 160;
const ALL = 'SELECT * FROM succession ORDER BY process_id, contract_id';
/** A procurement of one notice that succeeds something, so that nothing is left of it without the notice. */
const LONE = `SELECT n.notice_id, s.process_id FROM succession s CROSS JOIN notice n ON n.process_id = s.process_id
  WHERE (SELECT count(*) FROM notice o WHERE o.process_id = s.process_id) = 1 LIMIT 1`;

let folder: Awaited<ReturnType<typeof makeFolder>>;
let catalogue: Database;
let figures: RetenderFigures;
beforeAll(async () => {
  folder = await makeFolder();
  catalogue = await makeDatabase(folder.path, 'catalogue');
  figures = await measureRetenders(catalogue, 1, PROCUREMENTS);
});
afterAll(async () => {
  await catalogue.close();
  await folder.remove();
});

/** An award, and four years later a tender under another title: the later names the earlier, or the contract what replaces it. */
function continuedNotices(code: string): RetenderNotice[] {
  const [old, next] = ['ocds-h6vhtk-0b0001', 'OCDS-h6vhtk-0b0002'] as const;
  const relate = (identifier: string) => ({
    relatedProcesses: [{ id: '1', relationship: [code], scheme: 'ocid', identifier }],
  });
  const award = actRelease('000100-2022', '2022-03-01T09:00:00Z', {
    ocid: old,
    tag: ['award', 'contract'],
    parties: [COUNCIL, BRIGHT],
    tender: { title: 'Window cleaning' },
    awards: [{ id: '1', status: 'active', suppliers: [reference(BRIGHT)] }],
    contracts: [{ id: '1', awardID: '1', status: 'active', ...(code === 'prior' ? {} : relate(next)) }],
  });
  const tender = actRelease('000200-2026', '2026-03-01T09:00:00Z', {
    ocid: next.toLowerCase(),
    tender: { title: 'Care of the estate', status: 'active' },
    ...(code === 'prior' ? relate(old) : {}),
  });
  return [award, tender].map((release) => ({ source: 'find_a_tender', at: Date.parse(String(release.date)), release }));
}

/** An award notice that was published under an ocid. */
const award = (ocid: string, title: string) =>
  actRelease('000100-2022', '2022-03-01T09:00:00Z', {
    ocid,
    tag: ['award', 'contract'],
    parties: [COUNCIL, BRIGHT],
    tender: { title },
    awards: [{ id: '1', status: 'active', suppliers: [reference(BRIGHT)] }],
    contracts: [{ id: '1', awardID: '1', status: 'active' }],
  });

const follow = (on: Database) => followSuccessions({ catalogue: on, fence: null });

describe('successions of a generated market', () => {
  it('names next to nothing that is none', () => {
    expect(figures.wrong).toEqual([]);
    expect(figures.right).toBeGreaterThan(figures.wanted / 3);
  });

  it('are as they are when nothing changed', async () => {
    expect(await follow(catalogue)).toEqual({ buyers: 0, changed: 0 });
  });

  it('are found again without writing anything where rows are looked at once more', async () => {
    await catalogue.write([{ sql: "DELETE FROM meta WHERE name = 'succession'" }]);
    const { buyers, changed } = await follow(catalogue);
    expect(buyers).toBeGreaterThan(20);
    expect(changed).toBe(0);
  });

  it('are the same in whatever order the notices came, and after every part of them', async () => {
    const other = await makeFolder();
    const reversed = await makeDatabase(other.path, 'catalogue');
    const { notices } = drawRetenders(1, PROCUREMENTS);
    const half = Math.floor(notices.length / 2);
    await storeRetenders(reversed, notices.slice(half).toReversed());
    await follow(reversed);
    await storeRetenders(reversed, notices.slice(0, half));
    await follow(reversed);
    expect(await reversed.read({ sql: ALL })).toEqual(await catalogue.read({ sql: ALL }));
    await reversed.close();
    await other.remove();
  });

  it.each(['prior', 'renewalProcess', 'replacementProcess'])(
    'rest on a related process that is its %s',
    async (code) => {
      const other = await makeFolder();
      const stated = await makeDatabase(other.path, 'catalogue');
      await storeRetenders(stated, continuedNotices(code));
      await follow(stated);
      const [found, ...more] = await stated.read<{
        process_id: string;
        method: string;
        score: number;
        evidence: string;
      }>({
        sql: ALL,
      });
      expect(more).toEqual([]);
      expect(found).toMatchObject({ process_id: 'ocds-h6vhtk-0b0002', method: 'identifier', score: 0.98 });
      expect(JSON.parse(found?.evidence ?? '')[0]).toMatch(/^stated to be a related process .*: ocds-h6vhtk-0b000\d$/);
      await stated.close();
      await other.remove();
    },
  );

  it.each([
    ['rest on the number of a notice of one process', ['ocds-h6vhtk-0b0001'], 1],
    ['do not rest on a number that names two processes', ['ocds-h6vhtk-0b0001', 'ocds-h6vhtk-0b0002'], 0],
  ])('%s', async (_, ocids, count) => {
    const other = await makeFolder();
    const named = await makeDatabase(other.path, 'catalogue');
    const tender = actRelease('000200-2026', '2026-03-01T09:00:00Z', {
      ocid: 'ocds-h6vhtk-0b0009',
      tender: {
        title: 'Care of the estate',
        status: 'active',
        description: 'It replaces the current contract 000100-2022.',
      },
    });
    const releases = [...ocids.map((ocid) => award(ocid, `Window cleaning of ${ocid.at(-1)}`)), tender];
    const at = (release: { date?: unknown }) => Date.parse(String(release.date));
    await storeRetenders(
      named,
      releases.map((release) => ({ source: 'find_a_tender', at: at(release), release })),
    );
    await follow(named);
    expect(await named.read({ sql: ALL })).toHaveLength(count);
    await named.close();
    await other.remove();
  });

  it('go with the notice that they follow from', async () => {
    const [lone] = await catalogue.read<{ notice_id: string; process_id: string }>({ sql: LONE });
    if (!lone) throw new Error('no succession rests on one notice');
    const takedown = {
      id: 't',
      kind: 'notice' as const,
      target: { noticeId: lone.notice_id },
      reason: '',
      takenAt: '',
    };
    await applyTakedown(catalogue, takedown as Parameters<typeof applyTakedown>[1], {
      before: [],
      signal: new AbortController().signal,
    });
    expect((await follow(catalogue)).changed).toBeGreaterThan(0);
    const left = { sql: 'SELECT 1 FROM succession WHERE process_id = ?', args: [lone.process_id] };
    expect(await catalogue.read(left)).toEqual([]);
  });
});
