import { canonicalJson } from '../../schema/text/digest.ts';
import { type JsonObject, objectOf, textOf } from '../../schema/text/json-values.ts';

/** Whether a value says anything: blank text and null do not, nor what is made of them. */
export function saysAny(value: unknown): boolean {
  if (typeof value === 'object' && value !== null) return Object.values(value).some(saysAny);
  return typeof value === 'boolean' || textOf(value) !== undefined;
}

/** Two accounts of one thing as one: what the first leaves out the second adds, and lists hold the members of both. */
export function unite(one: JsonObject, other: JsonObject): JsonObject {
  const united = { ...one };
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

/** Whether two accounts cannot be of one thing: a literal that both state differs. Their ids aside, and lists, which add up. */
export function areContrary(one: JsonObject, other: JsonObject): boolean {
  return Object.entries(one).some(([key, value]) => key !== 'id' && differ(value, other[key]));
}

function differ(one: unknown, other: unknown): boolean {
  const [left, right] = [objectOf(one), objectOf(other)];
  if (left && right) return areContrary(left, right);
  const isList = Array.isArray(one) || Array.isArray(other);
  return !isList && saysAny(one) && saysAny(other) && String(one) !== String(other);
}
