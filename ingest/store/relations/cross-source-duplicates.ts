import { DAY_MS } from '../../../schema/config/clocks.ts';
import type { Database, Statement } from '../../../schema/db/interface.ts';
import { nameKey } from '../../../schema/names/spelling.ts';
import { NAMERS_MAX } from '../../../schema/ocds/parts.ts';
import { compareText } from '../../../schema/text/ids.ts';
import { groupByEach } from '../../../schema/text/memoise.ts';
import type { CompiledContract, CompiledNotice, CompiledProcess } from '../../compile/types.ts';
import { partyKey } from '../../identity/resolve.ts';
import { findService } from '../../sources/index.ts';
import { type Copied, type CountedAs, noticeRowId, type ResolvedProcess } from '../process-rows.ts';

/** Awards further apart are a contract and its successor. */
const AWARD_DAYS = 183;

/** What these processes have that is on several services. A pure function of its argument, which must hold all of them. */
export function findOnTwoServices(processes: readonly ResolvedProcess[]): { countedAs: CountedAs; copied: Copied } {
  const others: OtherServices = new Map();
  const countedAs = findCrossSourceDuplicates(processes);
  addContracts(processes, countedAs, others);
  const { originals, frameworks } = findCopiedNotices(processes, others);
  const alsoOn = new Map([...others].map(([id, services]) => [id, JSON.stringify(services)]));
  return { countedAs, copied: { originals, frameworks, alsoOn } };
}

/**
 * Awards published on two services, where one process names the other: each counts once. The one on the service of the
 * lower rank counts, unless only the other states a value. The buyer must be the same, or one must say that it is a copy of
 * the other. Every supplier must be found again, and the dates of award must be close.
 * A pure function of its argument, which must have both processes of a pair.
 */
function findCrossSourceDuplicates(processes: readonly ResolvedProcess[]): CountedAs {
  const countedAs = new Map<string, readonly string[]>();
  if (!processes.some(({ process }) => process.related.mentions.length > 0)) return countedAs;
  for (const [lesser, leading] of pairsOf(processes)) {
    const candidates = leading.process.contracts.filter(({ id }) => !countedAs.has(id));
    for (const contract of lesser.process.contracts) {
      if (countedAs.has(contract.id)) continue;
      const same = candidates.filter((other) => !countedAs.has(other.id) && isNear(contract, other));
      const covering = covers(namesOf(contract, lesser), same, leading);
      const [only, ...more] = covering;
      if (!only) continue;
      const isAlone = more.length === 0 && namesOf(only, leading).length === namesOf(contract, lesser).length;
      if (isAlone && only.value === null && contract.value !== null) countedAs.set(only.id, [contract.id]);
      else
        countedAs.set(
          contract.id,
          covering.map(({ id }) => id),
        );
    }
  }
  return new Map([...countedAs.keys()].map((id) => [id, lastOf(id, countedAs)]));
}

/** The contract that one counts as in the end, as the one that it counts as may itself count as another. */
function lastOf(id: string, countedAs: CountedAs): string[] {
  return [
    ...new Set((countedAs.get(id) ?? []).flatMap((next) => (countedAs.has(next) ? lastOf(next, countedAs) : next))),
  ];
}

/** By the ids of rows, the other services that have them. */
type OtherServices = Map<string, string[]>;

/** Adds the services of the contracts that count as another one, which may be of the same service by way of a third. */
function addContracts(processes: readonly ResolvedProcess[], countedAs: CountedAs, alsoOn: OtherServices): void {
  if (countedAs.size === 0) return;
  const sources = new Map(processes.flatMap(({ process }) => process.contracts.map(({ id }) => [id, process.source])));
  for (const [id, source] of sources)
    for (const counted of countedAs.get(id) ?? [])
      if (source !== sources.get(counted)) addService(alsoOn, counted, source);
}

/** Each service once, in an order that does not depend on which came first. */
function addService(others: OtherServices, id: string, source: string): void {
  others.set(id, [...new Set([...(others.get(id) ?? []), source])].toSorted());
}

/**
 * The originals of notices that say which stored notice they copy, if that is on a service of a lower rank. A copy is found
 * as its original only. A notice is recognised by its number, in the process that a link names or in one of the same buyer.
 * Without a number it is recognised by the link, if that process has one notice of its stage. A framework is a copy if one
 * of its notices is.
 */
function findCopiedNotices(processes: readonly ResolvedProcess[], alsoOn: OtherServices): Omit<Copied, 'alsoOn'> {
  const originals = new Map<string, string>();
  const leading = new Map<string, readonly string[]>();
  for (const copying of processes)
    for (const notice of copying.process.notices) {
      const [found, ...more] = originalsOf(notice, copying, processes);
      if (!found || more.length > 0) continue;
      const [id, source] = [noticeRowId(found.notice.noticeId, found.of.process.id), copying.process.source];
      originals.set(noticeRowId(notice.noticeId, copying.process.id), found.notice.noticeId);
      addService(alsoOn, id, source);
      if (copying.process.framework && found.of.process.framework)
        leading.set(copying.process.id, [...(leading.get(copying.process.id) ?? []), found.of.process.id]);
    }
  // A framework whose notices are copies of several frameworks' notices is no copy of any; by way of a third service it may be.
  const last = [...leading.keys()].map((id) => [id, lastOf(id, leading)] as const);
  const frameworks = new Map(last.flatMap(([id, [only = '', ...more]]) => (more.length === 0 ? [[id, only]] : [])));
  return { originals, frameworks };
}

/** The notices that one may be a copy of. */
function originalsOf({ original, stage }: CompiledNotice, copying: ResolvedProcess, all: readonly ResolvedProcess[]) {
  const { process: ocid, notice: number } = original;
  if (ocid === undefined && number === undefined) return [];
  const buyer = buyerOf(copying);
  return all
    .filter((one) => rankOf(one) < rankOf(copying))
    .filter((one) => (ocid ? one.process.ocid === ocid : buyer !== undefined && buyer === buyerOf(one)))
    .flatMap((of) => of.process.notices.map((notice) => ({ of, notice })))
    .filter(({ notice }) => (number ? notice.names.includes(number) : notice.stage === stage));
}

/** Pairs of processes of one buyer on two services, where one names the other; the lesser rank first, in the order of ids. */
function pairsOf(processes: readonly ResolvedProcess[]): [ResolvedProcess, ResolvedProcess][] {
  const known = groupByEach(processes, ({ process }) => namesItself(process));
  const namers = new Map<ResolvedProcess, Set<ResolvedProcess>>();
  for (const one of processes) {
    for (const other of one.process.related.mentions.flatMap((mention) => known.get(mention) ?? []))
      namers.set(other, (namers.get(other) ?? new Set()).add(one));
  }
  const pairs = new Map<string, [ResolvedProcess, ResolvedProcess]>();
  for (const [named, by] of namers) {
    if (by.size > NAMERS_MAX) continue;
    for (const one of by) {
      // A call-off may name the notice of its framework, which is another contract though suppliers and buyer are the same.
      if (isCallOff(one) && !isCallOff(named)) continue;
      const [lesser, leading] = rankOf(one) > rankOf(named) ? [one, named] : [named, one];
      if (!isSameProcurement(lesser, leading)) continue;
      pairs.set(`${lesser.process.id}\n${leading.process.id}`, [lesser, leading]);
    }
  }
  return [...pairs].toSorted(([a], [b]) => compareText(a, b)).map(([, pair]) => pair);
}

/** What a process is named by, in lower case. */
function namesItself({ ocid, notices }: CompiledProcess): string[] {
  return [ocid, ...new Set(notices.flatMap(({ noticeId, names }) => [noticeId, ...names]))];
}

function isSameProcurement(lesser: ResolvedProcess, leading: ResolvedProcess): boolean {
  const buyer = buyerOf(lesser);
  return (
    rankOf(lesser) > rankOf(leading) &&
    ((buyer !== undefined && buyer === buyerOf(leading)) || isCopyOf(lesser, leading)) &&
    (lesser.process.framework === null) === (leading.process.framework === null)
  );
}

/** Whether a process says that it is a copy of another one. */
function isCopyOf({ process: { related } }: ResolvedProcess, { process }: ResolvedProcess): boolean {
  return namesItself(process).some((name) => related.originals.includes(name));
}

/** The rank of the service that a process is from; the last for a source without notices. */
function rankOf({ process }: ResolvedProcess): number {
  return findService(process.source)?.notices.rank ?? Number.POSITIVE_INFINITY;
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
  const named = contracts.map((contract) => ({ contract, names: new Set(namesOf(contract, process).flat()) }));
  const won = suppliers.map((own) => named.filter(({ names }) => own.some((name) => names.has(name))));
  if (won.some(({ length }) => length === 0)) return [];
  const found = new Set(won.flat());
  return named.flatMap((one) => (found.has(one) ? one.contract : []));
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

/** Processes of the other service that these name, named when they were last stored, or are named by. */
const NAMED = `SELECT p.id FROM process p WHERE p.ocid IN (SELECT value FROM json_each(?1))
UNION SELECT n.process_id FROM notice n WHERE n.notice_id IN (SELECT value FROM json_each(?1))
UNION SELECT x.process_id FROM notice_name x WHERE x.name IN (SELECT value FROM json_each(?1))`;
const STORED_MENTIONS =
  'SELECT DISTINCT mention FROM process_mention WHERE process_id IN (SELECT value FROM json_each(?))';
const NAMERS = `SELECT mention, group_concat(process_id, ' ') AS namers FROM process_mention
WHERE mention IN (SELECT value FROM json_each(?)) GROUP BY mention`;

/** What more processes than these name affects no count. */
const NAMERS_READ = NAMERS_MAX + 12;

/**
 * Ids of the stored processes whose awards may have to be counted again with these, except those in `known`. Both processes
 * of a pair decide what counts once, in any order of arrival.
 */
export async function readCrossReferenced(
  catalogue: Database,
  processes: readonly CompiledProcess[],
  known: ReadonlySet<string>,
): Promise<string[]> {
  const ids = [...new Set([...known, ...processes.map(({ id }) => id)])];
  const stored = await catalogue.read<{ mention: string }>({ sql: STORED_MENTIONS, args: [JSON.stringify(ids)] });
  const mentions = [...stored.map(({ mention }) => mention), ...processes.flatMap(({ related }) => related.mentions)];
  const named =
    mentions.length === 0
      ? []
      : await catalogue.read<{ id: string }>({ sql: NAMED, args: [JSON.stringify([...new Set(mentions)])] });
  const own = [...new Set([...known, ...processes.flatMap(namesItself)])];
  const namers = await catalogue.read<{ namers: string }>({ sql: NAMERS, args: [JSON.stringify(own)] });
  const naming = namers.map((row) => row.namers.split(' ')).filter((one) => one.length <= NAMERS_READ);
  return [...new Set([...named.map(({ id }) => id), ...naming.flat()])];
}

const DROP = ['process_mention', 'notice_name'].map(
  (table) => `DELETE FROM ${table} WHERE process_id IN (SELECT value FROM json_each(?))`,
);
const KEEP = `INSERT INTO process_mention (mention, process_id, is_copy)
  SELECT value ->> 0, value ->> 1, value ->> 2 FROM json_each(?)`;
const KEEP_NAMES = `INSERT INTO notice_name (name, process_id, notice_id)
  SELECT value ->> 0, value ->> 1, value ->> 2 FROM json_each(?)`;

/** Stores what these processes name and what their notices go by, and removes what lost processes named. */
export function crossReferenceStatements(processes: readonly CompiledProcess[], lost: readonly string[]): Statement[] {
  const ids = JSON.stringify([...processes.map(({ id }) => id), ...lost]);
  const mentions = processes.flatMap(({ id, related: { mentions, originals } }) =>
    mentions.map((mention) => [mention, id, originals.includes(mention) ? 1 : 0]),
  );
  const names = processes.flatMap(({ id, notices }) =>
    notices.flatMap((notice) => notice.names.map((name) => [name, id, notice.noticeId])),
  );
  const kept = (sql: string, rows: readonly unknown[]) =>
    rows.length === 0 ? [] : [{ sql, args: [JSON.stringify(rows)] }];
  return [...DROP.map((sql) => ({ sql, args: [ids] })), ...kept(KEEP, mentions), ...kept(KEEP_NAMES, names)];
}
