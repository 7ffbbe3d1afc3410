import { isSmeByAccounts, SIZE_RANKS, sizeRankOf } from '../../../schema/reference/company-size.ts';
import { type CompanyStatus, companyStatusOf } from '../../../schema/reference/company-status.ts';
import { regionCodeOfPostcode } from '../../../schema/reference/regions.ts';

/** Properties that many companies of the register share, stored once: lists are filtered and ordered by them. */
export interface Traits {
  status: CompanyStatus;
  sme: true | null;
  /** How large it is by its accounts, 0 the largest. */
  size: number;
  /** ITL 1 code of its postcode's region. */
  region: string | null;
}

/** The place of traits among companies that never won, from 1 to `CLASSES`: active ones first, then larger ones. */
export function classOf({ status, size }: Pick<Traits, 'status' | 'size'>): number {
  return 1 + (status === 'active' ? 0 : SIZE_RANKS) + size;
}

/** The highest `classOf`. */
export const CLASSES = 2 * SIZE_RANKS;

/** The traits that occur, each set with a number. */
export interface TraitTable {
  readonly all: Traits[];
  /** @param words - of the register, for its status */
  numberOf(words: string, hasLeft: boolean, accounts: string | null, postcode: string | null): number;
}

/** A table of the stored traits, which adds new ones. */
export function makeTraitTable(known: readonly Traits[] = []): TraitTable {
  const all: Traits[] = [];
  const numbers = new Map<string, number>();
  /** The same, keyed by the register's own words, which are more numerous. */
  const written = new Map<string, number>();
  const add = (traits: Traits): number => {
    const key = JSON.stringify(traits);
    const number = numbers.get(key) ?? all.push(traits) - 1;
    numbers.set(key, number);
    return number;
  };
  known.forEach(add);
  return {
    all,
    numberOf(words, hasLeft, accounts, postcode) {
      const region = regionCodeOfPostcode(postcode);
      const key = `${words}|${hasLeft}|${accounts}|${region}`;
      const number =
        written.get(key) ??
        add({
          status: companyStatusOf(words, hasLeft),
          sme: hasLeft ? null : isSmeByAccounts(accounts),
          size: sizeRankOf(accounts),
          region,
        });
      written.set(key, number);
      return number;
    },
  };
}
