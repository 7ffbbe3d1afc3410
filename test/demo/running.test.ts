import { exec, execFile, spawn } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { sources } from '../../ingest/sources/index.ts';
import { createAccount, createKey } from '../../schema/accounts/customer/account.ts';
import { isoInstant } from '../../schema/config/clocks.ts';
import { openDatabase } from '../../schema/db/open.ts';
import { scriptArguments } from '../support/compiled.ts';
import { makeFolder } from '../support/databases.ts';
import { makeEnvironment } from '../support/environment.ts';
import { ROOT } from '../support/source-files.ts';
import { LIMITS_MS } from '../support/time-limits.ts';
import { type RunningDemo, startDemo } from './child.ts';
import { recordExamples } from './examples.ts';
import { paste } from './paste.ts';

const run = promisify(exec);
let folder: Awaited<ReturnType<typeof makeFolder>>;
let demo: RunningDemo;

beforeAll(async () => {
  folder = await makeFolder();
  const env = { CATALOGUE_URL: `file:${folder.path}/real-catalogue.db`, ACCOUNTS_URL: `file:${folder.path}/real.db` };
  demo = await startDemo(folder.path, { compiled: true, env });
}, LIMITS_MS.long);
afterAll(async () => {
  await demo?.stop();
  await folder.remove();
});

const answerTo = async (command = 'false') => JSON.parse(await paste(command));
const balance = async () => {
  const answer = await fetch(`${demo.url}/v1/balance`, { headers: { Authorization: `Bearer ${demo.key}` } });
  return ((await answer.json()) as { balance: number }).balance;
};

/** The key of a new account, with the credits that the demo grants. */
async function addCustomer(): Promise<string> {
  const accounts = await openDatabase({ url: `file:${folder.path}/demo/accounts.db`, durability: 'normal' });
  const at = isoInstant(new Date());
  const { id } = await createAccount(accounts, { name: 'examples', signupCredits: 250, at });
  const { key } = await createKey(accounts, { accountId: id, prefix: 'svc_live_', name: 'examples', at });
  await accounts.close();
  return key;
}

/** Does as Ctrl-C does in the moment in which the demo says that it is stopped so. */
const STOPPED_AT_ONCE = `const { log } = console;
console.log = (...words) => {
  log(...words);
  if (String(words[0]).includes('Ctrl-C stops it.')) process.kill(process.pid, 'SIGINT');
};`;

describe('the demo', () => {
  it('says that its sample is invented, and that each source brought some of it', () => {
    expect(demo.output).toMatch(/invented/i);
    for (const { title } of sources) expect(demo.output).toMatch(new RegExp(`${title}.* [1-9]\\d* read in`));
  });

  it('has one address, in what it prints and on its pages', async () => {
    const pages = await Promise.all(
      ['/', '/docs', '/docs/agents', '/notices', '/tenders.atom'].map((path) => fetch(demo.url + path)),
    );
    // A busy machine may log a request that had to be sent again.
    const printed = demo.output.replace(/^\{.*\}$/gm, '');
    const texts = await Promise.all(pages.map((page) => page.text()));
    const addresses =
      [printed, ...texts].join('\n').match(/https?:\/\/(?:localhost|127\.0\.0\.1|\[::1\])[^\s/'"<&`]*/g) ?? [];
    expect([...new Set(addresses)]).toEqual([demo.url]);
  });

  it('says where its data lies, and leaves the databases alone that the environment names', () => {
    expect(demo.output).toContain(`Its data lies in ${folder.path}/demo`);
    expect(readdirSync(folder.path).filter((name) => name.startsWith('real'))).toEqual([]);
  });

  it('prints a tender search that answers live tenders for 2 credits', async () => {
    const answer = await answerTo(demo.commands[0]);
    expect(answer.items.length).toBeGreaterThan(0);
    expect(answer).toMatchObject({ credits_charged: 2, credits_remaining: 248 });
    expect(Object.keys(answer.items[0])).toEqual(expect.arrayContaining(['notice_id', 'title', 'deadline']));
  });

  it('prints a company profile with contracts for 12 credits', async () => {
    const answer = await answerTo(demo.commands[1]);
    expect(answer).toMatchObject({ credits_charged: 12, credits_remaining: 236 });
    expect(answer.core.company_number).toMatch(/^[A-Z0-9]{8}$/);
    expect(answer.contracts.items.length).toBeGreaterThan(0);
  });

  it('prints an MCP call that answers rows for 2 credits', async () => {
    const answer = await answerTo(demo.commands[2]);
    expect(answer.result.structuredContent.items.length).toBeGreaterThan(0);
    expect(answer.result.structuredContent).toMatchObject({ credits_charged: 2, credits_remaining: 234 });
    expect(JSON.parse(answer.result.content[0].text)).toEqual(answer.result.structuredContent);
  });

  it('keeps a ledger that the command line proves', async () => {
    expect(await balance()).toBe(234);
    const env = makeEnvironment({ DATA_DIR: `${folder.path}/demo` });
    const { stdout } = await run('npm run --silent cli -- ledger verify', { cwd: ROOT, env });
    expect(stdout).toMatch(/^the ledger is right: /);
  });

  it('answers the examples of the contract (UPDATE_EXAMPLES=1 writes them)', async () => {
    const recorded = await recordExamples({ url: demo.url, key: await addCustomer() });
    const file = join(ROOT, 'api/openapi/examples.json');
    if (process.env.UPDATE_EXAMPLES) writeFileSync(file, `${JSON.stringify(recorded, null, 2)}\n`);
    else expect(recorded).toEqual(JSON.parse(readFileSync(file, 'utf8')));
  });

  it('refuses a port that is taken before it ingests anything', async () => {
    const { port } = new URL(demo.url);
    const refused = await startDemo(`${folder.path}/taken`, { env: { PORT: port }, compiled: true }).catch(String);
    expect(refused).toMatch(
      new RegExp(`PORT: expected a free port, ${port} is taken: stop what uses it, or set another, as in PORT=\\d+\\n`),
    );
    expect(refused).not.toContain('Ingesting');
  });

  it('stops cleanly, and a second run finds its data and prints another key', async () => {
    expect(await demo.stop()).toBe(0);
    const first = demo;
    demo = await startDemo(folder.path);
    expect(demo.output).toContain('Data of an earlier run');
    expect(demo.key).not.toBe(first.key);
    expect(await balance()).toBe(250);
  });

  it('takes its options through npm, and refuses those that it cannot use', async () => {
    const env = makeEnvironment({ DATA_DIR: folder.path });
    const refused = run('npm run --silent demo -- --as-of never', { cwd: ROOT, env });
    await expect(refused).rejects.toMatchObject({ stderr: expect.stringContaining('--as-of: expected an instant') });
    const refuse = promisify(execFile);
    const unknown = refuse(process.execPath, [...scriptArguments('test/demo.ts'), '--help'], { env });
    await expect(unknown).rejects.toMatchObject({
      stderr: expect.stringContaining('takes --recordings DIR and --as-of'),
    });
    const nowhere = refuse(process.execPath, [...scriptArguments('test/demo.ts'), '--recordings', '/nowhere'], { env });
    await expect(nowhere).rejects.toMatchObject({ stderr: expect.stringContaining('there is no folder /nowhere') });
  });

  it('ends on Ctrl-C from the moment of its welcome on', async () => {
    await demo.stop();
    const NODE_OPTIONS = `--import=data:text/javascript;base64,${Buffer.from(STOPPED_AT_ONCE).toString('base64')}`;
    const env = makeEnvironment({ DATA_DIR: folder.path, PORT: '0', PRIVATE_PORT: '0', NODE_OPTIONS });
    const child = spawn(process.execPath, scriptArguments('test/demo.ts'), { env, stdio: 'ignore' });
    onTestFinished(() => void child.kill('SIGKILL'));
    await expect.poll(() => child.exitCode).toBe(0);
  });
});
