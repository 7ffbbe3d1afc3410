import { z } from 'zod';
import { readSigned, type Seal, signText } from '../../../schema/text/signed.ts';
import type { Position } from '../../../search/directory/entries.ts';
import { InvalidInput } from '../../contract/errors.ts';
import type { Services } from '../../contract/operation.ts';

/** What the lists of organisations share: their pages. */

/** The text that narrows a list: words of a name, or an alternative to it. */
export const listQuery = z.string().trim().min(1).max(300).optional();
export const listLimit = z.int().min(1).max(100).default(25).describe('Items a page');
export const listCursor = z.string().min(1).max(800).optional().describe('next_cursor, all else the same');

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
export function writeCursor(services: Services, list: AskedList, next: Position | null): string | null {
  if (!next) return null;
  const text = Buffer.from(JSON.stringify([next.level, next.size, next.id])).toString('base64url');
  return signText(sealOf(services, list), text);
}

/** The position in a cursor of this list; undefined without a cursor. @throws InvalidInput for any other text */
export function readCursor(services: Services, list: AskedList, cursor: string | undefined): Position | undefined {
  if (cursor === undefined) return undefined;
  const text = readSigned(sealOf(services, list), cursor);
  if (text !== null) {
    const [level, size, id] = positionShape.parse(JSON.parse(Buffer.from(text, 'base64url').toString()));
    return { level, size, id };
  }
  const msg = 'not a cursor of this list; send next_cursor of the page before with all else unchanged, or leave it out';
  throw new InvalidInput({ path: ['cursor'], msg, type: 'value_error', input: cursor });
}
