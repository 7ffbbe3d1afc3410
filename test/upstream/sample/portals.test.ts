import { describe, expect, it } from 'vitest';
import { listServices } from '../../../ingest/sources/index.ts';
import { type Json, listBySource, type PublishedRelease } from '../data.ts';
import { makeSample } from './make.ts';

const sample = makeSample();
const bySource = listBySource(sample);
const all = [...bySource.values()].flat();
const fts = bySource.get('find_a_tender') ?? [];

interface Release extends Json {
  ocid: string;
  tag: string[];
  parties: (Json & { roles: string[] })[];
}
const releaseOf = ({ release }: PublishedRelease) => release as Release;

describe('the portals of Scotland and Wales in the sample', () => {
  it('have every notice type of theirs, with corrections and awards', () => {
    for (const source of listServices()) {
      if (source.asked !== 'by_cell') continue;
      const typed = [...(sample.byMonth.get(source.cliName) ?? [])];
      expect(new Set(typed.map(({ type }) => type)), source.id).toEqual(new Set(source.types.map(({ type }) => type)));
      const tags = new Set(typed.flatMap((each) => releaseOf(each).tag));
      expect(tags).toEqual(new Set(['planning', 'tender', 'tenderUpdate', 'award', 'contractAmendment']));
    }
  });

  it('have a tenth and a twentieth of it, with copies on Find a Tender of what is above the thresholds', () => {
    const copies = fts.filter((each) => JSON.stringify(each.release).includes('"rel":"canonical"'));
    const scottish = [...(bySource.get('public_contracts_scotland') ?? []), ...copies];
    expect(scottish.length / all.length).toBeGreaterThan(0.09);
    expect(scottish.length / all.length).toBeLessThan(0.14);
    const inWales = ({ parties }: Release) =>
      parties.some((party) => /"region":"UKL/.test(JSON.stringify(party)) && party.roles.includes('buyer'));
    const welsh = all.filter((each) => inWales(releaseOf(each)));
    expect(welsh.length / all.length).toBeGreaterThan(0.04);
    expect(welsh.length / all.length).toBeLessThan(0.08);
    const originals = new Map(
      (bySource.get('public_contracts_scotland') ?? []).map((each) => [releaseOf(each).ocid, each] as const).reverse(),
    );
    expect(copies.length).toBeGreaterThan(80);
    for (const { release, publishedAt } of copies) {
      const [link] = release.links as { href: string }[];
      const original = originals.get(link?.href.split('id=')[1] ?? '');
      expect(original && original.publishedAt < publishedAt, JSON.stringify(link)).toBe(true);
    }
    expect(originals.size).toBeGreaterThan(copies.length / 2);
  });
});
