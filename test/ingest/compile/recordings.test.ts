import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { describe, expect, it } from 'vitest';
import { compileOcid } from '../../../ingest/compile/ocid.ts';
import type { CompiledProcess } from '../../../ingest/compile/types.ts';
import { type ReadPage, readOcdsPage } from '../../../ingest/parse/page.ts';
import { toOcds } from '../../../schema/ocds/release.ts';
import { parseCompanyNumber } from '../../../schema/text/ids.ts';
import { haveRecordings, recordedFiles } from '../../upstream/recordings/known.ts';

const files = haveRecordings('reading every recorded file') ? recordedFiles() : [];

function readFile(file: string): ReadPage {
  const source = file.includes('/find-a-tender/') ? 'find_a_tender' : 'contracts_finder';
  return readOcdsPage(readFileSync(file), { source, url: basename(file) });
}

function compile(page: ReadPage): CompiledProcess[] {
  const releases = page.releases.map((release) => ({ ...release, fetchedAt: '2026-11-20T00:00:00Z' }));
  const ocids = [...new Set(releases.map(({ ocid }) => ocid))];
  return ocids.flatMap((ocid) =>
    compileOcid(
      ocid,
      releases.filter((release) => release.ocid === ocid),
    ),
  );
}

/** releases, notices, contracts, suppliers, frameworks, quarantined: what one file holds. */
type Counts = [number, number, number, number, number, number];

function countRows(page: ReadPage): Counts {
  const processes = compile(page);
  const sum = (count: (process: CompiledProcess) => number) => processes.reduce((all, one) => all + count(one), 0);
  return [
    page.releases.length,
    sum(({ notices }) => notices.length),
    sum(({ contracts }) => contracts.length),
    sum(({ parties }) => parties.filter(({ role }) => role === 'supplier').length),
    sum(({ framework }) => (framework ? 1 : 0)),
    page.quarantined.length,
  ];
}

const PAGES: Record<string, { counts: Counts; repairs?: Record<string, number>; unknown?: unknown[] }> = {
  'search-page-2025-01-23-mojibake.json': { counts: [100, 96, 57, 70, 5, 0], repairs: { double_encoded_text: 28 } },
  // One award was published twice, under two award numbers, and a street is `null` in letters.
  'search-page-hundred-releases.json': { counts: [100, 94, 25, 25, 4, 0], repairs: { null_in_letters: 1 } },
  'search-page-publishedTo-2022-10-20.json': {
    counts: [100, 88, 48, 49, 1, 0],
    // The service's own word for a status it could not map.
    unknown: [{ field: 'tender.status', value: 'InvalidStatus' }],
  },
  'search-pages-five-releases-b.json': { counts: [5, 5, 2, 8, 0, 0] },
  'search-pages-five-releases.json': { counts: [5, 5, 2, 8, 0, 0] },
  '002109-2021.json': { counts: [1, 1, 0, 0, 0, 0], repairs: { object_for_array: 1 } },
  '028961-2025.json': { counts: [1, 1, 1, 1, 0, 0] },
  '029664-2025.json': { counts: [1, 1, 5, 5, 0, 0] },
  '032703-2026_ocds.json': { counts: [1, 1, 0, 0, 0, 0] },
  '037689-2026_ocds.json': { counts: [1, 1, 0, 0, 0, 0] },
  '052408-2025.json': { counts: [1, 1, 6, 3, 1, 0] },
  '083563-2026.json': { counts: [1, 1, 0, 0, 0, 0] },
  '083650-2026.json': { counts: [1, 1, 1, 1, 0, 0] },
  // A delta of 34 awards: one notice, no contract.
  '083685-2026.json': { counts: [1, 1, 0, 0, 1, 0] },
  'page-2026-05-tenders.json': { counts: [20, 20, 0, 0, 5, 0], repairs: { unlimited_number: 3 } },
  'page-2026-09-03-p001.json': { counts: [5, 5, 2, 1, 0, 0] },
  // A transparency notice announces an award that is not made yet.
  'page-2026-09-03-p002.json': { counts: [3, 3, 1, 2, 0, 0] },
  'ocds-h6vhtk-0525b3.json': { counts: [1, 1, 1, 1, 0, 0], repairs: { compiled_release_read: 1 } },
};

const OTHER_SHAPES: Record<string, string> = {
  'charges_pfb_hire.json': 'a Companies House charges list',
  'company_candour.json': 'a Companies House company profile',
  'company_candour_last_account_type.json': 'a Companies House company profile',
  'filing_pfb_hire.json': 'a Companies House filing history',
  'filing_tell_aldi.json': 'a Companies House filing history',
  'insolvency_london_airways.json': 'a Companies House insolvency answer',
  'search_result_you.json': 'a Companies House search answer',
  'basic-company-data-2020-05-01-sample.csv.gz': 'a gzip file',
  'basic-company-data-2021-as-published.csv': 'a CSV file',
  'ch_part1_2.zip': 'a zip archive',
  'ch_part2_2.zip': 'a zip archive',
  'harvester-daily-2020-08-05.csv': 'a CSV file',
  'search-export-2020-04-16.csv.gz': 'a gzip file',
  'get_published_notice-69eb20f9.json': 'a Contracts Finder REST v2 notice',
  'search_notices-2025-11-08.json': 'a Contracts Finder REST v2 search answer',
};

const isSingle = (file: string) => /\/notices-20\d\d-20\d\d\//.test(file);
const named = files.filter((file) => !isSingle(file));

describe.skipIf(files.length === 0)('every recorded file', () => {
  it('is known to this test', () => {
    const known = [...Object.keys(PAGES), ...Object.keys(OTHER_SHAPES)].toSorted();
    expect(named.map((file) => basename(file)).toSorted()).toEqual(known);
  });

  it.each(named.filter((file) => basename(file) in PAGES))('%s is read whole', (file) => {
    const expected = PAGES[basename(file)];
    const page = readFile(file);
    expect(countRows(page)).toEqual(expected?.counts);
    expect(page.repairs).toEqual(expected?.repairs ?? {});
    expect(page.unknown).toEqual(expected?.unknown ?? []);
  });

  it.each(named.filter((file) => basename(file) in OTHER_SHAPES))('%s is refused by name', (file) => {
    expect(() => readFile(file)).toThrow(`not an OCDS package: ${OTHER_SHAPES[basename(file)]}`);
  });

  it.each([
    ['notices-2014-2015', 100, [100, 100, 0, 0, 16, 0]],
    ['notices-2017-2021', 140, [140, 140, 140, 1521, 76, 0]],
  ])('%s: one notice a file, nothing repaired, nothing unexplained', (folder, count, total) => {
    const single = files.filter((file) => file.includes(`/${folder}/`));
    expect(single).toHaveLength(count);
    const sums = [0, 0, 0, 0, 0, 0];
    for (const file of single) {
      const page = readFile(file);
      const counts = countRows(page);
      expect([file, counts[0], counts[1], page.repairs, page.unknown]).toEqual([file, 1, 1, {}, []]);
      for (const [index, value] of counts.entries()) sums[index] = (sums[index] ?? 0) + value;
    }
    expect(sums).toEqual(total);
  });
});

describe.skipIf(files.length === 0)('what the recordings become', () => {
  const readable = files.filter((file) => isSingle(file) || basename(file) in PAGES);
  const pages = readable.map(readFile);
  const processes = pages.flatMap(compile);

  it('a supplier published with a valid company number resolves to it', () => {
    let checked = 0;
    for (const release of pages.flatMap((page) => page.releases)) {
      const own = toOcds(release.json).parties.filter(({ identifier }) => identifier?.scheme === 'GB-COH');
      const [process] = processes.filter(({ ocid }) => ocid === release.ocid);
      for (const { identifier, name } of own) {
        const number = parseCompanyNumber(identifier?.id ?? '');
        const found = process?.parties.filter(({ role, sighting }) => role === 'supplier' && sighting.ids.length > 0);
        if (!number || !found?.length || !name) continue;
        expect(found.flatMap(({ sighting }) => sighting.ids)).toContain(`GB-COH-${number}`);
        checked += 1;
      }
    }
    expect(checked).toBeGreaterThan(500);
  });

  it('no HTML and no entity in any title, description or name; an official page for every notice', () => {
    for (const { notices, contracts, parties, documents } of processes) {
      const texts = [
        ...notices.flatMap(({ title, description }) => [title, description]),
        ...contracts.map(({ title }) => title),
        ...parties.map(({ sighting }) => sighting.name),
      ];
      for (const text of texts) expect(text).not.toMatch(/<\/?(?:br|p|li|b|ul|div|span|a)\b|&(?:[a-z]+|#\d+);/i);
      for (const { noticeId, url, published } of notices) {
        expect(url).toMatch(/^https:\/\/www\.(?:find-tender|contractsfinder)\.service\.gov\.uk\/Notice\/[0-9a-f-]+$/);
        expect(documents.filter((document) => document.notice_id === noticeId && document.url === url)).toHaveLength(1);
        expect(published).toMatch(/^20[12]\d-\d\d-\d\d$/);
      }
    }
  });

  it('nothing stored holds a contact point', () => {
    for (const { body } of pages.flatMap((page) => page.releases))
      expect(body).not.toMatch(/"(?:contactPoint|additionalContactPoints)":/);
  });
});
