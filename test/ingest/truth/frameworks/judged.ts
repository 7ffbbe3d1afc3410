import type { FrameworkCase } from '../cases.ts';
import { pool } from '../firms.ts';
import { contractsFinder, contractsFinder2020 } from '../releases/contracts-finder.ts';
import { findATender, findATender2015 } from '../releases/find-a-tender.ts';
import type { Award, Firm, Json, Notice } from '../releases/notice.ts';

type ActType = Parameters<typeof findATender>[0];
type Era = '2020' | 'today' | 'old' | ActType;

export interface Said {
  title: string;
  description?: string;
  procedure?: string;
  /** How many suppliers the award has. 0: nothing is awarded yet. */
  suppliers?: number;
  value?: number | null;
  /** Awards that are more than one list of suppliers. */
  awards?: Award[];
  tender?: Json;
  more?: Json;
  buyer?: Firm;
  doubtful?: string;
}

function build(era: Era, notice: Notice): Json {
  if (era === '2020') return contractsFinder2020(notice);
  if (era === 'today') return contractsFinder(notice);
  return era === 'old' ? findATender2015(notice) : findATender(era, notice);
}

function judged(
  kind: FrameworkCase['kind'],
  era: Era,
  name: string,
  { doubtful, suppliers = 1, value = 250_000, ...said }: Said,
): FrameworkCase {
  const awards = said.awards ?? (suppliers ? [{ firms: pool(suppliers), value }] : []);
  return {
    name: `${name} (${era})`,
    kind,
    ...(doubtful ? { doubtful } : {}),
    source: era === '2020' || era === 'today' ? 'contracts_finder' : 'find_a_tender',
    releases: [build(era, { process: `${name} ${era}`, description: `${said.title}.`, ...said, awards })],
    expect: { framework: kind === 'positive' },
  };
}

/** A framework, an approved list or a dynamic market. */
export const isFramework = (era: Era, name: string, said: Said) => judged('positive', era, name, said);

/** A purchase that is none of them. */
export const isNone = (era: Era, name: string, said: Said) => judged('near-miss', era, name, said);
