import type { Match, SupplierDetail } from '../../schema/catalogue/details.ts';
import { isoInstant } from '../../schema/config/clocks.ts';
import { plainBuyerKey } from '../../schema/names/buyers.ts';
import { compareText } from '../../schema/text/ids.ts';
import { EMPTY } from '../../schema/text/json-values.ts';
import { partiesOf } from '../compile/parties/of-process.ts';
import { prepare } from '../compile/process.ts';
import type { CompiledParty, CompiledProcess } from '../compile/types.ts';
import { parseInstant } from '../fields/dates.ts';
import type { StoredRelease } from '../merge/uk.ts';
import { isAnotherName } from '../party/match/likeness.ts';
import { REGISTER_SCORES } from '../party/match/suppliers.ts';
import type { RegisterMatch } from '../party/match/types.ts';
import {
  companyNumberOf,
  type IdentityKind,
  lacksNumber,
  nameId,
  nameMayLead,
  plainNameId,
  type Sighting,
  tokenOf,
} from '../party/sighting.ts';
import { noticeIdOf } from '../sources/index.ts';
import { type DatedSighting, isLater } from './facts.ts';
import type { AliasBook } from './plan.ts';
import type { RegisteredNames } from './registered.ts';

/** A party and the identity it was tied to. */
export interface ResolvedParty {
  party: CompiledParty;
  identityId: string;
  match: Match;
}

interface Resolver {
  buyers: AliasBook;
  companies: AliasBook;
  /** Company number -> names on the Companies House register. */
  registered: ReadonlyMap<string, RegisteredNames>;
  /** Name id -> how the register matched it. */
  registerMatches: ReadonlyMap<string, readonly RegisterMatch[]>;
}

/** The score of each method; those that rest on the register alone are `REGISTER_SCORES`. */
const SCORES = {
  company_number: 1,
  unschemed_number: 0.95,
  /** As likely a trading name as a wrong number. */
  number_of_another_name: 0.5,
  identifier: 0.99,
  name_postcode: REGISTER_SCORES.name_postcode,
  name: 0.9,
  unmatched: 0,
} as const;

/** Resolves every party of a process. Keys are `role party_id`. */
export function resolveParties(process: CompiledProcess, resolver: Resolver): Map<string, ResolvedParty> {
  const resolved = process.parties.map((party) => {
    const kind = party.role === 'buyer' ? 'buyer' : 'company';
    return [partyKey(party.role, party.partyId), resolveParty(party, kind, resolver)] as const;
  });
  return new Map(resolved);
}

/** The key of a party within its process: `role party_id`. */
export function partyKey(role: CompiledParty['role'], partyId: string): string {
  return `${role} ${partyId}`;
}

function resolveParty(party: CompiledParty, kind: IdentityKind, resolver: Resolver): ResolvedParty {
  const { sighting } = party;
  const aliases = kind === 'buyer' ? resolver.buyers : resolver.companies;
  const [best] = sighting.ids;
  if (best) {
    const identityId = aliases.targetOf(best) ?? best;
    return { party, identityId, match: matchById(kind, sighting, best, identityId, resolver) };
  }
  const own = nameId(kind, sighting);
  const target = aliases.targetOf(tokenOf(kind, sighting)) ?? own;
  return { party, identityId: target, match: matchByName(kind, sighting, target === own, target, resolver) };
}

const TOGETHER_BUYER = 'published together, or under one cleaned name';
const TOGETHER_COMPANY = 'published together, or under one cleaned name and postcode';

function matchById(
  kind: IdentityKind,
  sighting: Sighting,
  best: string,
  identityId: string,
  resolver: Resolver,
): Match {
  const evidence = [`published as ${best}`, ...sighting.notes];
  const isJoined = identityId !== best;
  if (isJoined) evidence.push(`one with ${identityId}: ${kind === 'buyer' ? TOGETHER_BUYER : TOGETHER_COMPANY}`);
  const number = companyNumberOf(identityId);
  const registered = number ? resolver.registered.get(number) : undefined;
  if (registered) evidence.push(`on the Companies House register as ${registered.name}`);
  // How the two were joined may change as more is published; the score is the weaker one.
  const joined = kind === 'buyer' ? SCORES.name : SCORES.name_postcode;
  if (!companyNumberOf(best)) return { method: 'identifier', score: isJoined ? joined : SCORES.identifier, evidence };
  return matchByNumber(sighting, registered, evidence);
}

/** A stated number is followed; where the register has it under quite another name, the score is lower. */
function matchByNumber(sighting: Sighting, registered: RegisteredNames | undefined, evidence: string[]): Match {
  const names = registered && sighting.nameKey !== '' ? [registered.name, ...registered.former] : [];
  if (names.length > 0 && isAnotherName(sighting.name, names)) {
    const doubt = 'a different name from the one published: the number may be wrong';
    return { method: 'company_number', score: SCORES.number_of_another_name, evidence: [...evidence, doubt] };
  }
  const unschemed = sighting.notes.includes('company number published without a scheme');
  return { method: 'company_number', score: unschemed ? SCORES.unschemed_number : SCORES.company_number, evidence };
}

function matchByName(
  kind: IdentityKind,
  sighting: Sighting,
  isAlone: boolean,
  target: string,
  resolver: Resolver,
): Match {
  const named = `cleaned name: ${sighting.nameKey}`;
  if (kind === 'buyer') {
    const plain = plainNameId(kind, sighting) ? [`plainly written: ${plainBuyerKey(sighting.name)}`] : [];
    const evidence = isAlone ? [named] : [named, ...plain, `known by that name: ${target}`];
    return { method: 'name', score: SCORES.name, evidence: [...evidence, ...sighting.notes] };
  }
  if (isAlone) {
    const why = nameMayLead(kind, sighting)
      ? 'no identity of that name and postcode'
      : 'neither identifier nor postcode';
    return { method: 'unmatched', score: SCORES.unmatched, evidence: [why, ...sighting.notes] };
  }
  const known = registerMatch(resolver, sighting, companyNumberOf(target));
  if (known) return { method: known.method, score: known.score, evidence: [...known.evidence, ...sighting.notes] };
  const registered = resolver.registered.get(companyNumberOf(target) ?? '');
  return {
    method: 'name_postcode',
    score: SCORES.name_postcode,
    evidence: [
      named,
      `postcode: ${sighting.postcode}`,
      ...(registered ? [`on the Companies House register as ${registered.name}`] : []),
      `published under that name and postcode as ${target}`,
      ...sighting.notes,
    ],
  };
}

/** The surest way in which the register matched a name with this company. */
function registerMatch(
  resolver: Resolver,
  sighting: Sighting,
  companyNumber: string | null,
): RegisterMatch | undefined {
  const matches = resolver.registerMatches.get(nameId('company', sighting)) ?? [];
  const own = matches.filter((match) => match.companyNumber === companyNumber);
  const order = (match: RegisterMatch) => `${2 - match.score} ${JSON.stringify(match)}`;
  return own.toSorted((a, b) => compareText(order(a), order(b)))[0];
}

/** A supplier as contracts and notices serve it. */
function supplierDetail({ party, identityId, match }: ResolvedParty): SupplierDetail {
  const number = companyNumberOf(identityId);
  const { isSme, isVcse, name } = party.sighting;
  return {
    company_id: identityId,
    name,
    ...(number ? { companies_house_number: number } : {}),
    ...(isSme === undefined ? {} : { is_sme: isSme }),
    ...(isVcse === undefined ? {} : { is_vcse: isVcse }),
    match,
  };
}

type ResolvedParties = ReadonlyMap<string, ResolvedParty>;

/** The suppliers with these party ids. Two party records in one release may be one company: the first counts. */
export function suppliersOf(partyIds: readonly string[], parties: ResolvedParties): SupplierDetail[] {
  const found = new Map<string, SupplierDetail>();
  for (const id of partyIds) {
    const party = parties.get(partyKey('supplier', id));
    if (party && !found.has(party.identityId)) found.set(party.identityId, supplierDetail(party));
  }
  return [...found.values()];
}

/** The notices that named each supplier's party, oldest first. */
export function namingNotices({ notices }: CompiledProcess): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const { noticeId, supplierParties } of notices) {
    for (const partyId of supplierParties) {
      const known = found.get(partyId);
      if (known) known.push(noticeId);
      else found.set(partyId, [noticeId]);
    }
  }
  return found;
}

/** A contract's suppliers, each match with the notices that named the party. */
export function suppliersWithNotices(
  partyIds: readonly string[],
  parties: ResolvedParties,
  naming: ReadonlyMap<string, readonly string[]>,
): SupplierDetail[] {
  const named = new Map<string, Set<string>>();
  for (const partyId of partyIds) {
    const { identityId = '' } = parties.get(partyKey('supplier', partyId)) ?? {};
    const notices = named.get(identityId) ?? new Set();
    for (const noticeId of naming.get(partyId) ?? []) notices.add(noticeId);
    named.set(identityId, notices);
  }
  return suppliersOf(partyIds, parties).map((supplier) => ({
    ...supplier,
    match: { ...EMPTY, ...supplier.match, notice_ids: [...(named.get(supplier.company_id) ?? [])] },
  }));
}

/** The parties that a release names. */
export function sightingsIn(release: StoredRelease): DatedSighting[] {
  const instant = parseInstant(release.date);
  const date = instant ? isoInstant(instant) : '';
  const { ocds } = prepare(release);
  const noticeId = noticeIdOf(ocds);
  return partiesOf(ocds).parties.map(({ role, sighting }) => ({
    kind: role === 'buyer' ? 'buyer' : 'company',
    sighting,
    date,
    noticeId,
  }));
}

/** One sighting for all that say the same, the latest: pages name their buyers often, and the facts that follow are the same. */
export function latestSightings(sightings: readonly DatedSighting[]): DatedSighting[] {
  const latest = new Map<string, DatedSighting>();
  for (const one of sightings) {
    // The register says who had a name on the day.
    const day = one.kind === 'company' && lacksNumber(one.sighting) ? one.date.slice(0, 10) : '';
    const key = `${one.kind} ${day} ${JSON.stringify(one.sighting)}`;
    const known = latest.get(key);
    if (!known || isLater(one, known)) latest.set(key, one);
  }
  return [...latest.values()];
}
