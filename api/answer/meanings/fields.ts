import type { JsonSchema } from '../published-schema.ts';
import { PROCUREMENT_WORDS } from './procurement.ts';
import { REGISTER_WORDS } from './register.ts';

/** London calendar days, `YYYY-MM-DD`: those of procurements, then those of the register of companies. */
const DAYS = new Set([
  ...'award_expected awarded bid_valid_until bids_expected dated deadline ends ends_latest engagement_until enquiries_until'.split(
    ' ',
  ),
  ...'expressions_until extends_to invitations_expected published recurs_expected signature_expected signed standstill_until starts tender_expected terminated'.split(
    ' ',
  ),
  ...'ceased created date dissolved incorporated last_award last_from last_full_members_list last_made_up'.split(' '),
  ...'next_due next_from next_made_up register_edition'.split(' '),
]);

/** The meaning of each field, unless its shape says more: a name means the same in every answer. */
const WORDS: Readonly<Record<string, string>> = { ...REGISTER_WORDS, ...PROCUREMENT_WORDS };

/** What a field means, by its name, in a sentence; undefined where the name says it all. */
export function meaningOf(name: string): string | undefined {
  return WORDS[name];
}

/** The format of a field that is a day or an instant, by its name; undefined for any other. */
export function formatOf(name: string): 'date' | 'date-time' | undefined {
  if (DAYS.has(name)) return 'date';
  return /(^|_)at$|^as_of$/.test(name) ? 'date-time' : undefined;
}

/** Shapes by name, with a description of each of their fields. */
export function describeAll(shapes: Readonly<Record<string, JsonSchema>>): Record<string, JsonSchema> {
  return Object.fromEntries(Object.entries(shapes).map(([name, shape]) => [name, describeFields(shape)]));
}

/** A shape in which each field has its meaning and, where it is a day or an instant, its format. */
function describeFields(shape: JsonSchema): JsonSchema {
  if (!shape.properties) return shape;
  const properties = Object.entries(shape.properties).map(
    ([name, field]) => [name, describeField(name, field)] as const,
  );
  return { ...shape, properties: Object.fromEntries(properties) };
}

function describeField(name: string, field: JsonSchema): JsonSchema {
  const format = [field.type].flat().includes('string') && !field.enum ? formatOf(name) : undefined;
  const description = field.description ?? meaningOf(name);
  return { ...field, ...(format ? { format } : {}), ...(description ? { description } : {}) };
}
