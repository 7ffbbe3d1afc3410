import { isLive, labelTenders } from '../components/labels.ts';
import type { Query, Scope } from '../queries/hits.ts';

/** What is particular to one page of results. All of them are the same search with the same form. */
export interface View {
  path: `/${string}`;
  scope: Scope;
  title: string;
  /** What it shows, where the title does not say it. */
  lead?: string;
  /** What to type, for screen readers and in the empty field. */
  label: string;
  hint: string;
  /** One result, and several where an `s` does not say it. */
  what: string;
  many?: string;
  sorts: readonly (readonly [value: string, words: string])[];
  /** What the order is called that results have where none is chosen, if words do not decide it. */
  usualSort?: string;
  /** Set where it shows what has not ended and does so within some months of today: its address has `months` instead of days. */
  isRolling?: boolean;
  /** Fields that its form leaves out. */
  without?: readonly string[];
  /** Whether its searches are feeds too. */
  hasFeed: boolean;
  /** Words below an empty list, with an address where more is found. */
  elsewhere?: { words: string; path: string; name: string };
}

const VALUE_SORT = ['-value', 'Value, largest first'] as const;
const TENDER_SORTS = [['-published', 'Newest first'], ['deadline', 'Deadline, soonest first'], VALUE_SORT] as const;
const NOTICE_SORTS = [...TENDER_SORTS, ['tender_expected', 'Tender expected, soonest first']] as const;

export const NOTICES: View = {
  path: '/notices',
  scope: 'notices',
  title: 'Notices',
  label: 'Words in a notice, a buyer, a supplier',
  hint: 'Words, buyer or supplier',
  what: 'notice',
  sorts: NOTICE_SORTS,
  hasFeed: true,
};
/** The tenders of a search: live ones unless it asks for others. */
export const tendersView = ({ status }: Query): View => ({
  path: '/tenders',
  scope: 'tenders',
  title: labelTenders(status),
  label: 'What could you supply?',
  hint: 'What could you supply?',
  what: 'tender',
  sorts: TENDER_SORTS,
  hasFeed: true,
  elsewhere: {
    words: isLive(status)
      ? 'Only tenders that are open now are shown here; the rest are among'
      : 'Plans and awards are among',
    path: '/notices',
    name: 'all notices',
  },
});
export const CONTRACTS: View = {
  path: '/contracts',
  scope: 'contracts',
  title: 'Contracts',
  lead: 'Who supplies what to whom, for how much and until when: each contract once, however many notices speak of it.',
  label: 'Words in a contract, a buyer, a supplier',
  hint: 'Words, buyer or supplier',
  what: 'contract',
  // Elsewhere places are counted separately: the same search has more results than a summary of it has contracts.
  many: 'contracts and places on frameworks',
  sorts: [['-awarded', 'Latest award first'], ['ends', 'End, soonest first'], VALUE_SORT],
  hasFeed: true,
};
export const FRAMEWORKS: View = {
  path: '/frameworks',
  scope: 'frameworks',
  title: 'Frameworks',
  lead: 'Agreements and dynamic markets that public bodies buy through: their lots, suppliers and call-offs.',
  label: 'Words in a framework, or its reference',
  hint: 'Words or a reference',
  what: 'framework',
  sorts: [
    ['-published', 'Newest first'],
    ['ends', 'End, soonest first'],
    ['-value', 'Ceiling, largest first'],
  ],
  hasFeed: false,
};
export const RENEWALS: View = {
  ...CONTRACTS,
  path: '/renewals',
  title: 'Renewals',
  lead: 'Contracts that end soon, the soonest first, options to extend not counted: what their buyers may tender next.',
  usualSort: 'End, soonest first',
  sorts: [VALUE_SORT, ['-awarded', 'Latest award first']],
  isRolling: true,
  // What comes into its period is not new.
  hasFeed: false,
  without: ['status', 'ends'],
  elsewhere: {
    words: 'What runs longer, has ended or has no known end is among',
    path: '/contracts',
    name: 'all contracts',
  },
};
