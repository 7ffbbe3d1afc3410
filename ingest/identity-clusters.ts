import { bestId } from './identify.ts';

/** Identities that turned out to be one. */
export interface Cluster {
  winner: string;
  /** Earlier identities that `winner` now stands for. */
  losers: string[];
  /** Every identifier of the cluster that was given, as published. */
  ids: string[];
}

/**
 * Joins identifiers seen in one party record with each other and with the identities they already lead to. The winner is
 * the best id of the joined set: it depends on the set alone, not on the order in which links were learned.
 */
export function joinIdentifiers(groups: readonly (readonly string[])[], known: ReadonlyMap<string, string>): Cluster[] {
  const parents = new Map<string, string>();
  const find = (id: string): string => {
    const parent = parents.get(id) ?? id;
    if (parent === id) return id;
    const root = find(parent);
    parents.set(id, root);
    return root;
  };
  const ids = new Set<string>();
  const targets = new Set<string>();
  for (const group of groups) {
    for (const id of group) {
      ids.add(id);
      const target = known.get(id.toLowerCase());
      if (target) {
        targets.add(target);
        parents.set(find(id), find(target));
      }
      if (group[0]) parents.set(find(id), find(group[0]));
    }
  }
  const clusters = new Map<string, { ids: string[]; targets: string[] }>();
  for (const id of new Set([...ids, ...targets])) {
    const root = find(id);
    const cluster = clusters.get(root) ?? { ids: [], targets: [] };
    if (ids.has(id)) cluster.ids.push(id);
    if (targets.has(id)) cluster.targets.push(id);
    clusters.set(root, cluster);
  }
  return [...clusters.values()].map((cluster) => {
    const winner = bestId([...cluster.ids, ...cluster.targets]) ?? '';
    return { winner, losers: cluster.targets.filter((target) => target !== winner), ids: cluster.ids };
  });
}
