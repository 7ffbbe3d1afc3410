import type { z } from 'zod';
import type { companyAnswer } from '../../schema/answers/company.ts';
import type { candidate } from '../../schema/answers/shapes.ts';
import type { Match } from '../../schema/catalogue/details.ts';
import type { ChangesAsk, ChangesPage } from '../../search/changes/page.ts';
import type { BuyersAsk, ListedBuyer } from '../../search/directory/buyers.ts';
import type { CompaniesAsk, CompanyPage, IdPage } from '../../search/directory/companies.ts';
import type { ListPage } from '../../search/directory/entries.ts';

/** A company as one row of a long list gives it: a number, an id or any other identifier, or a name and place. */
export type AskedCompany = { id: string } | { name: string; postcode?: string | undefined };

/** The result for a row: its complete look-up answer, or similar names. */
export type LookedUpCompany =
  | { kind: 'found'; answer: z.input<typeof companyAnswer>; match: Match }
  | { kind: 'nothing'; message: string; candidates: readonly z.output<typeof candidate>[] };

/** A page of buyers, each with its number of open tenders. */
export type ListedBuyers = ListPage<ListedBuyer & { live_tender_count: number }>;
export type ListedCompanies = NonNullable<CompanyPage>;

/** A list of organisations whose ids are wanted. */
export type ListedIdsAsk = ({ list: 'companies' } & CompaniesAsk) | ({ list: 'buyers' } & BuyersAsk);

/**
 * Catalogue work that is too long for a process that answers calls, so it runs in another one. Each throws SearchUnavailable
 * past its deadline, or where too much is requested at once, and DatabaseAway.
 */
export interface LongReads {
  /** The companies for many rows, in order. */
  lookUpCompanies(asked: readonly AskedCompany[]): Promise<LookedUpCompany[]>;
  /** A page of buyers, at an instant. */
  listBuyers(asked: BuyersAsk & { now: string }): Promise<ListedBuyers>;
  /** A page of companies. */
  listCompanies(asked: CompaniesAsk): Promise<ListedCompanies>;
  /** The ids of a page of a list, which may be long: those with the newest contracts first. */
  listIds(asked: ListedIdsAsk): Promise<NonNullable<IdPage>>;
  /** Begins to read the data of lists, so that the first list does not have to wait. */
  prepareLists(): Promise<void>;
  /** A page of changes. */
  readChangesPage(asked: ChangesAsk): Promise<ChangesPage>;
  close(): Promise<void>;
}
