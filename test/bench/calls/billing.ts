import autocannon, { type Result } from 'autocannon';
import { verifyLedger } from '../../../schema/accounts/ledger/verify.ts';
import { type ApiProcess, killAll, loadApi, startApi } from '../../api/money/processes.ts';
import type { Freeze } from '../../api/money/watch-loop.ts';
import { testRows } from '../../api/test-operations.ts';
import { buildServer } from '../../support/services.ts';

const PROCESSES = 4;
const LOAD = { connections: 8, overallRate: 250 };
/** A process that has just begun compiles its own code: that is not what is asked. */
const WARM_SECONDS = 3;
const SECONDS = 12;

/** Metered calls at a steady pace to processes that bill on one accounts file: how long an event loop stands still. */
export async function benchBilling(): Promise<void> {
  const server = await buildServer({ operations: testRows });
  const { key } = await server.addCustomer(1_000_000_000);
  const loaded = Array.from({ length: PROCESSES }, () => loadApi(server));
  const processes = await Promise.all(loaded.map((child) => startApi(child, 'test', true)));
  try {
    const load = (each: ApiProcess) => measure(each, key, SECONDS);
    await Promise.all(processes.map((each) => measure(each, key, WARM_SECONDS)));
    for (const { child } of processes) child.heard.length = 0;
    const results = await Promise.all(processes.map(load));
    console.log(`\nmetered calls, ${LOAD.overallRate} a second to each of ${PROCESSES} processes on one accounts file`);
    for (const [index, result] of results.entries()) console.log(`  ${show(result, processes[index])}`);
    const { charges, faults } = await verifyLedger(server.accounts);
    console.log(`  the ledger: ${charges} charges, ${faults.length} faults`);
  } finally {
    await killAll(processes);
    await server.close();
  }
}

function measure({ url }: ApiProcess, key: string, duration: number): Promise<Result> {
  return autocannon({ ...LOAD, duration, url: `${url}/v1/things/a`, headers: { Authorization: `Bearer ${key}` } });
}

function show({ requests, latency, non2xx, errors }: Result, process?: ApiProcess): string {
  const freezes = (process?.child.heard ?? []).map((line) => JSON.parse(line) as Freeze);
  const most = (of: (freeze: Freeze) => number) => Math.max(0, ...freezes.map(of)).toFixed(0);
  const failed = non2xx + errors;
  const loop = `loop still for ${most(({ longestMs }) => longestMs)} ms at most, busy for ${most(({ busyMs }) => busyMs)} ms`;
  return `${requests.average.toFixed(0).padStart(6)}/s  p99 ${latency.p99} ms  ${loop}${failed ? `  ${failed} FAILED` : ''}`;
}
