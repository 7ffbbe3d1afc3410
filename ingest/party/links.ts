import { compareIds, compareText, strongSchemeOf } from '../../schema/text/ids.ts';
import { groupBy } from '../../schema/text/memoise.ts';

/**
 * One published fact about an identifier or a name, in lower case. `same_as`: two identifiers published together. `name_id`: the
 * identifier was published under this name; `register_name_id`: the register lists it so; `register_likely_id`: the register
 * lists it under a name that is certainly this one. `plain_name_id`: the identifier was published under a longer way to write
 * this name. `within`: a name with a postcode belongs to that name, and a longer way to write it to the plain one. `formerly`:
 * an id that the name had under an earlier rule, or has still where another had it too.
 */
export interface Link {
  token: string;
  field: LinkField;
  value: string;
}

export const LINK_FIELDS = [
  'same_as',
  'name_id',
  'plain_name_id',
  'register_name_id',
  'register_likely_id',
  'within',
  'formerly',
] as const;
type LinkField = (typeof LINK_FIELDS)[number];

/** Identifiers joined so far: each set with the schemes that allow it only one member. */
interface Sets {
  find(token: string): string;
  unite(a: string, b: string): void;
  /** Whether these may all be one: no strong scheme occurs in two of their sets. */
  agree(tokens: Iterable<string>): boolean;
  /** Whether nothing was published together with this one that a scheme allows only once. */
  isAlone(token: string): boolean;
}

function makeSets(): Sets {
  const parents = new Map<string, string>();
  const schemes = new Map<string, Set<string>>();
  const find = (token: string): string => {
    let root = token;
    for (let up = parents.get(root); up !== undefined; up = parents.get(root)) root = up;
    // Every token on the way leads straight to it from now on.
    for (let at = token; at !== root; ) {
      const up = parents.get(at) ?? root;
      parents.set(at, root);
      at = up;
    }
    return root;
  };
  const schemesOf = (root: string): Set<string> => {
    const scheme = strongSchemeOf(root);
    const known = schemes.get(root) ?? new Set(scheme ? [scheme] : []);
    schemes.set(root, known);
    return known;
  };
  return {
    find,
    unite(a, b) {
      const [from, to] = [find(a), find(b)];
      if (from === to) return;
      for (const scheme of schemesOf(from)) schemesOf(to).add(scheme);
      parents.set(from, to);
    },
    agree(tokens) {
      const roots = new Set([...tokens].map(find));
      const all = [...roots].flatMap((root) => [...schemesOf(root)]);
      return new Set(all).size === all.length;
    },
    isAlone: (token) => schemesOf(find(token)).size === 1,
  };
}

/** Sets of identifiers that were published together, and PPONs of one buyer that registered again. */
export function joinPublished(links: Iterable<Link>): Sets {
  const all = [...links];
  const sets = makeSets();
  joinTogether(sets, all);
  for (const ppons of pponsOfOne(all)) {
    const [first, ...others] = ppons.filter(sets.isAlone);
    for (const other of others) if (first !== undefined) sets.unite(first, other);
  }
  return sets;
}

/**
 * Unites what was published together. Two company numbers are two companies: what was published with both (a sister company's
 * number, by mistake) belongs to neither.
 */
function joinTogether(sets: Sets, links: readonly Link[]): void {
  const together = links.filter(({ field }) => field === 'same_as');
  for (const { token, value } of together)
    if (!isCompanyNumber(token) && !isCompanyNumber(value)) sets.unite(token, value);
  const numbered = together.flatMap(({ token, value }) => {
    if (isCompanyNumber(token) === isCompanyNumber(value)) return [];
    return [isCompanyNumber(token) ? { number: token, id: value } : { number: value, id: token }];
  });
  for (const [id, own] of groupBy(numbered, ({ id }) => sets.find(id))) {
    const [number, ...others] = new Set(own.map((one) => one.number));
    if (number !== undefined && others.length === 0) sets.unite(number, id);
  }
}

function isCompanyNumber(id: string): boolean {
  return strongSchemeOf(id) === 'GB-COH';
}

/**
 * PPONs that were published under one name at one postcode, and under no name that the others lack. A buyer that registers
 * again is given another one; a PPON that a notice states by mistake has its owner's name too.
 */
function pponsOfOne(links: readonly Link[]): string[][] {
  const own = links.filter(
    ({ token, field }) => (field === 'name_id' || field === 'plain_name_id') && strongSchemeOf(token) === 'GB-PPON',
  );
  const placed = [...groupBy(own, ({ token }) => token)].flatMap(([token, said]) => {
    const values = [...new Set(said.map(({ value }) => value))].toSorted();
    const names = values.filter((value) => !isPlace(value));
    return names.length === 0 ? [] : values.filter(isPlace).map((place) => ({ token, at: `${place} ${names.join()}` }));
  });
  return [...groupBy(placed, ({ at }) => at).values()].map((alike) => alike.map(({ token }) => token));
}

export interface Claims {
  notices: Set<string>;
  /** Published under a longer way to write the name: joined with the rest where all agree, and used alone where there are no others. */
  plain: Set<string>;
  register: Set<string>;
  /** Used only where nobody else claims the name. */
  likely: Set<string>;
}

const CLAIM_OF = {
  name_id: 'notices',
  plain_name_id: 'plain',
  register_name_id: 'register',
  register_likely_id: 'likely',
} as const;

/** The bearers of each name. A former id is not claimed by those who have the present one. */
export function claimsOf(links: Iterable<Link>): Map<string, Claims> {
  const all = [...links];
  const present = parentsAmong(
    all.filter(({ token, value }) => token !== value),
    'formerly',
  );
  const tied = new Set(all.map(({ token, value }) => `${token} ${value}`));
  const claims = new Map<string, Claims>();
  for (const { token, field, value } of all) {
    if (field === 'same_as' || isOfNames(field)) continue;
    const now = present.get(value) ?? '';
    // Two names may have given each other their ids.
    if (present.get(now) !== value && tied.has(`${token} ${now}`)) continue;
    const claim = claims.get(value) ?? { notices: new Set(), plain: new Set(), register: new Set(), likely: new Set() };
    claim[CLAIM_OF[field]].add(token);
    claims.set(value, claim);
  }
  return claims;
}

/**
 * The bearers of a name that may be one: all of them, otherwise the register's, otherwise those that notices name, otherwise none. The
 * register lists a name at its postcode; the number in a notice may be mistyped, a sister company's, or a charity's.
 */
export function bearersOf({ notices, plain, register, likely }: Claims, sets: Sets): string[] {
  const sure = new Set([...notices, ...register]);
  const tiers = sure.size > 0 ? [new Set([...sure, ...plain]), sure, register, notices] : [plain, likely];
  const [bearers = []] = tiers.filter((tier) => tier.size > 0 && sets.agree(tier));
  return [...bearers];
}

/**
 * Where every identifier and name leads. Identifiers published together are one; so are the bearers of one name, unless two of
 * them have different identifiers of one strong scheme. A name whose bearers disagree leads to itself; with a postcode, it leads
 * where the postcode decides. A pure function of the links: names are processed in alphabetical order, those with a postcode
 * (`at-…`) first.
 */
export function joinIdentities(links: Iterable<Link>, names: Iterable<string>): (node: string) => string {
  const all = [...links];
  const sets = joinPublished(all);
  const claims = claimsOf(all);
  const leads = new Map<string, string>();
  for (const name of [...new Set(names)].toSorted()) {
    const claim = claims.get(name);
    const [first, ...others] = claim ? bearersOf(claim, sets) : [];
    if (first === undefined) continue;
    for (const other of others) sets.unite(first, other);
    leads.set(name, first);
  }
  const parents = parentsAmong(all, 'within');
  const successors = parentsAmong(all, 'formerly');
  const best = bestOfSets(all, sets);
  const targetOf = (node: string): string => {
    const lead = leads.get(node);
    const root = sets.find(lead ?? node);
    const parent = lead === undefined ? parents.get(node) : undefined;
    return parent === undefined ? (best.get(root) ?? canonical(root)) : targetOf(parent);
  };
  const kept = new Set(
    all.flatMap(({ token, field, value }) => (field === 'formerly' && token === value ? token : [])),
  );
  // Only once, and where nobody else has the id now: an id that two names gave each other would lead nowhere.
  return (node) => {
    const isHad = claims.has(node) || parents.has(node) || kept.has(node);
    return targetOf(isHad ? node : (successors.get(node) ?? node));
  };
}

/** If a name belongs to several names, the alphabetically first. */
function parentsAmong(links: readonly Link[], of: 'within' | 'formerly'): Map<string, string> {
  const own = links.filter(({ field }) => field === of).toSorted((a, b) => compareText(b.value, a.value));
  return new Map(own.map(({ token, value }) => [token, value]));
}

/** Whether a link ties two names, without an identifier. */
export function isOfNames(field: LinkField): field is 'within' | 'formerly' {
  return field === 'within' || field === 'formerly';
}

function bestOfSets(links: readonly Link[], sets: Sets): Map<string, string> {
  const best = new Map<string, string>();
  for (const { token, field, value } of links) {
    if (isOfNames(field)) continue;
    for (const id of field === 'same_as' ? [token, value] : [token]) {
      const root = sets.find(id);
      const known = best.get(root);
      if (known === undefined || compareIds(canonical(id), known) < 0) best.set(root, canonical(id));
    }
  }
  return best;
}

/** An identifier as identities use it: in capitals, names in lower case. */
function canonical(token: string): string {
  return isNameId(token) ? token : token.toUpperCase();
}

/** Whether this is the id of a name with a postcode. */
function isPlace(token: string): boolean {
  return token.startsWith('at-');
}

/** Whether this is the id of a name, with or without a postcode, rather than an identifier's. */
export function isNameId(token: string): boolean {
  return /^(?:name|at)-/.test(token);
}
