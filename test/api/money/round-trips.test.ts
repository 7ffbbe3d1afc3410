import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Operation } from '../../../api/contract/operation.ts';
import { operations } from '../../../api/operations/index.ts';
import { type RunningServer, startServer } from '../../../api/server.ts';
import type { Database } from '../../../schema/db/interface.ts';
import { openDatabase } from '../../../schema/db/open.ts';
import { type Hrana, startHrana } from '../../support/libsql-server.ts';
import { buildSampleServer } from '../../support/sample-services.ts';
import type { BuiltServer } from '../../support/services.ts';
import { type Called, callMcp, callRest, type Inputs, readReal, toReal } from '../transports.ts';

let built: BuiltServer;
let hrana: Hrana;
let accounts: Database;
let remote: RunningServer;
let real: Inputs;
beforeAll(async () => {
  built = await buildSampleServer({ credits: 1_000_000 });
  real = await readReal(built);
  hrana = await startHrana(join(built.folder, 'accounts.db'));
  accounts = await openDatabase({ url: hrana.url, durability: 'full' });
  const log = pino({ level: 'silent' });
  remote = await startServer({ ...built.services, accounts }, { operations, log, web: null });
});
afterAll(async () => {
  await remote.close();
  await accounts.close();
  hrana.close();
  await built.close();
});

/** A process trusts a key for a moment, then reads it again. */
const IS_OF_KEY = /FROM api_key k JOIN account a/;
/** Ends an idle stream, whenever that is. */
const IS_END = /"requests":\[{"type":"close"}\]/;
/** What a call asks of the accounts server beyond its key. */
async function countRequests(call: () => Promise<Called>): Promise<number> {
  const before = hrana.asked.length;
  const { ok, text } = await call();
  expect([ok, ok ? '' : text]).toEqual([true, '']);
  return hrana.asked.slice(before).filter((text) => !IS_OF_KEY.test(text) && !IS_END.test(text)).length;
}

/** An export stores the list of its rows first, for which it asks more often. */
const metered = operations
  .filter(({ credits, name }) => credits > 0 && name !== 'bulk_export')
  .map((operation): [string, Operation] => [operation.name, operation]);

describe('round trips to the accounts server', () => {
  it.each(metered)('are one for %s, and two at most with an Idempotency-Key', async (name, operation) => {
    const { key } = built;
    // What the account can spend is known from its first call on.
    const [binding] = operation.bindings;
    if (binding) await callRest(remote.url, binding, toReal(operation, binding.example, real), key);
    for (const [index, binding] of operation.bindings.entries()) {
      const inputs = toReal(operation, binding.example, real);
      expect(await countRequests(() => callRest(remote.url, binding, inputs, key))).toBe(1);
      const keyed = { 'idempotency-key': `round-trips-${name}-${index}` };
      expect(await countRequests(() => callRest(remote.url, binding, inputs, key, keyed))).toBeLessThanOrEqual(2);
    }
    if (operation.restOnly) return;
    const inputs = toReal(operation, operation.example, real);
    expect(await countRequests(() => callMcp(remote.url, `svc_${name}`, inputs, key))).toBe(1);
  });
});
