import { type Dice, drawKind, drawStem, drawSurname, drawTail, drawTrade, makeDice } from '../draw.ts';
import { type BenchCompany, drawDay, drawPlace, FIRST_NOTICE, placeIn } from './companies.ts';
import { type BenchSighting, makeOther, wantedOf } from './other-suppliers.ts';

/**
 * What notices do to suppliers. Shares of a kind add up to 1. Those of endings, postcodes and who is no company are near
 * to what recorded notices of 2017 to 2021 show; the rest is assumed.
 */
export const SIGHTING_RATES = {
  notACompany: 0.28,
  name: {
    asRegistered: 0.4,
    otherCaseOrEnding: 0.26,
    withoutEnding: 0.15,
    misspelt: 0.05,
    tradingAs: 0.02,
    tradingNameAlone: 0.03,
    andOrPunctuation: 0.05,
    tailAddedOrDropped: 0.03,
    wrongEnding: 0.01,
  },
  /** Of the sightings of a company that was renamed since. */
  formerNameOfRenamed: 0.3,
  /** Of those, the ones that use the former name when it was given up already. */
  formerNameKept: 0.2,
  address: { registered: 0.46, elsewhereInDistrict: 0.12, elsewhere: 0.17, missing: 0.25 },
} as const;

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
  const isKept = isFormer && dice.chance(SIGHTING_RATES.formerNameKept);
  const until = isFormer && !isKept ? former.ceased : company.dissolved;
  const published = drawDay(dice, isKept ? Date.parse(former.ceased) : fromMs, until ? Date.parse(until) : undefined);
  const text = isFormer ? former.name : drawName(dice, company, name);
  const isDissolved = company.dissolved !== null;
  return {
    wanted: wantedOf(text, published, drawAddress(dice, company, address)),
    truth: isDissolved ? null : company.number,
    name: isDissolved ? 'dissolved' : isFormer ? (isKept ? 'formerNameKept' : 'formerName') : name,
    address,
  };
}

type AddressKind = keyof typeof SIGHTING_RATES.address;

function drawAddress(dice: Dice, company: BenchCompany, kind: AddressKind) {
  if (kind === 'missing') return {};
  if (kind === 'registered') return company;
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
  if (kind === 'tradingNameAlone') return drawTradingName(dice);
  if (kind === 'andOrPunctuation') return punctuate(dice, `${stem} ${titled(ending)}`);
  if (kind === 'tailAddedOrDropped') return `${dropOrAdd(dice, stem)} ${titled(ending)}`.trim();
  if (kind === 'wrongEnding') return `${stem} ${dice.pick(['Ltd', 'Plc', 'LLP'])}`;
  return whole;
}

/** A name that says nothing of the company behind it, and may be another's. */
function drawTradingName(dice: Dice): string {
  return dice.chance(0.5) ? drawStem(dice, 'Ashby') : `${drawSurname(dice)} ${drawTrade(dice)}`;
}

function titled(ending: string): string {
  if (ending === 'LIMITED') return 'Limited';
  return ending === 'LTD' ? 'Ltd' : ending;
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
