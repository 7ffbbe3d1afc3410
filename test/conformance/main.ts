import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { verifyLedger } from '../../schema/accounts/ledger/verify.ts';
import { readBalance } from '../api/transports.ts';
import { callEveryTool } from './call-every-tool.ts';
import { runPublicTool } from './public-tool.ts';
import { startConformanceServer } from './server.ts';

const REVISIONS = ['2026-07-28', '2025-11-25'];

/** Runs the suite for one revision and tells its summary. Failed scenarios that count, by name. */
async function runSuite(url: string, revision: string, folder: string): Promise<string[]> {
  const said = await runPublicTool(folder, ['conformance', 'server', '--url', url, '--requirements', revision]);
  const summary = said.slice(said.indexOf('=== SUMMARY ==='));
  if (!summary.includes('Total:')) throw new Error(`the suite did not end: ${said.slice(-2_000)}`);
  process.stdout.write(`${revision}\n${summary}\n`);
  const notScored = new Set([...summary.matchAll(/^ +[✓✗] (\S+) \(/gm)].map(([, name]) => name));
  return [...summary.matchAll(/^✗ ([^:]+):/gm)].flatMap(([, name = '']) => (notScored.has(name) ? [] : [name]));
}

/** `npm run conformance`: both frozen revisions against the real transport, authentication and metering; then every tool, by the inspector. */
async function main(): Promise<void> {
  const server = await startConformanceServer();
  const folder = await mkdtemp(join(tmpdir(), 'conformance-'));
  try {
    for (const revision of REVISIONS) {
      const failed = await runSuite(server.url, revision, folder);
      process.stdout.write(`${revision}: required scenarios that failed: ${failed.join(', ') || 'none'}\n\n`);
      if (failed.length > 0) process.exitCode = 1;
    }
    const unanswered = await callEveryTool(folder);
    process.stdout.write(`tools that did not answer the inspector: ${unanswered.join(', ') || 'none'}\n`);
    if (unanswered.length > 0) process.exitCode = 1;
    const spent = 1_000_000 - (await readBalance(server.server, server.server.accountId));
    const { faults } = await verifyLedger(server.server.accounts);
    process.stdout.write(`${spent} credits were charged for fixtures; faults of the ledger: ${faults.length}\n`);
  } finally {
    await server.close();
    await rm(folder, { recursive: true });
  }
}

await main();
