import type { ContractCase, ExpectedContract } from './cases.ts';
import { contractsFinder, contractsFinder2020 } from './releases/contracts-finder.ts';
import { contractsFinder2017 } from './releases/contracts-finder-2017.ts';
import { findATender, findATender2015 } from './releases/find-a-tender.ts';
import type { Award, Json, Notice } from './releases/notice.ts';

type Kind = ContractCase['kind'];
type Build = (notice: Notice) => Json;
type More = Omit<Notice, 'process' | 'awards'> & { doubtful?: string };

const BUILDERS = {
  '2017': ['contracts_finder', contractsFinder2017],
  '2020': ['contracts_finder', contractsFinder2020],
  today: ['contracts_finder', contractsFinder],
  old: ['find_a_tender', findATender2015],
  UK6: ['find_a_tender', (notice) => findATender('UK6', notice)],
  UK7: ['find_a_tender', (notice) => findATender('UK7', notice)],
} satisfies { [era: string]: [ContractCase['source'], Build] };

export type Era = keyof typeof BUILDERS;

/** A case of one release. */
export function oneRelease(
  kind: Kind,
  era: Era,
  name: string,
  awards: Award[],
  contracts: ExpectedContract[],
  { doubtful, ...more }: More = {},
): ContractCase {
  const [source, build] = BUILDERS[era];
  return {
    name,
    kind,
    ...(doubtful ? { doubtful } : {}),
    source,
    releases: [build({ process: name, awards, ...more })],
    expect: { contracts },
  };
}

/** A case of several releases of one process. */
export function severalReleases(
  kind: Kind,
  era: Era,
  name: string,
  notices: Omit<Notice, 'process'>[],
  contracts: ExpectedContract[],
  doubtful?: string,
): ContractCase {
  const [source, build] = BUILDERS[era];
  return {
    name,
    kind,
    ...(doubtful ? { doubtful } : {}),
    source,
    releases: notices.map((notice, index) => build({ process: name, notice: index + 1, ...notice })),
    expect: { contracts },
  };
}
