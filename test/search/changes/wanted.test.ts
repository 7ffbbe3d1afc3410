import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ChangeKind } from '../../../schema/catalogue/changes/kinds.ts';
import { type FilterView, viewSql } from '../../../schema/catalogue/changes/read.ts';
import type { Database } from '../../../schema/db/interface.ts';
import { type ChangeFilters, filterRowsOf, matchesFilters } from '../../../search/changes/match.ts';
import { wantedRows } from '../../../search/changes/wanted.ts';
import { fillProcurement } from '../../bench/pages/world.ts';
import { makeDatabase, makeFolder } from '../../support/databases.ts';

const NOTICES = 1_500;
const TERMS = {
  suitable_for_sme: true,
  suitable_for_vcse: false,
  special_regimes: ['lightTouch'],
  reserved_for: ['smeVcse'],
  direct_award_grounds: ['technical'],
  above_threshold: true,
  dates: { tender_expected: '2027-02-28' },
};
const KINDS = ['notice', 'contract', 'framework', 'buyer'] as const;

let catalogue: Database;
let remove: () => Promise<void>;
beforeAll(async () => {
  const folder = await makeFolder();
  catalogue = await makeDatabase(folder.path, 'catalogue');
  await fillProcurement(catalogue, NOTICES);
  // What the generated world has none of: names and codes of regions, pounds among other currencies, copies.
  const regions = `json_array(json_object('code', 'UKC1', 'name', 'Tees Valley and Durham'), json_object('code', 'TLI', 'name', 'London'))`;
  await catalogue.write([
    { sql: `UPDATE notice SET regions = ${regions}, nation = 'wales', also_on = '["sell2wales"]' WHERE rowid % 7 = 0` },
    { sql: `UPDATE contract SET detail = json_set(detail, '$.regions', ${regions}) WHERE rowid % 5 = 0` },
    { sql: `UPDATE contract SET also_on = '["contracts_finder", "sell2wales"]' WHERE rowid % 6 = 0` },
    { sql: "UPDATE notice SET currency = 'EUR' WHERE rowid % 11 = 0" },
    { sql: `UPDATE notice SET joint_buyer_ids = '["GB-PPON-JOINT","GB-NHS-RX1"]' WHERE rowid % 12 = 0` },
    {
      sql: `UPDATE framework SET detail = json_set(detail, '$.joint_buyer_ids', json('["GB-NHS-RX1"]')) WHERE rowid % 3 = 0`,
    },
    { sql: `UPDATE notice SET detail = json_patch(detail, '${JSON.stringify(TERMS)}') WHERE rowid % 4 = 0` },
    { sql: "UPDATE notice SET detail = json_set(detail, '$.above_threshold', json('false')) WHERE rowid % 9 = 0" },
    { sql: "UPDATE framework SET ends = '2028-01-' || (10 + rowid % 20) WHERE rowid % 2 = 0" },
    { sql: 'UPDATE contract SET sme = rowid % 2 WHERE rowid % 3 = 0' },
    {
      sql: `UPDATE contract SET detail = json_set(detail, '$.direct_award_grounds', json('["urgency", "technical"]'),
        '$.standstill_until', '2026-12-0' || (1 + rowid % 9)) WHERE rowid % 4 = 1`,
    },
    {
      sql: `UPDATE contract SET suppliers = json_set(suppliers, '$[0].is_vcse', json(iif(rowid % 2, 'true', 'false')))
        WHERE rowid % 3 = 1 AND suppliers <> '[]'`,
    },
    { sql: "UPDATE buyer SET region = 'Île de Wight', region_code = 'TLJ', kind = 'local' WHERE rowid % 3 = 0" },
  ]);
  remove = async () => {
    await catalogue.close();
    await folder.remove();
  };
});
afterAll(() => remove());

interface Row {
  id: string;
  view: string;
  row: number;
  former: number;
}

/** What is wanted of a kind by its views, and what SQL lets through, by the row and by its view. */
async function judge(kind: ChangeKind, filters: ChangeFilters) {
  const condition = wantedRows(kind, filters);
  const rows = await catalogue.read<Row>({
    sql: `SELECT n.id, n.view, iif(${condition?.ofRow ?? 'TRUE'}, 1, 0) AS row, iif(${condition?.ofFormer('n.view') ?? 'TRUE'}, 1, 0) AS former
      FROM (SELECT n.*, ${viewSql(kind, true)} AS view FROM ${kind} n) n`,
    args: [...(condition?.args ?? []), ...(condition?.args ?? [])],
  });
  const ids = (of: Row[]) => of.map(({ id }) => id);
  return {
    wanted: ids(rows.filter(({ view }) => matchesFilters(kind, JSON.parse(view) as FilterView, filters))),
    byRow: new Set(ids(rows.filter(({ row }) => row === 1))),
    byFormer: new Set(ids(rows.filter(({ former }) => former === 1))),
    count: rows.length,
  };
}

async function valuesOf(kind: ChangeKind, sql: string): Promise<string> {
  const [row] = await catalogue.read<{ value: string }>({
    sql: `SELECT ${sql} AS value FROM ${kind} WHERE ${sql} IS NOT NULL ORDER BY rowid LIMIT 1 OFFSET 3`,
  });
  return row?.value ?? '';
}

describe('what SQL says of the rows that filters want', () => {
  it.each<[ChangeKind, ChangeFilters]>([
    ['notice', { cpv: ['45'] }],
    ['notice', { cpv: ['4521', '72'] }],
    ['notice', { region: ['UKC'] }],
    ['notice', { region: ['london'] }],
    ['notice', { region: ['Tees Valley and Durham', 'UKM'] }],
    ['notice', { nation: ['wales', 'scotland'] }],
    ['notice', { stage: ['award'] }],
    ['notice', { value_min: 50_000, value_max: 900_000 }],
    ['notice', { published_from: '2022-01-01', published_to: '2024-06-30', cpv: ['45'] }],
    ['notice', { deadline_from: '2023-01-01' }],
    ['notice', { source: ['sell2wales'] }],
    ['notice', { suitable_for: ['sme', 'vcse'] }],
    ['notice', { special_regime: ['lightTouch'], stage: ['award'] }],
    ['notice', { reserved_for: ['smeVcse', 'publicService'] }],
    ['notice', { buyer_kind: ['local', 'nhs'] }],
    ['notice', { direct_award_ground: ['urgency', 'technical'] }],
    ['notice', { above_threshold: true }],
    ['notice', { above_threshold: false, suitable_for: ['sme'] }],
    ['notice', { tender_expected_from: '2027-02-01' }],
    ['notice', { tender_expected_from: '2026-06-01', tender_expected_to: '2027-02-27' }],
    ['contract', { sme: false }],
    ['contract', { cpv: ['45'] }],
    ['contract', { region: ['London'], value_min: 1_000 }],
    ['contract', { awarded_from: '2022-01-01', ends_to: '2030-01-01' }],
    ['contract', { bids_max: 4 }],
    ['contract', { sme: true }],
    ['contract', { vcse: true }],
    ['contract', { source: ['sell2wales'] }],
    ['contract', { source: ['find_a_tender', 'sell2wales'] }],
    ['contract', { procedure: ['open'] }],
    ['contract', { standstill_from: '2026-12-03', standstill_to: '2026-12-07' }],
    ['contract', { direct_award_ground: ['urgency', 'technical'] }],
    ['framework', { cpv: ['4', '7'], value_min: 1 }],
    ['framework', { buyer_kind: ['central', 'local'] }],
    ['framework', { region: ['London'] }],
    ['framework', { ends_from: '2027-01-01', ends_to: '2028-06-30' }],
    ['framework', { framework_kind: ['dynamic_market'], nation: ['england'] }],
    ['buyer', { nation: ['england'], kind: ['local'] }],
    ['buyer', { region: ['Île de Wight'] }],
  ])('of a %s by %j has each of them', async (kind, filters) => {
    const { wanted, byRow, byFormer } = await judge(kind, filters);
    expect(wanted.filter((id) => !byRow.has(id) || !byFormer.has(id))).toEqual([]);
  });

  it('spares most others, by codes, regions, nations, days, services and ids', async () => {
    for (const kind of ['notice', 'contract'] as const) {
      const buyer = await valuesOf(kind, 'buyer_id');
      const several = [{ cpv: ['45'] }, { region: ['UKC'] }, { nation: ['wales'] }, { source: ['sell2wales'] }];
      for (const filters of [...several, { buyer_id: buyer }]) {
        const { wanted, byRow, byFormer, count } = await judge(kind, filters as ChangeFilters);
        expect([byRow.size, byFormer.size]).toEqual([wanted.length, wanted.length]);
        expect(count).toBeGreaterThan(wanted.length);
      }
      const { wanted } = await judge(kind, { buyer_id: buyer });
      expect(wanted.length).toBeGreaterThan(0);
    }
  });

  it.each<[ChangeKind, ChangeFilters]>([
    ['notice', { buyer_id: 'GB-NHS-RX1' }],
    ['framework', { buyer_id: 'GB-NHS-RX1' }],
    ['framework', { framework_kind: ['framework'] }],
    ['notice', { suitable_for: ['sme'] }],
    ['notice', { special_regime: ['lightTouch', 'concession'] }],
    ['notice', { reserved_for: ['smeVcse'] }],
    ['notice', { above_threshold: true }],
    ['notice', { above_threshold: false }],
    ['contract', { sme: false }],
    ['contract', { direct_award_ground: ['technical'] }],
    ['contract', { standstill_from: '2026-12-05' }],
    ['contract', { vcse: true }],
    ['contract', { vcse: false }],
  ])('spares every other %s by %j', async (kind, filters) => {
    const { wanted, byRow, byFormer } = await judge(kind, filters);
    expect(wanted.length).toBeGreaterThan(0);
    expect([byRow.size, byFormer.size]).toEqual([wanted.length, wanted.length]);
  });

  it('says nothing of kinds whose values SQL does not compare', () => {
    expect(wantedRows('company', { sic: ['62'] })).toBeUndefined();
    for (const kind of KINDS) expect([filterRowsOf(kind).length > 0, wantedRows(kind, {})]).toEqual([true, undefined]);
  });
});
