import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeKeyQuery } from '../../../api/operations/exports/filters.ts';
import { countRows } from '../../../api/reads/export-rows/keys.ts';
import type { JsonObject } from '../../../schema/text/json-values.ts';
import { READER_START, readChangesPage } from '../../../search/changes/page.ts';
import type { SearchFilters } from '../../../search/filters/index.ts';
import { actRelease } from '../../ingest/compile/releases.ts';
import { openPublished, type Published } from './published.ts';

const OF_A_LOT = '000001-2026';
const OF_THE_WHOLE = '000002-2026';
const SILENT = '000003-2026';
/** A transparency notice: there is no contract yet. */
const INTENDED = '000004-2026';
const onGround = (id: string) => ({ procurementMethod: 'direct', procurementMethodRationaleClassifications: [{ id }] });
/** What each says of whom it suits and by which rules it is bought. */
const TENDERS: Readonly<Record<string, JsonObject>> = {
  [OF_A_LOT]: {
    lots: [{ id: '1' }, { id: '2', suitability: { sme: true } }],
    specialRegime: ['lightTouch', 'concession'],
    aboveThreshold: true,
    otherRequirements: { reservedParticipation: ['shelteredWorkshop'] },
  },
  [OF_THE_WHOLE]: {
    suitability: { sme: false, vcse: true },
    aboveThreshold: false,
    otherRequirements: { reservedParticipationLocation: { description: 'Devon' } },
  },
  [SILENT]: { lots: [{ id: '1' }] },
  [INTENDED]: onGround('extremeUrgency'),
};

let published: Published;

beforeAll(async () => {
  published = await openPublished(
    Object.entries(TENDERS).map(([id, tender]) => actRelease(id, '2026-03-01T00:00:00Z', { tender })),
  );
});
afterAll(() => published.close());

const changesAfter = (filters: SearchFilters, position = READER_START) =>
  readChangesPage(published.catalogue, { position, kinds: ['notice'], filters, limit: 100 });

describe('whom a notice suits, and the rules that apply to it', () => {
  it.each<[SearchFilters, string[]]>([
    [{ suitable_for: ['sme'] }, [OF_A_LOT]],
    [{ suitable_for: ['vcse'] }, [OF_THE_WHOLE]],
    [{ suitable_for: ['sme', 'vcse'] }, [OF_A_LOT, OF_THE_WHOLE]],
    [{ special_regime: ['concession'] }, [OF_A_LOT]],
    [{ special_regime: ['utilities'] }, []],
    [{ reserved_for: ['shelteredWorkshop', 'publicService'] }, [OF_A_LOT]],
    [{ reserved_for: ['smeVcse'] }, []],
    [{ reserved_for: ['area'] }, [OF_THE_WHOLE]],
    [{ reserved_for: ['area', 'shelteredWorkshop'] }, [OF_A_LOT, OF_THE_WHOLE]],
    [{ direct_award_ground: ['technical', 'urgency'] }, [INTENDED]],
    [{ direct_award_ground: ['technical'] }, []],
    [{ above_threshold: true }, [OF_A_LOT]],
    [{ above_threshold: false }, [OF_THE_WHOLE]],
  ])('by %j searches, exports and changes find the same', async (filters, ids) => {
    const { changes } = await changesAfter(filters);
    expect((await published.trial.ids({ filters })).toSorted()).toEqual(ids);
    expect(changes.map(({ id }) => id.slice(0, OF_A_LOT.length)).toSorted()).toEqual(ids);
    expect(await countRows(published.catalogue, makeKeyQuery('notices', filters, new Date()))).toBe(ids.length);
  });

  it('leave a search that is kept up with when the notice no longer says so', async () => {
    const { next } = await changesAfter({ suitable_for: ['sme'] });
    const otherRequirements = { reservedParticipation: [] };
    const tender = { suitability: { sme: false }, specialRegime: [], aboveThreshold: false, otherRequirements };
    await published.publish(actRelease(OF_A_LOT, '2026-03-02T00:00:00Z', { tender }));
    const left = [{ suitable_for: ['sme'] }, { special_regime: ['concession'] }, { above_threshold: true }];
    for (const filters of [...left, { reserved_for: ['shelteredWorkshop'] }]) {
      const { changes } = await changesAfter(filters, next);
      expect(changes.map(({ change }) => change)).toEqual(['left']);
    }
  });

  it('counts the grounds of direct awards, and follows one that a later notice corrects', async () => {
    const { facets } = await published.trial.find({ facets: ['direct_award_ground'] });
    expect(facets?.direct_award_ground).toEqual({ urgency: 1 });
    const { next } = await changesAfter({ direct_award_ground: ['urgency'] });
    await published.publish(actRelease(INTENDED, '2026-03-02T00:00:00Z', { tender: onGround('additionalRepetition') }));
    const told = async (ground: string) =>
      (await changesAfter({ direct_award_ground: [ground] }, next)).changes.map(({ change }) => change);
    expect([await told('urgency'), await told('additional')]).toEqual([['left'], ['new']]);
  });
});
