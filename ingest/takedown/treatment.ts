import type { Database } from '../../schema/db/interface.ts';
import { nameKey } from '../../schema/names/spelling.ts';
import { toOcds } from '../../schema/ocds/release.ts';
import { canonicalJson, type JsonObject, objectOf, sha256 } from '../../schema/text/json-values.ts';
import { noticeIdOf } from '../compile/contents.ts';
import { readPeople } from '../contacts/people.ts';
import { makePersonMatcher } from '../contacts/person-matcher.ts';
import type { ReadContact } from '../contacts/personal-details.ts';
import { ownParties } from '../merge/uk.ts';
import type { ReadRelease } from '../parse/page.ts';
import type { Quarantined } from '../parse/repair.ts';

export interface NoticeTarget {
  noticeId: string;
}

/** A row of the takedown table, its target read. */
export type Takedown = { id: string; reason: string; takenAt: string; takenBy: string } & (
  | { kind: 'notice'; target: NoticeTarget }
  | { kind: 'person'; target: PersonTarget }
);

const READ = `SELECT id, kind, target, reason, taken_at, taken_by FROM takedown WHERE lifted_at IS NULL ORDER BY taken_at, id`;

/** Every takedown that stands, oldest first. */
export async function readTakedowns(catalogue: Database): Promise<Takedown[]> {
  type Row = { id: string; kind: string; target: string; reason: string; taken_at: string; taken_by: string };
  const rows = await catalogue.read<Row>({ sql: READ });
  return rows.map(({ id, kind, target, reason, taken_at, taken_by }) => {
    const head = { id, reason, takenAt: taken_at, takenBy: taken_by };
    if (kind === 'notice') return { ...head, kind, target: JSON.parse(target) as NoticeTarget };
    return { ...head, kind: 'person', target: JSON.parse(target) as PersonTarget };
  });
}

/** What the takedowns do to what comes in. */
export interface Treatment {
  /** The release as it may be kept: its body empty where its notice was taken down, else without what was struck out. */
  release<T extends ReadRelease>(release: T): T;
  /** Bytes of what could not be read are not kept where they speak of something that was taken down. */
  quarantined(record: Quarantined): Quarantined;
}

/** Body of a release whose notice was taken down: its row stays, so that the same publication is known and never kept again. */
export const EMPTY_BODY = '';

/** Whether a release is held without its body because its notice was taken down. */
export function isTombstone({ body }: Pick<ReadRelease, 'body'>): boolean {
  return body === EMPTY_BODY;
}

const AS_IT_CAME: Treatment = { release: (release) => release, quarantined: (record) => record };

/**
 * Treats releases by the takedowns that stand. A release keeps the digest of its publication whatever is taken out of its
 * body: asked for again it is the one that is held, neither new nor brought back.
 */
export function makeTreatment(takedowns: readonly Takedown[]): Treatment {
  if (takedowns.length === 0) return AS_IT_CAME;
  const noticeIds = takedowns.flatMap((one) => (one.kind === 'notice' ? [one.target.noticeId] : []));
  const redactors = takedowns.flatMap((one) => (one.kind === 'person' ? [makeRedactor(one.id, one.target)] : []));
  return {
    release(release) {
      if (isTombstone(release) || speaksFor(release, noticeIds)) return empty(release);
      return redactors.reduce(strikeRelease, release);
    },
    quarantined(record) {
      const text = Buffer.from(record.bytes).toString('utf8');
      const isTaken =
        noticeIds.some((id) => text.toLowerCase().includes(id)) ||
        redactors.some(({ strike }) => strike(text) !== text);
      return isTaken ? { ...record, isTakenDown: true } : record;
    },
  };
}

function empty<T extends ReadRelease>(release: T): T {
  return { ...release, body: EMPTY_BODY, json: {}, unknown: [], contacts: [] };
}

/** Whether a release published one of these notices; only one that names it is looked at closely. */
function speaksFor(release: ReadRelease, noticeIds: readonly string[]): boolean {
  const named = noticeIds.filter(
    (id) => release.releaseId.toLowerCase().includes(id) || release.body.toLowerCase().includes(id),
  );
  if (named.length === 0) return false;
  return named.includes(noticeIdOf(toOcds(ownParties(release, noticeIdOf))));
}

/** The release without a person, or the very same where it does not speak of one. */
export function strikeRelease<T extends ReadRelease>(release: T, redactor: Redactor): T {
  const contacts = release.contacts?.filter((contact) => !isOf(contact, redactor));
  const lost = contacts !== undefined && contacts.length < (release.contacts?.length ?? 0);
  const treated = lost ? { ...release, contacts } : release;
  if (!redactor.mayConcern(release.body)) return treated;
  const json = strikeJson(release.json, redactor) as T['json'];
  const body = canonicalJson(json);
  return body === canonicalJson(release.json) ? treated : { ...treated, json, body };
}

/** Whether a contact is the person whom the redactor strikes out. */
export function isOf({ name, email, telephone }: Omit<ReadContact, 'partyId'>, { strike }: Redactor): boolean {
  return [name, email, telephone].some((text) => text !== null && strike(text) !== text);
}

/**
 * What a person is recognised by. E-mails and telephones are recognised whole, so a salted digest of each is enough and no
 * list of them is kept; a determined holder of the database could still guess a number, as there are not many. Names and
 * addresses must be found among other words, in any case and spacing, and a digest of a name is guessed at once: they are
 * kept as given, in the catalogue alone, which no API operation reads them from.
 */
export interface PersonTarget {
  salt: string;
  /** Absent in those of before: there names are among the texts. */
  names?: string[];
  /** Addresses. */
  texts: string[];
  emails: string[];
  telephones: string[];
}

/** What of a target can be read: names and addresses. */
export function textsOf({ names = [], texts }: PersonTarget): string[] {
  return [...names, ...texts];
}

/** An e-mail or telephone in its normal form as a target keeps it. */
export function digest(salt: string, value: string): string {
  return sha256(`${salt}\n${value}`);
}

/** Finds and strikes out one person. */
export interface Redactor {
  /** Stands where something was struck out; as a party's name it is one that nobody else has. */
  marker: string;
  /** A text without the person, or the very same. */
  strike(text: string): string;
  /** Whether a body needs a closer look: cheap, and never wrong about one that speaks of the person. */
  mayConcern(body: string): boolean;
}

/** A redactor for one person; its marker is a pure function of the takedown's id. */
export function makeRedactor(takedownId: string, target: PersonTarget): Redactor {
  const mark = sha256(takedownId).slice(0, 6);
  const marker = `[withheld ${mark}]`;
  const { names = [], salt } = target;
  const [emails, telephones] = [new Set(target.emails), new Set(target.telephones)];
  const named = names.map((name) => readPeople(name, `${name.replace(/\s+/g, '.')}@`));
  const people = named.flat();
  // Firms, and names in other scripts: their words in their order.
  const unread = names.filter((_, index) => named[index]?.length === 0);
  const matcher = makePersonMatcher({
    people,
    phrases: [...target.texts, ...unread],
    ...(emails.size > 0 ? { isEmail: (value: string) => emails.has(digest(salt, value)) } : {}),
    ...(telephones.size > 0 ? { telephones: { has: (value: string) => telephones.has(digest(salt, value)) } } : {}),
  });
  const orders = people.flatMap(({ given, surname }) => [
    [...given, ...surname].join(' '),
    [...surname, ...given].join(' '),
  ]);
  const slugs = [...new Set([...textsOf(target), ...orders])].map(slugPattern);
  const marks = { email: marker, telephone: marker, name: marker };
  return {
    marker,
    strike(text) {
      const withoutIds = slugs.reduce((left, slug) => left.replace(slug, `withheld-${mark}`), text);
      return matcher.strike(withoutIds, marks);
    },
    // A body is JSON: a line break in it is two characters.
    mayConcern: (body) => Object.values(matcher.mayHave(body)).includes(true),
  };
}

/** Ids of identities that were made from the name. */
function slugPattern(text: string): RegExp {
  const slug = nameKey(text)
    .normalize('NFKD')
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 40)
    .replace(/^-+|-+$/g, '');
  // Initials were words of their own in ids of before.
  const spelled = [...slug.replaceAll('-', '')].join('-?');
  return new RegExp(`\\b(?:name|at)-(?:[a-z0-9-]{0,40}-)?${spelled}-(?:[a-z0-9-]{0,40}-)?[0-9a-f]{8}\\b`, 'g');
}

/** The parts of an address that name only a region. */
const REGIONAL = new Set(['region', 'country', 'countryName']);

/** A copy of a JSON value without the person: an organisation that bears the name loses its address too, which is a home. */
export function strikeJson(value: unknown, redactor: Redactor): unknown {
  if (typeof value === 'string') return redactor.strike(value);
  if (Array.isArray(value)) return value.map((member) => strikeJson(member, redactor));
  const object = objectOf(value);
  if (!object) return value;
  const struck = Object.fromEntries(Object.entries(object).map(([key, member]) => [key, strikeJson(member, redactor)]));
  return isNamedAfter(object, redactor) ? withoutHome(struck) : struck;
}

function isNamedAfter({ name, identifier }: JsonObject, { strike }: Redactor): boolean {
  const names = [name, objectOf(identifier)?.legalName];
  return names.some((text) => typeof text === 'string' && strike(text) !== text);
}

function withoutHome(party: JsonObject): JsonObject {
  const address = objectOf(party.address);
  const details = objectOf(party.details);
  const { url: _url, ...told } = details ?? {};
  return {
    ...party,
    ...(address ? { address: Object.fromEntries(Object.entries(address).filter(([key]) => REGIONAL.has(key))) } : {}),
    ...(details ? { details: told } : {}),
  };
}
