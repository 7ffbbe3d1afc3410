import { cp } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { quarantineStatements } from '../../../ingest/runs/record.ts';
import { listServices } from '../../../ingest/sources/index.ts';
import type { Database } from '../../../schema/db/interface.ts';
import { tablesWith } from '../../ingest/takedown/stored-words.ts';
import { makeDatabase, makeFolder } from '../../support/databases.ts';
import { type CliAnswer, runHere } from '../../support/run-command.ts';
import { findIngested, makeSmallSample } from '../../support/sample-services.ts';
import { type Json, listBySource } from '../../upstream/data.ts';
import { startUpstream, type Upstream } from '../../upstream/server.ts';
import { upstreamSettings } from '../../upstream/settings.ts';

/** What holds for each service of the table, over one ingest of the sample. */

const sample = makeSmallSample();
const published = listBySource(sample);
const upstreamUrl = 'https://service.example';
let folder: Awaited<ReturnType<typeof makeFolder>>;
let upstream: Upstream;
let catalogue: Database;
beforeAll(async () => {
  folder = await makeFolder();
  upstream = await startUpstream({ data: sample });
  // What stands next to a database goes by itself; the file is whole without.
  await cp(await findIngested(), folder.path, { recursive: true, filter: (path) => !/-(?:shm|wal)$/.test(path) });
  catalogue = await makeDatabase(folder.path, 'catalogue');
});
afterAll(async () => {
  await catalogue.close();
  await upstream.close();
  await folder.remove();
});

const cli = (...args: string[]): Promise<CliAnswer> =>
  runHere(
    {
      ...upstreamSettings(upstream.url),
      DATA_DIR: folder.path,
      AS_OF: sample.asOf.toISOString(),
      LOG_LEVEL: 'silent',
      CONTACT: 'test@example.org',
      PROCUREMENT_GAP_SECONDS: '0',
    },
    ...args,
  );

/** The newest notice of a service. */
async function pickNotice(source: string): Promise<{ notice_id: string; published: string }> {
  const sql =
    'SELECT notice_id, published FROM notice WHERE source = ? AND gone = 0 ORDER BY published DESC, id LIMIT 1';
  const [found] = await catalogue.read<{ notice_id: string; published: string }>({ sql, args: [source] });
  return found ?? expect.fail(`no notice of ${source}`);
}

it('no e-mail address and no telephone number of a contact is stored', async () => {
  const contact = /[\w.-]+@[a-z-]+\.example|01632 960\d{3}/;
  for (const [id, releases] of published) expect(JSON.stringify(releases), id).toMatch(contact);
  expect(await tablesWith(catalogue, contact)).toEqual([]);
});

describe.each(listServices().map((source) => [source.id, source] as const))('%s', (id, source) => {
  it('has its notices explained, each with the fields that decide', async () => {
    const { notice_id } = await pickNotice(id);
    const { code, stdout } = await cli('explain', notice_id);
    expect([code, stdout.includes(notice_id), stdout.includes(source.title)]).toEqual([0, true, true]);
  });

  it('brings a notice that was taken down neither back nor in a rebuild', async () => {
    const { notice_id, published: day } = await pickNotice(id);
    expect(await cli('takedown', 'notice', notice_id, '--reason', 'a court order')).toMatchObject({ code: 0 });
    const again = await cli('ingest', source.cliName, '--since', day, '--again', '--no-sync');
    expect(again, again.stderr).toMatchObject({ code: 0, stdout: expect.stringMatching(/\b0 stored/) });
    const sql = 'SELECT id FROM notice WHERE notice_id = ? AND gone = 0';
    expect(await catalogue.read({ sql, args: [notice_id] })).toEqual([]);
    expect((await cli('explain', notice_id)).stderr).toMatch(/taken down/);
  });
});

describe.each(listServices().map((source) => [source.id, source] as const))(
  'what %s sent to quarantine',
  (id, source) => {
    const releases = published.get(id) ?? [];
    const [{ release, ...more }] = [releases[0] ?? expect.fail(`nothing of ${id}`)];
    const again = (title: string) => ({ ...release, tender: { ...(release.tender as Json), title } });
    const type = 'type' in more ? String(more.type) : '';
    const url =
      source.asked === 'by_cell'
        ? source.cellUrl(upstreamUrl, { month: '2026-11', type })
        : (source.listRequests(upstreamUrl, { from: new Date(0), until: new Date(0) })[0] ?? '');
    const hold = (kind: 'page' | 'release', text: string) => {
      const quarantined = {
        kind,
        reason: 'an earlier reader refused it',
        url,
        recordId: undefined,
        bytes: Buffer.from(text),
      };
      return catalogue.write(quarantineStatements(catalogue, id, [quarantined], '2099-01-01T12:00:00Z'));
    };
    const stored = async () =>
      (await catalogue.read({ sql: 'SELECT 1 FROM release WHERE source = ?', args: [id] })).length;

    it('is read again in the shape in which its service publishes it', async () => {
      const before = await stored();
      await hold('page', JSON.stringify({ releases: [again('Read again as a page')] }));
      await hold('release', JSON.stringify(again('Read again by itself')));
      await hold('page', '<!DOCTYPE html><html>maintenance</html>');
      expect((await cli('quarantine', 'list', '--source', source.cliName)).stdout).toContain(id);
      const { stdout } = await cli('quarantine', 'retry', '--source', source.cliName);
      expect(stdout.match(/resolved: 1 stored, 0 stored already/g), stdout).toHaveLength(2);
      expect(stdout).toMatch(
        /still cannot be read: not an OCDS package: an HTML page\n2 resolved, 1 still cannot be read/,
      );
      expect(await stored()).toBe(before + 2);
      const sql = 'SELECT notice_id FROM notice WHERE ocid = ? AND gone = 0';
      const notices = await catalogue.read<{ notice_id: string }>({ sql, args: [release.ocid as string] });
      expect(notices).not.toEqual([]);
      for (const { notice_id } of notices) expect(notice_id).toMatch(source.notices.id);
    });
  },
);

it('a rebuild of all of them says what is stored', async () => {
  const { code, stdout, stderr } = await cli('rebuild', '--check');
  expect([code, stderr], stdout).toEqual([0, '']);
});
