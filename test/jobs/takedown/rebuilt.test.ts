import { pino } from 'pino';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { takeDown } from '../../../jobs/takedown/run.ts';
import { packText } from '../../../schema/text/json-values.ts';
import { AS_OF, makeNotice } from '../../ingest/small-world.ts';
import { tablesWith } from '../../ingest/takedown/stored-words.ts';
import {
  copyJobs,
  type FilledJobs,
  findDiffering,
  findTemplate,
  rebuild,
  storeReleases,
} from '../tasks/rebuild/filled-services.ts';

let template: string;
let filled: FilledJobs;
beforeAll(async () => {
  template = await findTemplate();
});
beforeEach(async () => {
  filled = await copyJobs(template);
});
afterEach(() => filled.close());

const read = <T>(sql: string, ...args: string[]) => filled.jobs.catalogue.read<T>({ sql, args });
const take = (noticeId: string) => takeDown(filled.jobs, { kind: 'notice', noticeId }, { reason: 'r' });
const differing = () => findDiffering(filled.jobs);

describe('notices that are taken down one after the other', () => {
  it.each([
    ['newest first', 'published_at DESC, id'],
    ['oldest first', 'published_at, id'],
    ['buyer by buyer', 'buyer_id, id DESC'],
  ])('leave what a rebuild makes of the rest: %s', async (_order, order) => {
    const sql = `SELECT notice_id AS id FROM notice WHERE gone = 0 ORDER BY ${order}`;
    const notices = await read<{ id: string }>(sql);
    for (const [index, { id }] of notices.entries()) {
      if (index % 3 === 0) await take(id);
      if (index === 0 || index === 12) expect(await differing()).toEqual([]);
    }
    expect(await differing()).toEqual([]);
  });
});

describe('what a notice said of an organisation', () => {
  const PPON = 'GB-PPON-PBCD-1234-FGHJ';
  const NAME = 'Harrowmere Hives Board';
  const address = { streetAddress: '1 Bee Street', locality: 'Harrowmere', postalCode: 'ZZ9 9ZX' };
  /** A notice of the board; later ones have higher numbers. */
  const notice = (
    number: number,
    buyer: { id: string; name?: string; address?: object; additionalIdentifiers?: object[] },
  ) => {
    const at = new Date(AS_OF.getTime() - (100 - number) * 60_000);
    const named = { id: buyer.id, name: NAME };
    return makeNotice(900_000 + number, at, { parties: [{ ...named, ...buyer, roles: ['buyer'] }], buyer: named })
      .release;
  };
  const buyerOf = (noticeId: string) =>
    read<{ id: string }>('SELECT buyer_id AS id FROM notice WHERE notice_id = ?', noticeId);
  const aliases = () =>
    read<{ alias: string }>("SELECT alias FROM alias WHERE target = ? AND alias LIKE 'name-%'", PPON);

  it('once taken down decides neither who another notice names nor where a number leads', async () => {
    await storeReleases(filled.jobs, 'find_a_tender', [notice(1, { id: PPON }), notice(2, { id: 'own-1' })]);
    expect(await buyerOf('900002-2026')).toEqual([{ id: PPON }]);
    await take('900001-2026');
    expect(await buyerOf('900002-2026')).toEqual([{ id: expect.stringMatching(/^name-harrowmere-hives-board-/) }]);
    const row = await read('SELECT gone, name, totals, detail FROM buyer WHERE id = ?', PPON);
    expect(row).toEqual([{ gone: 1, name: '', totals: '{}', detail: '{}' }]);
    expect(await read('SELECT 1 FROM alias WHERE alias = ?', PPON.toLowerCase())).toEqual([]);
    expect(await differing()).toEqual([]);
  });

  it('is gone also where a process that would follow can no longer be compiled, and the log names that process', async () => {
    await storeReleases(filled.jobs, 'find_a_tender', [notice(1, { id: PPON }), notice(2, { id: 'own-1' })]);
    const [{ ocid = '' } = {}] = await read<{ ocid: string }>(
      "SELECT ocid FROM notice WHERE notice_id = '900002-2026'",
    );
    await filled.jobs.catalogue.write([
      { sql: 'UPDATE release SET body = ? WHERE ocid = ?', args: [packText('null'), ocid] },
    ]);
    const lines: { level: number; ocids?: string[] }[] = [];
    const log = pino({}, { write: (line) => void lines.push(JSON.parse(line)) });
    const taken = await takeDown({ ...filled.jobs, log }, { kind: 'notice', noticeId: '900001-2026' }, { reason: 'r' });
    expect(taken).toMatchObject({ acquired: true });
    expect(lines.filter(({ level }) => level === 40)).toMatchObject([{ ocids: [ocid] }]);
    expect(await read("SELECT id FROM notice WHERE notice_id = '900001-2026' AND gone = 0")).toEqual([]);
    expect(await buyerOf('900002-2026')).toEqual([{ id: PPON }]);
  });

  it('is gone also where its own process can no longer be compiled, and the log names that process', async () => {
    const own = { id: PPON, name: 'Jo Quillfeather' };
    const first = notice(1, own);
    await storeReleases(filled.jobs, 'find_a_tender', [first, { ...notice(2, own), ocid: first.ocid }]);
    await filled.jobs.catalogue.write([
      { sql: "UPDATE release SET body = ? WHERE release_id = '900002-2026'", args: [packText('null')] },
    ]);
    const lines: { level: number; ocids?: string[] }[] = [];
    const log = pino({}, { write: (line) => void lines.push(JSON.parse(line)) });
    const terms = { names: ['Jo Quillfeather'], texts: [], emails: [], telephones: [] };
    expect(await takeDown({ ...filled.jobs, log }, { kind: 'person', terms }, { reason: 'r' })).toMatchObject({
      result: { lost: [first.ocid], passed: [] },
    });
    expect(lines.filter(({ level }) => level === 40)).toMatchObject([{ ocids: [first.ocid] }]);
    expect(await tablesWith(filled.jobs.catalogue, /quillfeather/i)).toEqual(['takedown']);
  });

  it('is said of it no more, and what others say too is theirs', async () => {
    await storeReleases(filled.jobs, 'find_a_tender', [notice(1, { id: PPON }), notice(2, { id: PPON, address })]);
    await take('900002-2026');
    const [{ detail = '' } = {}] = await read<{ detail: string }>('SELECT detail FROM buyer WHERE id = ?', PPON);
    expect(JSON.parse(detail)).toMatchObject({ names: [{ name: NAME, notice_id: '900001-2026' }] });
    expect(detail).not.toMatch(/Bee Street|900002/);
    expect(await differing()).toEqual([]);
  });

  it('goes too where only an earlier version of it said so, and others have that name and place', async () => {
    const OTHER = 'GB-PPON-PQRS-5678-TVWX';
    await storeReleases(filled.jobs, 'find_a_tender', [
      ...[notice(1, { id: 'own-1', address }), makeNotice(900_001, AS_OF, { parties: [], buyer: null }).release],
      ...[notice(2, { id: PPON, address }), notice(3, { id: OTHER, address })],
      notice(4, { id: OTHER, name: 'Harrowmere Wax' }),
    ]);
    const named = () => read("SELECT 1 FROM buyer WHERE gone = 0 AND id LIKE 'name-harrowmere-hives%'");
    expect(await named()).toHaveLength(1);
    await take('900001-2026');
    expect(await named()).toEqual([]);
    expect(await differing()).toEqual([]);
  });

  it('leaves no id that spells a name in the rows that stay as gone', async () => {
    await storeReleases(filled.jobs, 'find_a_tender', [notice(1, { id: 'own-1', name: 'Jo Quillfeather' })]);
    const tables = () => tablesWith(filled.jobs.catalogue, /jo-quillfeather/);
    expect(await tables()).toEqual(expect.arrayContaining(['notice', 'process']));
    await take('900001-2026');
    expect(await tables()).toEqual([]);
  });

  it('is in no row that stays as gone after a rebuild, where an earlier program left it there', async () => {
    await storeReleases(filled.jobs, 'find_a_tender', [notice(1, { id: 'own-1', name: 'Jo Quillfeather' })]);
    await take('900001-2026');
    await filled.jobs.catalogue.write([
      { sql: "UPDATE notice SET buyer_id = 'name-jo-quillfeather' WHERE gone = 1" },
      { sql: "UPDATE process SET buyer_id = 'name-jo-quillfeather' WHERE gone = 1" },
      {
        sql: `INSERT INTO buyer (id, name, name_key, digest, seq, gone)
          VALUES ('GB-LAE-HRW', 'Jo Quillfeather', 'jo quillfeather', '', 1, 1)`,
      },
    ]);
    const tables = () => tablesWith(filled.jobs.catalogue, /jo[- ]quillfeather/i);
    expect(await tables()).toEqual(['buyer', 'notice', 'process']);
    await rebuild(filled.jobs);
    expect(await tables()).toEqual([]);
  });

  it.each([
    ['notice', { kind: 'notice', noticeId: '900001-2026' }],
    ['person', { kind: 'person', terms: { names: ['Jo Quillfeather'], texts: [], emails: [], telephones: [] } }],
  ] as const)('is in no row of what became another organisation (%s)', async (_kind, wanted) => {
    const LOCAL = 'GB-LAE-HRW';
    const additionalIdentifiers = [{ scheme: 'GB-LAE', id: 'HRW' }];
    const row = () => read('SELECT gone, name, detail FROM buyer WHERE id = ?', LOCAL);
    const buyers = [
      { id: LOCAL, name: 'Jo Quillfeather', address },
      { id: LOCAL },
      { id: PPON, additionalIdentifiers },
    ];
    for (const [index, buyer] of buyers.entries())
      await storeReleases(filled.jobs, 'find_a_tender', [notice(index + 1, buyer)]);
    expect(await row()).toMatchObject([{ gone: 1, detail: expect.stringContaining('Quillfeather') }]);
    await takeDown(filled.jobs, wanted, { reason: 'r' });
    expect(await row()).toEqual([{ gone: 1, name: '', detail: '{}' }]);
  });

  it('goes with a firm taken down as a person, though others write its name differently', async () => {
    const firm = { id: 'own-1', name: 'Quillfeather Ltd', address };
    const others = { name: 'Quillfeather Limited', address: { ...address, streetAddress: 'c/o Quillfeather Ltd' } };
    await storeReleases(filled.jobs, 'find_a_tender', [
      ...[notice(1, firm), makeNotice(900_001, AS_OF, { parties: [], buyer: null }).release],
      ...[notice(2, { id: PPON, ...others }), notice(3, { id: 'GB-PPON-PQRS-5678-TVWX', ...others })],
      notice(4, { id: 'GB-PPON-PQRS-5678-TVWX' }),
    ]);
    const rows = () => read<{ name: string }>("SELECT name FROM buyer WHERE name = 'Quillfeather Ltd'");
    expect(await rows()).toHaveLength(1);
    const terms = { names: ['Quillfeather Ltd'], texts: [], emails: [], telephones: [] };
    await takeDown(filled.jobs, { kind: 'person', terms }, { reason: 'r' });
    expect(await rows()).toEqual([]);
  });

  it('stays where others say it of a firm with a name like the one taken down', async () => {
    const OWN = 'GB-FTS-77';
    await storeReleases(filled.jobs, 'find_a_tender', [
      notice(1, { id: OWN, name: 'Quillfeather Ltd', address }),
      notice(2, { id: OWN, name: 'Quillfeather Limited', address }),
      notice(3, { id: PPON, name: 'Quillfeather Limited', address }),
    ]);
    const terms = { names: ['Quillfeather Ltd'], texts: [], emails: [], telephones: [] };
    await takeDown(filled.jobs, { kind: 'person', terms }, { reason: 'r' });
    expect(await buyerOf('900002-2026')).toEqual([{ id: PPON }]);
    expect(await differing()).toEqual([]);
  });

  it('is dated by the others who say it where it was last said of a person who is taken down', async () => {
    const [former, later] = [address, { ...address, streetAddress: '2 Bee Street' }];
    await storeReleases(filled.jobs, 'find_a_tender', [
      { ...notice(1, { id: PPON, address: former }), description: 'Ask Jo Quillfeather' },
      notice(2, { id: PPON, address: later }),
      notice(3, { id: PPON, name: 'Jo Quillfeather', address: former }),
    ]);
    const terms = { names: ['Jo Quillfeather'], texts: [], emails: [], telephones: [] };
    await takeDown(filled.jobs, { kind: 'person', terms }, { reason: 'r' });
    const [{ detail = '' } = {}] = await read<{ detail: string }>('SELECT detail FROM buyer WHERE id = ?', PPON);
    expect(JSON.parse(detail).address.street).toBe('2 Bee Street');
    expect(await differing()).toEqual([]);
  });

  it('stays where another notice says it: the name leads to the number still', async () => {
    await storeReleases(filled.jobs, 'find_a_tender', [
      notice(1, { id: PPON }),
      notice(2, { id: 'own-1' }),
      notice(3, { id: 'own-2' }),
    ]);
    const before = await aliases();
    expect(before).not.toEqual([]);
    await take('900002-2026');
    await take('900003-2026');
    expect(await aliases()).toEqual(before);
    expect(await differing()).toEqual([]);
  });
});
