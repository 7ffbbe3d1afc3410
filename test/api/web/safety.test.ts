import { hash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeSeededEngine } from './engine.ts';
import { PUBLIC, titled } from './page-kinds.ts';
import { seedCatalogue } from './seed.ts';
import { type Site, startSite } from './site.ts';

const STRICT = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
};

const KEPT = 'public, max-age=31536000, immutable';
/** Of a site whose pages and API have the same address, without card payments. */
const POLICY = [
  "default-src 'none'",
  "style-src 'self'",
  "img-src 'self'",
  "script-src 'self'",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
];

let site: Site;

beforeAll(async () => {
  site = await startSite({}, makeSeededEngine());
  await seedCatalogue(site.services.catalogue);
});
afterAll(() => site?.close());

/** A second site with settings of its own, for as long as `work` takes. */
async function withSite(settings: Record<string, string>, work: (site: Site) => Promise<void>): Promise<void> {
  const other = await startSite(settings, makeSeededEngine());
  try {
    await work(other);
  } finally {
    await other.close();
  }
}

describe('headers', () => {
  it.each(titled([...PUBLIC, '/robots.txt', '/llms.txt', '/notices.atom', '/assets/x']))(
    'are strict at %s',
    async (_, path) => {
      const { headers } = await site.visitor().get(path);
      expect(Object.fromEntries(headers)).toMatchObject(STRICT);
      expect(headers.get('content-security-policy')?.split(';')).toEqual(POLICY);
      expect(headers.get('permissions-policy')).toContain('camera=()');
      expect(headers.get('x-powered-by')).toBeNull();
      expect(headers.get('strict-transport-security')).toBeNull();
    },
  );

  it('are strict at assets, which browsers keep for a year under an address that changes with the content', async () => {
    const { html } = await site.visitor().get('/');
    for (const [, address = ''] of html.matchAll(/(?:href|src)="(\/assets\/[^"]+)"/g)) {
      const asset = await site.visitor().get(address);
      expect(Object.fromEntries(asset.headers)).toMatchObject({ ...STRICT, 'cache-control': KEPT });
      expect(address.split('/')[2]).toBe(hash('sha256', asset.html).slice(0, 12));
    }
  });

  it('ask for https for a year where the site is at https, whose cookies go nowhere else', async () => {
    await withSite({ APP_URL: 'https://app.example' }, async (secure) => {
      const { headers } = await secure.visitor().get('/sign-in');
      expect(headers.get('strict-transport-security')).toContain('max-age=31536000');
      expect(headers.get('set-cookie')).toMatch(/^__Host-[^;]+; Path=\/; HttpOnly; Secure; SameSite=Lax$/);
    });
  });

  it('let pages call the API where that is elsewhere', async () => {
    await withSite({ BASE_URL: 'https://api.example/v', APP_URL: 'https://app.example' }, async (apart) => {
      const policy = (await apart.visitor().get('/docs')).headers.get('content-security-policy');
      expect(policy).toContain("connect-src 'self' https://api.example;");
    });
  });
});

describe('texts', () => {
  it.each(['/notices', '/companies'])('hold no character that HTML cannot, whatever is asked of %s', async (path) => {
    const { html } = await site.visitor().get(`${path}?query=a%00b%1b%EF%BF%BF&buyer_id=%08`);
    expect(html).toContain('<title>a b');
    expect(html).not.toMatch(/[^\t\n\r\u0020-\ufffd]/u);
  });
});

describe('methods', () => {
  it('HEAD is answered like GET, without the page', async () => {
    const answer = await fetch(`${site.url}/notices`, { method: 'HEAD' });
    expect([answer.status, await answer.text()]).toEqual([200, '']);
    expect(answer.headers.get('content-type')).toContain('text/html');
  });

  it.each(['POST', 'PUT', 'DELETE', 'PATCH', 'PROPFIND'])('%s of a page is calmly refused', async (method) => {
    for (const [path, allowed] of [
      ['/notices', 'GET, HEAD'],
      [`/docs/errors`, 'GET, HEAD'],
    ]) {
      const answer = await fetch(site.url + path, { method });
      expect([answer.status, answer.headers.get('allow')]).toEqual([405, allowed]);
      expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
      expect(await answer.text()).toContain('This cannot be done here');
    }
  });

  it('the address of a form names what it takes; where nothing is, no method helps', async () => {
    const asked = async (path: string, method: string) => {
      const { status, headers } = await fetch(site.url + path, { method });
      return [status, headers.get('allow')];
    };
    expect(await asked('/sign-out', 'PUT')).toEqual([405, 'GET, HEAD, POST']);
    expect(await asked('/sign-in', 'DELETE')).toEqual([405, 'GET, HEAD, POST']);
    expect(await asked('/nowhere', 'DELETE')).toEqual([404, null]);
    expect(await asked('/docs/nothing', 'GET')).toEqual([404, null]);
  });
});

describe('redirects', () => {
  it.each([
    '/sign-in?next=https://evil.example',
    '/sign-in?next=//evil.example',
    '/sign-in?next=/%5Cevil.example',
    '/dashboard?next=https://evil.example',
    '//evil.example',
    '//evil.example/%2e%2e',
    '/%5C%5Cevil.example',
    '/companies?name=//evil.example',
    '/companies/%2F%2Fevil.example?cursor=x',
    '//buyers/evil.example?cursor=x',
  ])('%s leads to no other place', async (path) => {
    const answer = await fetch(site.url + path, {
      redirect: 'manual',
      headers: { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https' },
    });
    const { origin } = new URL(answer.headers.get('location') ?? '/', site.url);
    expect(origin).toBe(site.url);
    expect(await answer.text()).not.toMatch(/(?:href|action|content)="(?:https?:)?\/\/evil/);
  });
});

describe('one address', () => {
  it('gets so many pages a minute, with headers for how many are left and when to come again', async () => {
    await withSite({ WEB_REQUESTS_PER_MINUTE: '2' }, async (busy) => {
      const answers = [];
      for (let asked = 0; asked < 3; asked += 1) answers.push(await busy.visitor().get('/pricing'));
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 429]);
      const [first, , refused] = answers;
      expect(first?.headers.get('ratelimit-policy')).toBe('"address";q=2;w=60');
      expect(first?.headers.get('ratelimit')).toMatch(/^"address";r=1;t=\d+$/);
      expect(refused?.headers.get('ratelimit')).toContain('r=0');
      expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThan(0);
      expect(refused?.headers.get('cache-control')).toBe('private, no-store');
      expect(refused?.html).toContain('Try again in');
      expect(refused?.html).toContain('href="/docs"');
    });
  });

  it('gets so many pages of data a day, feeds too, and its own pages all the same', async () => {
    await withSite({ WEB_PAGES_PER_DAY: '2' }, async (busy) => {
      const status = async (path: string) => (await busy.visitor().get(path)).status;
      expect((await busy.visitor().get('/notices')).headers.get('ratelimit-policy')).toMatch(
        /"address-day";q=2;w=86400$/,
      );
      expect(await status('/notices.atom')).toBe(200);
      expect(await status('/companies')).toBe(429);
      expect(await status('/sign-in')).toBe(200);
      expect(await status('/docs')).toBe(200);
    });
  });

  it.each(['/notices', '/companies/1234567', '/tenders.atom', '/search'])(
    'gets no further pages of data by another writing of %s',
    async (path) => {
      await withSite({ WEB_PAGES_PER_DAY: '1' }, async (busy) => {
        const visitor = busy.visitor();
        await visitor.get(path);
        for (const written of [path, `${path}/`, `${path}?a=1`, `${path}?`])
          expect([written, (await visitor.get(written)).status]).toEqual([written, 429]);
        for (const written of [
          path.toUpperCase(),
          path.replace('/', '/%2F'),
          path.replace(/[a-z]/, (one) => `%${one.charCodeAt(0).toString(16)}`),
          `/${path}`,
        ]) {
          const { status, html } = await visitor.get(written);
          expect([written, [301, 404].includes(status), html.includes('class="hits"')]).toEqual([written, true, false]);
        }
      });
    },
  );

  it.each([
    ['/Notices?query=Bridge&sort=x', '/notices?query=Bridge&sort=x'],
    ['/COMPANIES/GB-COH-1', '/companies/GB-COH-1'],
    ['/Docs/Agents', '/docs/agents'],
    ['/Dashboard/Settings', '/dashboard/settings'],
  ])('is led from %s to %s', async (from, to) => {
    const { status, location } = await site.visitor().get(from);
    expect([status, location]).toEqual([301, to]);
  });

  it.each(['/Nowhere', '//EVIL.example', '/%5CEvil'])('is led nowhere from %s', async (from) => {
    expect((await site.visitor().get(from)).status).toBe(404);
  });

  it('is a whole network of the newer kind, and no other than the proxy says', async () => {
    await withSite({ WEB_REQUESTS_PER_MINUTE: '1', TRUST_PROXY: '1' }, async (busy) => {
      const from = async (address: string) =>
        (await fetch(`${busy.url}/pricing`, { headers: { 'x-forwarded-for': address } })).status;
      expect(await from('2001:db8:1:2::1')).toBe(200);
      expect(await from('2001:db8:1:2:ffff::9')).toBe(429);
      expect(await from('2001:db8:1:3::1')).toBe(200);
      expect(await from('203.0.113.7, 2001:db8:1:2::1')).toBe(429);
    });
  });
});

describe('robots', () => {
  it('are directed to go slowly, to leave lists alone, and to use the API', async () => {
    const { html, headers } = await site.visitor().get('/robots.txt');
    expect(headers.get('content-type')).toContain('text/plain');
    for (const line of ['Crawl-delay: 10', 'Disallow: /*?', 'Disallow: /dashboard']) expect(html).toContain(line);
    expect(html).toContain('/docs');
  });

  it('index things, and no list by its endless addresses', async () => {
    const tag = async (path: string) => (await site.visitor().get(path)).headers.get('x-robots-tag');
    expect(await tag('/notices?query=bridge')).toBe('noindex');
    expect(await tag('/notices.atom?query=bridge')).toBe('noindex');
    expect(await tag('/pricing')).toBeNull();
  });
});
