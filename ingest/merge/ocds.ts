import { canonicalJson, EMPTY, type JsonObject, numberOf, objectOf, textOf } from '../../schema/text/json-values.ts';
import { hasOtherCurrency, isPeriod, isReadable, periodIn, statesMoney, withoutOldAmounts } from '../fields/notice.ts';

/** Whether a value has content: blank text, null, and anything made of them, do not. */
export function saysAny(value: unknown): boolean {
  if (typeof value === 'object' && value !== null) return Object.values(value).some(saysAny);
  return typeof value === 'boolean' || textOf(value) !== undefined;
}

/** A list without its empty objects. Most lists have none, and are returned as they are. */
export function withoutEmpty(list: readonly unknown[]): readonly unknown[] {
  const isEmpty = (member: unknown) => isObject(member) && !saysAny(member);
  return list.some(isEmpty) ? list.filter((member) => !isEmpty(member)) : list;
}

/** Combines two descriptions of one thing: the second adds what the first leaves out, and lists keep the members of both. */
export function unite(one: JsonObject, other: JsonObject): JsonObject {
  const united: JsonObject = { ...EMPTY, ...one };
  for (const [key, value] of Object.entries(other)) {
    const said = united[key];
    const [known, added] = [objectOf(said), objectOf(value)];
    if (known && added) united[key] = unite(known, added);
    else if (Array.isArray(said) && Array.isArray(value)) united[key] = uniteLists(said, value);
    else if (!saysAny(said)) united[key] = value;
  }
  return united;
}

function uniteLists(one: readonly unknown[], other: readonly unknown[]): unknown[] {
  return [...new Map([...one, ...other].map((member) => [canonicalJson(member), member])).values()];
}

/** Whether two descriptions cannot be of the same thing: both state a literal and it differs. Ids do not count, nor lists, which add up. */
export function areContrary(one: JsonObject, other: JsonObject): boolean {
  return Object.entries(one).some(([key, value]) => key !== 'id' && differ(value, other[key]));
}

function differ(one: unknown, other: unknown): boolean {
  const [left, right] = [objectOf(one), objectOf(other)];
  if (left && right) return areContrary(left, right);
  const isList = Array.isArray(one) || Array.isArray(other);
  return !isList && saysAny(one) && saysAny(other) && String(one) !== String(other);
}

/** How an explicit null is read. */
interface MergeRules {
  /** Whether it removes what an earlier release said, as the standard defines. */
  nullDeletes: boolean;
}

/** `parent.field` of arrays that are replaced whole: wholeListMerge in OCDS core 1.1.5, the EU profile and the UK extension. */
export const WHOLE_LISTS: ReadonlySet<string> = new Set([
  'parties.additionalIdentifiers',
  'parties.additionalContactPoints',
  'details.classifications',
  'items.additionalClassifications',
  'items.deliveryAddresses',
  'items.deliveryLocations',
  'tender.additionalClassifications',
  'tender.deliveryAddresses',
  'tender.deliveryLocations',
  'tender.legislativeReferences',
  'tender.procurementMethodRationaleClassifications',
  'lots.additionalClassifications',
  'lots.identifiers',
  'lots.essentialAssets',
  'awardCriteria.criteria',
  'criteria.numbers',
  'selectionCriteria.criteria',
  'exclusionGrounds.criteria',
  'recurrence.dates',
  'amendments.unstructuredChanges',
  'amendments.rationaleClassifications',
  'frameworkAgreement.buyerClassificationRestrictions',
  'frameworkAgreement.buyerLocationRestrictions',
  'contracts.terminationRationaleClassifications',
]);

/** What a merge observed. */
export interface MergeReport {
  /** `parent.field` of what an explicit null would have deleted, but did not. */
  nullsKept: string[];
}

/** Fields of a release that the compiled one does not carry over (omitWhenMerged). */
const OMITTED = new Set(['id', 'date', 'tag']);

/**
 * The OCDS merge of ordered releases: literals and plain lists are replaced, objects merged, arrays of objects merged by `id` or
 * replaced whole, null removes. Pure: the input is not changed.
 */
export function mergeReleases(
  ordered: readonly JsonObject[],
  rules: MergeRules = { nullDeletes: true },
): { compiled: JsonObject; report: MergeReport } {
  const report: MergeReport = { nullsKept: [] };
  let compiled: JsonObject = {};
  for (const release of ordered) {
    const own = Object.fromEntries(Object.entries(release).filter(([key]) => !OMITTED.has(key)));
    compiled = mergeObject(compiled, own, '', rules, report);
  }
  const last = ordered.at(-1);
  if (last?.date !== undefined) {
    compiled.id = `${String(last.ocid ?? '')}-${String(last.date)}`;
    compiled.date = last.date;
  }
  compiled.tag = ['compiled'];
  return { compiled, report };
}

function mergeObject(
  base: JsonObject,
  next: JsonObject,
  name: string,
  rules: MergeRules,
  report: MergeReport,
): JsonObject {
  const merged: JsonObject = { ...EMPTY, ...base };
  for (const key of Object.keys(next)) {
    const value = next[key];
    // Blank text is no statement, as anywhere else.
    if (value === undefined || (typeof value === 'string' && !saysAny(value))) continue;
    if (value === null) {
      if (rules.nullDeletes) delete merged[key];
      else if (merged[key] !== undefined) report.nullsKept.push(`${name || 'release'}.${key}`);
      continue;
    }
    // Nor is text that cannot be read, such as a deadline of `TBC`, or an amount of 0: what is known stays.
    if (merged[key] !== undefined && !isReadable(key, value)) continue;
    const result = mergeValue(merged[key], value, name, key, rules, report);
    if (result !== undefined) merged[key] = result;
  }
  return merged;
}

function mergeValue(
  base: unknown,
  next: unknown,
  parent: string,
  key: string,
  rules: MergeRules,
  report: MergeReport,
): unknown {
  if (Array.isArray(next)) {
    const isWhole = WHOLE_LISTS.has(`${parent}.${key}`);
    // A list in which nothing is said has no effect, unless it is replaced whole.
    if (!saysAny(next)) return isWhole ? [] : base;
    // A null among objects says nothing about the others.
    const members = next.filter(isObject);
    if (isWhole || !members.some(hasId)) return next;
    return mergeById(Array.isArray(base) ? base : [], members, key, rules, report);
  }
  const stated = isObject(base) && !isObject(next) ? objectIn(key, next) : next;
  if (!isObject(stated)) return stated;
  const known = withoutOldLength(isObject(base) ? base : objectIn(key, base), stated);
  const isOther = hasOtherCurrency(known, stated);
  if (isOther && !statesMoney(stated)) return base;
  // An amount in another currency stands alone: the others would be read in that currency.
  const merged = mergeObject(isOther ? {} : withoutOldAmounts(known, stated), stated, key, rules, report);
  // Nor does an object without content.
  return base === undefined && Object.keys(merged).length === 0 ? undefined : merged;
}

/** A period without its end and length if a later one states either: the other would contradict it. */
export function withoutOldLength<T extends JsonObject>(period: T, later: JsonObject): Partial<T> {
  if (!ENDINGS.some((key) => isReadable(key, later[key]))) return period;
  const { endDate: _, durationInDays: __, durationInMonths: ___, ...rest } = period;
  return rest as Partial<T>;
}

const ENDINGS = ['endDate', 'durationInDays', 'durationInMonths'];

/**
 * What a bare text or number says where an object is expected: a period in words, or an amount. Any other text there says
 * nothing that the object does not.
 */
function objectIn(key: string, bare: unknown): JsonObject {
  if (isPeriod(key)) return periodIn(key, bare);
  return numberOf(bare) === undefined ? {} : { amount: bare };
}

/** Merges by id. If members of one release share an id and differ, the second is merged with the second of the earlier releases. */
function mergeById(
  base: readonly unknown[],
  next: readonly JsonObject[],
  key: string,
  rules: MergeRules,
  report: MergeReport,
): unknown[] {
  const merged = [...base];
  const places = new Map<string, number[]>();
  for (const [index, member] of base.entries()) if (hasId(member)) listUnder(places, idOf(member)).push(index);
  const said = new Map<string, JsonObject[]>();
  for (const member of next) {
    const own = hasId(member) ? listUnder(places, idOf(member)) : [];
    const place = hasId(member) ? own[placeAmong(listUnder(said, idOf(member)), member)] : undefined;
    if (place === undefined) own.push(merged.length);
    const known = place === undefined ? undefined : merged[place];
    merged[place ?? merged.length] = mergeObject(isObject(known) ? known : {}, member, key, rules, report);
  }
  return merged;
}

function listUnder<T>(lists: Map<string, T[]>, id: string): T[] {
  const list = lists.get(id) ?? [];
  lists.set(id, list);
  return list;
}

/** The first of these that a member does not contradict; the end where it contradicts them all. */
function placeAmong(before: JsonObject[], member: JsonObject): number {
  const place = before.findIndex((other) => !areContrary(other, member));
  return place === -1 ? before.push(member) - 1 : place;
}

/** How many members of the arrays of one release, at any depth, repeat an id from earlier in the same array. */
export function countDuplicateIds(release: JsonObject, parent = ''): number {
  let count = 0;
  for (const key of Object.keys(release)) {
    const value = release[key];
    if (typeof value !== 'object' || value === null) continue;
    if (isObject(value)) count += countDuplicateIds(value, key);
    if (!Array.isArray(value)) continue;
    const members = value.filter(isObject);
    for (const member of members) count += countDuplicateIds(member, key);
    if (members.length < 2 || members.length < value.length || WHOLE_LISTS.has(`${parent}.${key}`)) continue;
    const ids = members.filter(hasId).map(idOf);
    count += ids.length - new Set(ids).size;
  }
  return count;
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** An id as everything else reads it: a blank at its end does not make it another one. */
function idOf({ id }: JsonObject): string {
  return textOf(id) ?? '';
}

function hasId(value: unknown): value is JsonObject & { id: string | number } {
  return isObject(value) && textOf(value.id) !== undefined;
}
