import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it } from 'vitest';
import type { ContractCase, FrameworkCase } from './cases.ts';
import { lots, otherwiseParted } from './corrections/lots.ts';
import { notReplaced } from './corrections/not-replaced.ts';
import { powerOfTen } from './corrections/power-of-ten.ts';
import { replaced } from './corrections/replaced.ts';
import { replacedSuppliers } from './corrections/replaced-suppliers.ts';
import { byField } from './frameworks/by-field.ts';
import { byWords } from './frameworks/by-words.ts';
import { callOffs } from './frameworks/call-offs.ts';
import { otherPurchases } from './frameworks/other-purchases.ts';
import type { Json } from './releases/notice.ts';
import { releasePackage } from './releases/package.ts';
import { changingIds } from './suppliers/changing-ids.ts';
import { contractSuppliers } from './suppliers/contract-suppliers.ts';
import { inline } from './suppliers/inline.ts';
import { inlineDetails } from './suppliers/inline-details.ts';
import { numberedInRelease } from './suppliers/numbered-in-release.ts';
import { oneSupplier } from './suppliers/one-supplier.ts';
import { otherParties } from './suppliers/other-parties.ts';
import { references } from './suppliers/references.ts';
import { sharedId } from './suppliers/shared-id.ts';
import { spellings } from './suppliers/spellings.ts';

type AnyCase = ContractCase | FrameworkCase;

const suppliers = [
  ...inline,
  ...inlineDetails,
  ...sharedId,
  ...changingIds,
  ...references,
  ...contractSuppliers,
  ...numberedInRelease,
  ...spellings,
  ...oneSupplier,
  ...otherParties,
];

const SETS: { set: string; cases: AnyCase[]; atLeast: number }[] = [
  { set: 'suppliers', cases: suppliers, atLeast: 50 },
  {
    set: 'corrections',
    cases: [...replaced, ...replacedSuppliers, ...powerOfTen, ...lots, ...otherwiseParted, ...notReplaced],
    atLeast: 40,
  },
  { set: 'frameworks', cases: [...byField, ...byWords, ...callOffs, ...otherPurchases], atLeast: 30 },
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
