import { randomBytes } from 'node:crypto';
import { nameKey } from '../schema/names.ts';
import { type JsonObject, objectOf } from '../schema/tolerant.ts';
import { sha256 } from './canonical.ts';
import { normalTelephone, replaceContacts } from './contact-text.ts';

/**
 * What a person is recognised by. E-mails and telephones are recognised whole, so a salted digest of each is enough and no
 * list of them is kept; a determined holder of the database could still guess a number, as there are not many. Names and
 * addresses must be found among other words, in any case and spacing, and a digest of a name is guessed at once: they are
 * kept as given, in the catalogue alone, which no API operation reads them from.
 */
export interface PersonTarget {
  salt: string;
  texts: string[];
  emails: string[];
  telephones: string[];
}

/** What an operator says of a person. */
export interface PersonTerms {
  /** Names and addresses as they are published. */
  texts: readonly string[];
  emails: readonly string[];
  telephones: readonly string[];
}

export function makePersonTarget({ texts, emails, telephones }: PersonTerms): PersonTarget {
  const salt = randomBytes(16).toString('hex');
  return {
    salt,
    texts: texts.map((text) => text.trim().replace(/\s+/g, ' ')),
    emails: emails.map((email) => digest(salt, email.trim().toLowerCase())),
    telephones: telephones.map((telephone) => digest(salt, normalTelephone(telephone))),
  };
}

/** Whether these terms are the ones that a target was made from. */
export function isSamePerson(target: PersonTarget, terms: PersonTerms): boolean {
  const again = (values: readonly string[], held: readonly string[]) =>
    values.length === held.length && values.every((value) => held.includes(value));
  const texts = terms.texts.map((text) => text.trim().replace(/\s+/g, ' '));
  const emails = terms.emails.map((email) => digest(target.salt, email.trim().toLowerCase()));
  const telephones = terms.telephones.map((telephone) => digest(target.salt, normalTelephone(telephone)));
  return again(texts, target.texts) && again(emails, target.emails) && again(telephones, target.telephones);
}

function digest(salt: string, value: string): string {
  return sha256(`${salt}\n${value}`);
}

/** Finds and strikes out one person. */
export interface Striker {
  /** Stands where something was struck out; as a party's name it is one that nobody else has. */
  marker: string;
  /** A text without the person, or the very same. */
  strike(text: string): string;
  /** Whether a body needs a closer look: cheap, and never wrong about one that speaks of the person. */
  mayConcern(body: string): boolean;
}

export function makeStriker(takedownId: string, target: PersonTarget): Striker {
  const mark = sha256(takedownId).slice(0, 6);
  const marker = `[withheld ${mark}]`;
  const phrases = target.texts.map(phraseOf);
  const slugs = target.texts.map((text) => slugPattern(text));
  const words = target.texts.map(longestWord);
  const emails = new Set(target.emails);
  const telephones = new Set(target.telephones);
  const strike = (text: string): string => {
    let left = text;
    for (const slug of slugs) left = left.replace(slug, `withheld-${mark}`);
    for (const phrase of phrases) left = left.replace(phrase, marker);
    if (emails.size + telephones.size === 0) return left;
    return replaceContacts(left, ({ kind, value }) => {
      const isTaken = (kind === 'email' ? emails : telephones).has(digest(target.salt, value));
      return isTaken ? marker : null;
    });
  };
  return {
    marker,
    strike,
    mayConcern(body) {
      if (emails.size > 0 && /@|%40|[([]at[)\]]/i.test(body)) return true;
      if (telephones.size > 0 && /\d(?:[ .()-]{0,3}\d){5}/.test(body)) return true;
      const lower = body.toLowerCase();
      return words.some((word) => lower.includes(word));
    },
  };
}

const BETWEEN = String.raw`(?:[\s,.'’-]|&#0?39;|&apos;|&nbsp;){1,3}`;

/** Words of a name in their order, whatever stands between them, not as part of longer words. */
function phraseOf(text: string): RegExp {
  const words = (text.match(/[\p{L}\p{N}]+/gu) ?? []).join(BETWEEN);
  return new RegExp(`(?<![\\p{L}\\p{N}])${words}(?![\\p{L}\\p{N}])`, 'giu');
}

function longestWord(text: string): string {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.toSorted((a, b) => b.length - a.length)[0] ?? '';
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

/** Of an address, what says no more than a region. */
const REGIONAL = new Set(['region', 'country', 'countryName']);

/** A copy of a JSON value without the person: an organisation that bears the name loses its address too, which is a home. */
export function strikeJson(value: unknown, striker: Striker): unknown {
  if (typeof value === 'string') return striker.strike(value);
  if (Array.isArray(value)) return value.map((member) => strikeJson(member, striker));
  const object = objectOf(value);
  if (!object) return value;
  const struck = Object.fromEntries(Object.entries(object).map(([key, member]) => [key, strikeJson(member, striker)]));
  return isNamedAfter(object, striker) ? withoutHome(struck) : struck;
}

function isNamedAfter({ name, identifier }: JsonObject, { strike }: Striker): boolean {
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
