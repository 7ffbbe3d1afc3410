import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { createAccount, createKey } from '../../../schema/accounts/customer/account.ts';
import { GRANTED_MAX, grantStatement } from '../../../schema/accounts/ledger/transfers.ts';
import { ANSWERING_HEAP } from '../../../schema/process/heap.ts';
import { needCompiled } from '../../support/compiled.ts';
import { makeDatabase } from '../../support/databases.ts';
import { makeEnvironment } from '../../support/environment.ts';
import { ROOT } from '../../support/source-files.ts';

interface ApiChild {
  url: string;
  pid: number;
  stop(): Promise<void>;
}

/** The API as it runs in production: compiled, a process of its own. */
export async function startApi(settings: Record<string, string>): Promise<ApiChild> {
  const env = makeEnvironment(settings);
  const stdio = ['ignore', 'pipe', 'inherit'] as ['ignore', 'pipe', 'inherit'];
  const child = spawn(process.execPath, [...ANSWERING_HEAP, needCompiled('api/main.ts')], { cwd: ROOT, env, stdio });
  const ended = once(child, 'exit');
  const url = await new Promise<string>((resolve, reject) => {
    createInterface(child.stdout).on('line', (line) => {
      const { msg, public: address } = JSON.parse(line) as { msg?: string; public?: string };
      if (msg === 'answering' && address) resolve(address);
    });
    ended.then(([code]) => reject(new Error(`the API ended with ${code}`)));
  });
  return {
    url,
    pid: child.pid ?? 0,
    async stop() {
      child.kill('SIGTERM');
      await ended;
    },
  };
}

/** Settings of such a process over a folder: ports that are free, and no limit that a load would meet. */
export const serviceSettings = (folder: string): Record<string, string> => ({
  DATA_DIR: folder,
  KEY_REQUESTS_PER_MINUTE: '10000000',
  PORT: '0',
  PRIVATE_PORT: '0',
  DRAIN_SECONDS: '0',
});

/** A key with credits for any load, of a new account in the folder's accounts. */
export async function makeCaller(folder: string): Promise<string> {
  const accounts = await makeDatabase(folder, 'accounts');
  const at = new Date().toISOString();
  const { id: accountId } = await createAccount(accounts, { name: 'bench', signupCredits: 0, at });
  await accounts.write([grantStatement({ key: `bench:${accountId}`, accountId, credits: GRANTED_MAX, at })]);
  const { key } = await createKey(accounts, { accountId, name: 'bench', prefix: 'svc_live_', at });
  await accounts.close();
  return key;
}
