import type { Database } from '../../../schema/db/interface.ts';
import { nameKey } from '../../../schema/names/spelling.ts';
import { groupBy, groupByEach } from '../../../schema/text/memoise.ts';
import {
  byDistrict,
  byFullName,
  byNameAlone,
  byNearName,
  byPreviousAtPostcode,
  byPreviousFullName,
  byPreviousInDistrict,
  bySamePostcode,
  byShortNameInDistrict,
  type Found,
  type LookUp,
  readLookUp,
} from './methods.ts';
import { blocksOf } from './names.ts';
import type { Candidate, RegisterMatch, RegisterMethod, Wanted } from './types.ts';

/** A match below this score does not count: the supplier stays `unmatched`. */
export const ACCEPT = 0.95;

/**
 * The score of each method: as measured by the benchmark on a generated register, rounded down, and lower where the world has
 * cases that this register lacks. The last two are measured but not accepted.
 */
export const REGISTER_SCORES: Readonly<Record<RegisterMethod, number>> = {
  name_postcode: 0.99,
  previous_name_postcode: 0.98,
  name_district: 0.98,
  full_name: 0.98,
  previous_name_district: 0.97,
  previous_full_name: 0.96,
  near_name: 0.96,
  short_name_district: 0.9,
  name_alone: 0.7,
};

type Step = readonly [RegisterMethod, (asked: LookUp, candidates: readonly Candidate[]) => Found[]];

/** The methods of matching a company, surest first. */
const STEPS: readonly Step[] = [
  ['name_postcode', bySamePostcode],
  ['previous_name_postcode', byPreviousAtPostcode],
  ['name_district', byDistrict],
  ['full_name', byFullName],
  ['previous_name_district', byPreviousInDistrict],
  ['previous_full_name', byPreviousFullName],
  ['near_name', byNearName],
  ['short_name_district', byShortNameInDistrict],
  ['name_alone', byNameAlone],
];

/** Methods that rely on a place: no company of another name can invalidate such a match. */
const PLACED: ReadonlySet<RegisterMethod> = new Set(['name_postcode', 'previous_name_postcode', 'name_district']);

/** Whether a match relies on the company's place. */
function isPlaced({ method }: RegisterMatch): boolean {
  return PLACED.has(method);
}

/**
 * The company of a supplier without a number, or null. It is never one of two equally good ones, nor one that did not exist
 * yet or had gone. The first method that finds anything decides.
 * @param candidates companies with such a present or former name, and those of its block
 * @param least score from which a method is accepted
 */
export function matchSupplier(
  asked: LookUp,
  candidates: readonly Candidate[],
  least: number = ACCEPT,
): RegisterMatch | null {
  for (const [method, find] of STEPS) {
    const score = REGISTER_SCORES[method];
    if (score < least || (asked.ways !== 'every' && asked.ways !== method)) continue;
    const found = find(asked, candidates);
    if (found.length === 0) continue;
    const [only] = found;
    if (!only || found.length > 1 || !wasListed(only.candidate, asked.published)) return null;
    const { number, name } = only.candidate;
    const evidence = [...asked.notes, ...only.evidence, `on the Companies House register as ${name}`];
    return { companyNumber: number, method, score, evidence };
  }
  return null;
}

/** Whether it was on the register on the day of the notice; where that is unknown, whether it is today. */
function wasListed({ incorporated, ended }: Candidate, published: string): boolean {
  if (published === '') return ended === null;
  return (incorporated === null || incorporated <= published) && (ended === null || ended >= published);
}

const COLUMNS = `company_number, name, name_key, block, postcode, incorporated,
  coalesce(record ->> 'dissolved', iif(gone = 1, coalesce(edition, ''), NULL)) AS ended`;
const BY_NAME = `SELECT ${COLUMNS}, NULL AS former FROM registered_company
WHERE name_key IN (SELECT value FROM json_each(?))`;
const BY_FORMER_NAME = `SELECT ${COLUMNS}, record ->> 'previous_names' AS former FROM registered_company
WHERE company_number IN (SELECT company_number FROM previous_name WHERE name_key IN (SELECT value FROM json_each(?)))`;
const BY_BLOCK = `SELECT ${COLUMNS}, NULL AS former FROM registered_company
WHERE block IN (SELECT value FROM json_each(?)) AND gone = 0`;

interface Row {
  company_number: string;
  name: string;
  name_key: string;
  block: string | null;
  postcode: string | null;
  incorporated: string | null;
  ended: string | null;
  /** JSON: every former name, where the row was found by one. */
  former: string | null;
}

/** Companies by search key: `readBearers` by name, `readNeighbours` by block. */
type Candidates = (asked: LookUp) => Candidate[];

/**
 * The companies of suppliers without a number, in the given order; null where none is certain. Three reads for all: by name and
 * former name first, then by block for those without a match by place. @param least score from which a method is accepted, as in
 * `matchSupplier`
 */
export async function matchSuppliers(
  catalogue: Database,
  wanted: readonly Wanted[],
  least?: number,
): Promise<(RegisterMatch | null)[]> {
  const asked = wanted.map(readLookUp);
  const all = asked.filter((one) => one !== null);
  const bearersOf = await readBearers(catalogue, all);
  const found = new Map(all.map((one) => [one, matchSupplier(one, bearersOf(one), least)]));
  // Even if a company has the name, the notice may mean one with a similar name, unless the place agrees.
  const unplaced = all.filter((one) => {
    const match = found.get(one);
    return match ? !isPlaced(match) : bearersOf(one).length === 0;
  });
  const neighboursOf = await readNeighbours(catalogue, unplaced);
  for (const one of unplaced)
    found.set(one, matchSupplier(one, unique([...bearersOf(one), ...neighboursOf(one)]), least));
  return asked.map((one: LookUp | null) => (one && found.get(one)) ?? null);
}

/** Companies with the present or former names of these suppliers: two reads for all. */
async function readBearers(catalogue: Database, asked: readonly LookUp[]): Promise<Candidates> {
  const keys = JSON.stringify([...new Set(asked.flatMap(keysOf))]);
  const current = await catalogue.read<Row>({ sql: BY_NAME, args: [keys] });
  const former = await catalogue.read<Row>({ sql: BY_FORMER_NAME, args: [keys] });
  const byName = groupBy(current.map(candidateOf), ({ nameKey }) => nameKey);
  const byFormer = groupByEach(former.map(candidateOf), ({ previousNames }) => previousNames.map((one) => one.nameKey));
  return (one) => unique(keysOf(one).flatMap((key) => [...(byFormer.get(key) ?? []), ...(byName.get(key) ?? [])]));
}

/** Companies in the blocks where misspellings of these suppliers' names would be: one read for all. */
async function readNeighbours(catalogue: Database, asked: readonly LookUp[]): Promise<Candidates> {
  const blocks = [...new Set(asked.flatMap(blocksFor))];
  if (blocks.length === 0) return () => [];
  const rows = await catalogue.read<Row>({ sql: BY_BLOCK, args: [JSON.stringify(blocks)] });
  const byBlock = groupBy(rows, ({ block }) => block);
  return (one) => blocksFor(one).flatMap((block) => (byBlock.get(block) ?? []).map(candidateOf));
}

/** Cleaned names under which a supplier may be listed, now or formerly. */
function keysOf({ keys, formerKey }: LookUp): readonly string[] {
  return formerKey ? [...keys, formerKey] : keys;
}

function blocksFor({ key, postcode, ways }: LookUp): string[] {
  return ways === 'every' ? blocksOf(key, postcode) : [];
}

function candidateOf(row: Row): Candidate {
  const former = JSON.parse(row.former ?? '[]') as { name: string; ceased?: string }[];
  return {
    number: row.company_number,
    name: row.name,
    nameKey: row.name_key,
    previousNames: former.map((one) => ({ ...one, nameKey: nameKey(one.name) })),
    postcode: row.postcode,
    incorporated: row.incorporated,
    ended: row.ended,
  };
}

/** Each company once; one found by a former name first, as only that row has it. */
function unique(found: readonly Candidate[]): Candidate[] {
  const byNumber = new Map<string, Candidate>();
  for (const one of found) if (!byNumber.has(one.number)) byNumber.set(one.number, one);
  return [...byNumber.values()];
}
