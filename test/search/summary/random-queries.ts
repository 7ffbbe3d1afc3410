import { BUYER_KINDS, PROCEDURES } from '../../../schema/catalogue/enums.ts';
import type { Database } from '../../../schema/db/interface.ts';
import { DIRECT_AWARD_GROUNDS } from '../../../schema/reference/notice-types.ts';
import { STATUS_CHOICES } from '../../../search/filters/contracts.ts';
import type { SearchFilters } from '../../../search/filters/index.ts';
import { GROUPINGS, type Grouping } from '../../../search/summary/groups.ts';
import type { SummaryQuery } from '../../../search/summary/pass.ts';
import type { Dice } from '../../generated/draw.ts';

/** Values that contracts of a catalogue have, for filters to be drawn from. */
type Seen = Record<
  'buyer_id' | 'framework_id' | 'source' | 'company' | 'cpv' | 'region' | 'place' | 'day',
  string[]
> & {
  values: number[];
  /** Words of titles and names, each as often as it occurs. */
  words: string[];
};

/** What contracts hold that filters can name. */
export async function readSeen(catalogue: Database): Promise<Seen> {
  const list = async (sql: string) =>
    (await catalogue.read<{ one: string }>({ sql: `SELECT DISTINCT ${sql} ORDER BY 1` })).map(({ one }) => one);
  const of = (column: string) => list(`${column} AS one FROM contract WHERE gone = 0 AND ${column} IS NOT NULL`);
  const within = (path: string, part: string) =>
    list(`${part} AS one FROM contract, json_each(detail, '$.${path}') AS e WHERE gone = 0 AND ${part} IS NOT NULL`);
  const values = await catalogue.read<{ value: number }>({
    sql: 'SELECT DISTINCT value FROM contract WHERE value IS NOT NULL ORDER BY 1',
  });
  const names = await catalogue.read<{ one: string }>({
    sql: "SELECT title || ' ' || coalesce(buyer, '') || ' ' || coalesce(supplier, '') AS one FROM contract WHERE gone = 0",
  });
  return {
    buyer_id: await of('buyer_id'),
    framework_id: await of('framework_id'),
    source: await list(
      'source AS one FROM contract WHERE gone = 0 UNION SELECT e.value FROM contract, json_each(also_on) AS e WHERE gone = 0',
    ),
    company: await list('company_id AS one FROM contract_supplier'),
    cpv: await within('cpvs', 'e.value'),
    region: await within('regions', "e.value ->> 'code'"),
    place: await within('regions', "e.value ->> 'name'"),
    day: [...(await of('sort_date')), ...(await of('ends'))],
    values: values.map(({ value }) => value),
    words: names.flatMap(({ one }) => one.match(/[\p{L}\p{N}]{3,}/gu) ?? []),
  };
}

/** Words as people type them, most of which some contract has. */
export function drawText(dice: Dice, { words }: Seen): string {
  const word = () => words[dice.below(words.length)] as string;
  const [one, other] = [word(), word()];
  return dice.pick([
    one,
    `${one} `,
    `${one} ${other}`,
    `${one} OR ${other}`,
    `${one} -${other}`,
    `"${one}"`,
    one.slice(0, 4),
    `${one.slice(0, 3)}${one.slice(4)} `,
  ]);
}

/** A set of filters, most of which some contract fulfils. */
function drawFilters(dice: Dice, seen: Seen): SearchFilters {
  const pick = <T>(from: readonly T[]) => from[dice.below(from.length)] as T;
  const several = (from: readonly string[]) => Array.from({ length: 1 + dice.below(3) }, () => pick(from));
  const day = () => pick(seen.day);
  const all: SearchFilters = {
    buyer_id: pick(seen.buyer_id),
    company_number: dice.chance(0.5) ? pick(seen.company) : several(seen.company),
    framework_id: pick(seen.framework_id),
    buyer_kind: several(BUYER_KINDS),
    direct_award_ground: several(DIRECT_AWARD_GROUNDS),
    cpv: several(seen.cpv).map((code) => code.slice(0, 2 + dice.below(7))),
    region: dice.chance(0.5)
      ? several(seen.region).map((code) => code.slice(0, 2 + dice.below(4)))
      : several(seen.place),
    source: several(seen.source),
    value_min: pick(seen.values) / (1 + dice.below(3)),
    value_max: pick(seen.values),
    awarded_from: day(),
    awarded_to: day(),
    starts_from: day(),
    starts_to: day(),
    ends_from: day(),
    standstill_from: day(),
    standstill_to: day(),
    ends_to: day(),
    procedure: several(PROCEDURES),
    bids_max: dice.below(10),
    sme: dice.chance(0.5),
    vcse: dice.chance(0.5),
    status: pick(STATUS_CHOICES),
  };
  const share = dice.roll() * 0.25;
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined && dice.chance(share)));
}

/** Something that may be asked. @param today London calendar date */
export function drawQuery(dice: Dice, seen: Seen, today: string): SummaryQuery {
  const groupBy: Grouping[] = [dice.pick(GROUPINGS)];
  const second = dice.pick(GROUPINGS);
  if (dice.chance(0.4) && !groupBy.includes(second)) groupBy.push(second);
  return {
    groupBy,
    cpvLevel: 2 + dice.below(7),
    filters: drawFilters(dice, seen),
    measure: dice.pick(['value', 'count']),
    limit: dice.pick([1, 5, 20, 200]),
    today,
  };
}
