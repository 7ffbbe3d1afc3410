import type { OcdsRelease } from '../../../schema/ocds/types.ts';
import type { NoticeGroup } from '../notice.ts';
import type { PartiesOf } from '../parties/of-process.ts';
import { tellSuppliersApart } from '../parties/same-supplier.ts';
import type { LeftOut } from '../types.ts';
import { type Winners, winnersOf } from './awarded-suppliers.ts';
import { type Bundle, bundleAwards } from './bundles.ts';
import { type Said, saidByAward } from './history.ts';

/** An award that stands, with what each notice said of it and whom it was made to. */
export interface StandingAward extends Bundle {
  said: readonly Said[];
  winners: Winners;
}

/** The awards of a process that stand, and those that do not, with the reason. */
export function standingAwards(
  merged: OcdsRelease,
  groups: readonly NoticeGroup[],
  parties: PartiesOf,
): { awards: StandingAward[]; leftOut: LeftOut[] } {
  if (merged.awards.length + merged.contracts.length === 0) return { awards: [], leftOut: [] };
  const said = saidByAward(groups);
  const same = tellSuppliersApart(parties, merged);
  const { bundles, leftOut } = bundleAwards(merged, said);
  const awards = bundles.map((bundle) => {
    const words = said.get(bundle.awardId) ?? [];
    return { ...bundle, said: words, winners: winnersOf({ ...bundle, said: words, parties, same }) };
  });
  return { awards, leftOut };
}
