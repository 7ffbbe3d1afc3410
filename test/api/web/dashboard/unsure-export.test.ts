import { afterAll, beforeAll, expect, it } from 'vitest';
import { DatabaseAway, OutcomeUnknown, type Statement } from '../../../../schema/db/interface.ts';
import { buildSampleServer } from '../../../support/sample-services.ts';
import type { BuiltServer } from '../../../support/services.ts';
import { makeOperator } from '../operator.ts';
import { type Answer, makeVisitor, signUp } from '../visitor.ts';

const operator = makeOperator();
let server: BuiltServer;
beforeAll(async () => {
  server = await buildSampleServer({ web: operator.web });
});
afterAll(() => server?.close());

const EXPORTS = '/dashboard/exports';

/** What the form that orders an export sends, with its first key. */
function fieldsOf({ html }: Answer): Record<string, string> {
  const form = /<form method="post" action="\/dashboard\/exports" [\s\S]*?<\/form>/.exec(html)?.[0] ?? '';
  const hidden = [...form.matchAll(/type="hidden" name="([^"]+)" value="([^"]*)"/g)];
  const [, key] = /<option value="([^"]+)"/.exec(form) ?? [];
  return { ...Object.fromEntries(hidden.map(([, name, value]) => [name, value])), ...(key && { key }) };
}

it('an export that is sent again while its first order may still be running is not said to be made', async () => {
  const visitor = makeVisitor(server.url);
  await signUp(visitor, operator, { email: 'ada@example.org' });
  await visitor.post('/dashboard/keys', { name: 'office' });
  const fields = fieldsOf(await visitor.post(`${EXPORTS}/quote`, { dataset: 'buyers' }));
  const { accounts } = server.services;
  const { write } = accounts;
  let isLost = false;
  // From its charge on nothing is written: what it has claimed stays so until its time is up.
  const lose = async (statements: readonly Statement[]) => {
    isLost ||= statements.some(({ args }) => args?.includes('bulk_export'));
    if (isLost) throw new OutcomeUnknown('no answer');
    return write(statements);
  };
  Object.assign(accounts, { write: lose });
  const unsure = await visitor.post(EXPORTS, fields);
  Object.assign(accounts, { write });
  const running = await visitor.post(EXPORTS, fieldsOf(unsure));
  expect([running.status, running.html]).toEqual([409, expect.stringContaining('may still be in progress')]);
  await accounts.write([{ sql: "UPDATE idempotency SET claim_expires_at = 0 WHERE state = 'running'" }]);
  const made = await visitor.post(EXPORTS, fieldsOf(running));
  expect(made.location).toBe(`${EXPORTS}?made`);
  const paid = { sql: "SELECT credits_charged FROM export WHERE status <> 'staged'" };
  expect(await accounts.read(paid)).toEqual([{ credits_charged: 100 }]);
});

it('an export whose accounts went away during its charge, and cannot be read either, can be sent again', async () => {
  const visitor = makeVisitor(server.url);
  await signUp(visitor, operator, { email: 'bo@example.org' });
  await visitor.post('/dashboard/keys', { name: 'office' });
  const fields = fieldsOf(await visitor.post(`${EXPORTS}/quote`, { dataset: 'buyers' }));
  const { accounts } = server.services;
  const { read, write } = accounts;
  const away = () => Promise.reject(new DatabaseAway('no answer'));
  const lose = async (statements: readonly Statement[]) => {
    const outcomes = await write(statements);
    if (!statements.some(({ args }) => args?.includes('bulk_export'))) return outcomes;
    Object.assign(accounts, { read: away, write: away });
    throw new OutcomeUnknown('no answer');
  };
  Object.assign(accounts, { write: lose });
  const unsure = await visitor.post(EXPORTS, fields);
  Object.assign(accounts, { read, write });
  expect([unsure.status, unsure.html]).toEqual([503, expect.stringContaining('not certain whether')]);
  const made = await visitor.post(EXPORTS, fieldsOf(unsure));
  expect(made.location).toBe(`${EXPORTS}?made`);
});
