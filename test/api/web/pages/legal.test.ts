import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { operations } from '../../../../api/operations/index.ts';
import { makeSeededEngine } from '../engine.ts';
import { type Site, startSite } from '../site.ts';

let site: Site;
let named: Site;
beforeAll(async () => {
  site = await startSite({}, makeSeededEngine());
  named = await startSite({
    OPERATOR: 'Example Data Ltd',
    OPERATOR_ADDRESS: '1 High Street; Leeds',
    PRIVACY_CONTACT: 'privacy@example.org',
    JURISDICTION: 'Scotland',
    END_NOTICE_MONTHS: '6',
    CHANGE_NOTICE_DAYS: '45',
    LOG_DAYS: '9',
    EXPORT_DAYS: '3',
    KEEP_CONTACTS: 'open_tenders',
    PENCE_PER_CREDIT: '2',
    VAT_PERCENT: '0',
    SIGNUP_CREDITS: '0',
    KEY_REQUESTS_PER_MINUTE: '77',
    WEB_REQUESTS_PER_MINUTE: '3000',
    SMTP_URL: 'smtp://127.0.0.1:9',
    MAIL_FROM: 'data@example.org',
  });
});
afterAll(async () => {
  await site?.close();
  await named?.close();
});

/** The words of a page, without its tags. */
async function read(from: Site, path: string): Promise<string> {
  const { status, html } = await from.visitor().get(path);
  expect(status).toBe(200);
  return html
    .replace(/<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ')
    .replaceAll(' .', '.');
}

describe('the pages of words', () => {
  it.each(['/privacy', '/removal', '/terms'])('%s names the operator, or says that there is no name', async (path) => {
    expect(await read(named, path)).toContain('Example Data Ltd, 1 High Street, Leeds Write to privacy@example.org');
    expect(await read(site, path)).toContain('has not given a name here');
  });

  it('the privacy notice tells the settings in force', async () => {
    const there = await read(named, '/privacy');
    expect(there).toMatch(/kept for 9 days.*Finished exports, for 3 days.*mail server/);
    expect(there).toContain('kept separately until its deadline');
    const plain = await read(site, '/privacy');
    expect(plain).toMatch(/kept for 30 days.*Finished exports, for 7 days/);
    expect(plain).toContain('are dropped on arrival. E-mail addresses');
    expect(plain).toMatch(/cannot be read may name anyone\. It is stored whole.*for 30 days after it last came\./);
    expect(plain).not.toMatch(/Stripe|mail server/);
  });

  it('the terms tell prices and whose law it is; every page leads to them', async () => {
    expect(await read(named, '/terms')).toMatch(/£0\.02 net\. What.*on this page 45 days before.*law of Scotland/);
    expect(await read(site, '/terms')).toMatch(/£0\.01 net, plus 20% VAT\..*law of England and Wales/);
    const { html } = await site.visitor().get('/docs/errors');
    for (const path of ['/privacy', '/removal', '/terms', '/deprecation']) expect(html).toContain(`href="${path}"`);
  });

  it('what a new account starts with is told where it starts with anything', async () => {
    for (const path of ['/', '/sign-up', '/terms', '/pricing']) {
      expect(await read(site, path)).toContain('250 ');
      expect(await read(named, path)).not.toMatch(/\b0 credits/);
    }
    expect(await read(named, '/sign-up')).toContain('Browsing needs no account. The API does. Your name');
  });

  it('what is promised of changes is what the settings say', async () => {
    expect(await read(named, '/deprecation')).toMatch(/announced 45 days before.*at least 6 months after/);
    expect(await read(site, '/deprecation')).toMatch(/announced 30 days before.*at least 12 months after/);
  });

  it('prices are added up from the table, limits are those in force', async () => {
    const price = (name: string) => operations.find((operation) => operation.name === name)?.credits ?? 0;
    const total =
      10 * price('search_tenders') + 5 * price('get_notice') + 3 * price('company_profile') + price('buyer_profile');
    const words = await read(named, '/pricing');
    expect(words).toContain(`Together ${total} credits, which is £${((total * 2) / 100).toFixed(2)} net`);
    expect(words).toMatch(
      /77 requests a minute per key.*3,000 a minute per network address.*1,000,000 rows.*for 3 days/,
    );
    expect(words).toContain('5 credits £0.10');
  });
});

describe('llms.txt', () => {
  it('has the form of llmstxt.org, and every link of it leads to a page', async () => {
    const { headers, html: text } = await site.visitor().get('/llms.txt');
    expect(headers.get('content-type')).toContain('text/plain');
    expect(text).toMatch(/^# .+\n\n> .+/);
    const sections = [...text.matchAll(/^## (.+)$/gm)].map(([, name]) => name);
    expect(sections).toEqual(['Docs', 'Operations', 'Data', 'Optional']);
    const lines = text.split('\n').filter((line) => line.startsWith('- '));
    expect(lines.length).toBeGreaterThan(operations.length);
    for (const line of lines) {
      const path = /^- \[[^\]]+\]\(http:\/\/localhost:8080(\/[^)]*)\): .+$/.exec(line)?.[1] ?? line;
      if (path !== '/openapi.json')
        expect({ path, status: (await site.visitor().get(path)).status }).toEqual({ path, status: 200 });
    }
  });
});
