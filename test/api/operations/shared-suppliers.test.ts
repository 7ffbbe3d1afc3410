import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { storePage } from '../../../ingest/store/page.ts';
import { readExportRows } from '../../../schema/accounts/exports/rows.ts';
import type { JsonObject } from '../../../schema/text/json-values.ts';
import { inlineRelease, inlineSupplier, numbered, packageOf, read } from '../../ingest/compile/releases.ts';
import { type BuiltServer, buildServer } from '../../support/services.ts';

const guid = (n: number) => `${String(n).repeat(8)}-0000-4000-8000-000000000000`;
const ocid = (n: number) => `ocds-b5fd17-${guid(n)}`;

/** What the services published: a shared award of 2020, a framework of that shape, and a notice with its correction. */
const MANY = Array.from({ length: 34 }, (_, index) => inlineSupplier(`Garden Firm ${index + 1} Ltd`));
const THREE = [
  inlineSupplier('Tidy Hedges Ltd', 'Mill Lane\nLeeds\nLS2 7EW', numbered('1234567')),
  inlineSupplier('Greenfold Landscapes', 'The Yard\nBradford\nBD1 4QU'),
  inlineSupplier('Mossbank Ltd', '', numbered('07654321')),
];
const correction = (n: number, hour: string, amount: number): JsonObject =>
  inlineRelease(guid(n), [inlineSupplier('Tidy Hedges Ltd', '', numbered('01234567'))], {
    ocid: ocid(4),
    date: `2020-03-02T${hour}:00:00Z`,
    award: { id: `${ocid(4)}-${n}`, value: { amount, currency: 'GBP' } },
  });
const RELEASES = [
  inlineRelease(guid(1), THREE, { ocid: ocid(1) }),
  inlineRelease(guid(2), MANY, { ocid: ocid(2), tender: { title: 'Framework for grounds maintenance' } }),
  correction(4, '09', 4_800_000),
  correction(5, '11', 48_000),
];

let server: BuiltServer;
beforeAll(async () => {
  server = await buildServer({
    credits: 10_000,
    async fill(catalogue) {
      for (const release of RELEASES) {
        const { releases, quarantined } = read(packageOf([release]), 'contracts_finder');
        const page = { source: 'contracts_finder', fetchedAt: '2026-11-20T00:00:00Z', releases, quarantined };
        await storePage(catalogue, { ...page, before: [], after: [] });
      }
    },
  });
});
afterAll(() => server.close());

async function get(path: string): Promise<JsonObject> {
  const response = await fetch(`${server.url}/v1/${path}`, { headers: { authorization: `Bearer ${server.key}` } });
  expect([path, response.status]).toEqual([path, 200]);
  return (await response.json()) as JsonObject;
}
const names = (suppliers: unknown) => (suppliers as { name: string }[]).map(({ name }) => name);

describe('suppliers that were published under one id', () => {
  it('are all the suppliers of the contract, each tied by its own number, and share its value', async () => {
    const contract = await get(`contracts/${guid(1)}`);
    expect(contract).toMatchObject({
      value_class: 'shared',
      suppliers: [
        { name: 'Tidy Hedges Ltd', companies_house_number: '01234567', match: { method: 'company_number' } },
        { name: 'Greenfold Landscapes', match: { evidence: ['no identity of that name and postcode'] } },
        { name: 'Mossbank Ltd', companies_house_number: '07654321' },
      ],
    });
    expect(contract.warnings).toContain(
      'one id was published for several organisations (0): each is counted by itself',
    );
  });

  it('are the suppliers of the notice, which says why', async () => {
    const notice = await get(`notices/${guid(1)}`);
    expect(names(notice.suppliers)).toEqual(names(THREE));
    expect(notice.warnings).toEqual([expect.stringContaining('one id was published for several organisations')]);
  });

  it('are all on their framework', async () => {
    const framework = await get(`frameworks/${ocid(2)}`);
    const [lot] = framework.lots as { suppliers: unknown }[];
    expect(names(lot?.suppliers)).toEqual(names(MANY));
  });

  it("have won it: with their value in no single supplier's total", async () => {
    for (const number of ['01234567', '07654321']) {
      const won = await get(`companies/${number}/contracts`);
      expect(won.items).toContainEqual(expect.objectContaining({ notice_id: guid(1), value_class: 'shared' }));
    }
  });

  it('are all in an export', async () => {
    const [key] = await server.catalogue.read<{ id: string }>({
      sql: 'SELECT id FROM contract WHERE ocid = ?',
      args: [ocid(2)],
    });
    const [row] = await readExportRows(server.catalogue, 'contracts', JSON.stringify([key?.id]), new Date());
    expect(JSON.stringify(row)).toContain('Garden Firm 34 Ltd');
  });
});

describe('an award that a later notice corrects', () => {
  it('is one contract, reached by both notices and both numbers, flagged and in no sum', async () => {
    const contract = await get(`contracts/${guid(5)}`);
    expect(contract).toMatchObject({ value: null, stated_value: 48_000, value_class: 'absurd' });
    expect(contract.warnings).toContainEqual(expect.stringContaining('a power of ten apart'));
    for (const id of [guid(4), `${ocid(4)}-a-4`, `${ocid(4)}-a-5`]) {
      expect(await get(`contracts/${id}`)).toMatchObject({ contract_id: contract.contract_id, stated_value: 48_000 });
    }
    const { contracts, totals } = await get('companies/01234567/profile');
    expect(contracts).toMatchObject({ contract_count: 2 });
    expect(totals).toEqual({ sum: {}, not_in_total: { absurd: { count: 1 }, shared: { count: 1 } } });
  });
});
