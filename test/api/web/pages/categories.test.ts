import { h } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Summary } from '../../../../api/web/summary/kept.ts';
import { Groups } from '../../../../api/web/summary/tables.tsx';
import { endTakedown, recordTakedown } from '../../../../ingest/takedown/record.ts';
import type { Summaries } from '../../../../search/summary/open.ts';
import { makeSeededEngine } from '../engine.ts';
import { IDS, seedCatalogue } from '../seed.ts';
import { type Site, startSite } from '../site.ts';
import { wordsIn } from '../visitor.ts';

let site: Site;
/** What was added up, and whether it can be. */
const asked: Parameters<Summaries['summarise']>[0][] = [];
let isDown = false;
let held: Promise<void> | undefined;
beforeAll(async () => {
  site = await startSite({ APP_URL: 'https://example.org' }, makeSeededEngine());
  await seedCatalogue(site.services.catalogue);
  await addContracts();
  const { summaries } = site.services;
  const summarise = summaries.summarise.bind(summaries);
  summaries.summarise = async (query) => {
    asked.push(query);
    if (isDown) throw new Error('no summaries now');
    await held;
    return summarise(query);
  };
});
afterAll(() => site?.close());

const detailOf = (cpv: string, region: string) =>
  JSON.stringify({ lots: [], warnings: [], regions: [{ code: region, name: region }], cpvs: [cpv] });

/** Copies of the seeded contract: years, codes and regions of their own, one of them shared, one a place on a framework. */
async function addContracts(): Promise<void> {
  const copy = (at: number, cpv: string, region: string, value: number, valueClass: string) => {
    const day = `${2020 + at}-05-01`;
    const columns =
      'process_id, ocid, source, notice_id, title, buyer_id, buyer, supplier, suppliers, currency, value_basis, status, digest, seq';
    const sql = `INSERT INTO contract (id, award_id, awarded, sort_date, cpv, detail, value, value_class, procedure, ${columns})
      SELECT ?, ?, ?, ?, ?, ?, ?, ?, 'open', ${columns} FROM contract WHERE id = '${IDS.contract}'`;
    const id = `${IDS.process}_copy-${at}`;
    return [
      { sql, args: [id, `copy-${at}`, day, day, cpv, detailOf(cpv, region), value, valueClass] },
      {
        sql: 'INSERT INTO contract_supplier (contract_id, company_id, position, sort_date) VALUES (?, ?, 0, ?)',
        args: [id, IDS.company, day],
      },
    ];
  };
  await site.services.catalogue.write([
    { sql: "INSERT OR REPLACE INTO counter (name, value) VALUES ('seq', 1)", args: [] },
    {
      sql: 'UPDATE contract SET cpv = ?, detail = ?, framework_role = NULL',
      args: ['45000000', detailOf('45000000', 'UKI')],
    },
    { sql: 'UPDATE notice SET cpv = ? WHERE notice_id = ?', args: ['45210000', IDS.award] },
    ...copy(1, '45210000', 'UKI', 100_000, 'sum'),
    ...copy(2, '45233140', 'UKC', 250_000.5, 'sum'),
    ...copy(3, '45233140', 'UKC', 70_000, 'shared'),
    ...copy(4, '72200000', 'England', 3_000_000, 'sum'),
    ...copy(5, '72200000', 'UKI', 9_000_000, 'framework_ceiling'),
    { sql: "UPDATE contract SET framework_role = 'establishes' WHERE award_id = 'copy-5'", args: [] },
  ]);
}

const get = (path: string) => site.visitor().get(path);
const htmlOf = async (path: string) => (await get(path)).html.replaceAll('&amp;', '&');
const wordsOf = async (path: string) => wordsIn(await htmlOf(path));

describe('the categories', () => {
  it('are listed with their contracts and sums, the greatest first, each leading to its page', async () => {
    const html = await htmlOf('/categories');
    const places = ['href="/categories/72"', 'href="/categories/45"'].map((link) => html.indexOf(link));
    expect(places[0]).toBeGreaterThan(0);
    expect(places).toEqual(places.toSorted((one, other) => one - other));
    const words = await wordsOf('/categories');
    expect(words).toMatch(/Category Contracts Framework places Value Share IT services[^£]* 1 1 £3,000,000 69%/);
    expect(words).toContain('Construction work 4 0 £1,340,001 31%');
  });

  it('have one address each; one that the CPV does not have is not found', async () => {
    for (const other of ['45000000', '45000000-7', '450']) {
      expect((await get(`/categories/${other}`)).location).toBe('/categories/45');
    }
    expect((await get('/categories/45?region=TLI&colour=red')).location).toBe('/categories/45?region=UKI');
    expect((await get('/categories/45?region=')).location).toBe('/categories/45');
    for (const none of ['01', '4x', '123456789', '%3Cscript%3E']) {
      expect((await get(`/categories/${none}`)).status).toBe(404);
    }
  });

  it('have the name that any of their notices gives: those of Scotland and Wales give none', async () => {
    const { catalogue } = site.services;
    const give =
      "UPDATE notice SET cpv = '48810000', detail = json_set(detail, '$.cpv_descriptions', json(?)) WHERE notice_id = ?";
    const words = JSON.stringify({ 48810000: 'Information systems' });
    const known = await catalogue.read<Record<'notice_id' | 'cpv' | 'detail', string>>({
      sql: 'SELECT notice_id, cpv, detail FROM notice',
    });
    for (const named of [IDS.tender, IDS.award]) {
      const args = [IDS.tender, IDS.award].map((id) => [id === named ? words : '{}', id]);
      await catalogue.write(args.map((each) => ({ sql: give, args: each })));
      expect(await wordsOf('/categories/4881'), named).toContain('Information systems');
    }
    const back = 'UPDATE notice SET cpv = ?, detail = ? WHERE notice_id = ?';
    await catalogue.write(known.map(({ notice_id, cpv, detail }) => ({ sql: back, args: [cpv, detail, notice_id] })));
  });
});

describe('the page of a category', () => {
  it('adds up its contracts by year, supplier, buyer, region and closer code, and says what is in no sum', async () => {
    const words = await wordsOf('/categories/45');
    expect(words).toContain('4 contracts £1,340,001 in total, over 3 contracts with a value of their own');
    expect(words).toContain('not in the sums: shared by several suppliers: 1');
    // A contract for roads whose second code is IT would look like a purchase of IT.
    expect(words).toContain('A contract with several codes counts whole in the category of each');
    expect(words).toMatch(/From 2021 to 2026\. Most in 2026: £990,000\./);
    expect(words).toContain('2022 1 £250,001');
    expect(words).toMatch(
      /Regions Region Contracts Value Share London 2 £1,090,000 81% North East \(?[\w) ]*2 £250,001 19%/,
    );
    expect(words).toMatch(/By main code .* no closer code 1 £990,000 74%/);
    const html = await htmlOf('/categories/45');
    expect(html).toContain(`href="/companies/${IDS.company}"`);
    expect(html).toContain(`href="/buyers/${IDS.buyer}"`);
    expect(html).toContain('href="/categories/452"');
    expect(html).toContain('href="/renewals?cpv=45"');
    expect(html).toContain('rel="canonical" href="https://example.org/categories/45"');
  });

  it('says one place, and one other group, in the singular; a share that rounds to nothing is below 1%', async () => {
    const group = (name: string, GBP: number, share: number) => ({
      id: name,
      name,
      contract_count: 1,
      value_total: { GBP },
      share,
    });
    const summary = {
      groups: [group('Much', 1e9, 1), group('Little', 40_000, 0), group('Nothing', 0, 0)],
      group_count: 4,
      others: { contract_count: 1, value_total: { GBP: 10 } },
    } as unknown as Summary;
    const words = wordsIn(renderToString(h(Groups, { title: 'Suppliers', head: 'Supplier', summary })));
    expect(words).toMatch(/Much .*100% .*Little .*below 1% of the pounds .* below 1% Nothing .*0% 1 other 1 £/);
    expect(await wordsOf('/categories/72')).toContain('1 contract 1 place on a framework £3,000,000');
  });

  it('leads from a region to itself narrowed to it, and from a place without a code to its contracts', async () => {
    const html = await htmlOf('/categories/72');
    expect(html).toContain('href="/categories/72?region=UKI"');
    expect(html).toContain('href="/contracts?cpv=72&region=England"');
  });

  it('is narrowed to a region, which its links keep', async () => {
    const words = await wordsOf('/categories/45?region=UKC');
    expect(words).toContain('Construction work in North East');
    expect(words).toContain('2 contracts £250,001 in total, over 1 contract');
    const html = await htmlOf('/categories/45?region=UKC');
    expect(html).toContain('href="/contracts?cpv=45&region=UKC"');
    expect(html).toContain('<option value="UKC" selected>North East');
    expect(html).not.toContain('<h2>Regions</h2>');
    expect(await htmlOf('/categories/45?region=UK')).toContain('<option value="UK" selected>United Kingdom');
    expect(await htmlOf('/categories/45?region=UKI3')).toContain('<option value="UKI3" selected>');
  });

  it('is added up once within ten minutes, and says so where it cannot be', async () => {
    const before = asked.length;
    await htmlOf('/categories/45');
    expect(asked.length).toBe(before);
    isDown = true;
    const { status, html } = await get('/categories/452');
    expect([status, html.includes('The sums of contracts are not available at the moment')]).toEqual([200, true]);
    isDown = false;
    expect(await wordsOf('/categories/452')).toContain('£350,001 in total');
  });

  it('is left out, which is no fault for the log, while others are added up', async () => {
    const before = site.operator.lines.length;
    let release: () => void = () => undefined;
    held = new Promise((resolve) => {
      release = resolve;
    });
    const pages = ['D', 'E', 'F', 'G', 'H', 'J'].map((region) => get(`/categories/45?region=UK${region}`));
    const { status, html } = await Promise.race(pages);
    release();
    expect([status, html.includes('The sums of contracts are not available at the moment')]).toEqual([200, true]);
    await Promise.all(pages);
    expect(site.operator.lines.slice(before)).toEqual([]);
  });
});

describe('a sole trader who was taken down', () => {
  it('is on no page of sums any more, though they were added up before', async () => {
    const { catalogue } = site.services;
    const become = (name: string, number: string | null) => ({
      sql: 'UPDATE company SET name = ?, company_number = ? WHERE id = ?',
      args: [name, number, IDS.company],
    });
    const person = 'Jo Example';
    await catalogue.write([become(person, null)]);
    expect(await wordsOf('/categories/45?region=UKI')).toContain(person);
    const terms = { names: [person], texts: [], emails: [], telephones: [] };
    const how = { reason: 'asked', now: new Date(), before: [] };
    const { id } = await recordTakedown(catalogue, { kind: 'person', terms }, how);
    expect(await wordsOf('/categories/45?region=UKI')).toContain(person);
    await catalogue.write([become('[withheld]', null), endTakedown(id)]);
    expect(await wordsOf('/categories/45?region=UKI')).not.toContain(person);
    await catalogue.write([become('HARROW & PIKE', '01234567')]);
  });
});

describe('the page of an organisation', () => {
  it.each([
    [
      'buyers',
      IDS.buyer,
      'buyer_id',
      'What it buys',
      'Procedure Contracts Framework places Value Share Open 4 1',
      'procedure=open',
    ],
    ['companies', IDS.company, 'company_number', 'What it supplies', 'Where Region Contracts', 'region=UKI'],
  ])(
    'of %s adds up what it is about, each line leading to its contracts',
    async (folder, id, filter, head, second, link) => {
      const [table, column] = folder === 'buyers' ? ['buyer', 'contract_count'] : ['company', 'contract_count'];
      await site.services.catalogue.write([{ sql: `UPDATE ${table} SET ${column} = 5`, args: [] }]);
      const words = await wordsOf(`/${folder}/${id}`);
      expect(words).toMatch(
        new RegExp(`${head} Category Contracts Framework places Value Share IT services[^£]* 1 1 £3,000,000 69%`),
      );
      expect(words).toContain(second);
      const html = await htmlOf(`/${folder}/${id}`);
      expect(html).toContain(`href="/contracts?${filter}=${id}&cpv=72"`);
      expect(html).toContain(`href="/contracts?${filter}=${id}&${link}"`);
    },
  );
});
