import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findMistyped } from '../../../schema/config/mistyped-names.ts';
import { readSettings, SETTINGS } from '../../../schema/config/settings.ts';

const NAMES = Object.keys(SETTINGS);
const LETTERS = [...'AEX_1'];

const refusal = (name: string): string => {
  try {
    readSettings({ [name]: 'x' });
    return '';
  } catch (error) {
    return (error as Error).message;
  }
};

/** Every name that one slip makes of a name: a letter left out, added, wrong, or swapped with the next. */
function slips(name: string): string[] {
  const made = [...name].flatMap((_, at) => [
    name.slice(0, at) + name.slice(at + 1),
    name.slice(0, at) +
      name
        .slice(at, at + 2)
        .split('')
        .toReversed()
        .join('') +
      name.slice(at + 2),
    ...LETTERS.flatMap((letter) => [
      name.slice(0, at) + letter + name.slice(at + 1),
      name.slice(0, at) + letter + name.slice(at),
      name + letter,
    ]),
  ]);
  return [...new Set(made)].filter((one) => one !== name && !NAMES.includes(one));
}

describe('a mistyped setting', () => {
  it('of one slip is found, for every setting', () => {
    const made = NAMES.flatMap((name) => slips(name).filter((slip) => name.length > 4 || slip[0] === name[0]));
    const found = new Set(findMistyped(made, NAMES).map(({ name }) => name));
    expect(made.length).toBeGreaterThan(5_000);
    expect(made.filter((slip) => !found.has(slip))).toEqual([]);
  });

  it.each([
    ['ACCOUNT_URL', 'ACCOUNTS_URL'],
    ['CATALOG_URL', 'CATALOGUE_URL'],
    ['DATADIR', 'DATA_DIR'],
    ['data_dir', 'DATA_DIR'],
    ['DATA-DIR', 'DATA_DIR'],
    ['TRUSTED_PROXY', 'TRUST_PROXY'],
    ['STRIPE_SECRETKEY', 'STRIPE_SECRET_KEY'],
    ['PROT', 'PORT'],
    ['BS_OF', 'AS_OF'],
    ['KEYREQUESTSPERMINUTE', 'KEY_REQUESTS_PER_MINUTE'],
  ])('%s is refused: %s was meant', (name, meant) => {
    expect(refusal(name)).toBe(`bad settings:\n  ${name}: no such setting; did you mean ${meant}?`);
  });

  it('of two slips in a long name is refused, and its value is never repeated', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...NAMES.filter((name) => name.length >= 10)),
        fc.nat(),
        fc.nat(),
        (name, first, second) => {
          const middle = Math.floor(name.length / 2);
          const [begins, ends] = [slips(name.slice(0, middle)), slips(name.slice(middle))];
          const slip = `${begins[first % begins.length]}${ends[second % ends.length]}`;
          if (NAMES.includes(slip)) return;
          expect(refusal(slip)).toContain(`${slip}: no such setting; did you mean `);
          expect(refusal(slip)).not.toContain('"x"');
        },
      ),
      { numRuns: 100 },
    );
  });

  it('is no name of another program', () => {
    const others =
      'PATH HOME HOSTNAME USER LANG TZ TERM PWD SHELL NODE_ENV NODE_OPTIONS MEILI_MASTER_KEY MEILI_ENV MEILI_NO_ANALYTICS SQLD_NODE SQLD_DB_PATH KUBERNETES_PORT KUBERNETES_SERVICE_HOST AWS_ACCESS_KEY_ID DATABASE_URL GITHUB_TOKEN POSTGRES_PORT npm_config_cache VITEST_POOL_ID NO_PROXY HTTP_PROXY COST';
    for (const name of others.split(' ')) expect([name, refusal(name)]).toEqual([name, '']);
  });
});
