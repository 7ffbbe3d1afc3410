import { editDistance } from '../../schema/names/likeness.ts';

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

/**
 * The value among those that may be sent that a word stands for: the same in another writing, by another name, or nearly.
 * @param called - names of the values, where they have any.
 */
export function findValue(
  word: string,
  values: readonly string[],
  called: Readonly<Record<string, string>> = {},
): string | undefined {
  const own = bare(word.slice(0, 64));
  return (
    values.find((value) => value === word.toLowerCase()) ??
    values.find((value) => bare(value) === own) ??
    values.find((value) => WORDS[value]?.includes(own)) ??
    values.find((value) => own === bare(called[value] ?? '-')) ??
    findNear(word.slice(0, 64), values)
  );
}

function bare(word: string): string {
  return word.toLowerCase().replace(/[^a-z0-9]/g, '');
}

/** Letters that are compared: longer input costs no more than this. */
const COMPARED_MAX = 64;

/** The name that is the fewest mistakes away from `text`, or undefined if there are no names. */
export function findNearest(text: string, names: readonly string[]): string | undefined {
  const ranked = names.map((name) => ({ name, mistakes: countMistakes(text, name) }));
  return ranked.sort((a, b) => a.mistakes - b.mistakes)[0]?.name;
}

/** The same, but undefined if even that name is clearly another word. */
export function findNear(text: string, names: readonly string[]): string | undefined {
  const name = findNearest(text, names);
  return name && countMistakes(text, name) <= Math.max(2, name.length / 3) ? name : undefined;
}

function countMistakes(from: string, to: string): number {
  const [a, b] = [from, to].map((text) => text.toLowerCase().slice(0, COMPARED_MAX));
  return editDistance(a ?? '', b ?? '', COMPARED_MAX);
}
