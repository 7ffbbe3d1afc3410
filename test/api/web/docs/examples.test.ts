import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { toolRows } from '../../../../api/contract/operation.ts';
import { operations } from '../../../../api/operations/index.ts';
import { makeWebApp } from '../../../../api/web/app.ts';
import { paste } from '../../../demo/paste.ts';
import { makeDemoSample } from '../../../demo/retenders.ts';
import { ask } from '../../../support/client.ts';
import { buildSampleServer } from '../../../support/sample-services.ts';
import type { BuiltServer } from '../../../support/services.ts';
import { addWatch, callMcp } from '../../transports.ts';
import { makeVisitor } from '../visitor.ts';

const BASE = 'http://docs.example';
const bindings = operations.flatMap((operation) => operation.bindings.map((binding) => ({ operation, binding })));

let server: BuiltServer;
let exportId: string;
let watchId: string;
let deliveryId: string;
beforeAll(async () => {
  server = await buildSampleServer({ credits: 100_000, web: makeWebApp, settings: { BASE_URL: BASE } });
  const made = await callMcp(server.url, 'svc_bulk_export', { max_rows: 10 }, server.key);
  exportId = String(made.body.export_id);
  watchId = await addWatch(server);
  const tested = await ask(server.url, `/v1/watches/${watchId}/test`, server.key, { method: 'POST' });
  deliveryId = tested.body.delivery_id;
});
afterAll(() => server?.close());

/** The lines to paste of a page, for this server and key; the id of an export of one's own in the place of the example. */
async function readLines(path: string): Promise<string[]> {
  const { status, html } = await makeVisitor(server.url).get(path);
  expect(status).toBe(200);
  return [...html.matchAll(/<pre[^>]*><code>([\s\S]*?)<\/code>/g)].map(([, text = '']) => unescapeHtml(text));
}

function unescapeHtml(text: string): string {
  return text.replaceAll('&lt;', '<').replaceAll('&quot;', '"').replaceAll('&amp;', '&');
}

/** Runs a line in a shell as somebody would who pastes it, against this server. */
async function answerTo(line: string) {
  expect(line).toContain(BASE);
  const here = line
    .replaceAll(BASE, server.url)
    .replaceAll('YOUR_KEY', server.key)
    .replaceAll('ex_3fgxxJ44JzVJKUPlA3bU', exportId)
    .replaceAll('wat_3fgxxJ44JzVJKUPlA3bU01', line.includes('DELETE') ? await addWatch(server) : watchId)
    .replaceAll('wd_3fgxxJ44JzVJKUPlA3bU01', deliveryId);
  const printed = await paste(here, { API_KEY: server.key });
  return JSON.parse(/^data: (.*)$/m.exec(printed)?.[1] ?? printed);
}

/** How many rows an answer holds: of its list, or one where it is about one thing. */
function countRows(body: Record<string, unknown>): number {
  const { contracts } = body as { contracts?: Record<string, unknown> };
  const list = body.items ?? body.documents ?? body.sources ?? contracts?.items;
  return Array.isArray(list) ? list.length : 1;
}

describe('the documentation', () => {
  it.each(bindings.map(({ binding }) => [binding.operationId] as const))(
    '/docs/%s shows the example of the table, and it answers rows',
    async (id) => {
      const [line = '', ...more] = await readLines(`/docs/${id}`);
      expect(more).toEqual([]);
      const body = await answerTo(line);
      expect(body, line).not.toHaveProperty('error');
      expect(body, line).not.toHaveProperty('detail');
      expect(countRows(body), line).toBeGreaterThan(0);
      const example = bindings.find(({ binding }) => binding.operationId === id)?.binding.example ?? {};
      const shown = decodeURIComponent(line).replaceAll('+', ' ');
      for (const value of Object.values(example))
        expect(shown).toContain(typeof value === 'object' ? JSON.stringify(value) : String(value));
    },
  );

  it.each(toolRows(operations).map(({ name, example }) => [name, example] as const))(
    'the tool %s answers rows to its example',
    async (name, example) => {
      const own = { export_id: exportId, watch_id: await addWatch(server) };
      const described = Object.fromEntries(
        Object.entries(example).map(([key, value]) => [key, own[key as keyof typeof own] ?? value]),
      );
      const answer = await callMcp(server.url, `svc_${name}`, described, server.key);
      expect(answer.ok, answer.text).toBe(true);
      expect(countRows(answer.body)).toBeGreaterThan(0);
    },
  );

  it('the first call of the guide and the call by hand of an agent answer rows', async () => {
    const [first = ''] = await readLines('/docs');
    expect((await answerTo(first)).items.length).toBeGreaterThan(0);
    const byHand = (await readLines('/docs/agents')).find((line) => line.startsWith('curl')) ?? '';
    const { result } = await answerTo(byHand);
    expect(result.isError).not.toBe(true);
    expect(result.structuredContent.items.length).toBeGreaterThan(0);
  });

  it('no other page of words has a line that nothing runs', async () => {
    const tried = ['/docs', '/docs/agents', '/docs/errors'];
    const pages = [
      '/',
      '/status',
      '/pricing',
      '/docs?query=export',
      '/privacy',
      '/removal',
      '/terms',
      '/deprecation',
      ...tried,
    ];
    for (const path of pages)
      expect({ path, lines: (await readLines(path)).length > 0 }).toEqual({ path, lines: tried.includes(path) });
  });

  it('a file of a finished export has no line to paste: its address comes whole', async () => {
    expect(await readLines('/docs/download_export')).toEqual([]);
  });

  it('names a notice that the whole sample of the demo has awarded too', () => {
    const id = operations.find(({ name }) => name === 'lookup_contract')?.example.notice_id;
    const released = [...makeDemoSample().findATender];
    const found = released.find(({ release }) => release.id === id);
    expect(found?.release.tag).toEqual(expect.arrayContaining([expect.stringMatching(/^(award|contract)$/)]));
  });
});
