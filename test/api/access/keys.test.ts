import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeCallers } from '../../../api/access/caller.ts';
import { makeCommitter } from '../../../api/concurrency/group-commit.ts';
import { createKey, revokeKey, rollKey, setAccountState } from '../../../schema/accounts/customer/account.ts';
import { hashKey, makeKey as newKey } from '../../../schema/accounts/customer/api-key.ts';
import { addHours, isoInstant, makeClocks } from '../../../schema/config/clocks.ts';
import { DatabaseBusy, type Statement } from '../../../schema/db/interface.ts';
import { type BuiltServer, buildServer } from '../../support/services.ts';

/** Two seconds are promised, of a machine that is not busy with tests. */
const STOPS_WITHIN_MS = 4_000;

let built: BuiltServer;
let servers: { url: string }[];
beforeAll(async () => {
  built = await buildServer();
  servers = [built, await built.addServer()];
});
afterAll(() => built?.close());

const now = () => isoInstant(new Date());
const inHours = (hours: number) => isoInstant(addHours(new Date(), hours));
const prefix = 'svc_live_';
const makeKey = (more: { expiresAt?: string } = {}) =>
  createKey(built.accounts, { accountId: built.accountId, name: 'test', prefix, at: now(), ...more });

async function ask(key: string, { url } = servers[0] ?? built) {
  const answer = await fetch(`${url}/v1/balance`, { headers: { authorization: `Bearer ${key}` } });
  return { answer, status: answer.status, body: (await answer.json()) as Record<string, unknown> };
}
const statuses = (key: string) => Promise.all(servers.map(async (server) => (await ask(key, server)).status));

describe('a key that stops', () => {
  it('stops on every process within two seconds: revoked, rolled without grace, or of a frozen account', async () => {
    const [revoked, rolled] = [await makeKey(), await makeKey()];
    const frozen = await built.addCustomer(5);
    const keys = [revoked.key, rolled.key, frozen.key];
    for (const key of keys) expect(await statuses(key)).toEqual([200, 200]);
    const { accounts, accountId } = built;
    await revokeKey(accounts, accountId, revoked.id, now());
    await rollKey(accounts, { accountId, keyId: rolled.id, prefix, at: now(), formerUntil: now() });
    await setAccountState(accounts, frozen.accountId, 'frozen');
    await expect
      .poll(async () => (await Promise.all(keys.map(statuses))).flat(), { timeout: STOPS_WITHIN_MS, interval: 250 })
      .toEqual([401, 401, 401, 401, 401, 401]);
    expect((await ask(revoked.key)).body.message).toBe('This API key was revoked.');
    expect((await ask(rolled.key)).body.message).toBe('This API key has expired.');
    expect((await ask(frozen.key)).body.message).toBe(
      'The account of this API key is frozen. Ask the operator of this service.',
    );
  });

  it('is read again before its next call where it was stopped while it was read', async () => {
    const { key, id } = await makeKey();
    const { accounts, accountId } = built;
    const reading = {
      ...accounts,
      async read(statement: Statement) {
        const rows = await accounts.read(statement);
        if (await revokeKey(accounts, accountId, id, now())) callers.forget(accountId);
        return rows;
      },
    } as typeof accounts;
    const callers = makeCallers(reading, makeCommitter(accounts), makeClocks(), () => undefined);
    expect(await callers.identify(`Bearer ${key}`)).toMatchObject({ keyId: id });
    await expect(callers.identify(`Bearer ${key}`)).rejects.toThrow('This API key was revoked.');
    await callers.close();
  });

  it('is read once for all calls at once; one that is unknown or could not be read is read again', async () => {
    const { key } = await makeKey();
    let reads = 0;
    let fault: Error | undefined = new DatabaseBusy('held');
    const counting = {
      ...built.accounts,
      read: (statement: Statement) => {
        reads += 1;
        return fault ? Promise.reject(fault) : built.accounts.read(statement);
      },
    } as typeof built.accounts;
    const callers = makeCallers(counting, makeCommitter(built.accounts), makeClocks(), () => undefined);
    const askTogether = (text: string) =>
      Promise.allSettled(Array.from({ length: 20 }, () => callers.identify(`Bearer ${text}`)));
    const states = async (text: string) => [...new Set((await askTogether(text)).map(({ status }) => status))];
    expect([await states(key), reads]).toEqual([['rejected'], 1]);
    fault = undefined;
    expect([await states(key), reads]).toEqual([['fulfilled'], 2]);
    const { key: unknown } = newKey(prefix);
    expect([await states(unknown), await states(unknown), reads]).toEqual([['rejected'], ['rejected'], 4]);
    await callers.close();
  });

  it('is never read along with keys that nobody has, once it is known', async () => {
    const [known, cold] = [await makeKey(), await makeKey()];
    const asked: number[] = [];
    let release: () => void = () => undefined;
    const hold = new Promise<void>((resolve) => {
      release = resolve;
    });
    const invented = Array.from({ length: 300 }, () => newKey(prefix).key);
    const held = new Set(invented.map(hashKey));
    const slow = {
      ...built.accounts,
      async read(statement: Statement) {
        const hashes = JSON.parse(String(statement.args?.[0])) as string[];
        asked.push(hashes.length);
        if (hashes.some((hash) => held.has(hash))) await hold;
        return built.accounts.read(statement);
      },
    } as typeof built.accounts;
    const callers = makeCallers(slow, makeCommitter(built.accounts), makeClocks(), () => undefined);
    const identify = (key: string) => callers.identify(`Bearer ${key}`);
    await identify(known.key);
    const refused = invented.map((key) => expect(identify(key)).rejects.toThrow('This API key is not known.'));
    await expect.poll(() => asked).toEqual([1, 300]);
    const more = newKey(prefix).key;
    held.add(hashKey(more));
    refused.push(expect(identify(more)).rejects.toThrow('This API key is not known.'));
    const first = identify(cold.key);
    const isReadAgain = async () => (await identify(known.key)) && asked;
    await expect.poll(isReadAgain, { interval: 250 }).toEqual([1, 300, 1]);
    release();
    await Promise.all(refused);
    expect(await first).toMatchObject({ keyId: cold.id });
    expect(asked).toEqual([1, 300, 1, 2]);
    await callers.close();
  });

  it('stops where it was revoked, or rolled without grace, on a machine whose clock is ahead', async () => {
    const { accounts, accountId } = built;
    const [revoked, rolled] = [await makeKey(), await makeKey()];
    const at = inHours(1 / 60);
    await revokeKey(accounts, accountId, revoked.id, at);
    const next = await rollKey(accounts, { accountId, keyId: rolled.id, prefix, at, formerUntil: at });
    for (const { key } of [revoked, rolled]) expect(await statuses(key)).toEqual([401, 401]);
    expect(await statuses(next?.key ?? '')).toEqual([200, 200]);
  });

  it('is refused with the same body for every reason, except its words', async () => {
    const expired = await makeKey({ expiresAt: inHours(-1) });
    const { answer, status, body } = await ask(expired.key);
    expect(status).toBe(401);
    expect(answer.headers.get('www-authenticate')).toBe('Bearer error="invalid_token"');
    expect(body).toEqual({
      error: 'invalid_api_key',
      message: 'This API key has expired.',
      request_id: answer.headers.get('x-request-id'),
    });
  });
});

describe('a key that is rolled', () => {
  it('works with its new text at once and with the old one until the grace ends; its id, name and cap stay', async () => {
    const { accounts, accountId } = built;
    const key = await makeKey();
    const roll = (formerUntil: string) =>
      rollKey(accounts, { accountId, keyId: key.id, prefix, at: now(), formerUntil });
    const second = await roll(inHours(24));
    expect([await statuses(key.key), await statuses(second?.key ?? '')]).toEqual([
      [200, 200],
      [200, 200],
    ]);
    const third = await roll(inHours(24));
    const other = await built.addServer();
    expect(
      await Promise.all([key.key, second?.key, third?.key].map(async (text) => (await ask(text ?? '', other)).status)),
    ).toEqual([401, 200, 200]);
    const kept = await accounts.read<{ n: number }>({
      sql: 'SELECT count(*) AS n FROM api_key WHERE id = ?',
      args: [key.id],
    });
    expect(kept).toEqual([{ n: 1 }]);
    const row = JSON.stringify(await accounts.read({ sql: 'SELECT * FROM api_key WHERE id = ?', args: [key.id] }));
    for (const text of [key.key, second?.key, third?.key]) expect(row).not.toContain(text);
  });

  it('ends no later than it would have, and is not rolled once it has stopped, or by another account', async () => {
    const { accounts, accountId } = built;
    const expiresAt = inHours(1);
    const [ended, short] = [await makeKey({ expiresAt: inHours(-1) }), await makeKey({ expiresAt })];
    const roll = (keyId: string, of = accountId) =>
      rollKey(accounts, { accountId: of, keyId, prefix, at: now(), formerUntil: inHours(24) });
    expect(await roll(ended.id)).toBeNull();
    expect(await roll(short.id, 'acc_other')).toBeNull();
    const rolled = await roll(short.id);
    expect(rolled?.formerUntil).toBe(expiresAt);
    await accounts.write([{ sql: 'UPDATE api_key SET expires_at = ? WHERE id = ?', args: [inHours(-1), short.id] }]);
    for (const key of [short.key, rolled?.key ?? '']) expect(await statuses(key)).toEqual([401, 401]);
  });
});

describe('when a key was last used', () => {
  it('is written for all keys by one statement, and a process that is behind puts nothing back', async () => {
    const { accounts } = built;
    const keys = await Promise.all([1, 2, 3].map(() => makeKey()));
    const written: number[] = [];
    const committer = makeCommitter({
      write(statements) {
        written.push(statements.length);
        return accounts.write(statements);
      },
    });
    const use = async (at: string, used: typeof keys) => {
      const clocks = { wallNow: () => new Date(at), catalogueNow: () => new Date(at) };
      const callers = makeCallers(accounts, committer, clocks, () => undefined);
      for (const { key } of used) await callers.identify(`Bearer ${key}`);
      await callers.close();
    };
    await use('2026-11-20T12:00:00Z', keys.slice(0, 2));
    await use('2026-11-20T11:00:00Z', keys.slice(1));
    await use('2026-11-20T13:00:00Z', []);
    const sql = 'SELECT last_used_at AS at FROM api_key WHERE id = ?';
    const read = async ({ id }: { id: string }) => (await accounts.read<{ at: string }>({ sql, args: [id] }))[0]?.at;
    expect(await Promise.all(keys.map(read))).toEqual([
      '2026-11-20T12:00:00Z',
      '2026-11-20T12:00:00Z',
      '2026-11-20T11:00:00Z',
    ]);
    expect(written).toEqual([1, 1]);
  });

  it('is reported where it cannot be written, and holds up no end of a process', async () => {
    const { key } = await makeKey();
    const busy = new DatabaseBusy('held');
    const write = () => Promise.reject(busy);
    const reported: unknown[] = [];
    const callers = makeCallers(built.accounts, makeCommitter({ write }), makeClocks(), (error) =>
      reported.push(error),
    );
    await callers.identify(`Bearer ${key}`);
    await callers.close();
    expect(reported).toEqual([busy]);
  });
});
