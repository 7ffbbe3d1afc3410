import { makeRandom, type Random } from '../random.ts';
import { TRADES } from '../trades/all.ts';
import type { Trade } from '../trades/types.ts';
import { makePerson, makePostcode, makePpon, makeTelephone, slug } from './identifiers.ts';
import { PLACES, type Place, STREETS } from './places.ts';

/** An invented supplier. */
export interface Company {
  /** As in the register, in capitals. */
  name: string;
  /** As it writes itself in notices. */
  style: string;
  /** Its number at Companies House; charities and sole traders have none. */
  number?: string;
  charity?: string;
  trade: Trade;
  place: Place;
  street: string;
  postcode: string;
  domain: string;
  person: string;
  telephone: string;
  ppon: string;
  ftsNumber: number;
  cfNumber: number;
  sme: boolean;
  vcse: boolean;
  incorporated: string;
  status: string;
  category: string;
  formerName?: string;
  /** How notices under the Act name it. */
  shown: 'coh' | 'coh_and_ppon' | 'ppon' | 'none' | 'chc';
}

const STEMS = (
  'Aldermoor Brackenhill Carrowby Dunmarsh Eskvale Farrowdale Galebrook Hartcombe Ivelstone Juniperhill Kelmarsh Larchfield Mosswater ' +
  'Netherbeck Oakhanger Pellbridge Quarrendon Redmarley Silverthorn Tamblyn Underwick Vexley Wintergate Yarnbury Zennick Ashpool ' +
  'Blackthorn Cresswater Dovecliff Elmstead Foxhollow Greywell Hollinbank Inglewater Jackdaw Kestrelgate Lindenmere Marlpit Northolme ' +
  'Orchardside Penmarric Quillstone Ringmere Saltersbrook Thistlecombe Umberslade Vinegarth Wrenfield Yewbarrow Amblecross Birchwater ' +
  'Coldharbour Driftwell Embercombe Fallowfield Goldhanger Heronsbrook Ironbeck Kittiwake Lowmoor Millstream Nightingale Otterbourne ' +
  'Pikestone Rookery Skylark Tarnbrook Upland Vanguard Westering Copperbeech Daleside Eventide Ferncliffe Gantry Highbarrow Islay ' +
  'Keystone Lantern Meridian Northstar Oakapple Pinnacle Quayside Rampart Saxon Tidewater Unison Verity Waypoint Axiom Beacon Cobalt'
).split(' ');
const MIDDLES = ['', '', '', '', '& Sons', 'UK', 'Group', '(Northern)', '& Rowe', 'National', 'Bros'];

/** Invented suppliers, no two of one name, the trades in turn. */
export function makeCompanies(seed: number, count: number): Company[] {
  const names = new Set<string>();
  return Array.from({ length: count }, (_, index) => {
    const random = makeRandom(seed, 'company', index);
    const trade = TRADES[index % TRADES.length] as Trade;
    return makeCompany(random, trade, index, unusedName(random, trade, names));
  });
}

function unusedName(random: Random, trade: Trade, names: Set<string>): string {
  for (let attempt = 0; ; attempt++) {
    const extra = attempt > 20 ? ` ${random.pick(STEMS)}` : '';
    const middle = random.pick(MIDDLES);
    const name = `${random.pick(STEMS)}${extra} ${middle ? `${middle} ` : ''}${random.pick(trade.firms)}`;
    if (names.has(name)) continue;
    names.add(name);
    return name;
  }
}

function makeCompany(random: Random, trade: Trade, index: number, stem: string): Company {
  const place = random.pick(PLACES);
  const kind = random.weigh([
    [78, 'ltd'],
    [4, 'plc'],
    [5, 'llp'],
    [4, 'cic'],
    [5, 'charity'],
    [4, 'sole'],
  ] as const);
  const ending = { ltd: 'Limited', plc: 'plc', llp: 'LLP', cic: 'CIC', charity: 'Trust', sole: '' }[kind];
  const style = kind === 'sole' ? `${makePerson(random)} t/a ${stem}` : `${stem} ${ending}`;
  const number = numberOf(random, kind, place, index);
  const formerName = random.chance(0.08)
    ? `${random.pick(STEMS)} ${random.pick(trade.firms)} Limited`.toUpperCase()
    : undefined;
  return {
    name: style.toUpperCase(),
    style: styled(random, style),
    ...(number ? { number } : {}),
    ...(kind === 'charity' ? { charity: String(9_900_000 + index) } : {}),
    trade,
    place,
    street: `${random.pick(['Unit', 'Suite', ''])} ${random.int(1, 99)} ${random.pick(STREETS)}`.trim(),
    postcode: makePostcode(random, place.district),
    domain: `${slug(stem)}.example`,
    person: makePerson(random),
    telephone: makeTelephone(random),
    ppon: makePpon(random),
    ftsNumber: 900_000 + index * 3,
    cfNumber: 750_000 + index,
    sme: kind !== 'plc' && random.chance(0.72),
    vcse: kind === 'cic' || kind === 'charity',
    incorporated: `${random.int(1962, 2024)}-${String(random.int(1, 12)).padStart(2, '0')}-${String(random.int(1, 28)).padStart(2, '0')}`,
    status: random.weigh([
      [92, 'Active'],
      [3, 'Active - Proposal to Strike off'],
      [3, 'Liquidation'],
      [2, 'In Administration'],
    ]),
    category: number?.startsWith('RS')
      ? 'Registered Society'
      : {
          ltd: 'Private Limited Company',
          plc: 'Public Limited Company',
          llp: 'Limited Liability Partnership',
          cic: 'Community Interest Company',
          charity: '',
          sole: '',
        }[kind],
    ...(formerName ? { formerName } : {}),
    shown: shownAs(random, kind),
  };
}

function numberOf(random: Random, kind: string, place: Place, index: number): string | undefined {
  if (kind === 'charity' || kind === 'sole') return undefined;
  const tail = String(index).padStart(5, '0');
  const lead = { Scotland: 'SC', 'Northern Ireland': 'NI' }[place.region];
  if (kind === 'llp') return `${lead === 'SC' ? 'SO' : lead === 'NI' ? 'NC' : 'OC'}9${tail}`;
  if (lead) return `${lead}9${tail}`;
  if (random.chance(0.04)) return `RS9${tail.slice(1)}R`;
  return random.chance(0.06) ? `009${tail}` : `990${tail}`;
}

function shownAs(random: Random, kind: string): Company['shown'] {
  if (kind === 'charity') return 'chc';
  if (kind === 'sole') return 'none';
  return random.weigh([
    [58, 'coh'],
    [17, 'coh_and_ppon'],
    [15, 'ppon'],
    [10, 'none'],
  ] as const);
}

/** Names arrive in every style: as registered, shortened, in capitals, with an ampersand spelled out. */
function styled(random: Random, name: string): string {
  return random.weigh([
    [60, name],
    [18, name.replace(/Limited$/, 'Ltd')],
    [8, name.toUpperCase()],
    [5, name.replace(/ Limited$/, '')],
    [5, name.replace('&', 'and')],
    [4, `${name} `],
  ]);
}
