import type { Statement } from '../schema/database.ts';
import { type JsonObject, listOf, mapTexts, objectOf, textOf, valuesOf } from '../schema/tolerant.ts';
import { parseDeadline } from './compile/dates.ts';
import { findRepeatedNames, strikeNames } from './contact-names.ts';
import { normalTelephone, replaceContacts } from './contact-text.ts';
import { redact } from './redact.ts';
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
 * A release whose texts name no e-mail address and neither the persons nor the telephone numbers of its own contact points.
 * Other numbers stay in the stored text, as published, and are taken out where it is compiled: they may be none.
 * @param body the release's canonical JSON
 */
export function withoutContacts(release: JsonObject, body: string, leftOut: readonly LeftOut[]): JsonObject {
  const own = ownNumbers(leftOut);
  const people = readContacts(leftOut).map(({ name }) => name);
  const names = findRepeatedNames(body, people);
  const isNamed = (number: string) => body.includes(number.slice(-4));
  if (names.length === 0 && !/@|%40|[([]at[)\]]/i.test(body) && ![...own].some(isNamed)) return release;
  const text = (member: string) =>
    strikeNames(
      replaceContacts(member, (found) => (found.kind === 'email' || own.has(found.value) ? redact(found.value) : null)),
      names,
    );
  return mapTexts(release, text) as JsonObject;
}

function ownNumbers(leftOut: readonly LeftOut[]): Set<string> {
  const own = new Set<string>();
  const read = (text: string) => {
    replaceContacts(text, ({ kind, value }) => {
      if (kind === 'telephone') own.add(value);
      return null;
    });
    const number = normalTelephone(text);
    if (/^[+0]\d{9,12}$/.test(number)) own.add(number);
    return text;
  };
  for (const { value } of leftOut) mapTexts(value, read);
  return own;
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
