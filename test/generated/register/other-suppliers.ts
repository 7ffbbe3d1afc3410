import type { Wanted } from '../../../ingest/party/match/types.ts';
import { nameKey } from '../../../schema/names/spelling.ts';
import { type Dice, drawKind, drawStem, drawSurname, drawTrade } from '../draw.ts';
import { type BenchCompany, drawDay, drawPlace, FIRST_NOTICE, type Place, placeIn } from './companies.ts';

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

/** Suppliers that are no company of the register. Their shares add up to 1. */
export const OTHER_RATES = {
  soleTrader: 0.39,
  soleTraderNamedLikeACompanyElsewhere: 0.06,
  soleTraderNamedLikeACompanyInItsDistrict: 0.006,
  publicBody: 0.21,
  charity: 0.13,
  /** The charity whose trading company is on the register. */
  charityWithACompany: 0.01,
  foreign: 0.08,
  /** From Ireland or the islands, where companies end in Limited too. */
  foreignLimited: 0.01,
  foreignParentOfACompany: 0.014,
  consortium: 0.05,
  consortiumOfCompanies: 0.04,
} as const;

/** Of those abroad, the ones whose notice says so; the notices of the old form often do not. */
export const COUNTRY_SAID = 0.6;
/** Of suppliers that are no company, the ones without a postcode. */
const WITHOUT_POSTCODE = 0.25;

type OtherKind = keyof typeof OTHER_RATES;
const FOREIGN_ENDINGS = ['GmbH', 'SA', 'Srl', 'BV', 'AB', 'Inc', 'LLC', 'Pty Ltd', 'A/S'] as const;
/** Kinds whose place is that of the company named, as often as not. */
const MAY_SIT_TOGETHER: ReadonlySet<OtherKind> = new Set(['charityWithACompany', 'consortiumOfCompanies']);

/** Somebody who is no company of the register, mostly unlike this one of it. */
export function makeOther(dice: Dice, company: BenchCompany): BenchSighting {
  const name = drawKind(dice, OTHER_RATES);
  const place = drawOtherPlace(dice, company, name);
  const published = drawDay(dice, FIRST_NOTICE);
  const text = drawOtherName(dice, company, name, place.town);
  const isAbroad = name.startsWith('foreign');
  const country = isAbroad && dice.chance(COUNTRY_SAID) ? 'Ireland' : undefined;
  const isStated = !isAbroad && !dice.chance(WITHOUT_POSTCODE);
  // The parent abroad is now and then given its daughter's address.
  const isDaughters = name === 'foreignParentOfACompany' && dice.chance(0.2);
  const wanted = wantedOf(text, published, isStated || isDaughters ? place : {});
  return { wanted: { ...wanted, country: isDaughters ? undefined : country }, truth: null, name, address: '' };
}

export function wantedOf(name: string, published: string, place: { postcode?: string }): Wanted {
  return { name, nameKey: nameKey(name), postcode: place.postcode, ids: [], published };
}

function drawOtherPlace(dice: Dice, { postcode, town }: BenchCompany, kind: OtherKind): Place {
  if (kind === 'soleTraderNamedLikeACompanyInItsDistrict') return placeIn(dice, postcode.split(' ')[0] ?? '');
  const isThere = kind === 'foreignParentOfACompany' || (MAY_SIT_TOGETHER.has(kind) && dice.chance(0.5));
  return isThere ? { postcode, town } : drawPlace(dice);
}

function drawOtherName(dice: Dice, { stem, name }: BenchCompany, kind: OtherKind, town: string): string {
  const surname = drawSurname(dice);
  const trade = drawTrade(dice);
  if (kind === 'publicBody')
    return dice.pick([`${town} Borough Council`, `${surname} Academy`, `${town} NHS Trust`, `University of ${town}`]);
  if (kind === 'charity') return dice.pick([`${surname} Foundation`, `${town} ${trade} Trust`, `Friends of ${town}`]);
  if (kind === 'charityWithACompany') return `${stem} ${dice.pick(['Trust', 'Foundation', 'CIO'])}`;
  if (kind === 'foreign') return `${surname} ${trade} ${dice.pick(FOREIGN_ENDINGS)}`;
  if (kind === 'foreignLimited') return `${drawStem(dice, 'Dublin')} Limited`;
  if (kind === 'foreignParentOfACompany') return `${stem} ${dice.pick(FOREIGN_ENDINGS)}`;
  if (kind === 'consortium') return `${surname} ${trade} and ${stem} Consortium`;
  if (kind === 'consortiumOfCompanies')
    return dice.pick([
      `${name} / ${surname} ${trade} Ltd`,
      `${stem} and ${surname} ${trade} Joint Venture`,
      `${name} with ${surname} ${trade}`,
      `${stem} / ${surname} ${trade}`,
    ]);
  if (kind === 'soleTrader')
    return dice.pick([`Mr ${surname}`, `${surname} ${trade}`, `${dice.pick(['J', 'A', 'M'])} ${surname}`]);
  return stem;
}
