/** Draws of a generated world: the same seed gives the same world. */
export interface Dice {
  /** From 0 to below 1. */
  roll(): number;
  below(count: number): number;
  chance(share: number): boolean;
  pick<T>(from: readonly [T, ...T[]]): T;
}

export function makeDice(seed: number): Dice {
  let state = seed >>> 0;
  const roll = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const below = (count: number) => Math.floor(roll() * count);
  return { roll, below, chance: (share) => roll() < share, pick: (from) => from[below(from.length)] ?? from[0] };
}

/** One of some kinds, as often as their shares say. */
export function drawKind<K extends string>(dice: Dice, shares: Readonly<Record<K, number>>): K {
  const kinds = Object.entries(shares) as [K, number][];
  let left = dice.roll();
  for (const [kind, share] of kinds) {
    left -= share;
    if (left < 0) return kind;
  }
  const [[first]] = kinds as [[K, number]];
  return first;
}

type Words = readonly [string, ...string[]];
const words = (text: string): Words => text.trim().split(/\s+/) as unknown as Words;

const SURNAMES =
  words(`Smith Jones Taylor Brown Williams Wilson Johnson Davies Patel Robinson Wright Thompson Evans Walker White
  Roberts Green Hall Wood Jackson Clarke Harris Clark Scott Turner Hill Moore Cooper Ward Morris King Watson Baker Harrison
  Morgan Lewis Young Allen Mitchell James Anderson Phillips Lee Bell Parker Davis Bennett Miller Cook Shaw Richards Carter
  Collins Marshall Bailey Gray Cox Adams Wilkinson Hughes Foster Murphy Chapman Khan Mason Hunt Knight Simpson Ahmed Hunter
  Webb Rogers Stevens Dixon Fisher Barnes Palmer Holmes Butler Fletcher Grant Reynolds Ford Graham Gibson Dunn Hart Lawson`);
export const BRIGHT =
  words(`Alpha Amber Apex Arc Ark Atlas Aurora Avalon Beacon Blue Bridge Bright Cedar Castle Central Choice
  Clear Coastal Compass Copper Corner Crown Crystal Delta Diamond Eagle Eastern Echo Elite Ember Emerald Falcon First Focus
  Forest Fox Future Galaxy Garden Gateway Global Golden Harbour Haven Heritage Horizon Ideal Imperial Iris Ivory Jade
  Jupiter Key Kite Lake Lime Lion Lotus Lunar Magnolia Maple Meridian Metro Milestone Modern Nexus Noble Northern Oak
  Oasis Ocean Omega Onyx Orchard Orion Paragon Park Peak Phoenix Pioneer Platinum Premier Prime Pure Quest Rapid Raven
  Redwood Regal River Rose Royal Sapphire Select Sigma Silver Sky Solar Southern Spectrum Spring Star Sterling Summit Sun
  Swift Thames Titan Total Trident Trinity Unity Vale Vector Vertex Victory Vision Vista Vital Western Willow Zenith`);
const TRADES = words(`Accountancy Advisory Aerospace Architects Automation Bakery Brewing Builders Building Cabling Care
  Carpentry Catering Childcare Civils Cleaning Coaches Communications Computing Construction Contracts Couriers Dental
  Design Developments Digital Drainage Electrical Electronics Energy Engineering Environmental Events Fabrications Farms
  Fencing Films Finance Fitness Flooring Foods Freight Fuels Furniture Glass Glazing Groundworks Haulage Healthcare Heating
  Homes Hospitality Hotels Hygiene Imaging Insulation Insurance Interiors Investments Joinery Kitchens Laboratories
  Landscapes Law Leisure Lettings Lifts Lighting Logistics Maintenance Marketing Media Medical Metals Minibuses Mobility
  Motors Music Networks Nurseries Nursing Optics Packaging Painting Paving Pharma Photography Plastics Plumbing Press
  Print Productions Projects Properties Publishing Recruitment Recycling Refrigeration Research Roofing Scaffolding
  Security Signs Software Solar Steel Storage Studios Surveyors Taxis Technology Telecoms Textiles Tools Tours Training
  Transport Travel Utilities Ventilation Waste Welding Windows`);
const TAILS = words(
  'Services Solutions Management Consulting Consultancy Group Holdings International Partners Associates',
);
const ONSETS = words('b br c ch cl cr d dr f fl g gl gr h j k l m n p pl pr qu r s sh sl st t th tr v w z');
const VOWELS = words('a e i o u ai ea io y');
const CODAS = words('b c d f g k l m n r s t x ll nd ns nt rd rk st');

/** What a name ends in, and how often. */
const ENDINGS: readonly (readonly [number, string])[] = [
  [0.6, 'LIMITED'],
  [0.355, 'LTD'],
  [0.015, ''],
  [0.012, 'LLP'],
  [0.006, 'CIC'],
  [0.004, 'PLC'],
  [0.008, 'LP'],
];

export function drawEnding(dice: Dice): string {
  let left = dice.roll();
  for (const [share, ending] of ENDINGS) {
    left -= share;
    if (left < 0) return ending;
  }
  return 'LIMITED';
}

function coin(dice: Dice): string {
  const syllables = 1 + dice.below(2);
  let word = '';
  for (let count = 0; count < syllables; count += 1) word += dice.pick(ONSETS) + dice.pick(VOWELS);
  word += dice.pick(CODAS);
  return word[0]?.toUpperCase() + word.slice(1);
}

export function drawSurname(dice: Dice): string {
  return dice.chance(0.6) ? dice.pick(SURNAMES) : coin(dice);
}

function initial(dice: Dice): string {
  return String.fromCharCode(65 + dice.below(26));
}

export function drawTrade(dice: Dice): string {
  return dice.pick(TRADES);
}

/** The stem of a company's name, without its legal ending. */
export function drawStem(dice: Dice, place: string): string {
  const trade = dice.pick(TRADES);
  const tail = dice.chance(0.25) ? ` ${dice.pick(TAILS)}` : '';
  const kind = dice.roll();
  if (kind < 0.2) return `${drawSurname(dice)} ${trade}${tail}`;
  if (kind < 0.25) return `${drawSurname(dice)} ${dice.chance(0.5) ? '&' : 'and'} ${drawSurname(dice)}${tail}`;
  if (kind < 0.33) return `${initial(dice)} ${initial(dice)} ${trade}${tail}`;
  if (kind < 0.36) return `${initial(dice)} & ${initial(dice)} ${drawSurname(dice)} ${trade}`;
  if (kind < 0.55) return `${dice.pick(BRIGHT)} ${dice.pick(BRIGHT)} ${trade}${tail}`;
  if (kind < 0.63) return `${dice.pick(BRIGHT)} ${trade} (${place})`;
  if (kind < 0.7) return `${place} ${dice.pick(BRIGHT)} ${trade}${tail}`;
  if (kind < 0.88) return `${coin(dice)} ${trade}${tail}`;
  if (kind < 0.97) return `${coin(dice)} ${coin(dice)}${tail}`;
  return coin(dice) + coin(dice).toLowerCase();
}

export function drawTail(dice: Dice): string {
  return dice.pick(TAILS);
}
