import type { Database } from '../../schema/db/interface.ts';
import { endingOf, legalForm, nameKey } from '../../schema/names/spelling.ts';
import { toOcds } from '../../schema/ocds/release.ts';
import { canonicalJson, type JsonObject, objectOf, sha256 } from '../../schema/text/json-values.ts';
import { memoise } from '../../schema/text/memoise.ts';
import { makePersonMatcher, readPeople } from '../contacts/person-matcher.ts';
import type { ContactDetails } from '../contacts/personal-details.ts';
import { ownParties } from '../merge/uk.ts';
import type { ReadRelease } from '../parse/page.ts';
import type { Quarantined } from '../parse/repair.ts';
import { knownId, listServices, noticeIdOf } from '../sources/index.ts';

/** A row of the takedown table, with its target parsed. */
export type Takedown = { id: string; reason: string; takenAt: string; takenBy: string } & (
  | { kind: 'notice'; target: { noticeId: string } }
  | { kind: 'person'; target: PersonTarget }
);

const READ = `SELECT id, kind, target, reason, taken_at AS takenAt, taken_by AS takenBy FROM takedown
  WHERE lifted_at IS NULL ORDER BY taken_at, id`;

/** Every active takedown, oldest first. */
export async function readTakedowns(catalogue: Database): Promise<Takedown[]> {
  const rows = await catalogue.read<Omit<Takedown, 'target'> & { target: string }>({ sql: READ });
  return rows.map((row) => ({ ...row, target: JSON.parse(row.target) }) as Takedown);
}

/** The effect of the takedowns on incoming data. */
export interface Treatment {
  /** The release in the form that may be stored: its body empty where its notice was taken down, otherwise without the removed texts. */
  release<T extends ReadRelease>(release: T): T;
  /** Whether unreadable bytes mention something that was taken down: they are not stored then. */
  quarantined(record: Quarantined): Quarantined;
}

/** Body of a release whose notice was taken down: its row stays, so that the same publication is recognised and never stored again. */
export const EMPTY_BODY = '';

/** Whether a release is stored without its body because its notice was taken down. */
export function isTombstone({ body }: Pick<ReadRelease, 'body'>): boolean {
  return body === EMPTY_BODY;
}

const AS_IT_CAME: Treatment = { release: (release) => release, quarantined: (record) => record };

/**
 * Applies the active takedowns to releases. A release keeps the digest of its publication whatever is removed from its body:
 * fetched again, it is recognised as stored, and not restored.
 */
export function makeTreatment(takedowns: readonly Takedown[]): Treatment {
  if (takedowns.length === 0) return AS_IT_CAME;
  const noticeIds = takedowns.flatMap((one) => (one.kind === 'notice' ? [one.target.noticeId] : []));
  const redactors = takedowns.flatMap((one) => (one.kind === 'person' ? [makeRedactor(one.id, one.target)] : []));
  return {
    release(release) {
      if (speaksFor(release, noticeIds)) return { ...release, body: EMPTY_BODY, json: {}, unknown: [], contacts: [] };
      return redactors.reduce(redactRelease, release);
    },
    quarantined(record) {
      const text = Buffer.from(record.bytes).toString('utf8');
      const named = `${knownId(record.recordId ?? '')} ${text}`;
      const isConcerned = noticeIds.some((id) => namesNotice(named, id)) || redactors.some(({ isIn }) => isIn(text));
      return isConcerned ? { ...record, isTakenDown: true } : record;
    },
  };
}

/** Whether a text names a notice, with or without the prefix that its service does not write. */
export function namesNotice(text: string, noticeId: string): boolean {
  return text.toLowerCase().includes(bareId(noticeId));
}

/** The id in lower case and without that prefix. Cached, as every release is compared with every notice that was taken down. */
const bareId = memoise((noticeId) => {
  const { prefix = '' } = listServices().find(({ notices }) => notices.id.test(noticeId))?.notices ?? {};
  return noticeId.slice(prefix.length).toLowerCase();
});

/** Whether a release published one of these notices; only one that names it is examined closely. */
function speaksFor(release: ReadRelease, noticeIds: readonly string[]): boolean {
  if (noticeIds.length === 0) return false;
  const text = `${knownId(release.releaseId)} ${release.body}`.toLowerCase();
  const isNamed = noticeIds.some((id) => text.includes(bareId(id)));
  return isNamed && noticeIds.includes(noticeIdOf(toOcds(ownParties(release, noticeIdOf))));
}

/** The release without a person; the same object where it does not mention one. */
export function redactRelease<T extends ReadRelease>(release: T, redactor: Redactor): T {
  const contacts = release.contacts?.filter((contact) => !isOf(contact, redactor));
  const lost = contacts !== undefined && contacts.length < (release.contacts?.length ?? 0);
  const treated = lost ? { ...release, contacts } : release;
  if (!redactor.mayConcern(release.body)) return treated;
  const json = redactJson(release.json, redactor) as T['json'];
  const body = canonicalJson(json);
  return body === canonicalJson(release.json) ? treated : { ...treated, json, body };
}

/** Whether a contact is the person whom the redactor removes. */
export function isOf({ name, email, telephone }: ContactDetails, { redact }: Redactor): boolean {
  return [name, email, telephone].some((text) => text !== null && redact(text) !== text);
}

/**
 * What a person is recognised by. E-mails and telephones are compared as a whole, so a salted digest of each is enough, and no
 * list of them is stored. Somebody who has the database could still guess a number, as there are not many. Names and addresses
 * must be found among other words, in any case and spacing, and a digest of a name is easily guessed. So they are stored as
 * given, only in the catalogue, and no API operation reads them.
 */
export interface PersonTarget {
  salt: string;
  /** Absent in older ones: there names are among the texts. */
  names?: string[];
  /** Addresses. */
  texts: string[];
  emails: string[];
  telephones: string[];
}

/** The readable parts of a target: names and addresses. */
export const textsOf = ({ names = [], texts }: PersonTarget): string[] => [...names, ...texts];

/** An e-mail or telephone in its normal form, as a target stores it. */
export function digest(salt: string, value: string): string {
  return sha256(`${salt}\n${value}`);
}

/** Finds and removes one person. */
export interface Redactor {
  /** Replaces removed text; as a party's name it is unique. */
  marker: string;
  /** A text without the person; the same text where there is no match. */
  redact(text: string): string;
  /** Whether a text mentions the person. It may be JSON, whole or cut off, in which a line break is two characters. */
  isIn(text: string): boolean;
  /** Whether a body needs a closer look: a cheap test that never misses the person. */
  mayConcern(body: string): boolean;
}

const JSON_ESCAPE = /\\(?:["\\/bfnrt]|u[\da-fA-F]{4})/g;

/** A redactor for one person; its marker is a pure function of the takedown's id. */
export function makeRedactor(takedownId: string, target: PersonTarget): Redactor {
  const mark = sha256(takedownId).slice(0, 6);
  const marker = `[withheld ${mark}]`;
  const { names = [], salt } = target;
  const [emails, telephones] = [new Set(target.emails), new Set(target.telephones)];
  const named = names.map((name) => (isFirm(name) ? [] : readPeople(name, `${name.replace(/\s+/g, '.')}@`)));
  const people = named.flat();
  // Firms, which may have several people's names, and names in other scripts: their words in order.
  const unread = names.filter((_, index) => named[index]?.length === 0).flatMap(spellings);
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
  const redact = (text: string) => {
    const withoutIds = slugs.reduce((left, slug) => left.replace(slug, `withheld-${mark}`), text);
    return matcher.redact(withoutIds, marks);
  };
  return {
    marker,
    redact,
    isIn(text) {
      const plain = text.replace(JSON_ESCAPE, (escaped) => JSON.parse(`"${escaped}"`));
      return redact(plain) !== plain;
    },
    mayConcern: (body) => Object.values(matcher.mayHave(body)).includes(true),
  };
}

const AND = /(?: and | ?& ?)/gi;

/** Whether a name is a firm's. A foreign form, such as `Sa`, may also be a surname: several names are a firm's only where the last alone ends in one. */
function isFirm(name: string): boolean {
  const endings = name.split(AND).map((each) => (each.includes(' ') ? endingOf(each) : ''));
  return legalForm(name) !== '' || (endings.length > 1 && endings.indexOf('foreign') === endings.length - 1);
}

/** The legal forms that notices write out or shorten as they like. */
const FORMS = [
  ['limited', 'ltd'],
  ['public limited company', 'plc', 'p.l.c'],
  ['limited liability partnership', 'llp', 'l.l.p'],
  ['community interest company', 'cic', 'c.i.c'],
  ['cyfyngedig', 'cyf'],
].map((forms) => ({ forms, atEnd: new RegExp(`\\b(?:${forms.join('|').replaceAll('.', '\\.')})\\.?$`, 'i') }));

const CO = /\bco\b\.?(?=\s*$)/i;
/** After `and`, or before a legal form, whose space is left: elsewhere `Co` may begin `Co-operative` or `Co. Durham`. */
const COMPANY = /(?:(?<=(?:\band|&) ?)|\b(?=\S+\s))company(?=\s*$)/i;

/** A name as given, with `and`, and with `&`; each also with its legal form, and `Company` before it, written out and shortened. */
function spellings(name: string): string[] {
  const ended = FORMS.find(({ atEnd }) => atEnd.test(name));
  const [bare, forms] = ended ? [name.replace(ended.atEnd, ''), ended.forms] : [name, ['']];
  const called = [bare, bare.replace(CO, 'Company'), bare.replace(COMPANY, 'Co')];
  const named = [name, ...forms.flatMap((form) => called.map((one) => one + form))];
  return [...new Set(named.flatMap((one) => [one, one.replace(AND, ' and '), one.replace(AND, ' & ')]))];
}

/** Ids of identities that were derived from the name. */
function slugPattern(text: string): RegExp {
  const slug = nameKey(text)
    .normalize('NFKD')
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 40)
    .replace(/^-+|-+$/g, '');
  // Initials were separate words in older ids.
  const spelled = [...slug.replaceAll('-', '')].join('-?');
  return new RegExp(`\\b(?:name|at)-(?:[a-z0-9-]{0,40}-)?${spelled}-(?:[a-z0-9-]{0,40}-)?[0-9a-f]{8}\\b`, 'g');
}

/** The parts of an address that name only a region. */
const REGIONAL = new Set(['region', 'country', 'countryName']);

/** A copy of a JSON value without the person: an organisation with that name also loses its address, which is a home. */
export function redactJson(value: unknown, redactor: Redactor): unknown {
  if (typeof value === 'string') return redactor.redact(value);
  if (Array.isArray(value)) return value.map((member) => redactJson(member, redactor));
  const object = objectOf(value);
  if (!object) return value;
  const redacted = Object.fromEntries(
    Object.entries(object).map(([key, member]) => [key, redactJson(member, redactor)]),
  );
  return isNamedAfter(object, redactor) ? withoutHome(redacted) : redacted;
}

function isNamedAfter({ name, identifier }: JsonObject, { redact }: Redactor): boolean {
  const names = [name, objectOf(identifier)?.legalName];
  return names.some((text) => typeof text === 'string' && redact(text) !== text);
}

function withoutHome(party: JsonObject): JsonObject {
  const address = objectOf(party.address);
  const details = objectOf(party.details);
  const { url: _url, ...others } = details ?? {};
  return {
    ...party,
    ...(address ? { address: Object.fromEntries(Object.entries(address).filter(([key]) => REGIONAL.has(key))) } : {}),
    ...(details ? { details: others } : {}),
  };
}
