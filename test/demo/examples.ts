import type { Binding } from '../../api/contract/operation.ts';
import { exampleRequest } from '../../api/openapi/examples.ts';
import { operations } from '../../api/operations/index.ts';
import { type Asked, ask } from '../support/client.ts';
import { LIMITS_MS } from '../support/time-limits.ts';

/** Values that differ between runs, by field name, and what an example shows instead. */
const FIXED: Readonly<Record<string, unknown>> = {
  charge_id: 'ch_0VbiHtD51v5pNZDeElylL3',
  request_id: '0c7b1f4e-5a53-4b0e-9d0e-3f6f1a2b7c88',
  export_id: 'ex_3fgxxJ44JzVJKUPlA3bU',
  download_url: 'BASE_URL/v1/exports/ex_3fgxxJ44JzVJKUPlA3bU/download?expires=1795446000&signature=PvdJTzF6fviN7loIq3Q',
  watch_id: 'wat_3fgxxJ44JzVJKUPlA3bU01',
  delivery_id: 'wd_3fgxxJ44JzVJKUPlA3bU01',
  secret: 'whsec_Zm9yIHRoZSBleGFtcGxlLCBub3QgYSBzZWNyZXQgYXQgYWxs',
  next_digest_at: '2026-11-21T07:00:00Z',
  next_attempt_at: '2026-11-20T09:00:00.000Z',
  at: '2026-11-20T09:00:00Z',
  created_at: '2026-11-20T09:00:00Z',
  completed_at: '2026-11-20T09:00:02Z',
  download_expires_at: '2026-11-21T09:00:00Z',
  expires_at: '2026-11-27T09:00:02Z',
  last_success_at: '2026-11-20T08:40:12Z',
  started_at: '2026-11-20T08:40:00Z',
  ended_at: '2026-11-20T08:40:12Z',
};
/** Ids of things that one example creates and a later one names. */
const MADE = ['export_id', 'watch_id', 'delivery_id'] as const;
/** Signed with a secret of the service. */
const CURSOR = 'BQAPyo5Ey1LNHYoAAgBCFEoAAAgAAA.E_6kyo4Rjhz16yFMZ7LbzQ';

interface Examples {
  answers: Record<string, unknown>;
  refusals: Record<string, unknown>;
}

/** Spends a new account's 250 credits: runs the example of every address in the order of the table, and requests whose refusals say what to send instead. */
export async function recordExamples({ url, key }: { url: string; key: string }): Promise<Examples> {
  const answers: Record<string, unknown> = {};
  const made: Record<string, string> = {};
  for (const operation of operations) {
    for (const binding of operation.bindings) {
      const { body } = await askUntilWritten(url, key, binding, made);
      for (const name of MADE) if (typeof body[name] === 'string') made[name] = body[name];
      answers[binding.operationId] = steady(body);
    }
  }
  const unknown = await ask(url, '/v1/buyers/search?name=Crown', key);
  const invalid = await ask(url, '/v1/tenders/search?qeury=cleaning&limit=500', key);
  return { answers, refusals: { not_found: steady(unknown.body), invalid: steady(invalid.body) } };
}

/** An export is polled until its file exists. @throws Error where the example is refused */
async function askUntilWritten(
  url: string,
  key: string,
  binding: Binding,
  made: Readonly<Record<string, string>>,
): Promise<Asked> {
  const { path: examplePath, body } = exampleRequest(binding);
  const path = MADE.reduce((text, name) => text.replace(String(FIXED[name]), made[name] ?? ''), examplePath);
  const { method } = binding;
  const json = { method, body: JSON.stringify(body), headers: { 'content-type': 'application/json' } };
  const untilMs = performance.now() + LIMITS_MS.wait;
  for (;;) {
    const asked = await ask(url, path, key, body ? json : { method });
    // Sums of contracts need a moment of preparation after a start.
    const isLater = asked.status === 503 && performance.now() < untilMs;
    if (asked.status !== 200 && !isLater) throw new Error(`${path}: ${asked.text}`);
    const isWritten = !isLater && (method !== 'GET' || asked.body.status !== 'processing');
    if (isWritten || performance.now() > untilMs) return asked;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

function steady(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(steady);
  if (typeof node !== 'object' || node === null) return node;
  return Object.fromEntries(
    Object.entries(node).map(([name, value]) => {
      // One service stands for all in descriptions.
      if (name === 'sources' && Array.isArray(value)) return [name, value.slice(0, 3).map(steady)];
      if (name === 'next_cursor' && String(value).includes('.')) return [name, CURSOR];
      return [name, name in FIXED && typeof value === 'string' ? FIXED[name] : steady(value)];
    }),
  );
}
