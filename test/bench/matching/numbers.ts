import { isAnotherName } from '../../../ingest/party/match/likeness.ts';
import { identityId } from '../../../schema/text/ids.ts';
import { type Dice, drawKind, makeDice } from '../../generated/draw.ts';
import { type BenchCompany, makeRegister } from '../../generated/register/companies.ts';
import { makeSighting } from '../../generated/register/sightings.ts';

/** What stands in the field of a company number. Shares add up to 1; all of it is assumed. */
export const NUMBER_RATES = {
  asRegistered: 0.86,
  withoutLeadingZeros: 0.04,
  withSpaces: 0.02,
  inLowerCase: 0.01,
  vatNumber: 0.03,
  word: 0.01,
  /** Its charity number, or that of another company: a wrong number that looks like a right one. */
  anothers: 0.03,
} as const;

type Kind = keyof typeof NUMBER_RATES;

/** How published numbers were read: those followed, rightly or not, and those doubted as the name is another. */
interface NumberFigures {
  kind: Kind;
  published: number;
  followed: number;
  right: number;
  doubted: number;
}

/** Reads the numbers that notices give for companies of a generated register, and holds the names against it. */
export function readNumbers(companies: number, each: number): NumberFigures[] {
  const figures = new Map<Kind, NumberFigures>();
  const byNumber = new Map<string, BenchCompany>();
  const drawn: BenchCompany[] = [];
  for (const company of makeRegister(companies)) {
    byNumber.set(company.number, company);
    if (byNumber.size % each === 0) drawn.push(company);
  }
  for (const [index, company] of drawn.entries()) {
    const { wanted, truth } = makeSighting(company, index + 1);
    if (truth === null) continue;
    const dice = makeDice(index * 977 + 5);
    const kind = drawKind(dice, NUMBER_RATES);
    const tally = figures.get(kind) ?? { kind, published: 0, followed: 0, right: 0, doubted: 0 };
    figures.set(kind, tally);
    tally.published += 1;
    const id = identityId('GB-COH', writeNumber(dice, kind, company.number, drawn[index - 1] ?? company));
    if (id === null) continue;
    tally.followed += 1;
    if (id === `GB-COH-${truth}`) tally.right += 1;
    const listed = byNumber.get(id.slice('GB-COH-'.length));
    if (!listed || listed.dissolved) continue;
    if (isAnotherName(wanted.name, [listed.name, ...listed.previous.map(({ name }) => name)])) tally.doubted += 1;
  }
  return [...figures.values()].toSorted((a, b) => b.published - a.published);
}

function writeNumber(dice: Dice, kind: Kind, number: string, other: BenchCompany): string {
  if (kind === 'withoutLeadingZeros') return number.replace(/^0+/, '').replace(/^([A-Z]{2})0+/, '$1');
  if (kind === 'withSpaces') return `${number.slice(0, 3)} ${number.slice(3, 6)} ${number.slice(6)}`;
  if (kind === 'inLowerCase') return ` ${number.toLowerCase()} `;
  if (kind === 'vatNumber')
    return dice.pick([`GB${100_000_000 + dice.below(9e8)}`, String(100_000_000 + dice.below(9e8))]);
  if (kind === 'word') return dice.pick(['N/A', '0', 'TBC', 'Not known', '00000000', 'Sole trader']);
  return kind === 'anothers' ? other.number : number;
}
