import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeWebApp } from '../../../api/web/app.ts';
import { buildSampleServer } from '../../support/sample-services.ts';
import type { BuiltServer } from '../../support/services.ts';
import { makeVisitor } from './visitor.ts';

/** Things of each kind, taken evenly from all of them. */
const THINGS = 8;
const KINDS = { buyers: 'buyer', companies: 'company', contracts: 'contract', frameworks: 'framework' } as const;
/** What a fault of a template looks like between the tags. */
const FAULTS = /undefined|\bnull\b|NaN|\[object|Invalid Date|<(ul|ol|dl|p|h2)( [^>]*)?><\/\1>/;

let server: BuiltServer;

beforeAll(async () => {
  const settings = { WEB_REQUESTS_PER_MINUTE: '10000', WEB_PAGES_PER_DAY: '10000' };
  server = await buildSampleServer({ web: makeWebApp, settings });
});
afterAll(() => server?.close());

const get = (path: string) => makeVisitor(server.url).get(path);

async function pathsOf(folder: string, table: string, id = 'id'): Promise<string[]> {
  const rows = await server.catalogue.read<{ id: string }>({
    sql: `SELECT ${id} AS id FROM ${table} WHERE gone = 0 ORDER BY ${id}`,
  });
  const step = Math.max(1, Math.floor(rows.length / THINGS));
  return rows.filter((_, at) => at % step === 0).map((row) => `/${folder}/${encodeURIComponent(row.id)}`);
}

describe('a walk over the pages of things', () => {
  it('finds no fault on any, and every page that they lead to', async () => {
    const kinds = Object.entries(KINDS).map(([folder, table]) => pathsOf(folder, table));
    const first = (await Promise.all([...kinds, pathsOf('notices', 'notice', 'notice_id')])).flat();
    const lone = `SELECT company_number AS id FROM registered_company WHERE gone = 0
      AND company_number NOT IN (SELECT company_number FROM company WHERE company_number IS NOT NULL) LIMIT 1`;
    for (const { id } of await server.catalogue.read<{ id: string }>({ sql: lone })) first.push(`/companies/${id}`);
    expect(first.length).toBeGreaterThan(4 * THINGS);
    const next = new Set<string>();
    for (const path of first) {
      const { status, html } = await get(path);
      const words = html.replace(/=(["']).*?\1/gs, '');
      expect({ path, status, fault: FAULTS.exec(words)?.[0] }).toEqual({ path, status: 200, fault: undefined });
      for (const [, to = ''] of html.matchAll(/href="(\/[a-z]+\/[^"?#]+)"/g)) next.add(to);
    }
    for (const path of [...next].filter((_, at) => at % 4 === 0)) {
      expect({ path, status: (await get(path)).status }).toEqual({ path, status: 200 });
    }
  });

  it('finds who a misspelt name may be in a directory without its words', async () => {
    const { html } = await get('/companies?query=Netherbek+Protecton');
    expect(html).toContain('Did you mean one of these?');
    expect(html).toContain('href="/companies/GB-COH-00900010"');
  });
});
