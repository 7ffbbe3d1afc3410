import { sha256 } from '../canonical.ts';
import { compareIds } from '../identify-schemes.ts';
import { partiesOf } from './parties.ts';
import type { CompilerRelease } from './types.ts';

/**
 * Releases of one ocid by the buyers they are about. An ocid normally has one set of buyers and one process; registers of
 * utilities publish unrelated awards of many buyers under one ocid (FTS `…02874c`), and each set is a process of its own.
 * Two releases belong together when they share a buyer, by identifier, by the source's own number or by cleaned name; one without a buyer goes with
 * the oldest set. The id of a split process comes from its buyers, not from the order of arrival.
 */
export function splitByBuyers<T extends CompilerRelease>(
  ocid: string,
  ordered: readonly T[],
): { id: string; releases: T[] }[] {
  const groups: { tokens: Set<string>; releases: T[] }[] = [];
  const nameless: T[] = [];
  for (const release of ordered) {
    const tokens = buyerTokens(release);
    if (tokens.length === 0) {
      nameless.push(release);
      continue;
    }
    const sharing = groups.filter((group) => tokens.some((token) => group.tokens.has(token)));
    const joined = sharing[0] ?? { tokens: new Set<string>(), releases: [] };
    if (sharing.length === 0) groups.push(joined);
    for (const other of sharing.slice(1)) {
      for (const token of other.tokens) joined.tokens.add(token);
      joined.releases.push(...other.releases);
      groups.splice(groups.indexOf(other), 1);
    }
    for (const token of tokens) joined.tokens.add(token);
    joined.releases.push(release);
  }
  const order = new Map(ordered.map((release, index) => [release, index]));
  const inOrder = (releases: T[]) => releases.toSorted((a, b) => (order.get(a) ?? 0) - (order.get(b) ?? 0));
  if (groups.length <= 1) return ordered.length > 0 ? [{ id: ocid, releases: [...ordered] }] : [];
  return groups.map(({ tokens, releases }, index) => ({
    id: `${ocid}~${sha256([...tokens].toSorted(compareIds)[0] ?? '').slice(0, 8)}`,
    releases: inOrder(index === 0 ? [...releases, ...nameless] : releases),
  }));
}

function buyerTokens({ ocds }: CompilerRelease): string[] {
  return partiesOf(ocds)
    .parties.filter(({ role }) => role === 'buyer')
    .flatMap(({ sighting }) => [
      ...sighting.ids,
      ...sighting.numbers,
      ...(sighting.nameKey ? [`name:${sighting.nameKey}`] : []),
    ]);
}
