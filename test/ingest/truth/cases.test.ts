import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it } from 'vitest';
import type { ContractCase, FrameworkCase } from './cases.ts';
import type { Json } from './releases/notice.ts';
import { releasePackage } from './releases/package.ts';
import { CORRECTIONS, FRAMEWORKS, SUPPLIERS } from './sets.ts';

type AnyCase = ContractCase | FrameworkCase;

const SETS: { set: string; cases: readonly AnyCase[]; atLeast: number }[] = [
  { set: 'suppliers', cases: SUPPLIERS, atLeast: 50 },
  { set: 'corrections', cases: CORRECTIONS, atLeast: 40 },
  { set: 'frameworks', cases: FRAMEWORKS, atLeast: 30 },
];

const OCID = { contracts_finder: /^ocds-b5fd17-./, find_a_tender: /^ocds-h6vhtk-./ };
const wellFormed = (source: AnyCase['source']) => (release: Json) =>
  OCID[source].test(String(release.ocid)) &&
  typeof release.id === 'string' &&
  Number.isFinite(Date.parse(String(release.date))) &&
  Array.isArray(release.tag);

describe.each(SETS)('the judging set $set', ({ cases, atLeast }) => {
  it(`has at least ${atLeast} cases of each kind, each with a name of its own`, () => {
    const names = cases.map(({ name }) => name);
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
    expect(cases.filter(({ kind }) => kind === 'positive').length).toBeGreaterThanOrEqual(atLeast);
    expect(cases.filter(({ kind }) => kind === 'near-miss').length).toBeGreaterThanOrEqual(atLeast);
  });

  it('holds releases in the shape and order of their publisher', () => {
    const wrong = cases.filter(({ source, releases }) => {
      const dates = releases.map(({ date }) => Date.parse(String(date)));
      return (
        !releases.length || !releases.every(wellFormed(source)) || dates.some((date, i) => date < (dates[i - 1] ?? 0))
      );
    });
    expect(wrong.map(({ name }) => name)).toEqual([]);
  });

  it('can be served: no two releases of a case share an id, and each package survives JSON', () => {
    const wrong = cases.filter(({ source, releases }) => {
      const served = releasePackage(source, releases);
      const ids = releases.map(({ ocid, id }) => `${ocid} ${id}`);
      return new Set(ids).size < ids.length || !isDeepStrictEqual(JSON.parse(JSON.stringify(served)), served);
    });
    expect(wrong.map(({ name }) => name)).toEqual([]);
  });
});
