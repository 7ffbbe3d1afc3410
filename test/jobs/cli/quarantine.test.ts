import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { quarantineStatements, registerSources } from '../../../ingest/runs/record.ts';
import { sources } from '../../../ingest/sources/index.ts';
import { runUpkeep } from '../../../jobs/tasks/run.ts';
import { makeNotice, makeRegisterRow } from '../../ingest/small-world.ts';
import { makeJobServices } from '../../support/job-services.ts';
import { runHere } from '../../support/run-command.ts';
import { publishedColumn, REGISTER_COLUMNS, type RegisterRow } from '../../upstream/data.ts';

let built: Awaited<ReturnType<typeof makeJobServices>>;
beforeAll(async () => {
  built = await makeJobServices();
  await registerSources(built.services.catalogue, sources);
});
afterAll(() => built.close());
beforeEach(() => built.services.catalogue.write([{ sql: 'DELETE FROM quarantine' }, { sql: 'DELETE FROM release' }]));

const cli = (...args: string[]) =>
  runHere({ DATA_DIR: built.folder, FIND_A_TENDER_URL: 'http://127.0.0.1:9' }, ...args);
const rows = <T>(sql: string) => built.services.catalogue.read<T>({ sql });
const AT = '2026-11-20T12:00:00Z';
const API = 'https://www.find-tender.service.gov.uk/api/1.0/ocdsReleasePackages';
const BULK = 'https://download.companieshouse.gov.uk/BasicCompanyData-2026-11-01-part1_7.zip';

/** Quarantined by a reader that refused what today's reads, as after a fault of ours was mended. */
async function hold(
  kind: 'page' | 'release' | 'row',
  bytes: Uint8Array | string,
  more: { source?: string; url?: string; recordId?: string } = {},
) {
  const { source = 'find_a_tender', url = API, recordId } = more;
  const quarantined = { kind, reason: 'an earlier reader refused it', url, recordId, bytes: Buffer.from(bytes) };
  await built.services.catalogue.write(quarantineStatements(built.services.catalogue, source, [quarantined], AT));
  const [row] = await rows<{ id: number }>('SELECT max(id) AS id FROM quarantine');
  return String(row?.id);
}
const release = (number: number) => makeNotice(number, new Date('2026-11-19T12:00:00Z')).release;
const csv = (row: RegisterRow) =>
  `${REGISTER_COLUMNS.map(publishedColumn).join(',')}\n${REGISTER_COLUMNS.map((name) => `"${row[name] ?? ''}"`).join(',')}`;

describe('cli quarantine retry', () => {
  it('reads a page again, stores its releases through the normal path, and does so once', async () => {
    const id = await hold('page', JSON.stringify({ releases: [release(1), release(2), { id: 'no ocid' }] }));
    const first = await cli('quarantine', 'retry', id);
    expect(first.stdout).toMatch(
      /^\d+ \(find_a_tender\): resolved: 2 stored, 0 stored already, 1 of its releases quarantined on their own\n1 resolved, 0 still cannot be read\nsearch: up to date\n$/,
    );
    expect(first.code).toBe(0);
    expect(await rows('SELECT count(*) AS n FROM release')).toEqual([{ n: 2 }]);
    expect(await rows('SELECT notice_id FROM notice WHERE gone = 0 ORDER BY 1')).toEqual([
      { notice_id: '000001-2026' },
      { notice_id: '000002-2026' },
    ]);
    expect(await rows(`SELECT state, bytes FROM quarantine WHERE id = ${id}`)).toEqual([
      { state: 'resolved', bytes: null },
    ]);
    expect((await cli('quarantine', 'retry', id)).stdout).toBe(`${id} is resolved: there is nothing to read again\n`);
    expect(await rows("SELECT quarantined FROM source WHERE id = 'find_a_tender'")).toEqual([{ quarantined: 1 }]);
  });

  it('reads a release on its own, and says what still fails', async () => {
    const good = await hold('release', JSON.stringify(release(3)));
    const bad = await hold('release', JSON.stringify({ ...release(4), ocid: undefined }));
    const page = await hold('page', '<!DOCTYPE html><html>maintenance</html>');
    const answer = await cli('quarantine', 'retry', '--source', 'find-a-tender');
    expect(answer.stdout.split('\n')).toEqual([
      `${good} (find_a_tender): resolved: 1 stored, 0 stored already`,
      `${bad} (find_a_tender): still cannot be read: the release has no ocid`,
      `${page} (find_a_tender): still cannot be read: not an OCDS package: an HTML page`,
      '1 resolved, 2 still cannot be read',
      'search: up to date',
      '',
    ]);
    expect((await cli('quarantine', 'retry', '--all')).stdout).toContain('0 resolved, 2 still cannot be read');
    expect(await rows('SELECT count(*) AS n FROM release')).toEqual([{ n: 1 }]);
  });

  it('reads a row of the register and a profile, and lets a later edition or profile decide', async () => {
    const register = { source: 'companies_house', url: BULK };
    await hold('row', csv(makeRegisterRow('01234567', 'ROW AGAIN LIMITED')), register);
    await hold('row', `${csv(makeRegisterRow('07654321', 'TOO SHORT LIMITED'))}`.replace(/,""$/, ''), register);
    const url = 'https://api.company-information.service.gov.uk/company/SC123456';
    const profile = { company_name: 'PROFILE AGAIN LIMITED', company_number: 'SC123456', company_status: 'active' };
    await hold('row', JSON.stringify(profile), { source: 'companies_house', url, recordId: 'SC123456' });
    const answer = await cli('quarantine', 'retry', '--source', 'companies_house');
    expect(answer.stdout).toMatch(
      /resolved: 1 stored, 0 stored already\n.*still cannot be read: 54 cells where 55 were due\n.*the profile of SC123456 stored\n2 resolved, 1 still/,
    );
    expect(await rows('SELECT company_number, name, edition FROM registered_company ORDER BY 1')).toEqual([
      { company_number: '01234567', name: 'ROW AGAIN LIMITED', edition: '2026-11-01' },
      { company_number: 'SC123456', name: 'PROFILE AGAIN LIMITED', edition: null },
    ]);
    await built.services.catalogue.write([
      { sql: "INSERT INTO cursor (source, value, updated_at) VALUES ('companies_house', '2026-12-01', '')" },
    ]);
    await hold('row', csv(makeRegisterRow('01234567', 'AN OLDER NAME LIMITED')), register);
    const former = JSON.stringify({ ...profile, company_name: 'AN OLDER NAME LIMITED' });
    await hold('row', former, { source: 'companies_house', url, recordId: 'SC123456' });
    await built.services.catalogue.write([
      { sql: "UPDATE registered_company SET profile_fetched_at = '2999-01-01' WHERE company_number = 'SC123456'" },
    ]);
    expect((await cli('quarantine', 'retry', '--all')).stdout).toMatch(
      /a later edition than 2026-11-01 has been applied.*a later profile of SC123456 has been stored/s,
    );
    expect(await rows('SELECT name FROM registered_company ORDER BY company_number')).toEqual([
      { name: 'ROW AGAIN LIMITED' },
      { name: 'PROFILE AGAIN LIMITED' },
    ]);
  });

  it('asks for exactly one way of saying what, and names sources that are none', async () => {
    for (const args of [[], ['1', '--all'], ['--all', '--source', 'find-a-tender']])
      expect(await cli('quarantine', 'retry', ...args)).toMatchObject({
        code: 2,
        stderr: expect.stringMatching(/^say what to read again/),
      });
    expect(await cli('quarantine', 'retry', '999')).toMatchObject({
      code: 1,
      stderr: 'nothing in quarantine has the number 999: see `quarantine list --all`\n',
    });
  });
});

describe('cli quarantine show', () => {
  it('never sends control characters or raw bytes to a terminal', async () => {
    const text = await cli('quarantine', 'show', await hold('page', '<html>\x1b[2J\x07é\n'));
    expect(text.stdout).toContain('<html>\\x1b[2J\\x07é');
    const zip = await cli(
      'quarantine',
      'show',
      await hold('page', Buffer.concat([Buffer.from('PK\x03\x04\0\0'), Buffer.alloc(5_000, 0x9b)])),
    );
    expect(zip.stdout).toContain('000000  50 4b 03 04 00 00 9b');
    expect(zip.stdout).toContain('(3982 more of 5006 bytes)');
    expect(text.stdout + zip.stdout).not.toMatch(/[^\P{Cc}\n\t]/u);
  });

  it('says when the bytes are gone: 30 days after they were last seen', async () => {
    const id = await hold('page', 'expired');
    built.services.clocks = { ...built.services.clocks, wallNow: () => new Date('2026-12-20T12:00:00Z') };
    await runUpkeep(built.services);
    expect((await cli('quarantine', 'show', id)).stdout).toContain('expired');
    built.services.clocks = { ...built.services.clocks, wallNow: () => new Date('2026-12-20T12:00:01Z') };
    await runUpkeep(built.services);
    const shown = await cli('quarantine', 'show', id);
    expect(shown.stdout).toMatch(/^state: expired$.*\(its bytes have expired\)/ms);
    expect((await cli('quarantine', 'list', '--all')).stdout).toMatch(/ expired /);
    expect((await cli('quarantine', 'retry', '--all')).stdout).toBe('nothing is in quarantine\n');
  });
});
