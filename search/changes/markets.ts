import {
  type AskedOwner,
  type ContractCondition,
  countOwned,
  type OwnerChanges,
  readMatchingOwners,
  readOwnerChanges,
  readSteps,
  viewAt,
} from '../../schema/catalogue/changes/contracts.ts';
import type { ChangeKind } from '../../schema/catalogue/changes/kinds.ts';
import { OWNER_KINDS, type OwnerKind } from '../../schema/catalogue/changes/owners.ts';
import type { FilterView } from '../../schema/catalogue/changes/read.ts';
import type { Database } from '../../schema/db/interface.ts';

/** Filters on the contracts of a buyer or supplier: one of them has such a code within these days, and the least sum of all. */
export interface MarketFilters {
  cpv?: readonly string[];
  won_from?: string;
  won_to?: string;
  won_value_min?: number;
}

/** Which of these filters each kind takes. */
export const MARKET_FILTERS: Readonly<Record<OwnerKind, readonly (keyof MarketFilters)[]>> = {
  buyer: ['cpv'],
  company: ['cpv', 'won_from', 'won_to', 'won_value_min'],
};

/** A row at the `seq` of its entry. */
export interface JudgedRow {
  kind: ChangeKind;
  id: string;
  seq: number;
}

export interface Markets {
  /** How many rows from the first on were judged: at least one; infinite where no filter depends on contracts. */
  length: number;
  /** How many contracts these rows have together. */
  contracts: number;
  /** Whether a row's contracts may have matched before its `seq` became visible. True also if some were taken down since. */
  mayHaveMatched(row: JudgedRow): boolean;
  /** Whether they matched with that `seq`. If some were taken down since, whether they match now: a later entry covers it. */
  matches(row: JudgedRow): boolean;
}

type Verdict = boolean | 'unknown';

const ALL: Markets = {
  length: Number.POSITIVE_INFINITY,
  contracts: 0,
  mayHaveMatched: () => true,
  matches: () => true,
};
const NOW = Number.POSITIVE_INFINITY;

/**
 * Judges buyers and suppliers by their contracts, as they are now and as the change log says they were.
 * @param list returns the rows in the order of the log; null for a row that does not depend on contracts
 * @param most stops before the rows have more contracts than this together; the first row is always judged
 */
export async function judgeMarkets(
  catalogue: Database,
  list: () => readonly (JudgedRow | null)[],
  { kinds, filters }: { kinds: readonly ChangeKind[]; filters: MarketFilters },
  most: number,
): Promise<Markets> {
  if (!OWNER_KINDS.some((kind) => kinds.includes(kind) && isAsked(kind, filters))) return ALL;
  const rows = list();
  const { chosen, ...size } = await chooseRows(catalogue, rows, most);
  const steps = await readSteps(catalogue, new Set(rows.flatMap((row) => row?.seq ?? [])));
  const stepOf = ({ seq }: JudgedRow) => steps.get(seq) ?? { before: seq - 1, with: seq };
  const judged = OWNER_KINDS.map((kind) => {
    const asked = [...chosen[kind].values()].map((row) => ({ id: row.id, after: stepOf(row).before }));
    return judgeOwners(catalogue, kind, asked, filters);
  });
  const [buyer, company] = await Promise.all(judged);
  const judges: Partial<Record<ChangeKind, Judge>> = { buyer, company };
  const verdict = ({ kind, id }: JudgedRow, at: number): Verdict => judges[kind]?.(id, at) ?? true;
  return {
    ...size,
    mayHaveMatched: (row) => verdict(row, stepOf(row).before) !== false,
    matches(row) {
      const then = verdict(row, stepOf(row).with);
      return (then === 'unknown' ? verdict(row, NOW) : then) === true;
    },
  };
}

/** Whether any of a kind's filters is given. */
function isAsked(kind: OwnerKind, filters: MarketFilters): boolean {
  return MARKET_FILTERS[kind].some((name) => filters[name] !== undefined);
}

type Judge = (id: string, at: number) => Verdict;
/** The first row of each id. */
type Chosen = Record<OwnerKind, Map<string, JudgedRow>>;

/** Rows from the first on, until they have too many contracts. */
async function chooseRows(catalogue: Database, rows: readonly (JudgedRow | null)[], most: number) {
  const idsOf = (kind: OwnerKind) => [...new Set(rows.flatMap((row) => (row?.kind === kind ? row.id : [])))];
  const [buyer, company] = await Promise.all([
    countOwned(catalogue, 'buyer', idsOf('buyer')),
    countOwned(catalogue, 'company', idsOf('company')),
  ]);
  const counts: Partial<Record<ChangeKind, ReadonlyMap<string, number>>> = { buyer, company };
  const chosen: Chosen = { buyer: new Map(), company: new Map() };
  let contracts = 0;
  for (const [index, row] of rows.entries()) {
    const owners = row && chosen[row.kind as OwnerKind];
    if (!row || !owners || owners.has(row.id)) continue;
    const more = counts[row.kind]?.get(row.id) ?? 0;
    if (index > 0 && contracts + more > most) return { chosen, length: index, contracts };
    contracts += more;
    owners.set(row.id, row);
  }
  return { chosen, length: rows.length, contracts };
}

async function judgeOwners(
  catalogue: Database,
  kind: OwnerKind,
  asked: readonly AskedOwner[],
  filters: MarketFilters,
): Promise<Judge> {
  const least = kind === 'company' ? filters.won_value_min : undefined;
  const condition = conditionOf(kind, filters);
  const matching = condition
    ? await readMatchingOwners(catalogue, kind, asked, condition)
    : new Set(asked.map(({ id }) => id));
  // Read after the matching ones, so a contract that changes between the two reads is among these, as it was.
  const open = least === undefined ? asked.filter(({ id }) => !matching.has(id)) : asked;
  const changes = open.length === 0 ? new Map<string, OwnerChanges>() : await readOwnerChanges(catalogue, kind, open);
  return (id, at) => {
    const own = changes.get(id) ?? { pounds: null, contracts: [] };
    const views = own.contracts.map((contract) => viewAt(contract, at));
    const then = views.filter((view): view is FilterView | 'unknown' => isOwn(kind, id, view));
    const has = matching.has(id) || isOneOf(then, filters);
    if (has === false || least === undefined) return has;
    const reaches = then.includes('unknown') ? 'unknown' : poundsAt(kind, id, own, then as FilterView[]) >= least;
    return reaches === true ? has : reaches;
  };
}

function isOneOf(views: readonly (FilterView | 'unknown')[], filters: MarketFilters): Verdict {
  if (views.some((view) => view !== 'unknown' && isWanted(view, filters))) return true;
  return views.includes('unknown') ? 'unknown' : false;
}

/** Whether a contract with these values belongs to an organisation; true also where the values are unknown. */
function isOwn(kind: OwnerKind, id: string, view: FilterView | null | 'unknown'): boolean {
  if (view === null || view === 'unknown') return view !== null;
  return kind === 'buyer' ? view.buyer_id === id : (view.company_ids as string[]).includes(id);
}

function isWanted({ cpvs, sort_date: day }: FilterView, { cpv, won_from: from, won_to: to }: MarketFilters): boolean {
  const codes = (cpvs as string[] | null) ?? [];
  return (
    (cpv === undefined || codes.some((code) => cpv.some((branch) => code.startsWith(branch)))) &&
    (from === undefined || String(day) >= from) &&
    (to === undefined || String(day) <= to)
  );
}

/** The sum at that time: the present sum, less what the changed contracts add now, plus what they added then. */
function poundsAt(kind: OwnerKind, id: string, now: OwnerChanges, then: readonly FilterView[]): number {
  const existing = now.contracts.filter(({ gone, view }) => gone === 0 && isOwn(kind, id, view));
  const current = existing.map(({ view }) => view);
  return (Math.round((now.pounds ?? 0) * 100) - penceOf(current) + penceOf(then)) / 100;
}

function penceOf(views: readonly FilterView[]): number {
  let pence = 0;
  for (const { value, currency, value_class: counted } of views) {
    if (counted === 'sum' && currency === 'GBP') pence += Math.round(Number(value ?? 0) * 100);
  }
  return pence;
}

/** The condition on a contract, as SQL; null without such a filter. */
function conditionOf(kind: OwnerKind, { cpv, won_from: from, won_to: to }: MarketFilters): ContractCondition | null {
  const parts: ContractCondition[] = [];
  if (cpv) {
    // Codes are digits in a JSON list, so the beginning of one follows a quotation mark.
    const branches = cpv.map(() => "instr(c.detail -> '$.cpvs', ?)");
    parts.push({ sql: `(${branches.join(' OR ')})`, args: cpv.map((branch) => `"${branch}`) });
  }
  if (kind === 'company' && from !== undefined) parts.push({ sql: 's.sort_date >= ?', args: [from] });
  if (kind === 'company' && to !== undefined) parts.push({ sql: 's.sort_date <= ?', args: [to] });
  if (parts.length === 0) return null;
  return { sql: parts.map(({ sql }) => sql).join(' AND '), args: parts.flatMap(({ args }) => args) };
}
