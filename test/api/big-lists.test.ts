import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeWebApp } from '../../api/web/app.ts';
import { storePage } from '../../ingest/store/page.ts';
import type { Database } from '../../schema/db/interface.ts';
import {
  actRelease,
  BRIGHT,
  COUNCIL,
  noticeDocument,
  OAKES,
  packageOf,
  read,
  reference,
} from '../ingest/compile/releases.ts';
import { ask } from '../support/client.ts';
import { type BuiltServer, buildServer } from '../support/services.ts';
import { callMcp, type Inputs, readBalance } from './transports.ts';
import { type WatchedDatabase, watch } from './watched-statements.ts';

/** A buyer that issued contracts for three of the longest pages, of which one supplier won more than one, ingested through the real path. */
const ISSUED = 1_250;
const WON = 600;
const BUYER = 'GB-PPON-PBCD-1234-FGHJ';
const COMPANY = 'GB-COH-01234567';
const FRAMEWORK = 'ocds-h6vhtk-f99999';
const CENTRE = {
  id: 'GB-PPON-PXYZ-9999-CNTR',
  name: 'Central Purchasing of Harrowmere',
  identifier: { scheme: 'GB-PPON', id: 'PXYZ-9999-CNTR' },
  roles: ['buyer'],
};
const PAGE_RELEASES = 250;
const digits = (n: number, length: number) => String(n).padStart(length, '0');
const worthOf = (n: number) => 1_000 + n + 0.25;

function release(n: number) {
  const supplier = n < WON ? BRIGHT : OAKES;
  // Forty a day, over two years: pages end in the midst of a day.
  const day = new Date(Date.UTC(2025, 11, 1) + Math.floor(n / 40) * 86_400_000).toISOString().slice(0, 10);
  const id = `${digits(n, 6)}-2026`;
  return actRelease(id, `${day}T09:00:00Z`, {
    ocid: `ocds-h6vhtk-${digits(n, 6)}`,
    tag: ['award', 'contract'],
    buyer: reference(COUNCIL),
    parties: [COUNCIL, supplier],
    tender: { title: `Work order ${n}`, documents: [noticeDocument(id, 'UK7')] },
    relatedProcesses: [{ id: '1', relationship: ['framework'], scheme: 'ocid', identifier: FRAMEWORK }],
    awards: [{ id: '1', status: 'active', date: day, suppliers: [reference(supplier)] }],
    contracts: [{ id: '1', awardID: '1', status: 'active', value: { amount: worthOf(n), currency: 'GBP' } }],
  });
}

/** The framework that all of them are called off from, of another buyer. */
const framework = actRelease('900000-2025', '2025-11-01T09:00:00Z', {
  ocid: FRAMEWORK,
  buyer: reference(CENTRE),
  parties: [CENTRE],
  tender: {
    title: 'Works framework',
    techniques: { hasFrameworkAgreement: true },
    documents: [noticeDocument('900000-2025', 'UK4', 'tenderNotice')],
  },
});

async function fill(catalogue: Database): Promise<void> {
  const pages = Array.from({ length: ISSUED / PAGE_RELEASES }, (_, page) =>
    Array.from({ length: PAGE_RELEASES }, (_, index) => release(page * PAGE_RELEASES + index)),
  );
  for (const releases of [[framework], ...pages]) {
    const page = read(packageOf(releases));
    await storePage(catalogue, { source: 'x', fetchedAt: '2026-11-02T00:00:00Z', ...page, before: [], after: [] });
  }
}

let server: BuiltServer;
let watched: WatchedDatabase;
beforeAll(async () => {
  const watching = (catalogue: Database) => {
    watched = watch(catalogue);
    return watched.database;
  };
  server = await buildServer({ fill, watch: watching, credits: 10_000, web: makeWebApp });
});
afterAll(() => server.close());

interface Item {
  contract_id: string;
  value?: number;
}
interface Page {
  contract_count?: number;
  call_off_count: number;
  items?: Item[];
  call_offs: Item[];
  next_cursor?: string;
}
type Transport = (inputs: Inputs) => Promise<{ body: Record<string, unknown>; status: number }>;

const rest =
  (path: string): Transport =>
  (inputs) => {
    const query = new URLSearchParams(Object.entries(inputs).map(([name, value]) => [name, String(value)]));
    return ask(server.url, `/v1${path}?${query}`, server.key);
  };
const tool =
  (name: string, id: Inputs): Transport =>
  (inputs) =>
    callMcp(server.url, `svc_${name}`, { ...id, ...inputs }, server.key);

/** Every page of a list, by its cursors; a profile carries its list under `contracts`, a framework as `call_offs`. */
async function readPages(transport: Transport, limit: number) {
  const items: Item[] = [];
  const charged: unknown[] = [];
  let first: Record<string, unknown> | undefined;
  for (let cursor: string | undefined; ; ) {
    const { body, status } = await transport({ limit, ...(cursor && { cursor }) });
    expect(status, JSON.stringify(body)).toBe(200);
    const page = (body.contracts ?? body) as Page;
    first ??= body;
    charged.push(body.credits_charged);
    items.push(...(page.items ?? page.call_offs));
    const count = page.contract_count ?? page.call_off_count;
    if (!page.next_cursor) return { items, charged, first, count };
    cursor = page.next_cursor;
  }
}

const LISTS: [string, () => Transport, number, number, number][] = [
  ['buyer_contracts over REST', () => rest(`/buyers/${BUYER}/contracts`), 500, ISSUED, 10],
  ['buyer_profile over REST', () => rest(`/buyers/${BUYER}/profile`), 499, ISSUED, 20],
  ['company_contracts over REST', () => rest('/companies/01234567/contracts'), 50, WON, 10],
  ['company_profile over REST', () => rest('/companies/01234567/profile'), 400, WON, 12],
  ['buyer_contracts over MCP', () => tool('buyer_contracts', { buyer_id: BUYER }), 100, ISSUED, 10],
  ['buyer_profile over MCP', () => tool('buyer_profile', { buyer_id: BUYER }), 500, ISSUED, 20],
  ['company_contracts over MCP', () => tool('company_contracts', { company_number: COMPANY }), 500, WON, 10],
  ['lookup_framework over REST', () => rest(`/frameworks/${FRAMEWORK}`), 400, ISSUED, 5],
  ['lookup_framework over MCP', () => tool('lookup_framework', { framework_id: FRAMEWORK }), 500, ISSUED, 5],
  ['company_profile over MCP', () => tool('company_profile', { company_number: COMPANY }), 77, WON, 12],
];

describe('the largest lists lead to every contract, each once', () => {
  it.each(LISTS)('%s', async (_name, transport, limit, held, credits) => {
    watched.take();
    const before = await readBalance(server, server.accountId);
    const { items, charged, count } = await readPages(transport(), limit);
    expect([count, items.length, new Set(items.map(({ contract_id }) => contract_id)).size]).toEqual([
      held,
      held,
      held,
    ]);
    expect(charged).toEqual([credits, ...charged.slice(1).map(() => 0)]);
    expect(await readBalance(server, server.accountId)).toBe(before - credits);
    // A page reads its own rows, one to know of a next, and nothing that grows with the list.
    expect(Math.max(...watched.take().map(({ rows }) => rows))).toBe(limit + 1);
  });

  it('totals are those of all contracts, and no profile reads them to say so', async () => {
    const { items, first } = await readPages(rest(`/companies/${COMPANY}/profile`), 500);
    const sum = items.reduce((pence, { value = 0 }) => pence + Math.round(value * 100), 0) / 100;
    expect(first.totals).toMatchObject({ sum: { GBP: { count: WON, value: sum } }, not_in_total: {} });
    expect(first.top_buyers).toMatchObject([{ id: BUYER, contract_count: WON, value: sum }]);
    const years = first.by_year as { contract_count: number }[];
    expect(years.reduce((all, { contract_count }) => all + contract_count, 0)).toBe(WON);
    watched.take();
    await rest(`/buyers/${BUYER}/profile`)({ limit: 1 });
    const asked = watched.take();
    expect(asked.length).toBeLessThanOrEqual(4);
    expect(Math.max(...asked.map(({ rows }) => rows))).toBe(2);
  });

  it.each([
    [`/companies/${COMPANY}`, WON],
    [`/buyers/${BUYER}`, ISSUED],
    [`/frameworks/${FRAMEWORK}`, ISSUED],
  ])('the pages from %s on', async (path, held) => {
    const seen = new Set<string>();
    for (let next: string | undefined = path; next; ) {
      const { text, status } = await ask(server.url, next);
      expect([next, status]).toEqual([next, 200]);
      for (const [, id = ''] of text.matchAll(/href="\/contracts\/([^"]+)"/g)) seen.add(id);
      next = /href="([^"]+)" rel="next"/.exec(text)?.[1]?.replaceAll('&amp;', '&');
    }
    expect(seen.size).toBe(held);
  });
});
