import { FACETS, type FacetName } from '../../../search/filters/facets.ts';
import { BOUND_ROWS } from '../../../search/filters/read.ts';
import { InvalidInput } from '../../contract/errors.ts';

/** Refuses a lower bound above its upper one. @throws InvalidInput */
export function checkBounds(input: object): void {
  const given = input as Readonly<Record<string, string | number | undefined>>;
  for (const least of BOUND_ROWS.filter(({ comparison }) => comparison === '>=')) {
    for (const most of BOUND_ROWS.filter(({ field, comparison }) => field === least.field && comparison === '<=')) {
      checkPair(least.name, given[least.name], most.name, given[most.name]);
    }
  }
}

/** What no single input of a search can tell. @throws InvalidInput */
export function checkSearch(input: { facets?: string | undefined }, known?: readonly FacetName[]): void {
  checkBounds(input);
  parseFacets(input.facets, known);
}

/** Facet names of a comma-separated list. @throws InvalidInput naming those that can be had. */
export function parseFacets(list: string | undefined, known: readonly FacetName[] = FACETS): FacetName[] {
  return parseNames('facets', list, known) as FacetName[];
}

function parseNames(input: string, list: string | undefined, known: readonly string[]): string[] {
  const names = (list ?? '')
    .split(',')
    .map((name) => name.trim().toLowerCase())
    .filter(Boolean);
  const unknown = names.filter((name) => !known.includes(name));
  if (unknown.length === 0) return [...new Set(names)];
  const expected = known.join(', ');
  throw new InvalidInput({
    path: [input],
    msg: `unknown: ${unknown.join(', ')}; known are ${expected}`,
    type: 'literal_error',
    input: list,
    ctx: { expected },
  });
}

function checkPair<T extends number | string>(
  least: string,
  from: T | undefined,
  most: string,
  to: T | undefined,
): void {
  if (from === undefined || to === undefined || from <= to) return;
  throw new InvalidInput({ path: [least], msg: `${least} is above ${most}`, type: 'value_error', input: from });
}
