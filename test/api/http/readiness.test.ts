import { afterEach, describe, expect, it } from 'vitest';
import { type SearchAnswer, type SearchEngine, SearchUnavailable } from '../../../search/engine.ts';
import { withFallback } from '../../../search/index/failover.ts';
import { standInForBoth, withMatches } from '../../search/both-engines.ts';
import { type BuildOptions, type BuiltServer, buildServer } from '../../support/services.ts';

let built: BuiltServer;
const open = async (options: BuildOptions = {}) => {
  built = await buildServer(options);
};
afterEach(() => built.close());

const ready = async () => {
  const answer = await fetch(`${built.privateUrl}/readyz`);
  return [answer.status, await answer.text()] as const;
};
const engine = (name: SearchEngine['name'], readCursor: SearchEngine['readCursor']): SearchEngine =>
  withMatches({
    name,
    collection: 'notices',
    readCursor,
    find: () => Promise.reject(new SearchUnavailable('not in this test')),
    version: '1',
    store: async () => undefined,
    openBuild: () => Promise.reject(new Error('nothing is built here')),
    tidy: async () => undefined,
    close: async () => undefined,
  });
const NOTHING: SearchAnswer = {
  hits: [],
  total: 0,
  exact: true,
  nextCursor: null,
  meta: { engine: 'embedded', bounded: false, corrections: [], matched: 'all', ignoredWords: 0 },
};
const filled = async () => ({ seq: 1, id: 'x', generation: '1', version: '1' });
const down = () => Promise.reject(new SearchUnavailable('Meilisearch does not answer: connection refused'));

describe('the API is ready', () => {
  it('when both databases are at its version, accounts can be written and searches are answered', async () => {
    await open();
    expect(await ready()).toEqual([200, 'ready\n']);
    expect(await built.accounts.read({ sql: 'SELECT * FROM lease' })).toEqual([]);
  });

  it('with a remark while searches fail over', async () => {
    await open({
      search: async () => standInForBoth(withFallback(engine('meilisearch', down), engine('embedded', filled))),
    });
    const said = 'search: failing over to embedded (Meilisearch does not answer: connection refused)';
    expect(await ready()).toEqual([200, `ready\n${said}\n`]);
  });
});

describe('the metrics', () => {
  it('count the searches that failed over, and why', async () => {
    const answered = { ...engine('embedded', filled), find: async () => NOTHING };
    await open({ search: async () => standInForBoth(withFallback(engine('meilisearch', down), answered)) });
    const { key } = await built.addCustomer(10);
    const asked = await fetch(`${built.url}/v1/notices/search?query=x`, {
      headers: { authorization: `Bearer ${key}` },
    });
    expect(asked.status).toBe(200);
    const metrics = await (await fetch(`${built.privateUrl}/metrics`)).text();
    expect(metrics).toMatch(/^search_answers_total\{engine="embedded",failover="down"\} 1$/m);
  });
});

describe('the API is not ready, and says why', () => {
  it('when no search engine answers, or its index was never filled', async () => {
    await open({
      search: async () =>
        standInForBoth(
          withFallback(
            engine('meilisearch', down),
            engine('embedded', async () => null),
          ),
        ),
    });
    const [status, text] = await ready();
    expect(status).toBe(503);
    expect(text).toMatch(
      /^not ready\nsearch: Meilisearch does not answer.*; behind it: embedded has no index of notices of this version yet\n$/,
    );
  });

  it('when the accounts cannot be written', async () => {
    await open();
    await built.services.accounts.read({ sql: 'PRAGMA query_only=ON' });
    expect(await ready()).toEqual([
      503,
      expect.stringMatching(/^not ready\naccounts: .*accounts\.db cannot be written/),
    ]);
    await built.services.accounts.read({ sql: 'PRAGMA query_only=OFF' });
    expect((await ready())[0]).toBe(200);
  });

  it('when the accounts are out of reach', async () => {
    await open();
    await built.services.accounts.close();
    expect(await ready()).toEqual([503, expect.stringMatching(/^not ready\naccounts: /)]);
    built.services.accounts = built.accounts;
  });

  it('when a newer program was at a database', async () => {
    await open();
    await built.accounts.write([{ sql: "INSERT INTO migration VALUES ('9999_later', 'now')" }]);
    const [status, text] = await ready();
    expect(status).toBe(503);
    expect(text).toMatch(/^not ready\naccounts: the accounts database is of a newer program \(9999_later\)/);
  });

  it('when a database is older than this program', async () => {
    await open();
    const [last] = await built.catalogue.read<{ tag: string }>({ sql: 'SELECT max(tag) AS tag FROM migration' });
    await built.catalogue.write([{ sql: 'DELETE FROM migration WHERE tag = ?', args: [last?.tag ?? ''] }]);
    expect(await ready()).toEqual([503, `not ready\ncatalogue: not at this version, ${last?.tag} to come\n`]);
  });
});
