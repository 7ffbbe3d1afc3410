import { readdir } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exportFolder } from '../../../schema/accounts/exports/storage.ts';
import { verifyLedger } from '../../../schema/accounts/ledger/verify.ts';
import { runCli } from '../../support/run-command.ts';
import { AWARD, DETAILS, type Market, openMarket, PERSON, TENDER, TRACES } from './market.ts';
import { tablesWith } from './stored-words.ts';

let market: Market;
beforeAll(async () => {
  market = await openMarket();
});
afterAll(() => market.close());

const titles = async (query: string) =>
  ((await market.get(`/v1/notices/search?query=${query}`)).body.items as { title: string }[]).map(({ title }) => title);
const again = () => market.cli('ingest', 'find-a-tender', '--since', '2026-11-18', '--again');
const person = () =>
  market.cli(
    'takedown',
    'person',
    '--name',
    PERSON.name,
    '--address',
    'Elm Cottage',
    '--email',
    PERSON.email,
    '--phone',
    PERSON.phone,
    '--reason',
    'asked to be removed',
  );
const files = () => readdir(exportFolder(market.settings));

describe('a person who is taken down', () => {
  it('is struck out of everything stored, and the same releases do not bring her back', async () => {
    const { body: contract } = await market.get(`/v1/contracts/${DETAILS}`);
    const companyId = contract.suppliers[0].company_id;
    expect(companyId).toMatch(TRACES);
    const contracts = await market.exported('contracts', 'csv');
    const companies = await market.exported('companies', 'jsonl');
    expect(await contracts.text()).toMatch(TRACES);
    const listed = async () => JSON.stringify((await market.get('/v1/companies?limit=100')).body);
    expect(await listed()).toMatch(TRACES);
    const kept = { headers: { 'idempotency-key': 'once' } };
    const ask = () =>
      fetch(`${market.url}/v1/contracts/${DETAILS}`, {
        headers: { authorization: `Bearer ${market.key}`, ...kept.headers },
      });
    expect(await (await ask()).text()).toMatch(TRACES);

    const places = async () =>
      (
        await Promise.all(
          [`notices/${AWARD}`, `contracts/${DETAILS}`].map((one) => market.get(`/v1/${one}?detail=full`)),
        )
      ).map(({ body }) => body.delivery_places);
    const place = 'To Wilhelmina Oakapple, 1 Elm Cottage, [telephone removed]';
    expect(await places()).toEqual([[place], [place]]);

    expect(await person()).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/3 releases of 2 processes, 2 export files, 1 remembered/),
    });
    const isGone = async () => {
      expect((await tablesWith(market.catalogue, TRACES)).filter((table) => table !== 'takedown')).toEqual([]);
      expect((await tablesWith(market.accounts, TRACES)).filter((table) => table !== 'installation')).toEqual([]);
      expect(await titles('oakapple')).toEqual([]);
      expect((await market.get(`/v1/companies/${companyId}`)).status).toBe(404);
      expect(await listed()).not.toMatch(TRACES);
    };
    await isGone();
    const withheld = [expect.stringMatching(/^To (\[withheld [0-9a-f]{6}\]), 1 \1, \[telephone removed\]$/)];
    expect(await places()).toEqual([withheld, withheld]);
    const after = (await market.get(`/v1/contracts/${DETAILS}`)).body;
    expect(after).toMatchObject({ value: 900, supplier: expect.stringMatching(/^(Mrs )?\[withheld [0-9a-f]{6}\]$/) });
    expect((await market.get(`/v1/companies/${after.suppliers[0].company_id}`)).body).toMatchObject({ is_sme: true });
    expect((await ask()).status).toBe(422);
    for (const { state } of [contracts, companies])
      expect(await state()).toMatchObject({ status: 'processing', message: expect.stringContaining('taken down') });
    await market.write();
    expect(await contracts.text()).not.toMatch(TRACES);
    expect(await contracts.state()).toMatchObject({ rows: 1, message: 'written again after a takedown' });
    expect(await companies.text()).not.toMatch(TRACES);
    expect(await companies.state()).toMatchObject({
      rows: 0,
      message: 'written again after a takedown, without 1 row of 1',
    });
    expect((await verifyLedger(market.accounts)).faults).toEqual([]);

    expect((await again()).stdout).toContain('0 stored, 4 unchanged');
    await isGone();
    expect((await person()).stdout).toMatch(/0 releases(.*\n)+no stored release has it; it is kept out/);
    const takedowns = (await market.cli('takedown', 'list')).stdout;
    expect(takedowns).toMatch(/person +done .*Wilhelmina Oakapple; Elm Cottage; e-mails 1; telephones 1/);
    expect(takedowns).not.toMatch(/900|oakapple@|@example/i);
  });

  it('never starts from what may mean somebody else', async () => {
    const refused = await market.cli('takedown', 'person', '--reason', 'r');
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('say who') });
    const oneWord = await runCli(
      { DATA_DIR: market.folder },
      'takedown',
      'person',
      '--name',
      'Oakapple',
      '--reason',
      'r',
    );
    expect(oneWord).toMatchObject({ code: 2, stderr: expect.stringContaining('Expected two words at least.') });
  });
});

describe('a notice that is taken down', () => {
  it('is in no search, look-up or finished export, even after it is fetched again', async () => {
    expect(await titles('honey')).toEqual(['Honey supply']);
    const csv = await market.exported('notices', 'csv');
    const jsonl = await market.exported('tenders', 'jsonl');
    expect(await csv.text()).toContain('Honey supply');
    expect(await jsonl.text()).toContain('Honey supply');
    const before = (await files()).filter((name) => name.startsWith(csv.id) || name.startsWith(jsonl.id));
    const known = await csv.state();
    const download = new URL(String(known.download_url));

    const taken = await market.cli('takedown', 'notice', TENDER, '--reason', 'a court order');
    expect(taken).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/1 release of 1 process, 2 export files/),
    });
    const isGone = async () => {
      expect(await titles('honey')).toEqual([]);
      expect((await market.get(`/v1/notices/${TENDER}`)).status).toBe(404);
      expect(await titles('gravel')).toEqual(['Gravel for the square']);
      expect(await tablesWith(market.catalogue, /honey supply/i)).toEqual([]);
    };
    await isGone();
    expect((await files()).filter((name) => before.includes(name))).toEqual([]);
    const waiting = await csv.state();
    expect(waiting).toMatchObject({ export_id: csv.id, status: 'processing', credits_paid: 100 });
    for (const field of ['download_url', 'sha256', 'bytes', 'completed_at', 'expires_at'])
      expect(waiting).not.toHaveProperty(field);
    const refused = await fetch(market.url + download.pathname + download.search);
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '30']);
    expect(await refused.json()).toMatchObject({ error: 'unavailable' });
    await market.write();
    const { sha256, bytes, expires_at, status } = await csv.state();
    expect([status, expires_at]).toEqual(['completed', known.expires_at]);
    expect([sha256 === known.sha256, bytes === known.bytes]).toEqual([false, false]);
    expect(await (await fetch(market.url + download.pathname + download.search)).text()).toBe(await csv.text());
    expect(await csv.text()).not.toContain('Honey supply');
    expect(await csv.text()).toContain('Gravel for the square');
    expect(await jsonl.text()).not.toContain('Honey supply');
    expect(await csv.state()).toMatchObject({
      rows: 3,
      credits_refunded: 25,
      message: 'written again after a takedown, without 1 row of 4',
    });
    expect((await files()).filter((name) => before.includes(name))).toEqual([]);
    expect((await verifyLedger(market.accounts)).faults).toEqual([]);

    expect(await again()).toMatchObject({ code: 0, stdout: expect.stringContaining('0 stored, 4 unchanged') });
    await isGone();
    expect(await market.cli('takedown', 'notice', TENDER, '--reason', 'again')).toMatchObject({ code: 0 });
    expect((await market.cli('takedown', 'list')).stdout).toMatch(/notice +done .*000001-2026 +a court order/);
    await isGone();
  });

  it('leaves the other notices of its process, which is compiled without it', async () => {
    await market.cli('takedown', 'notice', AWARD, '--reason', 'a mistake of the buyer');
    expect((await market.get(`/v1/notices/${AWARD}`)).status).toBe(404);
    const { body } = await market.get(`/v1/contracts/${DETAILS}`);
    expect(body).toMatchObject({
      supplier: expect.stringContaining('withheld'),
      value: 900,
      title: 'Beekeeping for the square',
    });
    expect(JSON.stringify(body)).not.toContain(AWARD);
    expect(await tablesWith(market.catalogue, /hives at elm/i)).toEqual([]);
  });

  it('is kept out when it was taken down before it ever came', async () => {
    expect((await market.cli('takedown', 'notice', '999999-2026', '--reason', 'r')).stdout).toContain(
      'kept out from now on',
    );
    expect(await market.cli('takedown', 'notice', 'nonsense', '--reason', 'r')).toMatchObject({ code: 2 });
  });
});

describe('a takedown that is lifted', () => {
  it('is no longer in force; the list still says that it was, by whom and why', async () => {
    const id = /tk_\w+/.exec((await person()).stdout)?.[0] ?? '';
    expect(await market.cli('takedown', 'lift', id)).toMatchObject({ code: 0 });
    // Repeated, as where the accounts were away, it finishes.
    expect(await market.cli('takedown', 'lift', id)).toMatchObject({ code: 0, stderr: '' });
    expect(await market.cli('takedown', 'lift', 'tk_0')).toMatchObject({
      code: 1,
      stderr: 'there is no takedown tk_0\n',
    });
    const { stdout } = await market.cli('takedown', 'list');
    expect(stdout).toMatch(new RegExp(`${id}  person  lifted \\S+Z  \\S+Z  \\S+@\\S+  -  `));
    expect(await market.catalogue.read({ sql: 'SELECT target FROM takedown WHERE id = ?', args: [id] })).toEqual([
      { target: '{}' },
    ]);
  });
});
