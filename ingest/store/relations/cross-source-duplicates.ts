import { NAMERS_MOST } from '../../../schema/catalogue/related-processes.ts';
import { nameKey } from '../../../schema/names/clean.ts';
import type { CompiledContract, CompiledProcess } from '../../compile/types.ts';
import { partyKey } from '../../identity/resolve.ts';
import type { CountedAs, ResolvedProcess } from '../process-rows.ts';

/** Awards further apart are a contract and its successor. */
const AWARD_DAYS = 183;
const DAY_MS = 86_400_000;

/**
 * Awards published on both services, where one process names the other: each is counted once. Find a Tender's counts,
 * unless only Contracts Finder states the value. The buyer must be the same, every supplier must be found again, and the
 * awards must lie near each other. A pure function of the processes given: whatever names or is named must be among them.
 */
export function findCrossSourceDuplicates(processes: readonly ResolvedProcess[]): CountedAs {
  const countedAs = new Map<string, readonly string[]>();
  if (!processes.some(({ process }) => process.related.mentions.length > 0)) return countedAs;
  for (const [finder, tender] of pairsOf(processes)) {
    const candidates = tender.process.contracts.filter(({ id }) => !countedAs.has(id));
    for (const contract of finder.process.contracts) {
      if (countedAs.has(contract.id)) continue;
      const same = candidates.filter((other) => !countedAs.has(other.id) && isNear(contract, other));
      const covering = covers(namesOf(contract, finder), same, tender);
      const [only, ...more] = covering;
      if (!only) continue;
      const isAlone = more.length === 0 && namesOf(only, tender).length === namesOf(contract, finder).length;
      if (isAlone && only.value === null && contract.value !== null) countedAs.set(only.id, [contract.id]);
      else
        countedAs.set(
          contract.id,
          covering.map(({ id }) => id),
        );
    }
  }
  return countedAs;
}

/** Pairs of a Contracts Finder process and one of Find a Tender, of one buyer, where one names the other; in the order of ids. */
function pairsOf(processes: readonly ResolvedProcess[]): [ResolvedProcess, ResolvedProcess][] {
  const known = new Map<string, ResolvedProcess[]>();
  for (const one of processes) {
    for (const token of namesItself(one.process)) known.set(token, [...(known.get(token) ?? []), one]);
  }
  const namers = new Map<ResolvedProcess, Set<ResolvedProcess>>();
  for (const one of processes) {
    for (const other of one.process.related.mentions.flatMap((mention) => known.get(mention) ?? []))
      namers.set(other, (namers.get(other) ?? new Set()).add(one));
  }
  const pairs = new Map<string, [ResolvedProcess, ResolvedProcess]>();
  for (const [named, by] of namers) {
    if (by.size > NAMERS_MOST) continue;
    for (const one of by) {
      // A call-off may name the notice of its framework, which is another contract though suppliers and buyer are the same.
      if (isCallOff(one) && !isCallOff(named)) continue;
      const [finder, tender] = one.process.source === 'contracts_finder' ? [one, named] : [named, one];
      if (!isSameProcurement(finder, tender)) continue;
      pairs.set(`${finder.process.id}\n${tender.process.id}`, [finder, tender]);
    }
  }
  return [...pairs].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, pair]) => pair);
}

/** What a process is named by, in lower case. */
export function namesItself({ ocid, notices }: CompiledProcess): string[] {
  return [ocid, ...new Set(notices.map(({ noticeId }) => noticeId))];
}

function isSameProcurement(finder: ResolvedProcess, tender: ResolvedProcess): boolean {
  const buyer = buyerOf(finder);
  return (
    finder.process.source === 'contracts_finder' &&
    tender.process.source === 'find_a_tender' &&
    buyer !== undefined &&
    buyer === buyerOf(tender) &&
    (finder.process.framework === null) === (tender.process.framework === null)
  );
}

function isCallOff({ process }: ResolvedProcess): boolean {
  return process.callOff !== null && process.framework === null;
}

function buyerOf({ process, parties }: ResolvedProcess): string | undefined {
  return process.buyerParty === null ? undefined : parties.get(partyKey('buyer', process.buyerParty))?.identityId;
}

function isNear(one: CompiledContract, other: CompiledContract): boolean {
  return Math.abs(Date.parse(one.sortDate) - Date.parse(other.sortDate)) <= AWARD_DAYS * DAY_MS;
}

/** The contracts that these suppliers won, or none unless every one of them is found: by identity, else by cleaned name. */
function covers(
  suppliers: readonly (readonly string[])[],
  contracts: readonly CompiledContract[],
  process: ResolvedProcess,
): CompiledContract[] {
  const won = (names: readonly string[]) =>
    contracts.filter((contract) => namesOf(contract, process).some((own) => own.some((name) => names.includes(name))));
  if (suppliers.length === 0 || suppliers.some((names) => won(names).length === 0)) return [];
  return contracts.filter((contract) => suppliers.some((names) => won(names).includes(contract)));
}

/** Of each supplier of a contract: its identity and its cleaned name. */
function namesOf({ supplierParties }: CompiledContract, { parties }: ResolvedProcess): string[][] {
  return supplierParties.flatMap((partyId) => {
    const found = parties.get(partyKey('supplier', partyId));
    if (!found) return [];
    const { nameKey: cleaned, name } = found.party.sighting;
    return [[found.identityId, `name ${cleaned || nameKey(name)}`]];
  });
}
