import { CPV_DIVISIONS } from '../../schema/reference/cpv.ts';
import { NOTICE_TYPE_NAMES } from '../../schema/reference/notice-types.ts';
import { findNear } from './nearest.ts';

/** Other words for the values of our inputs, written as `bare` leaves them. */
const WORDS: Readonly<Record<string, readonly string[]>> = {
  open: ['live', 'active', 'current', 'ongoing', 'now'],
  closed: ['expired', 'past', 'ended', 'finished'],
  any: ['all', 'both', 'everything'],
  planning: ['planned', 'pipeline', 'future'],
  tender: ['live', 'open', 'active', 'opportunity', 'published'],
  award: ['awarded', 'won'],
  contract: ['signed'],
  change: ['changed', 'modified', 'modification', 'amendment'],
  termination: ['terminated', 'cancelled', 'ended'],
  contracts_finder: ['cf'],
  find_a_tender: ['fts', 'fat', 'findtender'],
  relevance: ['best', 'score', 'rank'],
  '-published': ['newest', 'newestfirst', 'latest', 'recent', 'date', 'publisheddesc', 'datedesc'],
  published: ['oldest', 'oldestfirst', 'publishedasc', 'dateasc'],
  deadline: ['closing', 'closingsoonest', 'closingdate', 'soonest', 'deadlineasc'],
  '-value': ['highest', 'largest', 'biggest', 'valuedesc'],
  value: ['lowest', 'smallest', 'amount', 'valueasc'],
  tenders: ['opportunities'],
  contracts: ['awards'],
  companies: ['suppliers', 'vendors', 'company'],
  buyers: ['authorities', 'organisations'],
  csv: ['xlsx', 'xls', 'excel'],
  jsonl: ['json', 'ndjson'],
  brief: ['short', 'summary', 'compact', 'minimal'],
  full: ['all', 'long', 'complete', 'detailed', 'verbose'],
};

/** The value among those that may be sent that a word stands for: the same in another writing, by another name, or nearly. */
export function findValue(word: string, values: readonly string[]): string | undefined {
  const own = bare(word.slice(0, 64));
  return (
    values.find((value) => value === word.toLowerCase()) ??
    values.find((value) => bare(value) === own) ??
    values.find((value) => WORDS[value]?.includes(own)) ??
    values.find((value) => own === bare(NOTICE_TYPE_NAMES[value] ?? '-')) ??
    findNear(word.slice(0, 64), values)
  );
}

function bare(word: string): string {
  return word.toLowerCase().replace(/[^a-z0-9]/g, '');
}

/** Each word is looked for in every division. */
const CPV_CHARS = 64;

/** The CPV code in a text, or the division that its words name best. */
export function findCpv(text: string): { code: string; name?: string } | undefined {
  const short = text.slice(0, CPV_CHARS);
  const digits = /(?<!\d)\d{2,8}(?!\d)/.exec(short)?.[0];
  if (digits) return { code: digits };
  const words = short.toLowerCase().match(/[a-z]{2,}/g) ?? [];
  const ranked = CPV_DIVISIONS.map((division) => ({ division, weight: weigh(division.name, words) }));
  const [best] = ranked.sort((one, other) => other.weight - one.weight);
  return best && best.weight > 0 ? best.division : undefined;
}

/** Words of a name that begin so: those that few names have count most, and among equals the name that says least else. */
function weigh(name: string, words: readonly string[]): number {
  const held = words.filter((word) => isIn(name, word));
  const rarity = (word: string) => 1 / CPV_DIVISIONS.filter((other) => isIn(other.name, word)).length;
  return held.reduce((sum, word) => sum + rarity(word) + word.length / name.length / 100, 0);
}

function isIn(name: string, word: string): boolean {
  return ` ${name.toLowerCase()}`.includes(` ${word}`);
}
