import { type Dice, drawEnding, drawKind, drawStem, drawTail, makeDice } from '../draw.ts';

/** A company as the generated register knows it. */
export interface BenchCompany {
  number: string;
  stem: string;
  ending: string;
  name: string;
  previous: { name: string; ceased: string }[];
  postcode: string;
  town: string;
  incorporated: string;
  /** Day of its dissolution. A dissolved company is in no edition of the bulk file. */
  dissolved: string | null;
}

/** How often what makes names hard to tell apart occurs. The share of renamed companies is that of a recorded sample. */
export const REGISTER_RATES = {
  renamed: 0.11,
  /** Half at the same postcode: "Holdings" beside "Services". */
  sisterCompany: 0.05,
  /** Same cleaned name, another legal ending or an old exception, mostly elsewhere. */
  namesake: 0.004,
  /** Gone before the edition, as the file holds live companies only. */
  dissolved: 0.14,
  /** Of the names of dissolved companies and of names given up, taken by a new company since. */
  nameTakenAgain: 0.03,
  atFormationAgent: 0.04,
} as const;

const FIRST_DAY = Date.UTC(1975, 0, 1);
/** Nobody was a supplier before. */
export const FIRST_NOTICE = Date.UTC(2015, 0, 1);
const LAST_DAY = Date.UTC(2026, 9, 31);
const DAY_MS = 86_400_000;

function dayOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}

export function drawDay(dice: Dice, fromMs: number, toMs = LAST_DAY): string {
  return dayOf(fromMs + Math.floor((dice.roll() * Math.max(0, toMs - fromMs)) / DAY_MS) * DAY_MS);
}

const AREAS =
  'AB AL B BA BB BD BH BL BN BR BS BT CA CB CF CH CM CO CR CT CV CW DA DD DE DG DH DL DN DT DY E EC EH EN EX FK FY G GL GU HA HD HG HP HR HS HU HX IG IP IV KA KT KW KY L LA LD LE LL LN LS LU M ME MK ML N NE NG NN NP NR NW OL OX PA PE PH PL PO PR RG RH RM S SA SE SG SK SL SM SN SO SP SR SS ST SW SY TA TD TF TN TQ TR TS TW UB W WA WC WD WF WN WR WS WV YO ZE'.split(
    ' ',
  );
const LONDON = new Set(['E', 'EC', 'N', 'NW', 'SE', 'SW', 'W', 'WC']);
const INWARD = 'ABDEFGHJLNPQRSTUWXYZ';

export interface Place {
  postcode: string;
  town: string;
}

/** A place of the generated country: some districts hold many companies, most hold few. */
export function drawPlace(dice: Dice): Place {
  if (dice.chance(REGISTER_RATES.atFormationAgent)) {
    const agent = dice.below(20);
    return { postcode: `EC${1 + (agent % 4)}V ${agent % 10}NX`, town: 'LONDON' };
  }
  const area = AREAS[Math.floor(dice.roll() ** 1.3 * AREAS.length)] ?? 'LS';
  return placeIn(dice, `${area}${1 + Math.floor(dice.roll() ** 1.7 * 24)}`);
}

/** Another place of the same postcode district. */
export function placeIn(dice: Dice, outward: string): Place {
  const unit = () => INWARD[dice.below(INWARD.length)] ?? 'A';
  return { postcode: `${outward} ${dice.below(10)}${unit()}${unit()}`, town: townOf(outward) };
}

function townOf(outward: string): string {
  const area = outward.replace(/\d.*/, '');
  if (LONDON.has(area)) return 'LONDON';
  const number = Number(/\d+/.exec(outward)?.[0] ?? 0);
  return number % 3 === 0 ? `${area} MARKET ${String.fromCharCode(65 + (number % 26))}` : `${area} TOWN`;
}

const SEED = 4;

/** Makes companies one after another, each a pure function of the seed and of those before it. */
export function* makeRegister(count: number): Generator<BenchCompany> {
  const dice = makeDice(SEED);
  const taken = new Set<string>();
  const free: { stem: string; from: string }[] = [];
  let before: BenchCompany | null = null;
  for (let serial = 1; serial <= count; serial += 1) {
    const place = drawPlace(dice);
    const drawn = drawIdentity(dice, place, before, taken, free);
    const { stem, ending } = drawn;
    const incorporated = drawDay(dice, Math.max(FIRST_DAY, drawn.fromMs), LAST_DAY);
    const isDissolved = dice.chance(REGISTER_RATES.dissolved);
    const company: BenchCompany = {
      number: drawNumber(dice, serial, ending),
      stem,
      ending,
      name: `${stem} ${ending}`.trim().toUpperCase(),
      previous: [],
      ...(drawn.place ?? place),
      incorporated,
      dissolved: isDissolved ? drawDay(dice, Date.parse(incorporated)) : null,
    };
    if (dice.chance(REGISTER_RATES.renamed)) rename(dice, company, taken, free);
    if (company.dissolved && dice.chance(REGISTER_RATES.nameTakenAgain)) free.push({ stem, from: company.dissolved });
    before = company;
    yield company;
  }
}

/** Numbers of partnerships, of Scotland and of Northern Ireland begin with letters. */
function drawNumber(dice: Dice, serial: number, ending: string): string {
  const land = drawKind(dice, { '': 0.92, S: 0.06, N: 0.02 });
  const prefixes: Readonly<Record<string, string>> = { '': ending === 'LLP' ? 'OC' : '', S: 'SC', N: 'NI' };
  const prefix = prefixes[land] ?? '';
  return (
    prefix +
    String(serial)
      .padStart(8 - prefix.length, '0')
      .slice(prefix.length - 8)
  );
}

interface Drawn {
  stem: string;
  ending: string;
  fromMs: number;
  place?: Place;
}

function drawIdentity(
  dice: Dice,
  place: Place,
  before: BenchCompany | null,
  taken: Set<string>,
  free: { stem: string; from: string }[],
): Drawn {
  const ending = drawEnding(dice);
  if (before && dice.chance(REGISTER_RATES.namesake)) {
    const other = before.ending === 'LLP' || dice.chance(0.2) ? 'LIMITED' : 'LLP';
    const there = dice.chance(0.1) ? { postcode: before.postcode, town: before.town } : place;
    return { stem: before.stem, ending: other, fromMs: FIRST_DAY, place: there };
  }
  const again = free.length > 20 ? free.shift() : undefined;
  if (again) return { stem: again.stem, ending, fromMs: Date.parse(again.from) + 30 * DAY_MS };
  if (before && dice.chance(REGISTER_RATES.sisterCompany)) {
    const stem = `${before.stem} ${drawTail(dice)}`;
    const there = dice.chance(0.5) ? { postcode: before.postcode, town: before.town } : place;
    if (take(taken, stem)) return { stem, ending, fromMs: FIRST_DAY, place: there };
  }
  return { stem: drawFree(dice, place.town, taken), ending, fromMs: FIRST_DAY };
}

function drawFree(dice: Dice, town: string, taken: Set<string>): string {
  for (;;) {
    const stem = drawStem(dice, town[0] + town.slice(1).toLowerCase());
    if (take(taken, stem)) return stem;
  }
}

/** Companies House refuses a name that is the same as a live one's. */
function take(taken: Set<string>, stem: string): boolean {
  const key = stem.toLowerCase().replace('&', 'and');
  if (taken.has(key)) return false;
  taken.add(key);
  return true;
}

/** Gives a company a former name; some former names are free for others afterwards. */
function rename(dice: Dice, company: BenchCompany, taken: Set<string>, free: { stem: string; from: string }[]): void {
  const stem = drawFree(dice, company.town, taken);
  const ceased = drawDay(dice, Date.parse(company.incorporated), Date.parse(company.dissolved ?? dayOf(LAST_DAY)));
  company.previous.push({ name: `${stem} ${company.ending}`.trim().toUpperCase(), ceased });
  if (dice.chance(REGISTER_RATES.nameTakenAgain)) free.push({ stem, from: ceased });
}
