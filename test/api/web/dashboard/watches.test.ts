import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { makeWebApp } from '../../../../api/web/app.ts';
import { setAccountState } from '../../../../schema/accounts/customer/account.ts';
import type { DeliveryRow } from '../../../../schema/accounts/watches/deliveries.ts';
import type { WatchRow } from '../../../../schema/accounts/watches/row.ts';
import { signingSecrets } from '../../../../schema/accounts/watches/secret.ts';
import { addDelivery, addWatch } from '../../../jobs/watches/seed.ts';
import { buildSampleServer } from '../../../support/sample-services.ts';
import type { BuiltServer } from '../../../support/services.ts';
import { type Mailbox, startMailbox } from '../mailbox.ts';
import { type Answer, follow, makeVisitor, PASSWORD, type Visitor } from '../visitor.ts';

let server: BuiltServer;
let mailbox: Mailbox;
let visitor: Visitor;
let people = 0;

/** More than the tests of one person make. */
const WATCHES_MAX = 20;

beforeAll(async () => {
  mailbox = await startMailbox();
  const settings = { SMTP_URL: mailbox.url, MAIL_FROM: 'data@example.org', WATCHES_PER_ACCOUNT: String(WATCHES_MAX) };
  server = await buildSampleServer({ web: makeWebApp, settings });
});
afterAll(async () => {
  await server?.close();
  await mailbox?.close();
});

/** Most tests are about one person. */
let regular: Visitor | undefined;
beforeEach(async () => {
  regular ??= await addPerson();
  visitor = regular;
});

async function addPerson(): Promise<Visitor> {
  const person = makeVisitor(server.url);
  mailbox.mails.length = 0;
  await person.get('/sign-up');
  await person.post('/sign-up', { name: 'Ada', email: emailOf(++people), password: PASSWORD });
  await expect.poll(() => mailbox.mails.length).toBe(1);
  await follow(person, /\/confirm\?link=\w+/.exec(mailbox.mails[0] ?? '')?.[0] ?? '');
  await person.get('/dashboard');
  return person;
}

const emailOf = (person: number) => `watcher${person}@example.org`;
const WATCH = {
  on: 'notices',
  query: 'maintenance',
  name: 'Upkeep',
  deliver: 'webhook',
  every: 'run',
  changes: 'new,updated',
};
const HOOK = { ...WATCH, webhook: 'https://hooks.example.org/a' };
const FORM = '/dashboard/watches/new';

/** Makes a watch on the dashboard; its id and the page that followed. */
async function make(fields: Record<string, string> = HOOK): Promise<{ id: string; answer: Answer }> {
  const { html } = await visitor.get(FORM);
  const answer = await visitor.post('/dashboard/watches', { ...fields, once: onceOf(html) });
  const id = /\/dashboard\/watches\/(wat_\w+)/.exec(answer.location ?? answer.html)?.[1] ?? '';
  return { id, answer };
}

const onceOf = (html: string) => /name="once" value="(\w+)"/.exec(html)?.[1] ?? '';

async function readRow(id: string): Promise<WatchRow> {
  const [row] = await server.accounts.read<WatchRow>({ sql: 'SELECT * FROM watch WHERE id = ?', args: [id] });
  return row ?? expect.fail(`no watch ${id}`);
}

const pageOf = (id: string) => `/dashboard/watches/${id}`;
const act = (id: string, name: string, fields = {}) => visitor.post(`${pageOf(id)}/${name}`, fields);

describe('a watch of the dashboard', () => {
  it('shows its secret once, belongs to no key, and is made once however often its form is sent', async () => {
    const { html } = await visitor.get(FORM);
    const fields = { ...HOOK, once: onceOf(html) };
    const shown = await visitor.post('/dashboard/watches', fields);
    const led = await visitor.post('/dashboard/watches', fields);
    const secret = /id="new-key">(whsec_[\w+/=]+)</.exec(shown.html)?.[1];
    expect(led).toMatchObject({ status: 303, location: expect.stringMatching(/\/wat_\w+\?said=seen$/) });
    const id = /wat_\w+/.exec(led.location ?? '')?.[0] ?? '';
    const row = await readRow(id);
    expect(row).toMatchObject({ key_id: null, name: 'Upkeep', filters: '{"query":"maintenance"}' });
    expect(signingSecrets(row, server.services.secret, new Date())).toEqual([secret]);
    const page = (await visitor.get(led.location ?? '')).html;
    expect(page).toContain('nothing was done twice');
    expect(page).not.toContain('whsec_');
    expect(page).toContain('https://hooks.example.org/a');
    expect((await visitor.get('/dashboard/watches')).html).toContain('Notices, “maintenance”');
    await act(id, 'delete');
    expect((await visitor.post('/dashboard/watches', fields)).location).toBe('/dashboard/watches?said=deleted');
  });

  it('is mailed where mail is chosen, without a secret', async () => {
    const { id, answer } = await make({ ...WATCH, deliver: 'email', every: 'day' });
    expect(answer.location).toBe(`${pageOf(id)}?said=made`);
    expect(await readRow(id)).toMatchObject({ webhook: null, secret: null, every: 'day' });
    expect((await visitor.get(pageOf(id))).html).toMatch(/Next digest: \d+ \w+ \d{4} at 07:00/);
  });

  it('is paused, resumed, tested and given another secret', async () => {
    const { id } = await make();
    expect((await act(id, 'pause')).location).toBe(`${pageOf(id)}?said=paused`);
    expect((await visitor.get('/dashboard')).html).toMatch(
      /Your watch <a [^>]*>Upkeep<\/a> is paused\. Its owner paused it/,
    );
    expect((await visitor.get('/dashboard/watches')).html).toMatch(/Paused[\s\S]*Resume/);
    await act(id, 'resume');
    expect((await visitor.get('/dashboard')).html).not.toContain('is paused');
    await act(id, 'test');
    const page = (await visitor.get(pageOf(id))).html;
    expect(page).toContain('a test, free');
    const before = (await readRow(id)).secret;
    const rotated = await act(id, 'rotate', { former: '' });
    expect(rotated.html).toMatch(/whsec_/);
    const after = await readRow(id);
    expect(after.former_secret).toBe(before);
    // The same form, sent again.
    expect((await act(id, 'rotate', { former: '' })).location).toBe(`${pageOf(id)}?said=seen`);
    expect((await readRow(id)).secret).toBe(after.secret);
    expect((await visitor.get(pageOf(id))).html).toContain('signs too until');
  });

  it('says why it waits, and where that is mended', async () => {
    const { id } = await make();
    const wait = (reason: string) =>
      server.accounts.write([
        { sql: "UPDATE watch SET state = 'waiting', reason = ? WHERE id = ?", args: [reason, id] },
      ]);
    await wait('no_credits');
    expect((await visitor.get('/dashboard')).html).toMatch(
      /Your watch <a [^>]*>Upkeep<\/a> waits\. The account has no/,
    );
    expect((await visitor.get('/dashboard/watches')).html).toMatch(/Waiting[\s\S]*href="\/dashboard\/billing">Top up/);
    await wait('daily_maximum');
    expect((await visitor.get(pageOf(id))).html).toContain('Its credits_per_day_max is spent');
    await act(id, 'delete');
  });

  it('is changed with the fields that it has; a new name alone keeps what waits', async () => {
    const { id } = await make({ ...HOOK, stage: 'contract,award', region: 'London', credits_per_day_max: '20' });
    await server.accounts.write([{ sql: 'UPDATE watch SET position = 0 WHERE id = ?', args: [id] }]);
    const { html } = await visitor.get(`${pageOf(id)}/edit`);
    for (const field of ['name="webhook" value="https://hooks.example.org/a"', 'name="credits_per_day_max" value="20"'])
      expect(html).toContain(field);
    expect(html).toMatch(/name="stage" value="award" checked/);
    const same = { ...HOOK, stage: 'award,contract', region: 'London', credits_per_day_max: '' };
    const saved = await act(id, 'edit', { ...same, name: 'Renamed' });
    expect(saved.location).toBe(`${pageOf(id)}?said=saved`);
    expect(await readRow(id)).toMatchObject({ name: 'Renamed', position: 0, credits_per_day_max: null });
    const refused = await act(id, 'edit', { ...same, webhook: 'http://localhost/a' });
    expect(refused).toMatchObject({
      status: 422,
      html: expect.stringContaining('Address of the webhook: Should be an https address'),
    });
    expect(refused.html).toContain('value="http://localhost/a"');
    await act(id, 'edit', { ...same, deliver: 'email', every: 'week' });
    expect(await readRow(id)).toMatchObject({ webhook: null, every: 'week' });
    // A webhook again: its new secret is shown.
    expect((await act(id, 'edit', same)).html).toContain('whsec_');
  });

  it('is deleted once that was confirmed', async () => {
    const { id } = await make();
    expect((await visitor.get(`${pageOf(id)}/delete`)).html).toContain('Delete Upkeep?');
    expect((await act(id, 'delete')).location).toBe('/dashboard/watches?said=deleted');
    expect((await visitor.get(pageOf(id))).status).toBe(404);
  });

  it('shows what it delivered, its body as it was signed, and sends it again', async () => {
    const { id } = await make();
    const delivery = (await addDelivery(server.accounts, id, ['a', 'b'])) ?? '';
    const path = `${pageOf(id)}/deliveries/${delivery}`;
    expect((await visitor.get(path)).html).toContain('until then it can be refunded');
    expect((await visitor.get(`${path}/body.json`)).status).toBe(404);
    const failed = `UPDATE watch_delivery SET status = 'failed', attempts = 12, sending_at = created_at, answer_status = 500, answer_ms = 1204,
      answer = '<b>out of order</b>', error = 'HTTP 500' WHERE id = ?`;
    await server.accounts.write([{ sql: failed, args: [delivery] }]);
    const page = (await visitor.get(pageOf(id))).html;
    expect(page).toMatch(/2 items for 2 credits[\s\S]*Failed[\s\S]*HTTP 500 in 1,204 ms after 12 attempts/);
    expect(page).toContain('&lt;b>out of order&lt;/b>');
    expect((await visitor.get(path)).html).toContain('&quot;type&quot;: &quot;watch.delivery&quot;');
    const [row] = await server.accounts.read<DeliveryRow>({
      sql: 'SELECT * FROM watch_delivery WHERE id = ?',
      args: [delivery],
    });
    expect((await visitor.get(`${path}/body.json`)).html).toBe(row?.body);
    expect((await act(id, `deliveries/${delivery}/retry`)).location).toBe(`${pageOf(id)}?said=again`);
    await server.accounts.write([
      { sql: "UPDATE watch_delivery SET body = NULL, status = 'delivered' WHERE id = ?", args: [delivery] },
    ]);
    expect(await act(id, `deliveries/${delivery}/retry`)).toMatchObject({
      status: 409,
      html: expect.stringContaining('kept for 7 days'),
    });
    expect((await visitor.get(path)).html).toContain('It is no longer kept.');
  });
});

describe('what makes no watch', () => {
  it.each([
    ['no name', { ...HOOK, name: '' }, 'Name: '],
    ['no address', { ...HOOK, webhook: '' }, 'Address of the webhook: '],
    ['mail after each run', { ...WATCH, deliver: 'email' }, 'When: '],
    ['filters that match everything', { ...HOOK, query: '' }, 'Most credits a day: These filters match everything'],
    ['a filter that is none', { ...HOOK, value_min: 'cheap' }, 'Value from: '],
    ['a limit that is no number', { ...HOOK, credits_per_day_max: 'few' }, 'Most credits a day: '],
  ])('%s is refused with what was typed', async (_what, fields, fault) => {
    const { answer } = await make(fields);
    expect(answer).toMatchObject({ status: 422, html: expect.stringMatching(`role="alert"><p>${fault}`) });
    if (fields.name) expect(answer.html).toContain('value="Upkeep"');
  });

  it('nor does a preview, a form from elsewhere, a stranger, one too many, or a stopped account', async () => {
    visitor = await addPerson();
    const preview = (query: string) => visitor.post('/dashboard/watches', { ...HOOK, query, name: '', act: 'preview' });
    for (const query of ['clea', 'clea\u0301']) expect((await preview(query)).html).toContain('Nothing matched');
    expect((await visitor.post('/dashboard/watches', HOOK, { origin: 'https://evil.example' })).status).toBe(403);
    expect((await makeVisitor(server.url).post('/dashboard/watches', HOOK)).location).toMatch(
      /^\/sign-in\?next=new-watch/,
    );
    expect((await visitor.get('/dashboard/watches')).html).toContain('You have no watches yet');
    const { account_id } = await readRow((await make()).id);
    for (let number = 1; number < WATCHES_MAX; number++) await addWatch(server.accounts, { account_id });
    const message = expect.stringContaining(`may have ${WATCHES_MAX} watches`);
    expect((await make()).answer).toMatchObject({ status: 409, html: message });
    await setAccountState(server.accounts, account_id, 'frozen');
    expect((await make()).answer.html).toContain('This account is frozen.');
  });

  it('and nobody sees or touches the watch of another', async () => {
    visitor = await addPerson();
    const { id } = await make();
    const delivery = (await addDelivery(server.accounts, id, ['a'])) ?? '';
    visitor = await addPerson();
    for (const path of ['', '/edit', '/delete', `/deliveries/${delivery}`, `/deliveries/${delivery}/body.json`])
      expect([path, (await visitor.get(pageOf(id) + path)).status]).toEqual([path, 404]);
    for (const name of ['pause', 'test', 'rotate', 'edit', 'delete', `deliveries/${delivery}/retry`])
      await act(id, name, { ...HOOK, name: 'Mine' });
    expect(await readRow(id)).toMatchObject({ state: 'active', name: 'Upkeep', former_secret: null });
    const stranger = await makeVisitor(server.url).get(pageOf(id));
    expect(stranger.location).toBe(`/sign-in?next=${encodeURIComponent(`watches/${id}`)}`);
  });
});
