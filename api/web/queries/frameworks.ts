import type { z } from 'zod';
import type { Services } from '../../contract/operation.ts';
import type { frameworkItem } from '../../operations/frameworks/answer.ts';
import { searchFrameworks } from '../../operations/search/frameworks.ts';
import { refuseWords, runForPage } from './run-operation.ts';

export interface Frameworks {
  items: readonly z.input<typeof frameworkItem>[];
  total: number;
  /** False if there may be more than `total`. */
  exact: boolean;
  next: string | null;
  /** If nothing matches all words: the first results that match some. */
  some?: Frameworks;
}

/** Results, or sentences that say why the search was refused. */
export interface FoundFrameworks {
  results: Frameworks | null;
  faults: readonly string[];
}

/** Searches with the API's operation. If nothing matches all words, results that match some are added. */
export async function findFrameworksOrSome(
  services: Services,
  input: Record<string, unknown>,
): Promise<FoundFrameworks> {
  const faults = refuseWords(input.query);
  if (faults.length > 0) return { results: null, faults };
  const found = await runForPage(searchFrameworks, input, services);
  if (found.kind === 'refused') return { results: null, faults: found.faults };
  if (found.kind === 'nothing') return { results: null, faults: [found.message] };
  const results = toFrameworks(found.body);
  if (!found.body.meta.any) return { results, faults: [] };
  const more = await runForPage(searchFrameworks, { ...input, match: 'any' }, services);
  return { results: { ...results, ...(more.kind === 'answer' && { some: toFrameworks(more.body) }) }, faults: [] };
}

function toFrameworks({ items, total = 0, total_is, meta }: z.input<typeof searchFrameworks.output>): Frameworks {
  return { items, total, exact: total_is === 'exact', next: meta.next_cursor };
}
