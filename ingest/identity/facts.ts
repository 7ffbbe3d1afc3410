import type { Statement } from '../../schema/db/interface.ts';
import { isCommonName } from '../../schema/names/buyers.ts';
import { canonicalJson } from '../../schema/text/json-values.ts';
import { LINK_FIELDS, type Link } from '../party/links.ts';
import { isAbroad } from '../party/match/names.ts';
import {
  companyNumberOf,
  formerNameIds,
  type IdentityKind,
  nameId,
  placeId,
  plainNameId,
  type Sighting,
} from '../party/sighting.ts';

/** A party as one release named it, and the date of that release. */
export interface DatedSighting {
  kind: IdentityKind;
  sighting: Sighting;
  date: string;
  /** Of the release; absent where a fact was read back. */
  noticeId?: string;
}

export interface Fact {
  kind: IdentityKind;
  /** Identifier or name id, in lower case. */
  token: string;
  field: string;
  value: string;
  date: string;
  /** The notice that said so; absent where the register did. */
  noticeId?: string | undefined;
}

/** What a sighting is filed under: its best identifier, else its name (a buyer's with its postcode). Lower case. */
export function tokenOf(kind: IdentityKind, sighting: Sighting): string {
  return sighting.ids[0]?.toLowerCase() ?? placeId(kind, sighting) ?? nameId(kind, sighting);
}

/** Whether a name may stand for an identifier: a buyer's, unless many bear it; else only together with a postcode. */
export function nameMayLead(kind: IdentityKind, sighting: Sighting): boolean {
  return sighting.nameKey !== '' && (leadsAlone(kind, sighting) || sighting.postcode !== undefined);
}

/** Whether a name without its place identifies a buyer. A company's does not, nor a name that every county may have. */
function leadsAlone(kind: IdentityKind, { nameKey }: Sighting): boolean {
  return kind === 'buyer' && !isCommonName(nameKey);
}

/** Whether a sighting bears a name and no company number: the register may know who it is. */
export function lacksNumber({ nameKey, ids }: Sighting): boolean {
  return nameKey !== '' && !ids.some((id) => companyNumberOf(id));
}

/** What the register is asked by, as a fact keeps it: later editions are asked for the very same. */
function sightedOf(kind: IdentityKind, sighting: Sighting): string | undefined {
  if (kind !== 'company' || !lacksNumber(sighting)) return undefined;
  const { name, postcode, locality, country, ids } = sighting;
  return canonicalJson({ name, postcode, locality, ids, ...(isAbroad(country) ? { country } : {}) });
}

/** How a sighting ties identifiers and names together. */
export function linksOf(kind: IdentityKind, sighting: Sighting): Link[] {
  const token = tokenOf(kind, sighting);
  const [, ...others] = sighting.ids.map((id) => id.toLowerCase());
  const name = nameId(kind, sighting);
  const place = placeId(kind, sighting);
  const published = others.map((value): Link => ({ token, field: 'same_as', value }));
  const plain = leadsAlone(kind, sighting) ? plainNameId(kind, sighting) : null;
  const within: Link[] = [
    ...(place && leadsAlone(kind, sighting) ? [{ token: place, field: 'within' as const, value: name }] : []),
    ...(plain ? [{ token: name, field: 'within' as const, value: plain }] : []),
    ...formerNameIds(kind, sighting).map((token) => ({ token, field: 'formerly' as const, value: name })),
  ];
  if (sighting.ids.length === 0 || !nameMayLead(kind, sighting)) return [...published, ...within];
  const alone = kind === 'company' || leadsAlone(kind, sighting) ? [name] : [];
  const names = [...alone, ...(place ? [place] : [])].map((value): Link => ({ token, field: 'name_id', value }));
  const plainly = plain ? [{ token, field: 'plain_name_id' as const, value: plain }] : [];
  return [...published, ...names, ...plainly, ...within];
}

/** Those facts that tie identifiers and names together. */
export function linksAmong(facts: readonly Fact[]): Link[] {
  const fields: ReadonlySet<string> = new Set(LINK_FIELDS);
  return facts.filter((fact): fact is Fact & Link => fields.has(fact.field));
}

/** Everything that a sighting says of its identity. */
export function factsOf({ kind, sighting, date, noticeId }: DatedSighting): Fact[] {
  const token = tokenOf(kind, sighting);
  const { street, locality, postcode, country, region } = sighting;
  const said: [string, string, string | undefined][] = [
    [token, 'name', sighting.nameKey || sighting.ids.length === 0 ? sighting.name : undefined],
    [token, 'sighted', sightedOf(kind, sighting)],
    [token, 'url', sighting.url],
    [token, 'sme', sighting.isSme === undefined ? undefined : String(sighting.isSme)],
    [token, 'organisation_kind', kind === 'buyer' ? sighting.kind : undefined],
    [
      token,
      'address',
      locality || postcode || region ? canonicalJson({ street, locality, postcode, country, region }) : undefined,
    ],
  ];
  for (const link of linksOf(kind, sighting)) said.push([link.token, link.field, link.value]);
  for (const identifier of sighting.identifiers) said.push([token, 'identifier', canonicalJson(identifier)]);
  for (const number of sighting.numbers) {
    said.push([number.toLowerCase(), 'name_key', sighting.nameKey]);
    said.push([number.toLowerCase(), 'leads_to', token]);
  }
  return said.flatMap(([about, field, value]) => {
    const kept = value && cutFact(field, value);
    return kept ? [{ kind, token: about, field, value: kept, date, noticeId }] : [];
  });
}

const MOST_CHARACTERS = 1_000;
/** Facts that are JSON: cut, they could never be read again. */
const STRUCTURED: ReadonlySet<string> = new Set(['address', 'identifier', 'sighted']);

/** A fact no longer than one can be: text is cut, structure that is longer is none. */
function cutFact(field: string, value: string): string | null {
  if (value.length <= MOST_CHARACTERS) return value;
  return STRUCTURED.has(field) ? null : value.slice(0, MOST_CHARACTERS);
}

/** One statement for all: a page says thousands of things, most of them known. */
const KEEP = `INSERT INTO identity_fact (kind, token, field, value, last_seen, notice_id)
SELECT fact.value ->> 0, fact.value ->> 1, fact.value ->> 2, fact.value ->> 3, fact.value ->> 4, fact.value ->> 5
FROM json_each(?) AS fact WHERE true
ON CONFLICT (kind, token, field, value) DO UPDATE SET last_seen = excluded.last_seen, notice_id = excluded.notice_id
WHERE (excluded.last_seen, ifnull(excluded.notice_id, '')) > (identity_fact.last_seen, ifnull(identity_fact.notice_id, ''))`;

/** The statement that keeps facts, each once with its latest date; none where there are none. */
export function factStatements(facts: readonly Fact[]): Statement[] {
  const latest = new Map<string, Fact>();
  for (const fact of facts) {
    const key = `${fact.kind}\n${fact.token}\n${fact.field}\n${fact.value}`;
    const known = latest.get(key);
    if (!known || isLater(fact, known)) latest.set(key, fact);
  }
  if (latest.size === 0) return [];
  const rows = [...latest.values()].map((fact) => {
    const { kind, token, field, value, date, noticeId } = fact;
    return [kind, token, field, value, date, noticeId];
  });
  return [{ sql: KEEP, args: [JSON.stringify(rows)] }];
}

/** Of two releases of one instant the notice's id decides: never the order of arrival. */
function isLater(one: Fact, other: Fact): boolean {
  return one.date > other.date || (one.date === other.date && (one.noticeId ?? '') > (other.noticeId ?? ''));
}
