import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeSeededEngine } from './engine.ts';
import { PUBLIC, titled } from './page-kinds.ts';
import { seedCatalogue } from './seed.ts';
import { type Site, startSite } from './site.ts';

/** Of a page with everything that it needs, headers left out. */
const BYTES_MAX = 100_000;

let site: Site;

beforeAll(async () => {
  site = await startSite({}, makeSeededEngine());
  await seedCatalogue(site.services.catalogue);
});
afterAll(() => site?.close());

interface Sent {
  status: number;
  headers: Record<string, unknown>;
  /** As they came over the wire, compressed or not. */
  bytes: number;
}

/** What is sent for an address; `fetch` would unpack it. */
function weigh(path: string, headers: Record<string, string> = { 'accept-encoding': 'br, gzip' }): Promise<Sent> {
  return new Promise((resolve, reject) => {
    const asked = request(site.url + path, { headers }, (response) => {
      let bytes = 0;
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
      });
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, bytes }));
    });
    asked.on('error', reject).end();
  });
}

describe('every kind of page', () => {
  it.each(titled(PUBLIC))(
    '%s weighs little with all that it needs, waits for no script, says what it is',
    async (_, path) => {
      const { html } = await site.visitor().get(path);
      const assets = [...html.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, address = '']) => address);
      expect(assets.length).toBeGreaterThan(0);
      const sent = await Promise.all([path, ...new Set(assets)].map((address) => weigh(address)));
      expect(sent.reduce((sum, { bytes }) => sum + bytes, 0)).toBeLessThan(BYTES_MAX);
      for (const [script] of html.matchAll(/<script[^>]*>/g)) expect(script).toMatch(/ (?:defer|type="module")/);
      expect(html).not.toMatch(
        /<(?:script|style)[^>]*>[^<]|<style| style=| on[a-z]+="|(?:src|href)="(?:data|javascript):/i,
      );
      expect(html).toMatch(/^<!doctype html><html lang="en-GB">/);
      expect(html.match(/<h1/g)).toHaveLength(1);
      expect(html).toMatch(/<title>[^<]+<\/title>/);
      for (const [picture] of html.matchAll(/<(?:img|svg)[^>]*>/g)) expect(picture).toMatch(/ (?:height|viewBox)=/);
    },
  );
});

describe('on the wire', () => {
  it('pages and assets are compressed as the browser can read them, and kept apart by that', async () => {
    const { html } = await site.visitor().get('/');
    const [, stylesheet = ''] = /href="(\/assets\/[^"]+\.css)"/.exec(html) ?? [];
    for (const path of ['/', stylesheet]) {
      const [br, gzip, plain] = await Promise.all(
        ['br, gzip', 'gzip', 'identity'].map((accepted) => weigh(path, { 'accept-encoding': accepted })),
      );
      expect([br, gzip, plain].map((sent) => sent?.headers['content-encoding'])).toEqual(['br', 'gzip', undefined]);
      expect(br?.headers.vary).toContain('Accept-Encoding');
      expect((br?.bytes ?? 0) * 2).toBeLessThan(plain?.bytes ?? 0);
    }
  });

  it('a page that holds a token of one person is not: its length would tell of it', async () => {
    const { headers } = await weigh('/sign-in');
    expect(headers['cache-control']).toContain('private');
    expect(headers['content-encoding']).toBeUndefined();
  });

  it('a page that the browser already has is not sent again', async () => {
    const { headers } = await weigh('/pricing');
    const again = await weigh('/pricing', { 'if-none-match': String(headers.etag) });
    expect([again.status, again.bytes, again.headers.vary]).toEqual([304, 0, 'Accept-Encoding']);
  });
});
