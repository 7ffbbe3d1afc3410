import type { Statement } from '../schema/database.ts';
import { type JsonObject, listOf, mapTexts, objectOf, textOf, valuesOf } from '../schema/tolerant.ts';
import { parseDeadline } from './compile/dates.ts';
import { type Person, readPeople } from './contact-names.ts';
import type { WantedNumbers } from './contact-numbers.ts';
import { normalTelephone, replaceContacts, USER_OF_URL } from './contact-text.ts';
import { makePersonMatcher } from './person-matcher.ts';
import { REMOVED } from './redact.ts';
import type { IngestTools } from './tools.ts';

/** Members that hold personal details, in every shape the services have sent; none is ever part of a stored release. */
const PERSONAL: ReadonlySet<string> = new Set([
  ...['contactPoint', 'additionalContactPoints', 'contactPoints', 'contact', 'persones', 'beneficialOwners'],
  ...['email', 'telephone', 'phone', 'faxNumber', 'fax'],
]);

/** Whether a member of a release's objects is left out of what is stored. */
export function isPersonal(key: string): boolean {
  return PERSONAL.has(key);
}

/** What was left out of a release, and the id of the object it stood in. */
export interface LeftOut {
  owner: unknown;
  key: string;
  value: unknown;
}

/** A contact point. */
export interface ReadContact {
  partyId: string;
  name: string | null;
  email: string | null;
  telephone: string | null;
}

/** The contact points among what was left out; an organisation's second one is named after it and a number. */
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
 * A release whose texts name no e-mail address and neither the persons nor the telephone numbers of its own contact points,
 * however they are written. A person who is a party too (a sole trader) stays named. Other numbers stay in the stored text,
 * as published, and are taken out where it is compiled: they may be none.
 */
export function withoutContacts(release: JsonObject, leftOut: readonly LeftOut[]): JsonObject {
  const own = readOwn(leftOut);
  const matcher = makePersonMatcher({
    people: own.people.slice(0, PEOPLE_MOST),
    phrases: [],
    isEmail: (value, isSure) => isSure || own.emails.has(value),
    ...(own.telephones.size > 0 ? { telephones: wantedNumbers(own.telephones) } : {}),
  });
  if (own.people.length > 0) matcher.keepNamed(namesIn(release));
  let isChanged = false;
  const bare = mapTexts(release, (text) => {
    const struck = matcher.strike(text.includes('@') ? text.replace(USER_OF_URL, '$1') : text, MARKS);
    isChanged ||= struck !== text;
    return struck;
  });
  return isChanged ? (bare as JsonObject) : release;
}

/** More contact points than any release has. */
const PEOPLE_MOST = 1_000;
const MARKS = { ...REMOVED, name: '[name removed]' };

interface Own {
  people: Person[];
  emails: Set<string>;
  telephones: Set<string>;
}

function wantedNumbers(numbers: ReadonlySet<string>): WantedNumbers {
  return { has: (value) => numbers.has(value), endings: new Set([...numbers].map((number) => number.slice(-4))) };
}

/** What was left out of a release says of persons. */
function readOwn(leftOut: readonly LeftOut[]): Own {
  const own: Own = { people: [], emails: new Set(), telephones: new Set() };
  for (const { value } of leftOut) {
    for (const point of objectsIn(value)) {
      const [name, email] = [textOf(point.name), textOf(point.email)];
      if (name) own.people.push(...readPeople(name, email ?? null));
    }
    mapTexts(value, (text) => {
      readTexts(text, own);
      return text;
    });
  }
  return own;
}

function readTexts(text: string, own: Own): void {
  replaceContacts(text, ({ kind, value }) => {
    (kind === 'email' ? own.emails : own.telephones).add(value);
    return null;
  });
  const number = normalTelephone(text);
  if (/^(?:[+0]\d{9,14}|0800\d{4})$/.test(number)) own.telephones.add(number);
}

function objectsIn(value: unknown): JsonObject[] {
  const object = objectOf(value);
  const members = Array.isArray(value) ? value : object ? Object.values(object) : [];
  return [...(object ? [object] : []), ...members.flatMap(objectsIn)];
}

/** Names of the organisations in a release. */
function namesIn(release: JsonObject): string[] {
  return objectsIn(release).flatMap(({ name, legalName }) => [name, legalName].flatMap((one) => textOf(one) ?? []));
}

/** The instant at which a tender must be open for its contacts to be kept; undefined where the setting keeps none. */
export function contactsOpenAt({ settings, clocks }: Pick<IngestTools, 'settings' | 'clocks'>): Date | undefined {
  return settings.KEEP_CONTACTS === 'open_tenders' ? clocks.catalogueNow() : undefined;
}

const DROP = 'DELETE FROM contact WHERE ocid = ?';
const KEEP = `INSERT OR REPLACE INTO contact (ocid, release_id, party_id, name, email, telephone, expires_at)
VALUES (?, ?, ?, ?, ?, ?, ?)`;
const OVER = /^(cancelled|withdrawn|unsuccessful|complete)$/;

/** What of a release decides about its contacts. */
export interface ContactRelease {
  ocid: string;
  releaseId: string;
  json: JsonObject;
  contacts?: readonly ReadContact[];
}

/**
 * Keeps the contacts of tenders that are open at an instant, until their deadline; a release that ends its tender, or
 * asks for bids anew, takes the earlier ones away. Only where the setting allows any.
 */
export function contactStatements(releases: readonly ContactRelease[], openAt: Date): Statement[] {
  return releases.flatMap(({ ocid, releaseId, json, contacts = [] }) => {
    const tender = objectOf(json.tender) ?? {};
    const isOver = valuesOf(json.awards).length > 0 || OVER.test(textOf(tender.status) ?? '');
    if (isOver) return [{ sql: DROP, args: [ocid] }];
    const ends = textOf(objectOf(tender.tenderPeriod)?.endDate) ?? textOf(tender.expressionOfInterestDeadline);
    const until = parseDeadline(ends)?.at;
    if (!until || Date.parse(until) <= openAt.getTime()) return [];
    const kept = contacts.map(({ partyId, name, email, telephone }) => ({
      sql: KEEP,
      args: [ocid, releaseId, partyId, name, email, telephone, until],
    }));
    return [{ sql: DROP, args: [ocid] }, ...kept];
  });
}
