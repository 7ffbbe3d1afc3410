import { randomBytes } from 'node:crypto';
import { nameKey } from '../../schema/names/spelling.ts';
import { type JsonObject, objectOf, sha256 } from '../../schema/text/json-values.ts';
import { readPeople } from '../contacts/people.ts';
import { makePersonMatcher } from '../contacts/person-matcher.ts';
import { normalEmail, normalTelephone } from '../fields/text/redact.ts';

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

/** What an operator says of a person. */
export interface PersonTerms {
  names: readonly string[];
  /** Addresses as they are published. */
  texts: readonly string[];
  emails: readonly string[];
  telephones: readonly string[];
}

/**
 * What is kept of the terms: names and addresses as given, on one line each; e-mails and telephones as salted
 * digests.
 */
export function makePersonTarget({ names, texts, emails, telephones }: PersonTerms): PersonTarget {
  const salt = randomBytes(16).toString('hex');
  return {
    salt,
    names: names.map(onOneLine),
    texts: texts.map(onOneLine),
    emails: emails.map((email) => digest(salt, normalEmail(email))),
    telephones: telephones.map((telephone) => digest(salt, normalTelephone(telephone))),
  };
}

function onOneLine(text: string): string {
  return text.trim().replace(/\s+/g, ' ');
}

/** Whether these terms are the ones that a target was made from. */
export function isSamePerson(target: PersonTarget, terms: PersonTerms): boolean {
  const again = (values: readonly string[], held: readonly string[]) =>
    values.length === held.length && values.every((value) => held.includes(value));
  const emails = terms.emails.map((email) => digest(target.salt, normalEmail(email)));
  const telephones = terms.telephones.map((telephone) => digest(target.salt, normalTelephone(telephone)));
  return (
    again([...terms.names, ...terms.texts].map(onOneLine), textsOf(target)) &&
    again(emails, target.emails) &&
    again(telephones, target.telephones)
  );
}

/** What of a target can be read: names and addresses. */
export function textsOf({ names = [], texts }: PersonTarget): string[] {
  return [...names, ...texts];
}

/** Those of the terms that would not be found though a text repeated them: nothing of them would ever be struck out. */
export function findUnfindable(terms: PersonTerms): string[] {
  const nobody = { names: [], texts: [], emails: [], telephones: [] };
  return Object.entries(terms).flatMap(([kind, values]: [string, readonly string[]]) =>
    values.filter((value) => {
      const { strike } = makeRedactor('', makePersonTarget({ ...nobody, [kind]: [value] }));
      const left = strike(value).replace(/\[withheld \w+\]/g, '');
      return left === value || (kind !== 'names' && /[\p{L}\p{N}]{3}/u.test(left));
    }),
  );
}

function digest(salt: string, value: string): string {
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
