import { nameKey } from '../../../schema/names/spelling.ts';
import {
  BRIGHT,
  type Dice,
  drawEnding,
  drawKind,
  drawStem,
  drawSurname,
  drawTail,
  drawTrade,
  makeDice,
} from '../draw.ts';
import { makeMarks } from './seen-texts.ts';

/** A company as name search knows it. */
export interface NamedCompany {
  number: string;
  /** Its name without the legal ending. */
  stem: string;
  name: string;
  previous: string | null;
  /** Dissolved companies that the bulk file lists no more are gone. */
  standing: 'active' | 'dissolved' | 'gone';
  /** Above zero it is a supplier too. */
  contracts: number;
}

/** What makes one name of millions hard to tell from another, and how often. */
const KINDS = {
  /** "J SMITH CONSULTING": thousands that differ in an initial. */
  person: 0.12,
  /** "12 ROSE GARDENS MANAGEMENT COMPANY": thousands that differ in a number. */
  property: 0.09,
  /** "… HOLDINGS", "… (UK)", "… NO. 2" of the company before. */
  sister: 0.07,
  /** "1ST CHOICE", "24/7 …", "360 …". */
  numbered: 0.012,
  accented: 0.004,
  other: 0.704,
} as const;
const NAMESAKE = 0.006;
const RENAMED = 0.11;
const BRANCH = 0.004;
const SUPPLIER = 0.02;
const STANDINGS = { active: 0.86, dissolved: 0.02, gone: 0.12 } as const;

const CALLINGS = 'Consulting Services Consultancy Properties Holdings Engineering Solutions Electrical Plumbing'.split(
  ' ',
);
const STREETS = 'Road Street Gardens Court Close Avenue House Lane Square Mews'.split(' ');
const SISTERS = ['Holdings', 'Group', '(UK)', '(London)', 'Services', 'No. 2', '(2019)', 'Properties', 'International'];
const NUMBERED = ['1st', '24/7', '360', '3D', '4U', '21st Century', '101'];
const ACCENTED = ['Café', 'Élan', 'Brûlée', 'Señor', 'Škoda', 'Tŷ', 'Łódź', 'Zürich'];

const SEED = 5;

/** Makes companies one after another: no two live ones of one name, but some that differ in the legal ending alone. */
export function* makeNamedCompanies(count: number): Generator<NamedCompany> {
  const dice = makeDice(SEED);
  const marks = makeMarks();
  let before = 'Northern Star';
  for (let serial = 1; serial <= count; serial += 1) {
    const isNamesake = dice.chance(NAMESAKE);
    const stem = isNamesake ? before : drawFree(dice, marks, before);
    const ending = drawEnding(dice);
    const previous = dice.chance(RENAMED) ? nameOf(drawFree(dice, marks, stem), 'LIMITED') : null;
    const standing = drawKind(dice, STANDINGS);
    const contracts = dice.chance(SUPPLIER) ? 1 + Math.floor(dice.roll() ** 4 * 60) : 0;
    before = stem;
    yield { number: numberOf(dice, serial), stem, name: nameOf(stem, ending), previous, standing, contracts };
  }
}

function nameOf(stem: string, ending: string): string {
  return `${stem} ${ending}`.trim().toUpperCase();
}

/** Numbers of branches, of Scotland and of Northern Ireland begin with letters. */
function numberOf(dice: Dice, serial: number): string {
  const prefix = dice.chance(BRANCH) ? 'FC' : drawKind(dice, { '': 0.92, SC: 0.06, NI: 0.02 });
  const digits = 8 - prefix.length;
  // Six digits are too few for millions: those that would meet another stay without letters.
  return prefix && serial < 10 ** digits
    ? prefix + String(serial).padStart(digits, '0')
    : String(serial).padStart(8, '0');
}

function drawFree(dice: Dice, marks: ReturnType<typeof makeMarks>, before: string): string {
  for (let tries = 0; ; tries += 1) {
    // A kind that is used up gets one more word.
    const stem = tries < 3 ? drawOne(dice, before) : `${drawOne(dice, before)} ${drawSurname(dice)}`;
    if (marks.take(nameKey(stem))) return stem;
  }
}

function drawOne(dice: Dice, before: string): string {
  const kind = drawKind(dice, KINDS);
  if (kind === 'person') return `${initial(dice)} ${drawSurname(dice)} ${often(dice, CALLINGS)}`;
  if (kind === 'property') return drawProperty(dice);
  if (kind === 'sister') return `${before.split(' ').slice(0, 3).join(' ')} ${often(dice, SISTERS)}`;
  if (kind === 'numbered') return `${often(dice, NUMBERED)} ${dice.pick(BRIGHT)} ${drawTrade(dice)} ${drawTail(dice)}`;
  if (kind === 'accented') return `${often(dice, ACCENTED)} ${dice.pick(BRIGHT)} ${drawTrade(dice)}`;
  return dice.chance(0.06) ? `The ${drawStem(dice, 'Leeds')}` : drawStem(dice, often(dice, TOWNS));
}

const TOWNS = 'London Manchester Leeds Bristol Cardiff Glasgow Belfast York Kent Essex Surrey Devon'.split(' ');

function drawProperty(dice: Dice): string {
  const place = `${1 + dice.below(200)} ${drawSurname(dice)} ${often(dice, STREETS)}`;
  return drawKind(dice, { company: 0.5, freehold: 0.2, lettings: 0.3 }) === 'company'
    ? `${place} Management Company`
    : `${place} (${dice.chance(0.5) ? 'Freehold' : 'Residents'})`;
}

/** The first ones more often. */
function often(dice: Dice, from: readonly string[]): string {
  return from[Math.floor(dice.roll() ** 2 * from.length)] ?? '';
}

function initial(dice: Dice): string {
  return String.fromCharCode(65 + dice.below(26));
}
