import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listedStatements, listRecord } from '../../../ingest/register/store.ts';
import { storePage } from '../../../ingest/store/page.ts';
import { type Change, readChangeBounds, readChanges, readSeqBefore } from '../../../schema/catalogue/changes/read.ts';
import { CHANGE_DAYS, removeOldChanges } from '../../../schema/catalogue/changes/remove.ts';
import { CREATE_TRIGGERS } from '../../../schema/catalogue/changes/triggers.ts';
import type { RegisterRecord } from '../../../schema/catalogue/details.ts';
import type { Database } from '../../../schema/db/interface.ts';
import type { JsonObject } from '../../../schema/text/json-values.ts';
import { makeDatabase, makeFolder } from '../../support/databases.ts';
import { actRelease, BRIGHT, COUNCIL, packageOf, read, reference } from '../compile/releases.ts';

const START = { seq: -1, kind: '', id: '' };
const BRIGHT_ID = 'GB-COH-01234567';

let folder: Awaited<ReturnType<typeof makeFolder>>;
let catalogue: Database;
beforeAll(async () => {
  folder = await makeFolder();
  catalogue = await makeDatabase(folder.path, 'catalogue');
});
afterAll(async () => {
  await catalogue.close();
  await folder.remove();
});

async function store(release: JsonObject) {
  const page = read(packageOf([release]), 'find_a_tender');
  await storePage(catalogue, {
    source: 'find_a_tender',
    fetchedAt: '2026-11-20T00:00:00Z',
    ...page,
    before: [],
    after: [],
  });
}

const award = (id: string, date: string, amount: number) =>
  actRelease(id, date, {
    ocid: 'ocds-h6vhtk-000001',
    tag: ['award', 'contract'],
    buyer: reference(COUNCIL),
    parties: [COUNCIL, BRIGHT],
    awards: [{ id: '1', status: 'active', suppliers: [reference(BRIGHT)], value: { amount, currency: 'GBP' } }],
  });

async function since(after = START): Promise<Change[]> {
  const { head } = await readChangeBounds(catalogue);
  return readChanges(catalogue, { after, upTo: head, limit: 1_000 });
}

const brief = ({ kind, change, changed }: Change) => `${kind} ${change} ${changed.join()}`.trim();
const last = async () => (await since()).at(-1) ?? START;

describe('the change log', () => {
  it('has the triggers of this program', async () => {
    const rows = await catalogue.read<{ sql: string }>({
      sql: "SELECT sql FROM sqlite_master WHERE type = 'trigger' AND name LIKE 'change\\_%' ESCAPE '\\'",
    });
    expect(rows.map(({ sql }) => sql).toSorted()).toEqual(CREATE_TRIGGERS.map(({ sql }) => sql).toSorted());
  });

  it('tells each row that comes once, and nothing of a page that is stored again', async () => {
    await store(award('000001-2026', '2026-02-01T00:00:00Z', 1_000));
    const first = await since();
    expect(first.map(brief)).toEqual(['buyer new', 'company new', 'contract new', 'notice new']);
    expect(first.find(({ kind }) => kind === 'contract')).toMatchObject({
      before: null,
      after: { value: 1_000, company_ids: [BRIGHT_ID] },
      at: expect.stringMatching(/^\d{4}-.*Z$/),
    });
    await store(award('000001-2026', '2026-02-01T00:00:00Z', 1_000));
    expect(await since()).toEqual(first);
  });

  it('names what changed, with what filters read before and after each of several changes', async () => {
    const start = await last();
    await store(award('000002-2026', '2026-03-01T00:00:00Z', 2_000));
    await store(award('000003-2026', '2026-04-01T00:00:00Z', 3_000));
    const contracts = (await since(start)).filter(({ kind }) => kind === 'contract');
    expect(contracts.map(({ before, after, change }) => [change, readValue(before), readValue(after)])).toEqual([
      ['updated', 1_000, 2_000],
      ['updated', 2_000, 3_000],
    ]);
    expect(contracts[0]?.changed).toEqual(expect.arrayContaining(['notice_id', 'value']));
    const [company] = (await since(start)).filter(({ kind }) => kind === 'company');
    expect(company?.changed).toEqual(['totals', 'detail']);
  });

  it('names fields as answers do: what the notices state as `stated_status`, the size of suppliers as `is_sme`', async () => {
    const process = { ocid: 'ocds-h6vhtk-000002', buyer: reference(COUNCIL), parties: [COUNCIL, BRIGHT] };
    const signed = { id: '1', status: 'active', suppliers: [reference(BRIGHT)] };
    await store(actRelease('000010-2026', '2026-02-01T00:00:00Z', { ...process, tag: ['tender'] }));
    const start = await last();
    await store(actRelease('000011-2026', '2026-03-01T00:00:00Z', { ...process, tag: ['award'], awards: [signed] }));
    const tender = (await since(start)).find(({ id }) => id.startsWith('000010-2026'));
    expect(tender).toMatchObject({ change: 'updated', after: { status: 'awarded' } });
    expect(tender?.changed).toContain('stated_status');
    expect(tender?.changed).not.toContain('status');
    const large = { ...process, parties: [COUNCIL, { ...BRIGHT, details: { scale: 'large' } }] };
    await store(
      actRelease('000012-2026', '2026-04-01T00:00:00Z', { ...large, tag: ['awardUpdate'], awards: [signed] }),
    );
    const contract = (await since(start)).findLast(({ kind }) => kind === 'contract');
    expect(contract).toMatchObject({ change: 'updated', before: { sme: 1 }, after: { sme: 0 } });
    expect(contract?.changed).toContain('is_sme');
    expect(contract?.changed).not.toContain('sme');
  });

  it('tells nothing of a row that says the same, where a migration left it with the digest of before', async () => {
    const start = await last();
    await catalogue.write([{ sql: "UPDATE notice SET digest = 'before'" }]);
    await store(award('000004-2026', '2026-05-01T00:00:00Z', 3_000));
    expect((await since(start)).map(brief).filter((told) => told.startsWith('notice'))).toEqual(['notice new']);
  });

  it('tells a change of the register as one of the supplier, and of nobody else', async () => {
    const start = await last();
    await register('Active');
    await register('Active', '09999999');
    await register('Liquidation');
    const told = await since(start);
    expect(told.map(({ id, changed }) => [id, changed])).toEqual([
      [BRIGHT_ID, ['register']],
      [BRIGHT_ID, ['status', 'register']],
    ]);
    expect(
      told.map(({ before, after }) => [readValue(before, 'register_status'), readValue(after, 'register_status')]),
    ).toEqual([
      [null, 'Active'],
      ['Active', 'Liquidation'],
    ]);
  });

  it('pages in one order, whatever the kinds, and finds where an instant is', async () => {
    const whole = await since();
    const { head } = await readChangeBounds(catalogue);
    const paged: Change[] = [];
    for (let page: Change[] = []; ; ) {
      page = await readChanges(catalogue, { after: paged.at(-1) ?? START, upTo: head, limit: 2 });
      if (page.length === 0) break;
      paged.push(...page);
    }
    expect(paged).toEqual(whole);
    expect(await readSeqBefore(catalogue, new Date(0))).toBe(0);
    expect(await readSeqBefore(catalogue, new Date('2200-01-01'))).toBe(head);
  });

  it('is removed after its time, and says from where on it is whole', async () => {
    const { head } = await readChangeBounds(catalogue);
    const days = (count: number) => new Date(Date.now() + count * 86_400_000);
    expect(await removeOldChanges(catalogue, days(CHANGE_DAYS - 1))).toBe(0);
    expect(await readChangeBounds(catalogue)).toEqual({ from: 0, head });
    const entries = (await since()).length;
    const lost = { sql: "INSERT INTO lost_contract VALUES ('buyer', 'one', ?, 'c')", args: [head] };
    await catalogue.write([lost]);
    const fence = { sql: 'INSERT INTO fence (ok) VALUES (0)' };
    await expect(removeOldChanges(catalogue, days(CHANGE_DAYS + 1), [fence])).rejects.toThrow();
    expect(await readChangeBounds(catalogue)).toEqual({ from: 0, head });
    expect(await removeOldChanges(catalogue, days(CHANGE_DAYS + 1))).toBe(entries);
    expect(await readChangeBounds(catalogue)).toEqual({ from: head, head });
    expect(await since()).toEqual([]);
    expect(await catalogue.read({ sql: 'SELECT * FROM lost_contract' })).toEqual([]);
  });
});

function readValue(view: Change['before'], name = 'value') {
  return typeof view === 'object' ? view?.[name] : view;
}

async function register(status: string, number = '01234567') {
  const record = { company_number: number, company_name: 'Bright Ltd', status, previous_names: [], sic_codes: [] };
  const listed = listRecord(record as unknown as RegisterRecord);
  await catalogue.write((await listedStatements(catalogue, [listed], '2026-11-01', () => false)).statements);
}
