import { isSmeByAccounts, SIZE_RANKS, sizeRankOf } from '../../../schema/reference/company-size.ts';
import { type CompanyStatus, companyStatusOf } from '../../../schema/reference/company-status.ts';
import { regionCodeOfPostcode } from '../../../schema/reference/regions.ts';

/** Properties that many companies of the register share, stored once: lists are filtered and ordered by them. */
export interface Standing {
  status: CompanyStatus;
  sme: true | null;
  /** How large it is by its accounts, 0 the largest. */
  size: number;
  /** ITL 1 code of its postcode's region. */
  region: string | null;
}

/** The class of a standing among companies that never won: 1 comes first. Active ones, then larger ones. */
export function classOf({ status, size }: Pick<Standing, 'status' | 'size'>): number {
  return 1 + (status === 'active' ? 0 : SIZE_RANKS) + size;
}

/** The highest `classOf`. */
export const CLASSES = 2 * SIZE_RANKS;

/** The standings that occur, each with a number. */
export interface Standings {
  readonly all: Standing[];
  /** @param words - of the register, for its status */
  numberOf(words: string, hasLeft: boolean, accounts: string | null, postcode: string | null): number;
}

/** The stored standings, and new ones. */
export function makeStandings(known: readonly Standing[] = []): Standings {
  const all: Standing[] = [];
  const numbers = new Map<string, number>();
  /** The same, keyed by the register's own words, which are more numerous. */
  const written = new Map<string, number>();
  const add = (standing: Standing): number => {
    const key = JSON.stringify(standing);
    const number = numbers.get(key) ?? all.push(standing) - 1;
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
