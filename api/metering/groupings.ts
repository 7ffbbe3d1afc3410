import type { Grouping, Write } from '../concurrency/group-commit.ts';
import { groupDebits } from './grouped-debits.ts';
import { groupKeyed } from './one-batch.ts';

/** Debits as they are sent to the process that writes them with those of others: by the name of their grouping. */
const GROUPINGS = { debits: groupDebits, keyed: groupKeyed } as Record<string, Grouping<unknown, unknown>>;

/** What a call writes, as it is sent to another process. */
export interface SentWrite {
  statements: Write['statements'];
  grouped?: { name: string; row: unknown };
}

/** @throws Error for rows of a grouping that has no name here */
export function toSent({ statements, grouped }: Write): SentWrite {
  if (!grouped) return { statements };
  const [name] = Object.entries(GROUPINGS).find(([, grouping]) => grouping === grouped.grouping) ?? [];
  if (!name) throw new Error('rows of an unknown grouping cannot be sent to another process');
  return { statements, grouped: { name, row: grouped.row } };
}

/** @throws Error for a grouping that is not known here */
export function fromSent({ statements, grouped }: SentWrite): Write {
  if (!grouped) return { statements };
  const grouping = GROUPINGS[grouped.name];
  if (!grouping) throw new Error(`there is no grouping ${grouped.name}`);
  return { statements, grouped: { grouping, row: grouped.row } };
}
