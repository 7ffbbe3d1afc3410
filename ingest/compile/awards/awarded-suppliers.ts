import type { OcdsAmendment } from '../../../schema/ocds/types.ts';
import { namesSeveral } from '../../party/match/other-kinds.ts';
import { idsOf, type PartiesOf } from '../parties/of-process.ts';
import type { SameSupplier } from '../parties/same-supplier.ts';
import type { Bundle } from './bundles.ts';
import type { Said } from './history.ts';

/** Whom an award was made to, as things stand. */
export interface Winners {
  /** Party ids, first-named first. */
  current: string[];
  /** How many different suppliers these are. */
  count: number;
  /** Whether they are several, also where one name holds them. */
  areSeveral: boolean;
  /** Named by an earlier notice and by the newest no more. */
  former: string[];
  /** Whether all of them have left the dynamic market or framework. */
  haveLeft: boolean;
}

/** An award, the contracts signed under it, and what each notice said of both. */
interface SaidOfAward extends Pick<Bundle, 'award' | 'contracts'> {
  said: readonly Said[];
  parties: PartiesOf;
  same: SameSupplier;
}

/**
 * The suppliers of an award by the newest notice that names any, less those that a change removed or that left a dynamic
 * market, with those that a change added. A notice that names nobody (a delta, a null of Find a Tender) takes nobody away,
 * and a modification of a dynamic market adds to whom it has.
 */
export function winnersOf({ award, contracts, said, parties, same }: SaidOfAward): Winners {
  const ever = parties.suppliersOf(award, contracts);
  const named = new Set(ever);
  const isNamed = (award?.suppliers.length ?? 0) > 0;
  let latest: string[] = [];
  for (const { stage, award: spoken, contracts } of said) {
    const suppliers = idsOf(isNamed ? (spoken?.suppliers ?? []) : contracts.flatMap((one) => one.suppliers));
    if (suppliers.length > 0) latest = stage === 'market' ? [...latest, ...suppliers] : suppliers;
    for (const amendment of contracts.flatMap(({ amendments }) => amendments)) {
      latest = amend(latest, amendment, same);
      for (const id of idsOf(amendment.suppliersAdded)) named.add(id);
    }
  }
  const stated = [...new Set((latest.length > 0 ? latest : ever).map(same.bestOf))];
  const still = stated.filter((id) => !same.hasLeft(id));
  const current = still.length > 0 ? still : stated;
  const tokens = new Set(current.map(same.tokenOf));
  const count = same.count(current);
  return {
    current,
    count,
    areSeveral: count > 1 || namesIn(parties, current).some(namesSeveral),
    former: [...named].filter((id) => !tokens.has(same.tokenOf(id))),
    haveLeft: stated.length > 0 && still.length === 0,
  };
}

function namesIn({ parties }: PartiesOf, partyIds: readonly string[]): string[] {
  const wanted = new Set(partyIds);
  return parties.flatMap(({ role, partyId, sighting }) =>
    role === 'supplier' && wanted.has(partyId) ? sighting.name : [],
  );
}

function amend(current: string[], { suppliersAdded, suppliersRemoved }: OcdsAmendment, same: SameSupplier): string[] {
  if (suppliersAdded.length + suppliersRemoved.length === 0) return current;
  const removed = new Set(idsOf(suppliersRemoved).map(same.tokenOf));
  return [...current.filter((id) => !removed.has(same.tokenOf(id))), ...idsOf(suppliersAdded)];
}
