import type { Database } from '../../schema/db/interface.ts';
import { CPV_DIVISIONS, type CpvDivision, cpvBranch, divisionOf } from '../../schema/reference/cpv.ts';
import { readWordsOfCode } from '../reads/processes.ts';
import { type Counted, countCodes } from './kept-counts.ts';

const DIGITS = 8;
const DIVISION_DIGITS = 2;

/** A code of the tree. Its name is the division's, otherwise the one that notices give it; absent where none does. */
interface CpvCode {
  /** Two digits for a division, otherwise eight. */
  code: string;
  name?: string;
  uri: string;
}

/** The count covers notices with this main code, or one below it. */
export type CountedCode = CpvCode & Counted;

export interface CpvNode extends CpvCode, Counted {
  division: CpvCode;
  /** The codes above it, widest first. */
  broader: CpvCode[];
  /** The codes one level below it that notices use. */
  narrower: CountedCode[];
}

/** The node for a code of 2 to 8 digits; undefined where its division does not exist. */
export async function readCpvNode(catalogue: Database, digits: string): Promise<CpvNode | undefined> {
  const division = divisionOf(digits);
  if (!division) return undefined;
  const prefix = cpvBranch(digits);
  const above = [...prefix.slice(DIVISION_DIGITS)].map((_digit, at) => prefix.slice(0, DIVISION_DIGITS + at));
  const broader = await Promise.all(above.map((one) => nameCode(catalogue, one)));
  const narrower = await readNarrower(catalogue, prefix);
  return {
    ...(await countCode(catalogue, prefix)),
    division: toDivision(division),
    // A level that no notice names is left out.
    broader: broader.filter(({ name }) => name !== undefined),
    narrower,
  };
}

/** A CPV division as the resource shows it. */
export function toDivision({ code, name }: CpvDivision): CpvCode {
  return { code, name, uri: `cpv://${code}` };
}

/** The codes of 8 digits one level below some digits that notices use. */
export async function readNarrower(catalogue: Database, prefix: string): Promise<CountedCode[]> {
  if (prefix.length >= DIGITS) return [];
  const found: CountedCode[] = [];
  // A code may have a zero before its last digit: anything below such a code counts as below this one.
  if ((await countCodes(catalogue, `${pad(prefix)}0`, `${prefix}1`)).notices > 0)
    found.push(...(await readNarrower(catalogue, `${prefix}0`)));
  for (let digit = 1; digit <= 9; digit += 1) {
    const child = await countCode(catalogue, prefix + digit);
    if (child.notices > 0) found.push(child);
  }
  return found;
}

/** Every division with its notices. */
export function countDivisions(catalogue: Database): Promise<CountedCode[]> {
  return Promise.all(CPV_DIVISIONS.map(({ code }) => countCode(catalogue, code)));
}

async function countCode(catalogue: Database, prefix: string): Promise<CountedCode> {
  return { ...(await nameCode(catalogue, prefix)), ...(await countCodes(catalogue, prefix, `${prefix}:`)) };
}

/** What a code of 8 digits means, in the words that notices give it; undefined where none does. */
export async function readCpvName(catalogue: Database, code: string): Promise<string | undefined> {
  return (await nameCode(catalogue, code)).name;
}

async function nameCode(catalogue: Database, prefix: string): Promise<CpvCode> {
  const division = prefix.length === DIVISION_DIGITS && divisionOf(prefix);
  if (division) return toDivision(division);
  const code = pad(prefix);
  const name = await readWordsOfCode(catalogue, code);
  return { code, ...(name !== null && { name }), uri: `cpv://${code}` };
}

function pad(prefix: string): string {
  return prefix.padEnd(DIGITS, '0');
}
