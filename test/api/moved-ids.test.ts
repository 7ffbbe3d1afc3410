import { afterAll, beforeAll, expect, it } from 'vitest';
import { storePage } from '../../ingest/store/page.ts';
import type { WatchRow } from '../../schema/accounts/watches/row.ts';
import { syncSearch } from '../../search/index/sync.ts';
import { openSearch } from '../../search/open.ts';
import { actRelease, BRIGHT, COUNCIL, packageOf, read, reference } from '../ingest/compile/releases.ts';
import { ask } from '../support/client.ts';
import { type BuiltServer, buildServer } from '../support/services.ts';

const HOSPITAL = {
  id: 'GB-NHS-RX1',
  name: 'Harrowmere Town Hospital',
  identifier: { scheme: 'GB-NHS', id: 'RX1' },
  address: COUNCIL.address,
  roles: COUNCIL.roles,
};

let server: BuiltServer;
beforeAll(async () => {
  server = await buildServer({ search: (settings, catalogue) => openSearch(settings, catalogue, 'reader') });
  await store(1, COUNCIL);
  await store(2, HOSPITAL);
  await index();
});
afterAll(() => server?.close());

/** A tender; with another identifier, the buyer and that other are one from then on, under the council's id. */
async function store(
  number: number,
  buyer: typeof COUNCIL,
  others: (typeof COUNCIL.identifier)[] = [],
  more: object = {},
) {
  const party = { ...buyer, additionalIdentifiers: others };
  const name = String(number).padStart(6, '0');
  const release = actRelease(`${name}-2026`, `2026-05-20T10:00:${name.slice(-2)}Z`, {
    ocid: `ocds-h6vhtk-${name}`,
    parties: [party, BRIGHT],
    buyer: reference(party),
    tender: { id: `T${number}`, title: `Tender ${number}` },
    ...more,
  });
  const fetched = { source: 'find_a_tender', fetchedAt: '2026-11-20T00:00:00Z', before: [], after: [] };
  await storePage(server.catalogue, { ...fetched, ...read(packageOf([release]), 'find_a_tender') });
}

/** Brings the search index up to date. */
async function index() {
  const writer = await openSearch(server.settings, server.catalogue, 'writer');
  await syncSearch(server.catalogue, writer);
  await writer.close();
}

function send(method: string, path: string, body: object, once?: string) {
  const headers = { 'content-type': 'application/json', ...(once && { 'idempotency-key': once }) };
  return ask(server.url, `/v1${path}`, server.key, { method, body: JSON.stringify(body), headers });
}

it('a watch of what has another id by now keeps its place', async () => {
  const asked = {
    name: 'The hospital',
    on: 'notices',
    filters: { buyer_id: HOSPITAL.id },
    deliver: { webhook: 'https://hooks.example.org/a' },
  };
  const { watch_id: id } = (await send('POST', '/watches', asked, 'made-once')).body;
  const placeOf = async () => {
    const rows = await server.accounts.read<WatchRow>({ sql: 'SELECT * FROM watch WHERE id = ?', args: [id] });
    return rows.map(({ name, position }) => ({ name, position }));
  };
  const [before] = await placeOf();
  await store(3, COUNCIL, [HOSPITAL.identifier]);
  const again = await send('POST', '/watches', asked, 'made-once');
  expect([again.status, again.body.watch_id]).toEqual([200, id]);
  expect((await send('PATCH', `/watches/${id}`, { name: 'Renamed' })).status).toBe(200);
  expect(await placeOf()).toEqual([{ ...before, name: 'Renamed' }]);
  expect((await send('PATCH', `/watches/${id}`, { ...asked, name: 'Again' })).status).toBe(200);
  expect(await placeOf()).toEqual([{ ...before, name: 'Again' }]);
});

it('a list of the contracts of what has another id by now continues, free', async () => {
  const clinic = {
    ...HOSPITAL,
    id: 'GB-NHS-RX2',
    name: 'Millbrook Clinic',
    identifier: { scheme: 'GB-NHS', id: 'RX2' },
  };
  const awards = {
    awards: [{ id: '1', status: 'active', suppliers: [reference(BRIGHT)] }],
    tag: ['award', 'contract'],
  };
  for (const number of [4, 5]) await store(number, clinic, [], awards);
  const pageOf = async (path: string, cursor = '') => {
    const next = cursor && `&cursor=${encodeURIComponent(cursor)}`;
    const { status, body } = await ask(server.url, `/v1${path}?limit=1${next}`, server.key);
    const { items, next_cursor } = body.contracts ?? body;
    return {
      status,
      charged: body.credits_charged,
      ids: items?.map((one: { notice_id: string }) => one.notice_id),
      next_cursor,
    };
  };
  const paths = [`/buyers/${clinic.id}/contracts`, `/buyers/${clinic.id}/profile`];
  const first = await Promise.all(paths.map((path) => pageOf(path)));
  expect(first.map(({ charged, ids }) => [charged, ids])).toEqual([10, 20].map((price) => [price, ['000005-2026']]));
  await store(6, COUNCIL, [clinic.identifier]);
  for (const [place, path] of paths.entries()) {
    const next = await pageOf(path, first[place]?.next_cursor);
    expect(next).toMatchObject({ status: 200, charged: 0, ids: ['000004-2026'] });
  }
  const other = await pageOf(`/companies/01234567/contracts`, first[0]?.next_cursor);
  expect(other.status).toBe(422);
});

it('a search by what has another id by now continues', async () => {
  const hospice = {
    ...HOSPITAL,
    id: 'GB-NHS-RX3',
    name: 'Upper Vale Hospice',
    identifier: { scheme: 'GB-NHS', id: 'RX3' },
  };
  for (const number of [8, 9]) await store(number, hospice);
  await index();
  const pageAfter = async (cursor = '') => {
    const next = cursor && `&cursor=${encodeURIComponent(cursor)}`;
    const { body } = await ask(server.url, `/v1/notices/search?buyer_id=${hospice.id}&limit=1${next}`, server.key);
    return { ids: body.items?.map((one: { notice_id: string }) => one.notice_id), next: body.meta?.next_cursor };
  };
  const first = await pageAfter();
  await store(0, hospice, [{ scheme: 'GB-PPON', id: 'PDDD-1234-FFFF' }], { date: '2026-05-21T10:00:00Z' });
  await index();
  const second = await pageAfter(first.next);
  expect([first, second].flatMap(({ ids }) => ids).sort()).toEqual(['000008-2026', '000009-2026']);
  expect((await pageAfter()).ids).toEqual(['000000-2026']);
});

it('changes of what was merged into another are read from the beginning', async () => {
  const school = { ...HOSPITAL, id: 'GB-UKPRN-10001234', identifier: { scheme: 'GB-UKPRN', id: '10001234' } };
  const trust = { ...HOSPITAL, id: 'GB-PPON-PEEE-1234-FFFF', identifier: { scheme: 'GB-PPON', id: 'PEEE-1234-FFFF' } };
  await store(10, { ...school, name: 'Vale School' });
  await store(11, { ...trust, name: 'Vale Academies Trust' });
  const readSince = async (id: string, since?: string) => {
    const query = new URLSearchParams({ kinds: 'notice', buyer_id: id, ...(since && { since }) });
    const { status, body } = await ask(server.url, `/v1/changes?${query}`, server.key);
    const told: string[] = body.items?.map(({ item }: { item: { title: string } }) => item.title) ?? [];
    return { status, error: body.error, told: told.toSorted(), next: body.next_cursor };
  };
  const [ofSchool, ofTrust] = [await readSince(school.id), await readSince(trust.id)];
  expect([ofSchool.told, ofTrust.told]).toEqual([['Tender 10'], ['Tender 11']]);
  await store(12, { ...trust, name: 'Vale Academies Trust' }, [school.identifier]);
  expect(await readSince(school.id, ofSchool.next)).toMatchObject({ status: 410, error: 'cursor_expired' });
  const again = await readSince(school.id);
  expect(again.told).toEqual(['Tender 10', 'Tender 11', 'Tender 12']);
  expect(await readSince(school.id, again.next)).toMatchObject({ status: 200, told: [] });
  expect((await readSince(trust.id, ofTrust.next)).told).toEqual(['Tender 10', 'Tender 12']);
});

it('a watch of a company that is not known yet waits for the id that it will have', async () => {
  const firm = { ...BRIGHT, id: 'GB-COH-07654321', identifier: { scheme: 'GB-COH', id: '07654321' } };
  const { status, body } = await send('POST', '/watches', {
    name: 'Its first contract',
    on: 'contracts',
    filters: { company_number: '7654321' },
    deliver: { webhook: 'https://hooks.example.org/a' },
  });
  expect([status, body.unknown_filters.length]).toEqual([200, 1]);
  const awards = { awards: [{ id: '1', status: 'active', suppliers: [reference(firm)] }], tag: ['award', 'contract'] };
  await store(7, COUNCIL, [], { ...awards, parties: [COUNCIL, firm] });
  const won = await ask(server.url, '/v1/contracts/000007-2026', server.key);
  expect(won.body.suppliers).toMatchObject([{ company_id: body.filters.company_number }]);
});
