import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isKeyShaped } from '../../schema/keys.ts';
import { type Site, startSite } from './site.ts';
import type { Visitor } from './visitor.ts';

let site: Site;
let visitor: Visitor;
beforeAll(async () => {
  site = await startSite();
  visitor = await site.addPerson({ email: 'ada@example.org' });
});
afterAll(() => site?.close());

const shown = (html: string) => /id="new-key">([^<]+)</.exec(html)?.[1] ?? '';

describe('the keys of the dashboard', () => {
  it('have a last day and a cap, and are rolled by their owner alone', async () => {
    const created = await visitor.post('/dashboard/keys', { name: 'reporting', expires: '2999-12-31', cap: '500' });
    const list = (await visitor.get('/dashboard')).html;
    expect(list).toContain('works until 31 December 2999');
    expect(list).toContain('of 500 credits');
    const id = /name="key" value="([^"]+)"/.exec(list)?.[1] ?? '';
    const rolled = await visitor.post('/dashboard/keys/roll', { key: id });
    expect(rolled.html).toContain('The old text works until');
    expect([isKeyShaped(shown(rolled.html)), shown(rolled.html) === shown(created.html)]).toEqual([true, false]);
    expect((await visitor.get('/dashboard')).html).toContain('its old text works until');
    const other = await site.addPerson({ email: 'other@example.org' });
    const refused = await other.post('/dashboard/keys/roll', { key: id });
    expect(refused.location).toBe('/dashboard#keys');
    expect((await visitor.post('/dashboard/keys/roll', { key: id, form_token: 'no' })).status).toBe(403);
  });

  it.each([
    ['no name', { name: ' ' }, 'A key needs a name.'],
    ['a last day that has passed', { name: 'k', expires: '2020-01-01' }, 'must lie ahead'],
    ['a last day that is none', { name: 'k', expires: 'soon' }, 'must lie ahead'],
    ['a cap of nothing', { name: 'k', cap: '0' }, 'a whole number of credits'],
    ['a fractional cap', { name: 'k', cap: '1.5' }, 'a whole number of credits'],
  ])('are not made with %s, and the page says why', async (_name, fields: Record<string, string>, why) => {
    const refused = await visitor.post('/dashboard/keys', fields);
    expect([refused.status, refused.html]).toEqual([422, expect.stringContaining(why)]);
    const typed = Object.values(fields).filter((value) => value.trim() !== '');
    for (const value of typed) expect(refused.html).toContain(`value="${value}"`);
  });
});
