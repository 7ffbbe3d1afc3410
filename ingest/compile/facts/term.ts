import type { EndsBasis } from '../../../schema/catalogue/enums.ts';
import type { OcdsPeriod, OcdsRelease } from '../../../schema/ocds/types.ts';
import { parseDay } from '../../fields/dates.ts';
import type { Bundle } from '../awards/active.ts';
import { type Said, terminationDay } from '../awards/history.ts';
import { relatedLots } from '../values/money.ts';

/** When a contract runs. Days are as published; what no notice states is null. */
export interface Term {
  starts: string | null;
  ends: string | null;
  endsBasis: EndsBasis | null;
  /** Last day if every published option to extend is used. */
  endsLatest: string | null;
  /** The day a termination ended it. */
  terminated: string | null;
  /** What start and end were read from. */
  period: OcdsPeriod | undefined;
}

/** A contract as changes left it, and which notices changed its period. */
export interface RunningContract extends Bundle {
  said: readonly Said[];
  /** Whether a change notice states its period. */
  isChanged: boolean;
}

/** When a contract runs, and what says so. */
export function termOf(running: RunningContract, merged: OcdsRelease): Term {
  const { contracts, said } = running;
  const { period, basis } = periodOf(running, merged);
  // One of several contracts may be terminated while the others run on.
  const terminated = contracts.length === 1 ? terminationDay(said) : null;
  const planned = parseDay(period?.endDate);
  const isCut = terminated !== null && (planned === null || terminated < planned);
  const ends = isCut ? terminated : planned;
  const latest = terminated === null ? parseDay(period?.maxExtentDate) : null;
  return {
    starts: parseDay(period?.startDate),
    ends,
    endsBasis: isCut ? 'termination' : ends === null ? null : basis,
    endsLatest: latest !== null && (ends === null || latest > ends) ? latest : null,
    terminated,
    period,
  };
}

function periodOf({ award, contracts, isChanged }: RunningContract, { tender }: OcdsRelease): Dated {
  const lots = relatedLots(award, tender);
  const stated: Dated[] = [
    { period: contracts.findLast(({ period }) => period)?.period, basis: isChanged ? 'change' : 'contract' },
    { period: award?.contractPeriod, basis: 'award' },
    { period: lots.find(({ contractPeriod }) => contractPeriod?.endDate)?.contractPeriod, basis: 'lot' },
    { period: tender.contractPeriod, basis: 'tender' },
  ];
  return stated.find(({ period }) => period?.startDate ?? period?.endDate) ?? { period: undefined, basis: null };
}

interface Dated {
  period: OcdsPeriod | undefined;
  basis: EndsBasis | null;
}
