import { readFileSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import { contactStatements } from '../../../ingest/contacts/personal-details.ts';
import { replaceContacts } from '../../../ingest/fields/text/clean.ts';
import { readOcdsPage } from '../../../ingest/parse/page.ts';
import { runSource } from '../../../ingest/run.ts';
import { storePage } from '../../../ingest/store/page.ts';
import { runUpkeep } from '../../../jobs/tasks/run.ts';
import { makeJobServices } from '../../support/job-services.ts';
import { haveRecordings, recordedFiles } from '../../upstream/recordings/known.ts';
import { AS_OF, makeData, makeNotice, makeWorld, type World } from '../small-world.ts';
import { readEverything, tablesWith } from './stored-words.ts';

const present = haveRecordings('the search for contacts of genuine notices');

let world: World | undefined;
afterEach(() => world?.close());

const COUNCIL = {
  id: 'GB-PPON-PBCD-1234-FGHJ',
  name: 'Little Example Council',
  roles: ['buyer'],
  contactPoint: {
    name: 'Ann Clerk',
    email: 'Ann.Clerk@example.gov.uk',
    telephone: '01632 960111',
    faxNumber: '01632 960112',
  },
  additionalContactPoints: [{ name: 'Bob Clerk', email: 'bob.clerk@example.gov.uk' }],
};
const SUPPLIER = {
  id: 'GB-COH-01234567',
  name: 'Bees Ltd',
  roles: ['supplier'],
  contactPoint: { name: 'Cy Bee', telephone: '+44 7700 900123' },
};
const TRACES = /clerk|cy bee|960\s?11|900\s?123/i;

async function ingestTender(settings: Record<string, string>, more: object = {}): Promise<World> {
  const notice = makeNotice(1, new Date('2026-11-20T06:00:00Z'), {
    tag: ['tender'],
    planning: undefined,
    parties: [COUNCIL, SUPPLIER],
    buyer: { ...COUNCIL, roles: undefined },
    tender: {
      title: 'Honey, ring 01632 960 111',
      description: 'Write to Ann  Clerk, ann.clerk@example.gov.uk (mailto:ann.clerk@example.gov.uk) or 01632-960-112',
      procuringEntity: { id: 'p', contactPoint: { email: 'ann.clerk@example.gov.uk' } },
      lots: [{ id: '1', description: 'tel. 01632960111' }],
      tenderPeriod: { endDate: '2026-12-01T12:00:00Z' },
      ...more,
    },
  });
  world = await makeWorld(makeData({ findATender: [notice] }), { settings });
  await runSource(world.context, 'find_a_tender', { since: new Date('2026-11-19T00:00:00Z') });
  return world;
}

describe('contact points', () => {
  it('are not stored, wherever they are given, nor where the texts of their release repeat them', async () => {
    const { catalogue, rows } = await ingestTender({});
    expect(await tablesWith(catalogue, TRACES)).toEqual([]);
    expect(await rows('SELECT title FROM notice')).toEqual([{ title: 'Honey, ring [telephone removed]' }]);
  });

  it('of open tenders are kept apart where the setting says so, until the deadline', async () => {
    const { catalogue, rows } = await ingestTender({ KEEP_CONTACTS: 'open_tenders' });
    expect(await tablesWith(catalogue, TRACES)).toEqual(['contact']);
    expect(await rows('SELECT party_id, name, email, expires_at FROM contact ORDER BY party_id LIMIT 2')).toEqual([
      { party_id: 'GB-COH-01234567', name: 'Cy Bee', email: null, expires_at: '2026-12-01T12:00:00Z' },
      {
        party_id: COUNCIL.id,
        name: 'Ann Clerk',
        email: 'Ann.Clerk@example.gov.uk',
        expires_at: '2026-12-01T12:00:00Z',
      },
    ]);
  });

  it.each([
    { tenderPeriod: { endDate: '2026-11-19T12:00:00Z' } },
    { tenderPeriod: undefined },
    { status: 'cancelled' },
    { status: 'Cancelled' },
  ])('of any other tender are not: %j', async (more) => {
    const { catalogue } = await ingestTender({ KEEP_CONTACTS: 'open_tenders' }, more);
    expect(await tablesWith(catalogue, TRACES)).toEqual([]);
  });

  it.each([
    { awards: [{ id: '1', status: 'active' }] },
    { tender: { status: 'unsuccessful', tenderPeriod: { endDate: '2026-12-01T12:00:00Z' } } },
  ])('go with a release that ends their tender, whose own are not kept: %j', async (more) => {
    const { catalogue, rows } = await ingestTender({ KEEP_CONTACTS: 'open_tenders' });
    const [kept] = await rows<{ ocid: string }>('SELECT ocid FROM contact');
    const json = { tender: { tenderPeriod: { endDate: '2026-12-01T12:00:00Z' } }, ...more };
    const contacts = [{ partyId: 'p', name: 'Dee Clerk', email: null, telephone: null }];
    const last = { ocid: kept?.ocid ?? '', releaseId: 'the last', date: '2026-11-20T07:00:00Z', json, contacts };
    await catalogue.write(contactStatements([last], AS_OF));
    expect(await rows('SELECT * FROM contact')).toEqual([]);
  });

  it("of Contracts Finder's archive are not kept: it writes the term of the contract as the period for bids", async () => {
    world = await makeWorld(makeData());
    const tender = {
      tenderPeriod: { startDate: '2015-04-01T00:00:00Z', endDate: '2031-03-31T00:00:00Z' },
      milestones: [{ id: 1, title: 'Contract start', dueDate: null }],
    };
    const contacts = [{ partyId: 'p', name: 'Dee Clerk', email: null, telephone: null }];
    const date = '2015-02-10T23:44:30Z';
    const kept = async (json: object) => {
      const release = { ocid: 'ocds-b5fd17-1', releaseId: 'x', date, json: { date, ...json }, contacts };
      await world?.catalogue.write(contactStatements([release], AS_OF));
      return world?.rows('SELECT party_id FROM contact');
    };
    expect(await kept({ tender })).toEqual([]);
    expect(await kept({ tender: { ...tender, milestones: [] } })).toEqual([{ party_id: 'p' }]);
  });

  describe('of two notices of a process', () => {
    const notice = (number: number, hour: number, name: string, more: object = {}) =>
      makeNotice(number, new Date(`2026-11-20T0${hour}:00:00Z`), {
        ocid: 'ocds-h6vhtk-000001',
        tag: ['tender'],
        planning: undefined,
        parties: [{ ...COUNCIL, contactPoint: { name }, additionalContactPoints: undefined }],
        tender: { title: 'Honey', tenderPeriod: { endDate: '2026-12-01T12:00:00Z' }, ...more },
      });
    const tender = notice(1, 6, 'Ann Clerk');
    const correction = notice(2, 7, 'Dee Clerk');
    const cancellation = notice(2, 7, 'Dee Clerk', { status: 'cancelled' });

    it.each([
      ['the later where it corrects the first', correction, [{ name: 'Dee Clerk' }]],
      ['none where it ends the tender', cancellation, []],
    ])('are %s, in whatever order and batches they come', async (_, later, kept) => {
      for (const batches of [[[tender], [later]], [[later], [tender]], [[later, tender]], [[tender, later]]]) {
        world = await makeWorld(makeData());
        for (const batch of batches) {
          const bytes = Buffer.from(JSON.stringify({ releases: batch.map(({ release }) => release) }));
          const page = readOcdsPage(bytes, { source: 'find_a_tender', url: 'http://127.0.0.1/x' });
          const fetched = { source: 'find_a_tender', fetchedAt: '2026-11-20T08:00:00Z', before: [], after: [] };
          await storePage(world.catalogue, { ...fetched, ...page, contactsOpenAt: AS_OF });
        }
        expect(await world.rows('SELECT name FROM contact')).toEqual(kept);
        await world.close();
      }
      world = undefined;
    });
  });

  it.each([
    ['open_tenders', ['open']],
    ['none', []],
  ])('go when their tender closes, and all of them when the setting says none: %s', async (KEEP_CONTACTS, left) => {
    const built = await makeJobServices({ KEEP_CONTACTS, AS_OF: '2026-11-20T12:00:00Z' });
    const keep = (party: string, expires: string) => ({
      sql: "INSERT INTO contact (ocid, release_id, party_id, expires_at) VALUES ('o', 'r', ?, ?)",
      args: [party, expires],
    });
    await built.services.catalogue.write([
      keep('closed', '2026-11-20T12:00:00Z'),
      keep('open', '2026-11-20T12:00:01Z'),
    ]);
    await runUpkeep(built.services);
    expect(await built.services.catalogue.read({ sql: 'SELECT party_id FROM contact' })).toEqual(
      left.map((party_id) => ({ party_id })),
    );
    await built.close();
  });
});

/** Every recorded page of a procurement service. */
function readPages(service: 'find-a-tender' | 'contracts-finder'): Buffer[] {
  const files = recordedFiles(service);
  return files.filter((file) => /^(?!.*rest-v2).*\.json$/.test(file)).map((file) => readFileSync(file));
}

/** What stands around every `@`, as far as an e-mail reaches: looking for each e-mail in all that is stored takes seconds. */
function readAroundAts(text: string): string {
  const found = [...text.matchAll(/@/g)];
  return found.map(({ index }) => text.slice(Math.max(0, index - 254), index + 255)).join('\n');
}

describe.skipIf(!present)('of the genuine recordings', () => {
  it('no e-mail of a contact is in any body or column, and no e-mail or telephone in anything served', async () => {
    const published = new Set<string>();
    world = await makeWorld(makeData());
    const { catalogue } = world;
    for (const service of ['find-a-tender', 'contracts-finder'] as const) {
      const source = service.replaceAll('-', '_');
      const pages = readPages(service);
      for (const [, email = ''] of pages.join('\n').matchAll(/"email"\s*:\s*"([^"]+@[^"]+)"/g))
        published.add(email.trim().toLowerCase());
      const read = pages.map((bytes) => readOcdsPage(bytes, { source, url: 'recorded' }));
      const releases = read.flatMap((page) => page.releases);
      const quarantined = read.flatMap((page) => page.quarantined);
      await storePage(catalogue, {
        source,
        fetchedAt: '2026-11-20T00:00:00Z',
        releases,
        quarantined,
        before: [],
        after: [],
      });
    }
    expect(published.size).toBeGreaterThan(200);
    const stored = await readEverything(catalogue);
    const addresses = readAroundAts([...stored.values()].join('\n').toLowerCase());
    expect([...published].filter((email) => addresses.includes(email)).length).toBe(0);

    const found = { email: 0, telephone: 0 };
    for (const table of ['notice', 'process', 'contract', 'framework', 'buyer', 'company', 'party', 'identity_fact'])
      replaceContacts(stored.get(table) ?? '', ({ kind }) => {
        found[kind]++;
        return null;
      });
    expect(found).toEqual({ email: 0, telephone: 0 });
  });
});
