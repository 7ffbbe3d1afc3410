import { readFile } from 'node:fs/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { compileOcid } from '../../../ingest/compile/ocid.ts';
import type { CompiledProcess } from '../../../ingest/compile/types.ts';
import type { StoredRelease } from '../../../ingest/merge/uk.ts';
import { readLink } from '../../../schema/text/document-links.ts';
import type { PublishedRelease } from '../../upstream/data.ts';
import { haveRecordings, readKnownRecordings, recordedFiles } from '../../upstream/recordings/known.ts';
import { findTexts, hasMarkup } from '../served-texts.ts';
import { read, stored } from './releases.ts';

const present = haveRecordings('reading the texts and documents of genuine notices');

function compileAll(source: string, published: Iterable<PublishedRelease>): CompiledProcess[] {
  const byOcid = new Map<string, StoredRelease[]>();
  for (const { release } of published)
    for (const one of stored([release], source)) byOcid.set(one.ocid, [...(byOcid.get(one.ocid) ?? []), one]);
  return [...byOcid].flatMap(([ocid, releases]) => compileOcid(ocid, releases));
}

/** The notices of two folders, one to a package. */
async function compilePackages(folders: readonly string[]): Promise<CompiledProcess[]> {
  const files = folders.flatMap((folder) => recordedFiles(`contracts-finder/${folder}`));
  const packages = files.map(async (path) => {
    const { releases } = read(await readFile(path), 'contracts_finder');
    return releases.map((release): StoredRelease => ({ ...release, fetchedAt: '2026-03-02T00:00:00Z' }));
  });
  return (await Promise.all(packages)).flatMap((releases) => compileOcid(releases[0]?.ocid ?? '', releases));
}

describe.skipIf(!present)('the genuine recordings', () => {
  let processes: CompiledProcess[];
  let published: string;
  beforeAll(async () => {
    const data = await readKnownRecordings();
    const [old, recent] = [[...data.contractsFinder], [...data.findATender]];
    published = JSON.stringify([...old, ...recent].map(({ release }) => release));
    processes = [...compileAll('contracts_finder', old), ...compileAll('find_a_tender', recent)];
  });

  it('leave no tag and no entity in any text', () => {
    expect(hasMarkup(published)).toBe(true);
    expect(processes.length).toBeGreaterThan(500);
    const texts = processes.flatMap((process) => findTexts(process));
    expect(texts.filter(hasMarkup)).toEqual([]);
  });

  it('list the official page of every notice that its release or package names, before its other documents', async () => {
    const numbered = processes.filter(({ notices }) => notices.some(({ url }) => url !== null));
    expect(numbered.length).toBeGreaterThan(300);
    // Releases of before 2022 do not say what their notice is called, the package each came in does.
    const lone = await compilePackages(['notices-2014-2015', 'notices-2017-2021']);
    expect(lone.length).toBe(240);
    for (const { notices, documents } of [...numbered, ...lone]) {
      const pages = notices.map(({ url }) => url);
      expect(notices.map(({ detail }) => detail.documents[0]?.url)).toEqual(pages);
      expect(documents.map(({ url }) => url)).toEqual(expect.arrayContaining(pages));
      expect(documents.find(({ type }) => type === 'notice')).toMatchObject({
        language: 'en',
        published: expect.any(String),
      });
    }
  });

  it('give every document a name and an address, and say of what kind it is', () => {
    const documents = processes.flatMap((process) => process.documents);
    expect(documents.every(({ name, url }) => name !== '' && url !== '')).toBe(true);
    const junk = documents.filter(({ url }) => readLink(url).junk);
    const kinds = new Set(junk.map(({ url }) => readLink(url).kind));
    expect([...kinds].toSorted()).toEqual(['broken', 'landing_page', 'login_page']);
    expect(junk.length).toBeLessThan(documents.length / 10);
  });
});
