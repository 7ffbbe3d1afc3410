import { z } from 'zod';
import { countKind } from '../../../schema/answers/shapes.ts';
import { readSigned, type Seal, signText } from '../../../schema/text/signed.ts';
import type { ListPage, Position } from '../../../search/directory/entries.ts';
import type { Services } from '../../contract/operation.ts';
import { type UnknownFilters, unknownFilters } from '../filters/known.ts';
import { badCursor } from '../shared/cursors.ts';

/** What the lists of organisations share: their pages. */

/** The text that narrows a list: words of a name, or an alternative to it. */
export const listQuery = z.string().trim().min(1).max(300).optional();
export const listLimit = z.int().min(1).max(100).default(25).describe('Items a page');
export const listCursor = z.string().min(1).max(800).optional().describe('next_cursor, all else the same');

/** The answer of a list of such items. */
export function listOf<T extends z.ZodType>(item: T) {
  return z.object({
    items: z.array(item),
    count: z.int(),
    total: z.int().describe('How many match'),
    total_is: countKind,
    unknown_filters: unknownFilters,
    next_cursor: z.string().nullable(),
  });
}

/** A page as it is answered; an empty one is free. */
export function toListAnswer<T>(
  items: T[],
  { total, next, isWhole = true }: Omit<ListPage<unknown>, 'entries'> & { isWhole?: boolean },
  { services, list, unknown }: { services: Services; list: AskedList; unknown: UnknownFilters | undefined },
) {
  const body = {
    items,
    count: items.length,
    total,
    total_is: isWhole ? ('exact' as const) : ('at_least' as const),
    ...(unknown && { unknown_filters: unknown }),
    next_cursor: writeCursor(services, list, next),
  };
  return { kind: 'answer' as const, body, ...(items.length === 0 && { charge: 'none' as const }) };
}

const positionShape = z.tuple([z.int(), z.number(), z.string()]);

/** A list with its filters: its cursors are valid for this list only. */
interface AskedList {
  name: string;
  query: string | undefined;
  filters: object;
}

function sealOf({ secret }: Services, { name, query = '', filters }: AskedList): Seal {
  return { secret, purpose: ['list', name, query, JSON.stringify(filters)] };
}

/** The signed cursor after a position; null where no page follows. */
function writeCursor(services: Services, list: AskedList, next: Position | null): string | null {
  if (!next) return null;
  const text = Buffer.from(JSON.stringify([next.level, next.size, next.id])).toString('base64url');
  return signText(sealOf(services, list), text);
}

/** The position in a cursor of this list; undefined without a cursor. @throws InvalidInput for any other text */
export function readCursor(services: Services, list: AskedList, cursor: string | undefined): Position | undefined {
  if (cursor === undefined) return undefined;
  const text = readSigned(sealOf(services, list), cursor);
  if (text === null) throw badCursor(cursor);
  const [level, size, id] = positionShape.parse(JSON.parse(Buffer.from(text, 'base64url').toString()));
  return { level, size, id };
}
