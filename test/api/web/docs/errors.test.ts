import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { assertAllowed } from '../../../../api/access/limits.ts';
import { signDownload } from '../../../../api/access/signed.ts';
import { ERRORS, exampleOf } from '../../../../api/contract/error-list.ts';
import { toAnswer, topUpUrl, toRefusal } from '../../../../api/contract/errors.ts';
import { beyond, changed } from '../../../../api/http/download/file.ts';
import { inFlight } from '../../../../api/metering/idempotency.ts';
import { makeOpenApi } from '../../../../api/openapi/document.ts';
import { operations } from '../../../../api/operations/index.ts';
import { notKept, pausedByOperator, tooManyWatches } from '../../../../api/operations/watches/refusals.ts';
import { makeWebApp } from '../../../../api/web/app.ts';
import { SearchUnavailable } from '../../../../search/engine.ts';
import { ask } from '../../../support/client.ts';
import { type BuiltServer, buildServer } from '../../../support/services.ts';
import { callMcp } from '../../transports.ts';
import { makeVisitor } from '../visitor.ts';

const BASE = 'https://api.example.org';
type Provoked = { status: number; body: Record<string, unknown> };

let server: BuiltServer;
beforeAll(async () => {
  server = await buildServer({ web: makeWebApp, settings: { BASE_URL: BASE } });
});
afterAll(() => server?.close());

const get = (path: string, key: string | undefined = server.key, init: RequestInit = {}) =>
  ask(server.url, path, key, init);
const thrown = async (make: () => unknown): Promise<Provoked> => {
  try {
    throw await make();
  } catch (error) {
    const { status, body } = toAnswer(toRefusal(error), 'an-id');
    return { status, body: JSON.parse(body) };
  }
};

/** A cursor of `/v1/changes` that is ahead of everything. */
const AHEAD = `changes.${Buffer.from('[9000,"~","",null,null]').toString('base64url')}`;

/** How each refusal comes about: over the running server where one call is enough, else from the code that refuses. */
const PROVOKED: Record<string, () => Promise<Provoked>> = {
  missing_api_key: () => ask(server.url, '/v1/balance'),
  invalid_api_key: () => get('/v1/balance', 'svc_live_mistyped'),
  insufficient_credits: async () => get('/v1/buyers/GB-X-1/profile', (await server.addCustomer(12)).key),
  key_cap_reached: async () =>
    get('/v1/buyers/GB-X-1/profile', (await server.addCustomer(250, { monthlyCap: 10 })).key),
  invalid_signature: () => get('/v1/exports/ex_1/download?expires=1&signature=cut'),
  link_expired: () =>
    get(`/v1/exports/ex_1/download?${signDownload(server.services.secret, { exportId: 'ex_1', expires: 1 })}`),
  not_found: () => get('/v1/notices/000000-2000'),
  no_such_route: () => get('/v1/nothing'),
  method_not_allowed: () => get('/v1/balance', server.key, { method: 'DELETE' }),
  idempotency_in_flight: () => thrown(inFlight),
  too_many_watches: () => thrown(() => tooManyWatches(100)),
  not_kept: () => thrown(() => notKept(7)),
  paused_by_operator: () => thrown(pausedByOperator),
  cursor_expired: () => get(`/v1/changes?since=${AHEAD}`),
  body_too_large: () => post('x'.repeat(200_000)),
  url_too_long: () => get(`/v1/notices/search?query=${'x'.repeat(9_000)}`),
  unsupported_media_type: () => post('{}', 'text/plain'),
  precondition_failed: () => thrown(changed),
  range_not_satisfiable: () => thrown(() => beyond(12)),
  invalid: () => get('/v1/companies/search'),
  rate_limited: () => thrown(() => assertAllowed({ headers: {}, exceeded: true, retryAfterSeconds: 12 })),
  internal_error: () => thrown(() => new Error('a secret of the service')),
  unavailable: () => thrown(() => new SearchUnavailable('down')),
};

const post = (body: string, type = 'application/json') =>
  get('/v1/exports', server.key, { method: 'POST', body, headers: { 'content-type': type } });

/** A body without what differs from call to call. */
const lasting = ({ request_id: _, ...body }: Record<string, unknown>) => body;

describe('the page of errors', () => {
  it('says what to do about a key’s cap that is too low for a single call', () => {
    const { meaning, remedy, fields } = ERRORS.find(({ code }) => code === 'key_cap_reached') ?? {};
    expect(fields, 'a call that waiting for next month cannot help').toMatchObject({ required: 20 });
    expect([meaning, remedy]).toEqual([expect.stringMatching(/would take/), expect.stringMatching(/higher cap/)]);
  });

  it.each(ERRORS)('$code is what the running code answers', async (known) => {
    const { status, body } = (await PROVOKED[known.code]?.()) ?? { status: 0, body: {} };
    expect(status).toBe(known.status);
    expect(lasting(body)).toEqual(lasting(exampleOf(known, topUpUrl(server.settings))));
  });

  it('has an anchor and the example of each, and of every status of the contract', async () => {
    const { html } = await makeVisitor(server.url).get('/docs/errors');
    for (const { code } of ERRORS) expect(html).toContain(`<h2 id="${code}">`);
    const statuses = new Set(ERRORS.map(({ status }) => String(status)));
    const document = JSON.stringify(makeOpenApi(server.settings, operations).paths);
    const stated = Array.from(document.matchAll(/"(4\d\d|5\d\d)":\{"\$ref/g), ([, status]) => status);
    expect(stated).toContain('404');
    for (const status of stated) expect(statuses).toContain(status);
  });

  it('says of MCP what a tool answers', async () => {
    const { ok, body } = await callMcp(server.url, 'svc_get_notice', { notice_id: '000000-2000' }, server.key);
    expect({ ok, error: body.error }).toEqual({ ok: false, error: 'not_found' });
    const refused = await callMcp(server.url, 'svc_search_tenders', {}, server.key);
    expect(refused.body.detail[0].loc[0]).toBe('arguments');
    expect((await callMcp(server.url, 'svc_get_balance', {}, 'svc_live_mistyped')).status).toBe(401);
  });

  it('names what /mcp alone refuses', async () => {
    const refuse = async (named: Record<string, string>) => {
      const headers = { authorization: `Bearer ${server.key}`, ...named };
      const response = await fetch(`${server.url}/mcp/`, { method: 'POST', headers });
      const { error } = (await response.json()) as { error: string };
      return `${response.status} <code>${error}</code>`;
    };
    const { html } = await makeVisitor(server.url).get('/docs/errors');
    expect(html).toContain(await refuse({ origin: 'https://elsewhere.example' }));
    expect(html).toContain(await refuse({ accept: 'text/html' }));
  });
});
