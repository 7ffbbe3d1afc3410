import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { readOcdsPage } from '../../../ingest/parse/page.ts';
import { storePage } from '../../../ingest/store/page.ts';
import { takeDown } from '../../../jobs/takedown/run.ts';
import { writeExports } from '../../../jobs/tasks/run.ts';
import { createAccount } from '../../../schema/accounts/customer/account.ts';
import type { ExportDataset } from '../../../schema/accounts/exports/datasets.ts';
import { readExport } from '../../../schema/accounts/exports/states.ts';
import { exportFolder } from '../../../schema/accounts/exports/storage.ts';
import { verifyLedger } from '../../../schema/accounts/ledger/verify.ts';
import { packAnswer } from '../../../schema/accounts/remembered-answers.ts';
import { AS_OF, makeNotice } from '../../ingest/small-world.ts';
import { makeJobServices } from '../../support/job-services.ts';
import { chargeExport } from '../../support/paid-exports.ts';

/** Two awards, each to a supplier that is known by its name alone. */
const award = (number: number, name: string) => {
  const noticeId = `00000${number}-2026`;
  const document = {
    id: noticeId,
    noticeType: 'UK6',
    url: `https://www.find-tender.service.gov.uk/Notice/${noticeId}`,
  };
  const supplier = { id: `own-${number}`, name, roles: ['supplier'] };
  const council = { id: 'GB-PPON-PBCD-1234-FGHJ', name: 'Little Example Council', roles: ['buyer'] };
  const won = { id: '1', status: 'active', suppliers: [{ id: supplier.id, name }], documents: [document] };
  const more = { planning: undefined, tag: ['award', 'contract'], parties: [council, supplier], awards: [won] };
  return makeNotice(number, AS_OF, more).release;
};
const PAGE = Buffer.from(
  JSON.stringify({ version: '1.1', releases: [award(1, 'Ada Quillfeather'), award(2, 'Bert Nightjar')] }),
);

let built: Awaited<ReturnType<typeof makeJobServices>>;
let accountId: string;
beforeEach(async () => {
  built = await makeJobServices();
  const { accounts, catalogue } = built.services;
  accountId = (await createAccount(accounts, { name: 'A', signupCredits: 1_000, at: '2026-11-21T00:00:00Z' })).id;
  const fetched = { source: 'find_a_tender', fetchedAt: '2026-11-20T12:00:00Z', before: [], after: [] };
  await storePage(catalogue, { ...readOcdsPage(PAGE, { source: 'find_a_tender', url: 'x' }), ...fetched });
});
afterEach(() => built.close());

async function exported(id: string, dataset: ExportDataset, keys: string[]): Promise<void> {
  await chargeExport(built.services.accounts, { id, accountId, dataset, format: 'jsonl', keys, credits: 100 });
  await writeExports(built.services);
}
async function textOf(id: string): Promise<string> {
  const file = (await readExport(built.services.accounts, id))?.file ?? expect.fail(id);
  return readFile(join(exportFolder(built.services.settings), file), 'utf8');
}

it('a supplier whom only the notice named goes from exports and remembered answers too', async () => {
  const { accounts, catalogue } = built.services;
  const rows = await catalogue.read<{ id: string }>({ sql: 'SELECT id FROM company WHERE gone = 0 ORDER BY name' });
  const [ada = '', bert = ''] = rows.map(({ id }) => id);
  await exported('ex_both', 'companies', [ada, bert]);
  await exported('ex_last', 'companies', [bert, ada]);
  await exported('ex_only', 'companies', [ada]);
  await exported('ex_other', 'companies', [bert]);
  const other = await readExport(accounts, 'ex_other');
  const [contract] = await catalogue.read<{ id: string }>({ sql: 'SELECT id FROM contract ORDER BY id' });
  const remember = 'INSERT INTO remembered_answer (line, expires_at, bytes, body) VALUES (?, 9e12, 1, ?)';
  const answers = [`{"company_id":"${ada}"}`, `{"company_id":"${bert}"}`, `{"contract_id":"${contract?.id}"}`];
  await accounts.write(answers.map((text, line) => ({ sql: remember, args: [line + 1, packAnswer(text)] })));

  const taken = await takeDown(built.services, { kind: 'notice', noticeId: '000001-2026' }, { reason: 'r' });
  expect(taken).toMatchObject({ result: { exports: 3, answers: 2 } });
  await writeExports(built.services);
  expect(await textOf('ex_both')).not.toMatch(/quillfeather/i);
  expect(await textOf('ex_both')).toContain('Bert Nightjar');
  expect(await readExport(accounts, 'ex_both')).toMatchObject({ rows: 1, refunded: 50 });
  expect(await readExport(accounts, 'ex_last')).toMatchObject({ rows: 1, refunded: 50 });
  expect(await readExport(accounts, 'ex_only')).toMatchObject({ rows: 0, refunded: 100 });
  expect(await readExport(accounts, 'ex_other')).toEqual(other);
  expect(await accounts.read({ sql: 'SELECT 1 FROM export_row WHERE row_key = ?', args: [ada] })).toEqual([]);
  expect((await verifyLedger(accounts)).faults).toEqual([]);
});

it("an answer that names the process alone, as a buyer's frameworks do, is not remembered either", async () => {
  const { accounts, catalogue } = built.services;
  const [first, second] = await catalogue.read<{ id: string }>({ sql: 'SELECT id FROM process ORDER BY id' });
  const framework = (process: typeof first) => `{"frameworks":[{"framework_id":"${process?.id}","title":"Paving"}]}`;
  const remember = 'INSERT INTO remembered_answer (line, expires_at, bytes, body) VALUES (?, 9e12, 1, ?)';
  await accounts.write(
    [1, 2].map((line) => ({ sql: remember, args: [line, packAnswer(framework(line === 1 ? first : second))] })),
  );
  const taken = await takeDown(built.services, { kind: 'notice', noticeId: '000001-2026' }, { reason: 'r' });
  expect(taken).toMatchObject({ result: { answers: 1 } });
  expect(await accounts.read({ sql: 'SELECT line FROM remembered_answer' })).toEqual([{ line: 2 }]);
});
