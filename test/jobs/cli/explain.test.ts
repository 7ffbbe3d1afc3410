import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Explanation } from '../../../ingest/explain/types.ts';
import { readOcdsPage } from '../../../ingest/parse/page.ts';
import { storePage } from '../../../ingest/store/page.ts';
import type { JsonObject } from '../../../schema/text/json-values.ts';
import {
  actRelease,
  BRIGHT,
  COUNCIL,
  noticeDocument,
  OCID,
  packageOf,
  reference,
} from '../../ingest/compile/releases.ts';
import { scriptArguments } from '../../support/compiled.ts';
import { makeEnvironment } from '../../support/environment.ts';
import { makeJobServices } from '../../support/job-services.ts';
import { runHere } from '../../support/run-command.ts';

const RECORDED = '../shared/data/find-a-tender/notices';
/** A delta of 34 awards, and five awards of which one went to a charity. */
const recordings = ['083685-2026', '029664-2025'].flatMap((id) => {
  try {
    return [{ id, bytes: readFileSync(`${RECORDED}/${id}.json`) }];
  } catch {
    return [];
  }
});
if (recordings.length < 2) console.warn(`SKIPPED: two tests of explain need the recordings in ${RECORDED}`);

let built: Awaited<ReturnType<typeof makeJobServices>>;
const explain = (...args: string[]) =>
  runHere({ DATA_DIR: built.folder, AS_OF: '2026-01-20T00:00:00Z' }, 'explain', ...args);
const explainAsJson = async (id: string): Promise<Explanation> => {
  const [first] = JSON.parse((await explain(id, '--json')).stdout) as Explanation[];
  return first ?? expect.fail(`nothing explained of ${id}`);
};

async function store(pages: readonly Uint8Array[]) {
  const source = 'find_a_tender';
  for (const bytes of pages) {
    const page = readOcdsPage(bytes, { source, url: 'https://example.test/page' });
    await storePage(built.services.catalogue, {
      source,
      fetchedAt: '2026-11-20T00:00:00Z',
      ...page,
      before: [],
      after: [],
    });
  }
}

const award = (more: JsonObject) => ({ id: '1', status: 'active', suppliers: [reference(BRIGHT)], ...more });
const TENDER = actRelease('000100-2026', '2026-01-05T09:00:00Z', {
  tender: {
    status: 'active',
    value: { amount: 90_000, currency: 'GBP' },
    procurementMethodDetails: 'Below threshold - without competition',
    procurementMethodRationale: 'Nobody else makes the part.',
    tenderPeriod: { endDate: '2026-02-01T12:00:00Z' },
    documents: [noticeDocument('000100-2026', 'UK4', 'tenderNotice')],
  },
});
const AWARD = actRelease('000200-2026', '2026-03-01T09:00:00Z', {
  tag: ['award', 'contract'],
  parties: [COUNCIL, BRIGHT],
  awards: [award({ value: { amount: 80_000, currency: 'GBP' }, documents: [noticeDocument('000200-2026', 'UK6')] })],
  bids: {
    statistics: [
      { id: '1', measure: 'bids', value: 3 },
      { id: '2', measure: 'smeBids', value: 2 },
    ],
  },
});
const DETAILS = actRelease('000300-2026', '2026-04-01T09:00:00Z', {
  tag: ['award', 'contract'],
  parties: [COUNCIL, BRIGHT],
  awards: [award({ value: null })],
  contracts: [
    {
      id: '1',
      awardID: '1',
      period: { startDate: '2026-05-01', endDate: '2028-04-30' },
      renewal: { description: 'Extension of up to 12 months.' },
      documents: [noticeDocument('000300-2026', 'UK7', 'contractNotice')],
    },
  ],
});
const OTHER = actRelease('000900-2026', '2026-01-06T09:00:00Z', {
  ...TENDER,
  id: '000900-2026',
  ocid: 'ocds-h6vhtk-0f0f0f',
});

beforeAll(async () => {
  built = await makeJobServices();
  await store([packageOf([TENDER, AWARD, DETAILS]), packageOf([OTHER]), ...recordings.map(({ bytes }) => bytes)]);
});
afterAll(() => built.close());

describe('explain', () => {
  it('tells of a notice how every field was decided, in plain text', async () => {
    const { code, stdout } = await explain('000300-2026');
    expect(code).toBe(0);
    for (const line of [
      `process ${OCID} (find_a_tender)`,
      '  status      awarded: awards that stand: 1',
      '  catalogue   holds the same',
      '  exception: explicit nulls of Find a Tender wiped nothing: awards.value',
      '  kind        UK7, stage contract (noticeType of a document)',
      '  live        no: it is not the latest tender notice of its process',
      `contract ${OCID}-a-1`,
      '  made of     award 1, signed contracts 1: one contract',
      '  notices     000200-2026 (UK6), 000300-2026 (UK7)',
      '  dates       starts 2026-05-01, ends 2028-04-30, ends_latest 2029-04-30',
      '              ends: period of the signed contract',
      '              ends_latest: renewal in words, worked out from the end first signed for: "Extension of up to 12 months."',
      '  procedure   direct, published "Below threshold - without competition"',
      '              because Nobody else makes the part.',
      '  bids        received 3, from_smes 2 in 000200-2026',
      '                 award net               80,000 GBP  <- chosen',
      '                 estimate of the tender  90,000 GBP',
      '  supplier    Brightwater Cleaning Ltd, named in 000200-2026 000300-2026',
      '              -> GB-COH-01234567, by company_number, score 1',
    ])
      expect(stdout.split('\n')).toContain(line);
  });

  it('says where the catalogue differs from what its releases say', async () => {
    const setDigest = (to: string) =>
      built.services.catalogue.write([{ sql: `UPDATE notice SET digest = ${to} WHERE notice_id = '000900-2026'` }]);
    await setDigest("'x' || digest");
    expect((await explain('000900-2026')).stdout).toContain('  catalogue   differs in 1 row, compiled by another');
    await setDigest('substr(digest, 2)');
  });

  it('says why a tender is live or is not', async () => {
    const open = (await explainAsJson('000900-2026')).notices[0];
    expect(open).toMatchObject({ live: true, deadline: { value: '2026-02-01', from: 'tender.tenderPeriod' } });
    const won = (await explainAsJson('000100-2026')).notices[0];
    expect(won).toMatchObject({ live: false, live_why: 'the process is awarded' });
  });

  it.each(['000200-2026', `${OCID}-a-1`, OCID.toUpperCase()])('takes %s for the same process', async (id) => {
    const explained = await explainAsJson(id);
    expect(explained.process).toMatchObject({ id: OCID, rows_differing: 0 });
    expect(explained.releases.map(({ release_id, state }) => [release_id, state])).toEqual([
      ['000100-2026', 'merged'],
      ['000200-2026', 'merged'],
      ['000300-2026', 'merged'],
    ]);
  });

  it('tells what may come before and after, by what sign', async () => {
    const { id: later } = (await explainAsJson('000900-2026')).process;
    const earlier = `${OCID}-a-1`;
    const sign = 'its text names the current contract: 000300-2026';
    const sql = `INSERT INTO succession (process_id, contract_id, buyer_id, method, score, evidence)
      VALUES (?, ?, 'any', 'identifier', 0.98, ?)`;
    await built.services.catalogue.write([{ sql, args: [later, earlier, JSON.stringify([sign])] }]);
    const found = { process_id: later, contract_id: earlier, method: 'identifier', score: 0.98, evidence: [sign] };
    expect(await explainAsJson('000900-2026')).toMatchObject({ incumbents: [found], successors: [] });
    expect(await explainAsJson(OCID)).toMatchObject({ incumbents: [], successors: [found] });
    const lines = (await explain('000900-2026')).stdout.split('\n');
    expect(lines).toContain('before and after: by the same buyer');
    expect(lines.filter((line) => line.startsWith('  may succeed'))).toEqual([
      expect.stringMatching(/^ {2}may succeed +\S+-a-1 .*, by identifier, score 0\.98$/),
    ]);
    expect(lines).toContain(`                 ${sign}`);
  });

  it('tells of a buyer and a company who they are and which notices said so', async () => {
    const company = await explain('1234567');
    expect(company.stdout).toMatch(
      /^company GB-COH-01234567: Brightwater Cleaning Ltd\n {2}contracts {3}1, the newest in 000300-2026\n/,
    );
    expect((await explain('GB-PPON-PBCD-1234-FGHJ')).stdout).toContain('tied by     identifier, score 0.99: 2 parties');
  });

  it('minds no reader that leaves before the end', async () => {
    const child = spawn(process.execPath, [...scriptArguments('jobs/cli/main.ts'), 'explain', '000300-2026'], {
      env: makeEnvironment({ DATA_DIR: built.folder }),
    });
    child.stdout.destroy();
    let stderr = '';
    child.stderr.on('data', (bytes: Buffer) => {
      stderr += bytes;
    });
    expect([...(await once(child, 'close')).slice(0, 1), stderr]).toEqual([0, '']);
  });

  it('says in one line what is not stored and what was taken down', async () => {
    expect(await explain('999999-2026')).toMatchObject({
      code: 1,
      stdout: '',
      stderr: 'nothing is stored as 999999-2026: it is no notice, contract, ocid, buyer or company here\n',
    });
    const took = await runHere(
      { DATA_DIR: built.folder },
      'takedown',
      'notice',
      '000900-2026',
      '--reason',
      'asked for',
    );
    expect(took.code).toBe(0);
    const gone = await explain('000900-2026');
    expect(gone.stderr).toMatch(/^notice 000900-2026 was taken down on \S+ \(tk_[0-9a-f]+\): asked for\n$/);
    expect(gone.code).toBe(1);
  });
});

describe.skipIf(recordings.length < 2)('explain of recorded processes', () => {
  it('tells why 34 awards of a delta are no contracts', async () => {
    const explained = await explainAsJson('083685-2026');
    expect(explained.contracts).toEqual([]);
    expect(explained.left_out).toHaveLength(34);
    expect(explained.left_out[0]?.why).toMatch(/^a delta/);
    expect(explained.notices[0]).toMatchObject({ notice_type: 'UK15', kind_from: 'noticeType of a document' });
  });

  it('tells of five awards the value chosen and the tie of each supplier', async () => {
    const explained = await explainAsJson('029664-2025');
    expect(explained.process.rows_differing).toBe(0);
    expect(explained.contracts).toHaveLength(5);
    for (const { value, suppliers, notices } of explained.contracts) {
      expect(value.candidates.find(({ chosen }) => chosen)?.amount ?? null).toBe(value.amount);
      expect(suppliers.every(({ match }) => match.evidence.length > 0)).toBe(true);
      expect(notices).toMatchObject([{ notice_id: '029664-2025' }]);
    }
  });
});
