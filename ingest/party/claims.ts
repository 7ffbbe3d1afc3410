import { shortHash } from '../../schema/names/buyers.ts';
import { mentionsIn } from '../../schema/ocds/parts.ts';
import { partyOf } from '../../schema/ocds/release.ts';
import { strongSchemeOf } from '../../schema/text/ids.ts';
import { type JsonObject, listOf, objectOf, textOf, valuesOf } from '../../schema/text/json-values.ts';
import { groupBy, memoise, memoiseByObject } from '../../schema/text/memoise.ts';
import { cleanLine } from '../fields/text/clean.ts';
import { likeness } from './match/likeness.ts';
import { keyOf, splitName } from './match/names.ts';
import { companyNumberOf, isOwnId, isRegisterId, readSighting } from './sighting.ts';

/** The published facts that distinguish one party from another. */
interface Claim {
  /** The cleaned name, without its trading name; empty where no name was published. */
  name: string;
  /** Identifiers that were published next to its id. */
  ids: readonly string[];
  postcode: string | undefined;
}

/** What a party states about itself, besides its id. */
export const claimOf = memoiseByObject((party: JsonObject): Claim => {
  const read = partyOf({ ...party, id: undefined });
  const sighting = read && readSighting(read);
  // Names as served: entities and invisible characters do not distinguish parties.
  const name = sighting && sighting.nameKey !== '' ? legalKey(sighting.name) : '';
  return { name, ids: sighting?.ids ?? [], postcode: sighting?.postcode };
});

/** A name reduced to the company in it: `A Ltd t/a B` and `A Limited` are one. */
const legalKey = memoise((name) => (name === '' ? '' : keyOf(splitName(name).legal)));

/** Whether two published names are one, or differ by a typing mistake. */
export function isOneName(one: string, other: string): boolean {
  const [left, right] = [legalKey(one), legalKey(other)];
  return left === right || likeness(left, right) > 0;
}

/**
 * Whether two claims may belong to one party: they differ in nothing that both state. A register number belongs to one
 * organisation at any address. @param byPlace whether different postcodes separate claims that have no such number in common
 */
export function agree(one: Claim, other: Claim, byPlace: boolean): boolean {
  if (one.name !== '' && other.name !== '' && one.name !== other.name) return false;
  if (areOthers(one.ids, other.ids)) return false;
  if (!byPlace || !one.postcode || !other.postcode || one.postcode === other.postcode) return true;
  return one.ids.some((id) => other.ids.includes(id) && strongSchemeOf(id) !== null);
}

/** Whether two parties have different numbers of a scheme in which an organisation has only one. */
function areOthers(ids: readonly string[], others: readonly string[]): boolean {
  return ids.some((id) => {
    const scheme = strongSchemeOf(id);
    return scheme !== null && !others.includes(id) && others.some((other) => strongSchemeOf(other) === scheme);
  });
}

/** Claims that belong to one party, and a mark that distinguishes it from the others under the same id. */
export interface Cluster<T> {
  mark: string;
  members: T[];
}

/**
 * The parties that the claims under one id mean: one if all agree, otherwise one for each name. If those under one name
 * disagree, there is one for each number and place. Marks depend only on the claims, never on their order.
 */
export function clusterClaims<T>(members: readonly T[], read: (member: T) => Claim, byPlace: boolean): Cluster<T>[] {
  if (members.length < 2 || allAgree(members.map(read), byPlace)) return [{ mark: '', members: [...members] }];
  const named = groupBy(members, (member) => read(member).name);
  return [...named].flatMap(([name, own]) => {
    if (allAgree(own.map(read), byPlace)) return [{ mark: shortHash(name), members: own }];
    const byClaim = groupBy(own, (member) => JSON.stringify(read(member)));
    return [...byClaim].map(([claim, same]) => ({ mark: shortHash(claim), members: same }));
  });
}

function allAgree(claims: readonly Claim[], byPlace: boolean): boolean {
  const different = [...new Map(claims.map((claim) => [JSON.stringify(claim), claim])).values()];
  return different.every((one, index) => different.slice(0, index).every((other) => agree(one, other, byPlace)));
}

const MANY =
  '(?:various|multiple|several|\\d{1,4}) (?:suppliers|contractors|providers|bidders|organisations|companies)';
const ELSEWHERE =
  '(?:please )?(?:as|see) (?:the |per )?(?:above|below|attached|attachment|description|notice)(?: (?:details|documents?|files?|lists?|notice|schedule|section|spreadsheet|suppliers))?';
const DONE =
  'agreed|announced|appointed|awarded|advised|confirmed|decided|determined|disclosed|entered|given|identified|known|named|provided|selected|specified|stated';
/** What is written where no organisation is named, as a whole name in words of lower-case letters and digits. */
const PLACEHOLDER = new RegExp(
  `^(?:0*|x{3,}|n ?a|nil|none|null|undefined|unknown|unnamed|undisclosed|confidential|tb[acd]|pending|several|(?:private )?individuals?|\
(?:name )?(?:redacted|withheld)(?: (?:under|due to|for|per|because of) (?:the )?(?:gdpr|data protection|security|privacy|confidentiality)(?: \\w+)?)?|\
(?:(?:a )?list of )?(?:suppliers?|providers?|contractors?)(?: name| list)?(?: \\d{1,2})?(?: (?:is |are )?attached)?|\
(?:framework|awarded|appointed|successful|winning) (?:suppliers?|bidders?|contractors?|providers?|tenderers?)|awaiting (?:award|confirmation|details|signature)|\
to be (?:${DONE})|(?:not|none) (?:yet )?(?:${DONE}|applicable|available)|no (?:supplier|buyer|award|bids?|tenders?)(?: made| received)?|\
(?:${MANY} )?${ELSEWHERE}|various|multiple|${MANY}|amherthnasol|i w gadarnhau)$`,
);

const OFFER =
  '(?:bids?|tenders?|bidders?|tenderers?|applicants?|applications?|offers?|quotes?|quotations?|responses?|submissions?)';
const WINNER = '(?:contracts?|awards?|suppliers?|providers?|contractors?|bidders?|tenderers?|one)';
const WHAT =
  '(?:(?:the|this) )?(?:contract|award|tender|procurement|project|process|exercise|opportunity|lot(?: \\d+)?|quotation)';
const STOPPED = '(?:cancelled|canceled|abandoned|withdrawn|discontinued|unsuccessful)';
const NO_AWARD = `(?:(?:${WHAT} )?(?:(?:was|is|has|were) )?not (?:been )?awarded|unawarded|no award|(?:none|nothing) (?:was )?awarded|\
no ${WINNER} (?:(?:was|were|has been|have been) )?(?:awarded|appointed|selected|made|successful)|\
no (?:suitable|compliant|valid|acceptable|successful|appropriate|winning) (?:${OFFER}|${WINNER})(?: (?:(?:was|were) )?\\w+)?|\
no ${OFFER}(?: (?:(?:was|were) )?(?:received|returned|submitted|made|accepted))?|\
(?:${WHAT} )?(?:(?:was|has been) )?${STOPPED}|${STOPPED} (?:contract|award|tender|procurement|lot)|heb ei ddyfarnu|ni ddyfarnwyd(?: y contract)?)`;
/** What is written in place of a supplier where no contract was made, also twice: `Not awarded - no bids`. */
const UNAWARDED = new RegExp(`^(?:n a )?${NO_AWARD}(?: (?:(?:as|due to|because of) )?${NO_AWARD})?$`);

const plainName = memoise((name) =>
  cleanLine(name)
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim(),
);

/** Whether a name stands for nobody, such as `N/A` and `TBC`. `TBC Bank` is a name. */
const isPlaceholder = (name: string) => PLACEHOLDER.test(plainName(name)) || UNAWARDED.test(plainName(name));

/** The release in which an award whose only suppliers say that none was made (`Contract not awarded`) came to nothing. */
function loseUnawarded(json: JsonObject): JsonObject {
  const parties = new Map(listOf(json.parties, objectOf).map((party) => [textOf(party.id), party]));
  const isUnawarded = (mention: JsonObject) => {
    const party = parties.get(textOf(mention.id)) ?? {};
    const legalNames = [mention, party].map(({ identifier }) => textOf(objectOf(identifier)?.legalName));
    const name = [textOf(mention.name), textOf(party.name), ...legalNames].find((one) => one !== undefined) ?? '';
    if (!UNAWARDED.test(plainName(name))) return false;
    // A company may have such a name: its number, or another name, says that it is one.
    const isNamed = legalNames.some((one) => one !== undefined && !isPlaceholder(one));
    const ids = [textOf(mention.id) ?? '', ...[mention, party].flatMap((one) => claimOf(one).ids)];
    return !isNamed && !ids.some(companyNumberOf);
  };
  const isLost = ({ suppliers, status }: JsonObject) => {
    const mentions = listOf(suppliers, readMention);
    return mentions.length > 0 && mentions.every(isUnawarded) && textOf(status) !== 'cancelled';
  };
  const awards = listOf(json.awards, objectOf);
  if (!awards.some(isLost)) return json;
  return { ...json, awards: awards.map((award) => (isLost(award) ? { ...award, status: 'unsuccessful' } : award)) };
}

/** Whether a party, or a mention of one, has a placeholder for a name. */
function isNobody(party: unknown): boolean {
  const { name, identifier } = objectOf(party) ?? { name: party };
  const stated = textOf(name) ?? textOf(objectOf(identifier)?.legalName);
  return stated !== undefined && isPlaceholder(stated);
}

/**
 * The release without placeholders for names. What had no other name and no register's number is no party, and no mention of
 * it is one. Returns the same object if there is none, as in most.
 */
export function withoutPlaceholders(published: JsonObject): JsonObject {
  const parties = valuesOf(published.parties);
  const mentions = mentionsIn(published).map(({ mention }) => mention);
  if (![...parties, published.buyer, ...mentions].some(isNobody)) return published;
  const json = loseUnawarded(published);
  const left = parties.flatMap(nameOrDrop);
  const known = new Set(listOf(left, objectOf).map(({ id }) => textOf(id)));
  const gone = new Set(listOf(parties, objectOf).flatMap(({ id }) => (known.has(textOf(id)) ? [] : textOf(id)) ?? []));
  const refer = (mention: JsonObject) => {
    const id = textOf(mention.id);
    if (id !== undefined && known.has(id)) return isNobody(mention) ? [{ ...mention, name: undefined }] : [mention];
    return id !== undefined && gone.has(id) && !isNobody(mention) && !mention.name ? [] : nameOrDrop(mention);
  };
  const buyer = objectOf(json.buyer);
  return {
    ...mapMentions(json, (named) => listOf(named.flatMap(refer), objectOf)),
    ...(json.parties === undefined ? {} : { parties: left }),
    ...(buyer ? { buyer: refer(buyer)[0] } : {}),
  };
}

/** A party without a placeholder for its name; none where nothing else identifies it. */
export function nameOrDrop(party: unknown): unknown[] {
  if (!isNobody(party)) return [party];
  const object = objectOf(party);
  if (!object) return [];
  const { legalName, ...identifier } = objectOf(object.identifier) ?? {};
  const isOther = textOf(legalName) !== undefined && !isNobody(legalName);
  const unnamed = { ...object, name: isOther ? legalName : undefined, identifier };
  const isKnown = isOther || claimOf(unnamed).ids.length > 0 || isRegisterId(textOf(object.id) ?? '');
  return isKnown ? [unnamed] : [];
}

const AMENDING = ['suppliersAdded', 'suppliersRemoved'] as const;

/** The release with every list of suppliers changed. A supplier published as a bare text is identified by that name. */
export function mapMentions(json: JsonObject, change: (mentions: JsonObject[]) => JsonObject[]): JsonObject {
  const list = (raw: unknown) => change(listOf(raw, readMention));
  const within = (raw: unknown, keys: readonly string[]): unknown => {
    const object = objectOf(raw);
    if (!object) return raw;
    const lists = keys.filter((key) => object[key] !== undefined && object[key] !== null);
    return { ...object, ...Object.fromEntries(lists.map((key) => [key, list(object[key])])) };
  };
  const holders = (raw: unknown) =>
    valuesOf(raw).map((one) => {
      const holder = within(one, ['suppliers']);
      const { amendments } = objectOf(holder) ?? {};
      if (valuesOf(amendments).length === 0) return holder;
      return { ...objectOf(holder), amendments: valuesOf(amendments).map((amendment) => within(amendment, AMENDING)) };
    });
  return {
    ...json,
    ...(json.awards === undefined || json.awards === null ? {} : { awards: holders(json.awards) }),
    ...(json.contracts === undefined || json.contracts === null ? {} : { contracts: holders(json.contracts) }),
  };
}

/** Mentions without those whose id has occurred before. */
export function nameOnce(mentions: readonly JsonObject[]): JsonObject[] {
  const ids = new Set<string>();
  return mentions.filter(({ id }) => {
    const text = textOf(id);
    const isNew = text === undefined || !ids.has(text);
    if (text !== undefined) ids.add(text);
    return isNew;
  });
}

/** An organisation as a release mentions it: an object, or a bare text, its id or its name. Undefined for anything else. */
export function readMention(value: unknown): JsonObject | undefined {
  const object = objectOf(value);
  const text = textOf(value);
  if (object || text === undefined) return object;
  return isOwnId(text) ? { id: text } : { name: text };
}
