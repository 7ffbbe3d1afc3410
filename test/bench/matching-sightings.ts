import type { Wanted } from '../../ingest/match/types.ts';
import { nameKey } from '../../schema/names.ts';
import { type Dice, drawSurname, drawTail, drawTrade, makeDice } from './matching-names.ts';
import { type BenchCompany, drawDay, drawPlace, placeIn } from './matching-register.ts';

/** A supplier as a notice names it, who it is, and what was done to its name and address. */
export interface BenchSighting {
  wanted: Wanted;
  /** Its company number; null where it is no company of the register. */
  truth: string | null;
  /** What happened to the name. */
  name: string;
  /** What happened to the address. */
  address: string;
}

type Shares<K extends string> = Readonly<Record<K, number>>;

/** What notices do to suppliers. Shares of a kind add up to 1. */
export const SIGHTING_RATES = {
  notACompany: 0.15,
  name: {
    asRegistered: 0.41,
    otherCaseOrEnding: 0.3,
    withoutEnding: 0.12,
    misspelt: 0.05,
    tradingAs: 0.04,
    andOrPunctuation: 0.04,
    tailAddedOrDropped: 0.03,
    wrongEnding: 0.01,
  },
  /** Of the sightings of a company that was renamed since. */
  formerNameOfRenamed: 0.3,
  address: { registered: 0.62, elsewhereInDistrict: 0.12, elsewhere: 0.14, missing: 0.12 },
  other: {
    soleTrader: 0.4,
    soleTraderNamedLikeACompanyElsewhere: 0.06,
    soleTraderNamedLikeACompanyInItsDistrict: 0.006,
    publicBody: 0.22,
    charity: 0.12,
    foreign: 0.124,
    consortium: 0.07,
  },
} as const;

const FIRST_NOTICE = Date.UTC(2015, 0, 1);

function drawKind<K extends string>(dice: Dice, shares: Shares<K>): K {
  const kinds = Object.entries(shares) as [K, number][];
  let left = dice.roll();
  for (const [kind, share] of kinds) {
    left -= share;
    if (left < 0) return kind;
  }
  const [[first]] = kinds as [[K, number]];
  return first;
}

/** A sighting of a company of the register, or of somebody who is none. A dissolved company's answer is nobody. */
export function makeSighting(company: BenchCompany, serial: number): BenchSighting {
  const dice = makeDice(serial * 2_654_435_761 + 97);
  const isBeforeNotices = company.dissolved !== null && Date.parse(company.dissolved) <= FIRST_NOTICE;
  if (isBeforeNotices || dice.chance(SIGHTING_RATES.notACompany)) return makeOther(dice, company);
  const name = drawKind(dice, SIGHTING_RATES.name);
  const address = drawKind(dice, SIGHTING_RATES.address);
  const [former] = company.previous;
  const fromMs = Math.max(FIRST_NOTICE, Date.parse(company.incorporated));
  const mayBeFormer = former !== undefined && Date.parse(former.ceased) > fromMs;
  const isFormer = mayBeFormer && dice.chance(SIGHTING_RATES.formerNameOfRenamed);
  const until = isFormer ? former.ceased : company.dissolved;
  const published = drawDay(dice, fromMs, until ? Date.parse(until) : undefined);
  const text = isFormer ? former.name : drawName(dice, company, name);
  const isDissolved = company.dissolved !== null;
  return {
    wanted: wantedOf(text, published, drawAddress(dice, company, address)),
    truth: isDissolved ? null : company.number,
    name: isDissolved ? 'dissolved' : isFormer ? 'formerName' : name,
    address,
  };
}

function wantedOf(name: string, published: string, place: { postcode?: string; town?: string }): Wanted {
  return { name, nameKey: nameKey(name), postcode: place.postcode, locality: place.town, ids: [], published };
}

function drawAddress(dice: Dice, company: BenchCompany, kind: keyof typeof SIGHTING_RATES.address) {
  if (kind === 'missing') return {};
  if (kind === 'registered') return { postcode: company.postcode, town: company.town };
  return kind === 'elsewhere' ? drawPlace(dice) : placeIn(dice, company.postcode.split(' ')[0] ?? '');
}

function drawName(dice: Dice, company: BenchCompany, kind: keyof typeof SIGHTING_RATES.name): string {
  const { stem, ending } = company;
  const whole = `${stem} ${ending}`.trim();
  if (kind === 'otherCaseOrEnding') return `${stem} ${otherSpelling(dice, ending)}`.trim();
  if (kind === 'withoutEnding') return stem;
  if (kind === 'misspelt') return `${misspell(dice, stem)} ${titled(ending)}`.trim();
  if (kind === 'tradingAs') {
    const how = dice.pick(['t/a', 'T/A', 'trading as', '(t/a']);
    return `${stem} ${titled(ending)} ${how} ${drawSurname(dice)} ${drawTrade(dice)}${how.startsWith('(') ? ')' : ''}`;
  }
  if (kind === 'andOrPunctuation') return punctuate(dice, `${stem} ${titled(ending)}`);
  if (kind === 'tailAddedOrDropped') return `${dropOrAdd(dice, stem)} ${titled(ending)}`.trim();
  if (kind === 'wrongEnding') return `${stem} ${dice.pick(['Ltd', 'Plc', 'LLP'])}`;
  return whole;
}

function titled(ending: string): string {
  return ending === 'LIMITED' ? 'Limited' : ending === 'LTD' ? 'Ltd' : ending;
}

function otherSpelling(dice: Dice, ending: string): string {
  if (ending === 'LIMITED' || ending === 'LTD')
    return dice.pick(['Ltd', 'Ltd.', 'Limited', 'LTD', 'limited', 'LIMITED']);
  return ending === 'PLC' ? dice.pick(['plc', 'P.L.C.', 'Public Limited Company']) : ending.toLowerCase();
}

/** One slip, in one of six a second: a letter left out, doubled, swapped with its neighbour or taken for another. */
function misspell(dice: Dice, stem: string): string {
  let text = stem;
  for (let slips = dice.chance(1 / 6) ? 2 : 1; slips > 0; slips -= 1) {
    const at = dice.below(text.length - 1);
    const [letter = '', next = ''] = [text[at], text[at + 1]];
    const slip = dice.pick([
      letter + letter + next,
      next,
      next + letter,
      dice.pick(['e', 'a', 'i', 'n', 's', 't']) + next,
    ]);
    text = text.slice(0, at) + slip + text.slice(at + 2);
  }
  return text;
}

function punctuate(dice: Dice, name: string): string {
  const turned = name.includes('&') ? name.replace('&', 'and') : name.replace(/ and /i, ' & ');
  if (turned !== name) return turned;
  return dice.pick([name.replace(/^(\w) (\w) /, '$1.$2. '), name.replace(' ', '-'), name.replace(' ', '')]);
}

function dropOrAdd(dice: Dice, stem: string): string {
  if (dice.chance(0.4)) return stem.split(' ').length > 2 ? stem.replace(/ \S+$/, '') : stem;
  return dice.chance(0.6) ? `${stem} (UK)` : `${stem} ${drawTail(dice)}`;
}

function makeOther(dice: Dice, company: BenchCompany): BenchSighting {
  const name = drawKind(dice, SIGHTING_RATES.other);
  const place =
    name === 'soleTraderNamedLikeACompanyInItsDistrict'
      ? placeIn(dice, company.postcode.split(' ')[0] ?? '')
      : drawPlace(dice);
  const published = drawDay(dice, FIRST_NOTICE);
  const wanted = wantedOf(drawOtherName(dice, company, name, place.town), published, dice.chance(0.2) ? {} : place);
  return { wanted, truth: null, name, address: '' };
}

function drawOtherName(
  dice: Dice,
  { stem }: BenchCompany,
  kind: keyof typeof SIGHTING_RATES.other,
  town: string,
): string {
  const surname = drawSurname(dice);
  if (kind === 'publicBody')
    return dice.pick([`${town} Borough Council`, `${surname} Academy`, `${town} NHS Trust`, `University of ${town}`]);
  if (kind === 'charity')
    return dice.pick([`${surname} Foundation`, `${town} ${drawTrade(dice)} Trust`, `Friends of ${town}`]);
  if (kind === 'foreign') return `${surname} ${drawTrade(dice)} ${dice.pick(['GmbH', 'SA', 'Srl', 'BV', 'AB', 'Inc'])}`;
  if (kind === 'consortium') return `${surname} ${drawTrade(dice)} and ${stem} Consortium`;
  if (kind === 'soleTrader')
    return dice.pick([`Mr ${surname}`, `${surname} ${drawTrade(dice)}`, `${dice.pick(['J', 'A', 'M'])} ${surname}`]);
  return stem;
}
