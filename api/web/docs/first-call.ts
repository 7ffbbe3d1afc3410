import { searchTenders } from '../../operations/search/tenders.ts';

/** The call that a newcomer makes first: the table's own example of a tender search. */
export const FIRST_CALL = searchTenders;

/** Its whole address over REST. */
export function firstAddress(baseUrl: string): string {
  const [binding] = FIRST_CALL.bindings;
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(binding?.example ?? {})) query.set(name, String(value));
  return `${baseUrl}/v1${binding?.path}?${query}`;
}
