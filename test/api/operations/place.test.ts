import { expect, it, onTestFinished } from 'vitest';
import { lookupContract } from '../../../api/operations/contracts/lookup.ts';
import { lookupFramework } from '../../../api/operations/frameworks/lookup.ts';
import { getNotice } from '../../../api/operations/notices/get.ts';
import { searchContracts } from '../../../api/operations/search/contracts.ts';
import { searchFrameworks } from '../../../api/operations/search/frameworks.ts';
import { searchNotices } from '../../../api/operations/search/notices.ts';
import { EXPORT_COLUMNS } from '../../../schema/accounts/exports/datasets.ts';
import { readExportRows } from '../../../schema/accounts/exports/rows.ts';
import { type Region, regionOfCode } from '../../../schema/reference/regions.ts';
import { ask, openIndexes, openRoom } from '../../support/catalogue-services.ts';
import { contractDetail, contractRows, frameworkRow, NOW, noticeRow, processRow, seed } from '../../support/seed.ts';

const OCID = 'ocds-h6vhtk-000001';

/** The names by which answers and exports say where something is performed. */
async function placesOf(regions: Region[]) {
  const room = await openRoom();
  onTestFinished(() => room.close());
  const { catalogue } = room.services;
  await seed(
    catalogue,
    processRow(OCID),
    noticeRow('000002-2026', OCID, { regions }),
    ...contractRows(`${OCID}/1`, [], { detail: { ...contractDetail, regions } }),
    frameworkRow(OCID, {
      lots: [],
      detail: { evidence: [], references: [], warnings: [], notice_ids: [], cpvs: [], regions },
    }),
  );
  await openIndexes(room);
  onTestFinished(() => room.services.search.close());
  const names: unknown[] = [];
  for (const search of [searchNotices, searchContracts, searchFrameworks])
    names.push((await ask(room, search as typeof searchNotices, {})).body.items[0]?.region);
  names.push((await ask(room, getNotice, { notice_id: '000002-2026' })).body.region);
  names.push((await ask(room, lookupContract, { notice_id: `${OCID}/1` })).body.region);
  names.push((await ask(room, lookupFramework, { framework_id: OCID })).body.region);
  for (const dataset of ['notices', 'contracts', 'frameworks'] as const) {
    const ids = await catalogue.read<{ id: string }>({ sql: `SELECT id FROM ${dataset.slice(0, -1)}` });
    const [cells = []] = await readExportRows(catalogue, dataset, JSON.stringify(ids.map(({ id }) => id)), NOW);
    names.push(cells[EXPORT_COLUMNS[dataset].findIndex(({ name }) => name === 'region')] ?? undefined);
  }
  return [...new Set(names)];
}

const of = (...codes: string[]) => codes.flatMap((code) => regionOfCode(code) ?? []);
const ENGLAND = of(...[...'CDEFGHIJK'].map((letter) => `UK${letter}`));

it.each<[string, Region[], string | undefined]>([
  ['in one region', of('UKI31'), 'Camden and City of London'],
  ['in all regions of England', ENGLAND, 'England'],
  ['in some of them', of('UKC', 'UKI31'), 'England'],
  ['in England and one of its regions', [{ name: 'England' }, ...of('UKI')], 'England'],
  ['in two nations', of('UKC', 'UKM'), 'United Kingdom'],
  ['in England and Wales', [...of('UKL'), { name: 'England' }], 'United Kingdom'],
  ['in two areas of one region', of('UKI31', 'UKI32'), 'Inner London - West'],
  ['in two regions of one nation', of('UKM5', 'UKM6'), 'Scotland'],
  ['nowhere that is stated', [], undefined],
])('what is performed %s', async (_, regions, name) => {
  expect(await placesOf(regions)).toEqual([name]);
});
