import { isoInstant } from '../../schema/config/clocks.ts';
import type { Statement } from '../../schema/db/interface.ts';
import { tenderStatusOf } from '../../schema/reference/notice-types.ts';
import { type JsonObject, listOf, mapTexts, objectOf, textOf, valuesOf } from '../../schema/text/json-values.ts';
import { memoise } from '../../schema/text/memoise.ts';
import type { IngestContext } from '../context.ts';
import { parseDeadline, parseInstant } from '../fields/dates.ts';
import { correctArchived } from '../fields/notice.ts';
import { type Found, normalTelephone, REMOVED, replaceContacts, USER_OF_URL } from '../fields/text/clean.ts';
import type { Person } from './name-forms.ts';
import { makePersonMatcher, readPeople } from './person-matcher.ts';
import { wantNumbers } from './telephones.ts';

/** Members that hold personal details, in every shape the services have sent; none is ever part of a stored release. */
const PERSONAL: ReadonlySet<string> = new Set([
  ...['contactPoint', 'additionalContactPoints', 'contactPoints', 'contact', 'persones', 'beneficialOwners'],
  ...['email', 'telephone', 'phone', 'faxNumber', 'fax'],
]);

/** Whether a member of a release's objects is left out of what is stored. */
export function isPersonal(key: string): boolean {
  return PERSONAL.has(key);
}

/** What was left out of a release, and the id of the object that it was in. */
export interface LeftOut {
  owner: unknown;
  key: string;
  value: unknown;
}

/** Whom a contact point names. */
export interface ContactDetails {
  name: string | null;
  email: string | null;
  telephone: string | null;
}

/** A contact point. */
export interface ReadContact extends ContactDetails {
  partyId: string;
}

/** The contact points among what was left out; an organisation's second one is named after it with a number. */
export function readContacts(leftOut: readonly LeftOut[]): ReadContact[] {
  const counts = new Map<string, number>();
  const contacts: ReadContact[] = [];
  for (const { owner, key, value } of leftOut) {
    if (!/contact/i.test(key)) continue;
    for (const point of listOf(value, objectOf)) {
      const [name = null, email = null, telephone = null] = [point.name, point.email, point.telephone].map(textOf);
      if (!name && !email && !telephone) continue;
      const id = textOf(owner) ?? 'buyer';
      const nth = (counts.get(id) ?? 0) + 1;
      counts.set(id, nth);
      contacts.push({ partyId: nth === 1 ? id : `${id}#${nth}`, name, email, telephone });
    }
  }
  return contacts;
}

/**
 * A release without the e-mail addresses in its texts, and without the people and telephone numbers of its own contact points,
 * however they are written. A person who is also a party (a sole trader) stays named. Other numbers may not be telephone
 * numbers: they stay in the stored text and are removed when it is compiled. Returns the same object where nothing is removed.
 * @param body the release as JSON, searched once to decide whether its texts have to be read
 */
export function withoutContacts(release: JsonObject, body: string, leftOut: readonly LeftOut[]): JsonObject {
  const own = readOwn(leftOut, textOf(objectOf(release.tender)?.title));
  const matcher = makePersonMatcher({
    people: own.people.slice(0, PEOPLE_MAX),
    phrases: [],
    isEmail: (value, isSure) => isSure || own.emails.has(value),
    ...(own.telephones.size > 0 ? { telephones: wantNumbers(own.telephones) } : {}),
  });
  const within = matcher.mayHave(body);
  if (!within.email && !within.telephone && !within.name) return release;
  if (within.name) matcher.keepNamed(namesIn(release));
  return mapTexts(release, (text) =>
    matcher.redact(text.includes('@') ? text.replace(USER_OF_URL, '$1') : text, MARKS, within),
  ) as JsonObject;
}

/** More contact points than any release has. */
const PEOPLE_MAX = 1_000;
const MARKS = { ...REMOVED, name: '[name removed]' };

interface Own {
  people: Person[];
  emails: Set<string>;
  telephones: Set<string>;
}

/** The personal details in what was left out of a release. A contact point that has the title for a name names nobody. */
function readOwn(leftOut: readonly LeftOut[], title: string | undefined): Own {
  const own: Own = { people: [], emails: new Set(), telephones: new Set() };
  for (const { value } of leftOut) {
    const { people, details } = readPoint(JSON.stringify(value) ?? 'null');
    const [point, ...others] = listOf(value, objectOf);
    if (title === undefined || others.length > 0 || textOf(point?.name) !== title) own.people.push(...people);
    for (const { kind, value } of details) (kind === 'email' ? own.emails : own.telephones).add(value);
  }
  return own;
}

/** A contact point as JSON. A buyer sends the same one with each of its notices. */
const readPoint = memoise((json) => {
  const people: Person[] = [];
  const details: Found[] = [];
  const value: unknown = JSON.parse(json);
  eachObject(value, (point) => {
    const name = textOf(point.name);
    if (name) people.push(...readPeople(name, textOf(point.email) ?? null));
  });
  mapTexts(value, (text) => {
    details.push(...readDetails(text));
    return text;
  });
  return { people, details };
});

/** The addresses and numbers in the text of a contact point. */
const readDetails = memoise((text): readonly Found[] => {
  const found: Found[] = [];
  replaceContacts(text, (one) => {
    found.push(one);
    return null;
  });
  const number = normalTelephone(text);
  const isNumber = /^(?:[+0]\d{9,14}|0800\d{4})$/.test(number);
  return isNumber ? [...found, { kind: 'telephone', value: number }] : found;
});

/** Names of the organisations in a release. */
function namesIn(release: JsonObject): string[] {
  const names: string[] = [];
  eachObject(release, ({ name, legalName }) => {
    for (const one of [name, legalName]) {
      const text = one === undefined ? undefined : textOf(one);
      if (text) names.push(text);
    }
  });
  return names;
}

/** A tender must be open after this instant for its contacts to be kept; undefined where the setting keeps none. */
export function contactsOpenAt({ settings, clocks }: Pick<IngestContext, 'settings' | 'clocks'>): Date | undefined {
  return settings.KEEP_CONTACTS === 'open_tenders' ? clocks.catalogueNow() : undefined;
}

/** Whether no release of the ocid but those of this batch (?3) has a later date. */
const IS_LAST = `NOT EXISTS (SELECT 1 FROM release WHERE ocid = ?1 AND unixepoch(date) > unixepoch(?2)
  AND release_id NOT IN (SELECT value FROM json_each(?3)))`;
const DROP = `DELETE FROM contact WHERE ocid = ?1 AND ${IS_LAST}`;
const KEEP = `INSERT OR REPLACE INTO contact (ocid, release_id, party_id, name, email, telephone, expires_at)
SELECT ?1, ?4, ?5, ?6, ?7, ?8, ?9 WHERE ${IS_LAST}`;
const OVER = /^(cancelled|withdrawn|unsuccessful|complete)$/;

/** The parts of a release that decide about its contacts. */
interface ContactRelease {
  ocid: string;
  releaseId: string;
  date: string;
  json: JsonObject;
  contacts?: readonly ReadContact[];
}

/**
 * Keeps the contacts of tenders that are open at an instant, until their deadline. A release that ends its tender, or asks for
 * bids again, removes the earlier ones, whichever comes first: a service lists the newest first. Only where the setting allows it.
 */
export function contactStatements(releases: readonly ContactRelease[], openAt: Date): Statement[] {
  const dated = releases.map((release) => ({ release, at: parseInstant(release.date) ?? new Date(0) }));
  return dated
    .toSorted((a, b) => a.at.getTime() - b.at.getTime())
    .flatMap(({ release, at }) => {
      const own = releases.flatMap(({ ocid, releaseId }) => (ocid === release.ocid ? releaseId : []));
      return statementsOf(release, [release.ocid, isoInstant(at), JSON.stringify(own)], openAt);
    });
}

function statementsOf({ releaseId, json, contacts = [] }: ContactRelease, place: string[], openAt: Date): Statement[] {
  const tender = objectOf(correctArchived(json).tender) ?? {};
  const drop = { sql: DROP, args: place };
  if (valuesOf(json.awards).length > 0 || OVER.test(tenderStatusOf(tender.status) ?? '')) return [drop];
  const ends = textOf(objectOf(tender.tenderPeriod)?.endDate) ?? textOf(tender.expressionOfInterestDeadline);
  const until = parseDeadline(ends)?.at;
  if (!until || Date.parse(until) <= openAt.getTime()) return [];
  const inserts = contacts.map(({ partyId, name, email, telephone }) => ({
    sql: KEEP,
    args: [...place, releaseId, partyId, name, email, telephone, until],
  }));
  return [drop, ...inserts];
}

/** Visits every object in a JSON value, outer ones first. */
function eachObject(value: unknown, visit: (object: JsonObject) => void): void {
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value)) visit(value as JsonObject);
  for (const member of Object.values(value)) eachObject(member, visit);
}
