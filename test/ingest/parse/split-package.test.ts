import { describe, expect, it } from 'vitest';
import { splitPackage } from '../../../ingest/parse/split-package.ts';

/** The package in pieces of so many bytes. */
async function* inPieces(text: string, bytes: number): AsyncGenerator<Uint8Array> {
  const whole = Buffer.from(text);
  for (let from = 0; from < whole.length; from += bytes) yield whole.subarray(from, from + bytes);
}

/** The packages of two releases at most that a text is cut into. */
async function split(text: string, bytes = 7): Promise<unknown[]> {
  const packages: unknown[] = [];
  for await (const one of splitPackage(inPieces(text, bytes), 2))
    packages.push(JSON.parse(Buffer.from(one).toString()));
  return packages;
}

const release = (n: number) => ({ ocid: `ocds-r6ebe6-${n}`, id: `"[{,\\ ${n}`, tender: { lots: [[], [{ n }]] } });
const packageOf = (count: number) => ({
  uri: 'http://x/?a={"releases":[1]}',
  publishedDate: '2026-09-19',
  releases: Array.from({ length: count }, (_, n) => release(n)),
  publisher: { name: 'A' },
});

describe('a package that is cut while it arrives', () => {
  it.each([1, 2, 7, 64, 100_000])('comes out release by release in pieces of %d bytes', async (bytes) => {
    for (const spaces of [0, 2]) {
      expect(await split(JSON.stringify(packageOf(5), null, spaces), bytes)).toMatchObject([
        { publishedDate: '2026-09-19', releases: [release(0), release(1)] },
        { releases: [release(2), release(3)] },
        { releases: [release(4)] },
      ]);
    }
  });

  it('holds of a month of 5,000 releases no more than a page', async () => {
    const longest = { bytes: 0, releases: 0 };
    for await (const page of splitPackage(inPieces(JSON.stringify(packageOf(5_000)), 65_536), 200)) {
      longest.bytes = Math.max(longest.bytes, page.length);
      longest.releases += (JSON.parse(Buffer.from(page).toString()) as { releases: [] }).releases.length;
    }
    expect(longest.releases).toBe(5_000);
    expect(longest.bytes).toBeLessThan(30_000);
  });

  it('tells a package without releases from an answer of another kind', async () => {
    const { releases: _none, ...empty } = packageOf(0);
    for (const none of [empty, packageOf(0)]) expect(await split(JSON.stringify(none))).toEqual([]);
    for (const other of [
      '{}',
      '{"error":"busy"}',
      '{"version":"1.1","releases":null}',
      '{"version":"1.1","releases":{}}',
    ])
      await expect(split(other)).rejects.toThrow(/not an OCDS package/);
    await expect(split('')).rejects.toThrow('an empty body');
    await expect(split('<html><title>Error</title>', 100)).rejects.toThrow('an HTML page');
    await expect(split(JSON.stringify(packageOf(5)).slice(0, -40))).rejects.toThrow('it ends in the middle of a value');
  });
});
