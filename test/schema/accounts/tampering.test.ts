import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { formatHead, parseHead, readHead, type Seal, sealLedger } from '../../../schema/accounts/ledger/seal.ts';
import { grantStatement, refundStatement, topUpStatement } from '../../../schema/accounts/ledger/transfers.ts';
import { verifyLedger } from '../../../schema/accounts/ledger/verify.ts';
import type { Database } from '../../../schema/db/interface.ts';
import { openDatabase } from '../../../schema/db/open.ts';
import { makeDatabase, makeFolder } from '../../support/databases.ts';
import { plant } from './tamper.ts';

const AT = '2026-10-31T23:00:00Z';
let folder: Awaited<ReturnType<typeof makeFolder>>;
let accounts: Database;
let head: Seal;
let copies = 0;

const charge = (name: string, account: string, credits: number) => ({
  sql: `INSERT INTO transfer (key, kind, from_account, to_account, credits, action, request_id, key_id, created_at)
        VALUES (?, 'charge', ?, '@revenue', ?, 'lookup_thing', ?, ?, ?)`,
  args: [`charge:ch_${name}`, account, credits, `req_${name}`, `key_${account}`, AT],
});

/** Lines 1 to 7 under a first seal, 8 and 9 under a second, whose head is kept outside. */
beforeAll(async () => {
  folder = await makeFolder();
  const made = await makeDatabase(folder.path, 'accounts');
  const grant = (key: string, accountId: string, credits: number, note: string) =>
    grantStatement({ key, accountId, credits, note, at: AT });
  await made.write([
    { sql: `INSERT INTO account (id, name, created_at) VALUES ('a', 'A', '${AT}'), ('b', 'B', '${AT}')` },
    grant('a', 'a', 250, 'a gift'),
    grant('b', 'b', 1_000, 'an invoice'),
    topUpStatement({ key: 'p', accountId: 'a', credits: 500, at: AT }),
    charge('1', 'a', 100),
    charge('2', 'a', 5),
    refundStatement({ key: '1:rows', chargeId: 'ch_1', credits: 40, at: AT }),
    charge('3', 'b', 50),
    {
      sql: `INSERT INTO payment (id, account_id, credits, amount, vat, vat_percent, currency, live, state, created_at)
            VALUES ('p', 'a', 500, 600, 100, 20, 'gbp', 1, 'paid', '${AT}')`,
    },
  ]);
  await sealLedger(made, AT);
  await made.write([grant('late', 'a', 10, 'sorry'), charge('4', 'b', 2)]);
  await sealLedger(made, AT);
  head = (await readHead(made)) ?? expect.fail('nothing is sealed');
  await made.read({ sql: 'VACUUM INTO ?', args: [join(folder.path, 'whole.db')] });
  await made.close();
});
afterAll(() => folder.remove());

beforeEach(async () => {
  const path = join(folder.path, `copy-${++copies}.db`);
  await copyFile(join(folder.path, 'whole.db'), path);
  accounts = await openDatabase({ url: `file:${path}`, durability: 'full' });
});
afterEach(() => accounts.close());

const faults = async () => (await verifyLedger(accounts, head)).faults;

/** Gives the lines from `first` on their neighbours' ids. */
const renumber = (first: number, by: number) =>
  `UPDATE transfer SET id = -id WHERE id >= ${first}; UPDATE transfer SET id = -id + ${by} WHERE id < 0`;
const give = (id: number) =>
  `INSERT INTO transfer (id, key, kind, from_account, to_account, credits, created_at) VALUES (${id}, 'grant:x', 'grant', '@mint', 'a', 99, '${AT}')`;
const change = (id: number, what: string) => `UPDATE transfer SET ${what} WHERE id = ${id}`;

/** Of what is derived from the lines, everything is made to fit them. */
const FIT = [
  `UPDATE account SET balance = coalesce((SELECT sum(credits) FROM transfer WHERE to_account = account.id), 0)
    - coalesce((SELECT sum(credits) FROM transfer WHERE from_account = account.id), 0)`,
  'DELETE FROM key_month',
  `INSERT INTO key_month SELECT t.key_id, substr(coalesce(c.created_at, t.created_at), 1, 7), sum(iif(t.kind = 'charge', t.credits, -t.credits))
    FROM transfer t LEFT JOIN transfer c ON c.id = t.corrects WHERE t.key_id IS NOT NULL AND t.kind IN ('charge', 'refund') GROUP BY 1, 2`,
  'DELETE FROM usage_day',
  `INSERT INTO usage_day SELECT iif(t.kind = 'charge', t.from_account, t.to_account), substr(coalesce(c.created_at, t.created_at), 1, 10),
    coalesce(t.key_id, ''), coalesce(t.action, ''), sum(t.kind = 'charge'), sum(iif(t.kind = 'charge', t.credits, -t.credits)),
    min(coalesce(t.corrects, t.id)), max(coalesce(t.corrects, t.id))
    FROM transfer t LEFT JOIN transfer c ON c.id = t.corrects WHERE t.kind IN ('charge', 'refund') GROUP BY 1, 2, 3, 4`,
  "UPDATE sqlite_sequence SET seq = (SELECT max(id) FROM transfer) WHERE name = 'transfer'",
].join('; ');

const NEVER_UPDATED = 'CREATE TRIGGER transfer_never_updated BEFORE UPDATE ON transfer BEGIN';

/** Twenty ways of a person who may write to the file, by what they do to the lines or to their guards. */
const TAMPERINGS: [name: string, sql: string, of: 'lines' | 'guards'][] = [
  ['a charge that is lowered', change(4, 'credits = 60'), 'lines'],
  ['a grant that is raised', change(2, 'credits = 2000'), 'lines'],
  ['a charge that another pays', change(5, "from_account = 'b'"), 'lines'],
  ['a grant that another receives', change(2, "to_account = 'a'"), 'lines'],
  ['a line taken out and the rest renumbered', `DELETE FROM transfer WHERE id = 7; ${renumber(8, -1)}`, 'lines'],
  ['the last line taken out', 'DELETE FROM transfer WHERE id = 9', 'lines'],
  ['a grant in the place of a charge', `DELETE FROM transfer WHERE id = 5; ${give(5)}`, 'lines'],
  ['a grant put in between and the rest renumbered', `${renumber(8, 1)}; ${give(8)}`, 'lines'],
  [
    'two lines in each other’s place',
    `${change(1, 'id = 90')}; ${change(2, 'id = 1')}; ${change(90, 'id = 2')}`,
    'lines',
  ],
  ['a note that is rewritten', change(2, "note = 'a gift'"), 'lines'],
  ['another action', change(5, "action = 'bulk_export'"), 'lines'],
  ['another request', change(5, "request_id = 'req_other'"), 'lines'],
  ['another key', change(5, "key_id = 'key_b'"), 'lines'],
  ['another day', change(5, "created_at = '2026-09-30T23:00:00Z'"), 'lines'],
  ['a line of another name', change(2, "key = 'grant:other'"), 'lines'],
  ['a refund of another charge', `${change(6, 'corrects = 5, credits = 4')}`, 'lines'],
  [
    'a top-up that is called a grant',
    "UPDATE transfer SET kind = 'grant' WHERE id = 3; UPDATE payment SET state = 'open'",
    'lines',
  ],
  [
    'a guard of the same name that guards nothing',
    `DROP TRIGGER transfer_never_updated; ${NEVER_UPDATED} SELECT 1; END`,
    'guards',
  ],
  [
    'a guard that lets one account by',
    `DROP TRIGGER transfer_never_updated; ${NEVER_UPDATED} SELECT RAISE(ABORT, 'the ledger is append-only') WHERE OLD.to_account <> 'a'; END`,
    'guards',
  ],
  [
    'a trigger that gives each charge back',
    "CREATE TRIGGER kind_heart AFTER INSERT ON transfer WHEN NEW.from_account = 'a' BEGIN UPDATE account SET balance = balance + 1 WHERE id = 'a'; END",
    'guards',
  ],
];

describe('the sealed ledger', () => {
  it('is right as it is, and its head can be written down and read again', async () => {
    expect(await verifyLedger(accounts, head)).toMatchObject({ lines: 9, head, faults: [] });
    expect(head.line).toBe(9);
    expect(parseHead(formatHead(head))).toEqual(head);
    for (const none of ['', '9', '9:ab', `x:${head.digest}`, `9:${head.digest}0`]) expect(parseHead(none)).toBeNull();
  });

  it('continues under the head that was kept, also where two seal it at once', async () => {
    await accounts.write([charge('5', 'b', 1)]);
    expect((await Promise.all([sealLedger(accounts, AT), sealLedger(accounts, AT)])).sort()).toEqual([0, 1]);
    expect(await sealLedger(accounts, AT)).toBe(0);
    expect(await faults()).toEqual([]);
  });

  it('seals a long ledger in steps, each of which is looked at', async () => {
    const many = JSON.stringify(Array.from({ length: 4_500 }, (_none, at) => at));
    const sql = `INSERT INTO transfer (key, kind, from_account, to_account, credits, created_at)
      SELECT 'grant:m' || value, 'grant', '@mint', 'a', 1, '${AT}' FROM json_each(?)`;
    await accounts.write([{ sql, args: [many] }]);
    expect(await sealLedger(accounts, AT)).toBe(4_500);
    expect(await accounts.read({ sql: 'SELECT last_line FROM ledger_seal ORDER BY last_line' })).toEqual(
      [7, 9, 2_009, 4_009, 4_509].map((line) => ({ last_line: line })),
    );
    expect(await faults()).toEqual([]);
    await plant(accounts, "UPDATE transfer SET note = 'x' WHERE id = 4200");
    expect((await faults()).map(({ subject }) => subject)).toEqual(['lines 4010 to 4509']);
  });

  it.each([
    'UPDATE ledger_seal SET digest = last_line',
    'DELETE FROM ledger_seal',
    'REPLACE INTO ledger_seal SELECT * FROM ledger_seal',
  ])('refuses %s', async (sql) => {
    await expect(accounts.write([{ sql }])).rejects.toThrow('a seal stays as it is');
  });
});

describe('of twenty tamperings none goes unseen, with the head kept outside', () => {
  it('which are twenty', () => expect(new Set(TAMPERINGS.map(([name]) => name)).size).toBe(20));

  describe.each(TAMPERINGS)('%s', (_name, sql, of) => {
    it('as it is', async () => {
      if (of === 'lines') await plant(accounts, sql);
      else await accounts.write(split(sql));
      expect(await faults()).not.toEqual([]);
    });

    it.runIf(of === 'lines')('with every sum made to fit', async () => {
      await plant(accounts, `${sql}; ${FIT}`);
      expect((await faults()).map(({ fault }) => fault)).toContain('sealed lines are not as they were');
    });

    it.runIf(of === 'lines')('with every sum made to fit and every line sealed again', async () => {
      await plant(accounts, `${sql}; ${FIT}; DELETE FROM ledger_seal`);
      await sealLedger(accounts, AT);
      expect((await faults()).map(({ fault }) => fault)).toContain('the head that was kept is not of this ledger');
    });
  });
});

const split = (sql: string) => sql.split(/; (?=CREATE)/).map((each) => ({ sql: each }));
