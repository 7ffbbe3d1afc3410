import type { Grouping, Write } from '../concurrency/group-commit.ts';
import { groupDebits } from './grouped-debits.ts';
import { groupKeyed } from './keyed-calls.ts';

/** Debits as they are sent to the process that writes them with those of others: by the name of their grouping. */
const GROUPINGS = { debits: groupDebits, keyed: groupKeyed };
type Name = keyof typeof GROUPINGS;

/** What a call writes, as it is sent to another process. */
export interface SentWrite {
  statements: Write['statements'];
  grouped?: { name: Name; row: unknown; bytes: number };
}

/** @throws Error for rows of a grouping that has no name here */
export function toSent({ statements, grouped }: Write): SentWrite {
  if (!grouped) return { statements };
  const names = Object.keys(GROUPINGS) as Name[];
  const name = names.find((one) => GROUPINGS[one] === grouped.grouping);
  if (!name) throw new Error('rows of an unknown grouping cannot be sent to another process');
  return { statements, grouped: { name, row: grouped.row, bytes: grouped.bytes } };
}

/** The write that `toSent` was given. @throws Error for a grouping that only another version of the program has */
export function fromSent({ statements, grouped }: SentWrite): Write {
  if (!grouped) return { statements };
  const grouping = GROUPINGS[grouped.name] as Grouping<unknown, unknown> | undefined;
  if (!grouping) throw new Error(`rows of the grouping ${grouped.name} are unknown to this process`);
  return { statements, grouped: { grouping, row: grouped.row, bytes: grouped.bytes } };
}
