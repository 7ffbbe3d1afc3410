import type { z } from 'zod';
import type { companyAnswer } from '../../schema/answers/company.ts';
import type { candidate } from '../../schema/answers/shapes.ts';
import type { Match } from '../../schema/catalogue/details.ts';

/** A company as one row of a long list names it: by a number, an id or any identifier of it, or by its name and place. */
export type AskedCompany = { id: string } | { name: string; postcode?: string | undefined };

/** What a row led to: the answer of its look-up, whole, or what is near. */
export type LookedUpCompany =
  | { kind: 'found'; answer: z.input<typeof companyAnswer>; match: Match }
  | { kind: 'nothing'; message: string; candidates: readonly z.output<typeof candidate>[] };

/**
 * Work on the catalogue that is too long for a process that answers calls, done in another one. Each throws SearchUnavailable
 * past its deadline, or where too much is asked at once, and DatabaseAway.
 */
export interface Aside {
  /** The companies of many rows, in their order. */
  lookUpCompanies(asked: readonly AskedCompany[]): Promise<LookedUpCompany[]>;
  close(): Promise<void>;
}
