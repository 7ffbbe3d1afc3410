import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeWebApp } from '../../api/web/app.ts';
import { listServices } from '../../ingest/sources/index.ts';
import { openJobsServices } from '../../jobs/startup/open-services.ts';
import { ingestSource, syncIndex, writeExports } from '../../jobs/tasks/run.ts';
import { openSearch } from '../../search/open.ts';
import { AS_OF, makeData, makeNotice } from '../ingest/small-world.ts';
import { ask } from '../support/client.ts';
import { addSource, madeUpSource } from '../support/made-up-source.ts';
import { type BuiltServer, buildServer } from '../support/services.ts';
import { startUpstream, type Upstream } from '../upstream/server.ts';
import { callMcp } from './transports.ts';

/** The services of the table, in the order in which answers name them. */
const others = listServices().toSorted((a, b) => (a.id < b.id ? -1 : 1));

/** A source in one row of the table: what every way out of the project makes of it. */

const { id, title, notices } = madeUpSource;
const HOUR_MS = 3_600_000;
const OWN = ['mer000001', 'mer000002'];
const ofMercia = (notice: string, number: number) => {
  const document = { id: notice, documentType: 'plannedProcurementNotice', noticeType: 'UK3' };
  const more = { id: notice, ocid: `ocds-merc01-00000${number}`, planning: { documents: [document] } };
  return makeNotice(number, new Date(AS_OF.getTime() - number * HOUR_MS), more);
};

let server: BuiltServer;
let upstream: Upstream;
let removeSource: () => void;
const silent = pino({ level: 'silent' });

beforeAll(async () => {
  removeSource = addSource(madeUpSource);
  upstream = await startUpstream({ data: makeData({ findATender: OWN.map((own, at) => ofMercia(own, at + 1)) }) });
  server = await buildServer({
    web: makeWebApp,
    credits: 1_000,
    settings: { AS_OF: AS_OF.toISOString(), FIND_A_TENDER_URL: upstream.url, CONTACT: 'ingest@example.org' },
    search: (settings, catalogue) => openSearch(settings, catalogue, 'reader'),
    async fill(_catalogue, settings) {
      const jobs = await openJobsServices(settings, silent);
      expect(await ingestSource(jobs, id, { job: 'ingest' })).toMatchObject({ result: { state: 'succeeded' } });
      await syncIndex(jobs);
      await jobs.close();
    },
  });
});
afterAll(async () => {
  removeSource?.();
  await server?.close();
  await upstream?.close();
});

const get = async (path: string) => (await ask(server.url, path, server.key)).body;
const page = async (path: string) => (await ask(server.url, path)).text;
const found = (body: { items: { notice_id: string }[] }) => body.items.map(({ notice_id }) => notice_id).sort();

describe('a source that is one row of the table, over REST', () => {
  it('has its notices served with its address', async () => {
    const url = `${notices.pageBase}${OWN[0]}`;
    const body = await get(`/v1/notices/${OWN[0]}`);
    expect(body).toMatchObject({ source: id, url });
    expect(body.documents).toContainEqual(expect.objectContaining({ url, link_kind: 'notice' }));
  });

  it('is a value of the filter, in any case, and is counted', async () => {
    const body = await get(`/v1/notices/search?source=${id.toUpperCase()}&facets=source`);
    expect(found(body)).toEqual(OWN);
    expect(body).toMatchObject({ facets: { source: { [id]: 2 } }, meta: { filters: { source: id } } });
    expect(body.meta.as_of).toHaveProperty(id);
    expect(found(await get('/v1/notices/search?source=find_a_tender'))).toEqual([]);
  });

  it('is suggested by its other words; what is no service is refused, also a register', async () => {
    for (const [sent, hint] of [
      ['stm', `did you mean '${id}'?`],
      ['Sell to Mercia', `did you mean '${id}'?`],
      ['ted', `'${id}'`],
      ['companies_house', `'${id}'`],
    ]) {
      const { status, body } = await ask(server.url, `/v1/notices/search?source=${sent}`, server.key);
      expect([status, body.detail[0].loc]).toEqual([422, ['query', 'source']]);
      expect(body.detail[0].msg).toContain(hint);
    }
  });

  it('is exported', async () => {
    const init = { method: 'POST', headers: { 'content-type': 'application/json' } };
    const body = JSON.stringify({ dataset: 'notices', source: id, format: 'jsonl', max_rows: 10 });
    const made = (await ask(server.url, '/v1/exports', server.key, { ...init, body })).body;
    expect(made).toMatchObject({ rows: 2, filters: { source: id } });
    const jobs = await openJobsServices(server.settings, silent);
    await writeExports(jobs);
    await jobs.close();
    const { download_url } = await get(`/v1/exports/${made.export_id}`);
    const { pathname, search } = new URL(download_url);
    const file = await (await fetch(server.url + pathname + search)).text();
    expect(
      file
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line).notice_id)
        .sort(),
    ).toEqual(OWN);
  });

  it('is in the status, and in OpenAPI', async () => {
    const status = (await get('/v1/status')).sources.find(({ source }: { source: string }) => source === id);
    expect(status).toMatchObject({ title, homepage: madeUpSource.homepage, releases: 2 });
    const { paths } = (await ask(server.url, '/openapi.json')).body;
    const { parameters } = paths['/v1/notices/search'].get;
    const { description, schema } = parameters.find(({ name }: { name: string }) => name === 'source');
    expect(description).toContain(others.map((other) => `${other.id}, `).join('') + id);
    expect(schema.pattern).toContain(`|${id})`);
  });
});

describe('a source that is one row of the table, over MCP', () => {
  it('is a value of the filter', async () => {
    const { ok, body } = await callMcp(server.url, 'svc_search_notices', { source: id }, server.key);
    expect([ok, found(body)]).toEqual([true, OWN]);
    const refused = await callMcp(server.url, 'svc_search_notices', { source: 'stm' }, server.key);
    expect([refused.ok, refused.text.includes(`did you mean '${id}'?`)]).toEqual([false, true]);
  });

  it('is in the list of tools', async () => {
    const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} });
    const { text } = await ask(server.url, '/mcp', server.key, { method: 'POST', headers, body });
    expect(text).toMatch(new RegExp(`Such as ${id}; all in [a-z_]*describe_filters`));
  });
});

describe('a source that is one row of the table, on the pages', () => {
  it('is named on its notices and in the lists', async () => {
    const notice = await page(`/notices/${OWN[0]}`);
    expect(notice).toContain(`The official notice on ${title}`);
    const list = await page(`/notices?source=${id}`);
    expect(list).toContain(`Source: ${title}`);
    expect(list).toContain(`value="${id}"`);
    for (const own of OWN) expect(list).toContain(`/notices/${own}`);
    expect(await page(`/notices.atom?source=${id}`)).toContain(title);
  });

  it('is refused where it is no service, with the values that are', async () => {
    const { status, text } = await ask(server.url, '/notices?source=companies_house');
    expect([status, text.includes(id)]).toEqual([422, true]);
  });

  it('is on the front page, on the status page and in the reference', async () => {
    const front = await page('/');
    expect(front).toContain(`from ${others.map((other) => other.title).join(', ')} and ${title}`);
    expect(front).toContain(`releases from ${title}`);
    const status = await page('/status');
    expect(status).toContain(`<h2>${title}</h2>`);
    // Registers come last.
    expect(status.indexOf(`<h2>${title}</h2>`)).toBeLessThan(status.indexOf('<h2>Companies House</h2>'));
    expect(await page('/docs/search_notices')).toContain(id);
  });
});

describe('a source that comes while a server runs', () => {
  it('is taken and described at once', async () => {
    const row = `INSERT INTO source (id, title, homepage, licence, licence_url, attribution, timetable)
      VALUES ('wessex', 'Wessex', '', '', '', '', '0 * * * *')`;
    expect((await ask(server.url, '/v1/notices/search?source=wessex', server.key)).status).toBe(422);
    await server.catalogue.write([{ sql: row }]);
    expect((await ask(server.url, '/v1/notices/search?source=wessex', server.key)).status).toBe(200);
    expect((await ask(server.url, '/openapi.json')).text).toContain(`${id}, wessex`);
  });
});
