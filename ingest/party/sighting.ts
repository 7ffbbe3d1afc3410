import { formerPlainKey, isCommonName, nameIdOf, plainBuyerKey, shortHash, slugOf } from '../../schema/names/buyers.ts';
import { endingOf, formerNameKey, legalForm, nameKey } from '../../schema/names/spelling.ts';
import type { OcdsIdentifier, OcdsParty } from '../../schema/ocds/types.ts';
import {
  NATION_NAMES,
  nationOfName,
  type Region,
  regionOfPartPostcode,
  regionOfPostcode,
} from '../../schema/reference/regions.ts';
import { compareIds, identityId, parseCompanyNumber, schemeOf } from '../../schema/text/ids.ts';
import { makeLookup } from '../../schema/text/json-values.ts';
import { memoiseByJson } from '../../schema/text/memoise.ts';
import { postcodeOf, regionOfName, statedRegions } from '../fields/classifications.ts';
import { cleanLine, redactUrl, saysNothing } from '../fields/text/clean.ts';
import { buyerTypeOf } from './buyer-type.ts';
import { isAbroad, numberIn } from './match/names.ts';

/** `buyer` or `company`: the two kinds of identity. A council that also sells has one of each. */
export type IdentityKind = 'buyer' | 'company';

/** What one release says about one party, cleaned. */
export interface Sighting {
  name: string;
  /** Cleaned; empty where no name was published. */
  nameKey: string;
  /** The party's own id where it has no name: two parties without a name are not the same. */
  unnamedId?: string;
  /** Permanent ids, best first (`GB-COH-01234567`). */
  ids: string[];
  /** A source's own numbers (`GB-FTS-12`): used for look-ups while they agree, never as identities. */
  numbers: string[];
  identifiers: { scheme: string; id: string }[];
  postcode?: string;
  street?: string;
  locality?: string;
  country?: string;
  region?: Region;
  url?: string;
  isSme?: boolean;
  isVcse?: boolean;
  kind?: string;
  /** The warning where an identifier was refused or had no scheme. */
  notes: string[];
}

/** The label of a party without name and identifier. */
const NOT_NAMED = 'Not named';

/** Codes for the size of an organisation, in the standard and in the EU profile. Any other text, such as `N/A`, says nothing of it. */
const IS_SME = makeLookup({ micro: true, small: true, medium: true, sme: true, selfemployed: true, large: false });

const SOURCE_NUMBER = /^GB-(?:FTS|CFS)-\d+$/i;
const PARTY_ID = /^(GB-[A-Z]{2,5}|GG-RCE|JE-FSC|IM-CR)-(.+)$/i;

/** Whether a party's id is a number in a register, such as `GB-COH-01234567`. */
export function isRegisterId(id: string): boolean {
  const [, scheme, number] = PARTY_ID.exec(id) ?? [];
  return scheme !== undefined && number !== undefined && identityId(scheme, number) !== null;
}

/** Whether a bare text is a party's id, which names its register or service, and not a name, such as `GB-Wide Cleaning`. */
export function isOwnId(text: string): boolean {
  return /^[^a-z\s]*\d[^a-z\s]*$/.test(text) && (SOURCE_NUMBER.test(text) || isRegisterId(text));
}

/** A company number published without a scheme is accepted only in its full form (old Find a Tender: `02366678`). */
const FULL_NUMBER = /^(?:\d{8}|[A-Z]{2}\d{6})$/;

/** What stands around a name and is no part of it: the sign of a list, half a bracket, a telephone number that was removed. */
const AROUND_NAME = /^[\s),;:]+|(?:[\s,;:]|\s\.|\[(?:e-mail|telephone) removed\])+$/g;

/** Reduces a party to what identifies it. Cached: notices name few buyers, and a merged process its parties again. */
export const readSighting = memoiseByJson((party: OcdsParty): Sighting => {
  const { ids, identifiers, notes } = readIdentifiers(party);
  const publishedId = party.sharedId ?? party.id ?? '';
  const published = cleanLine(party.name).replace(AROUND_NAME, '');
  const name = published || ids.toSorted(compareIds)[0] || NOT_NAMED;
  const postcode = postcodeOf(party.address) ?? undefined;
  const { address } = party;
  return {
    name,
    nameKey: published ? nameKey(published) : '',
    ...(published ? {} : { unnamedId: party.id ?? '' }),
    ids: [...new Set(ids)].toSorted(compareIds),
    numbers: SOURCE_NUMBER.test(publishedId) ? [publishedId.toUpperCase()] : [],
    identifiers,
    postcode,
    street: cleanLine(address?.streetAddress?.trim().replace(/(?:,|(?<!\s))\s*[\r\n]\s*/g, ', ')) || undefined,
    locality: [cleanLine(address?.locality)].find((town) => !saysNothing(town)),
    country: countryOf(address),
    region: regionOfParty(party, postcode),
    url: redactUrl(party.url),
    isSme: IS_SME[party.scale?.toLowerCase() ?? ''],
    isVcse: party.vcse,
    kind: typeOf(party, name, ids),
    notes,
  };
});

/** Its country by name; where only a code is published, the nation for that code, otherwise the code. */
function countryOf(address: OcdsParty['address']): string | undefined {
  const nation = nationOfName(address?.country);
  return cleanLine(address?.countryName) || (nation ? NATION_NAMES[nation] : cleanLine(address?.country)) || undefined;
}

/** Its region as stated, otherwise by its postcode, otherwise by the nation whose regulations it buys under. */
function regionOfParty({ address, classifications }: OcdsParty, postcode: string | undefined): Region | undefined {
  const [stated] = statedRegions(address ?? {});
  const country = countryOf(address);
  const isHere = !isAbroad(country) || nationOfName(country) !== null;
  const partly = postcode === undefined && isHere ? regionOfPartPostcode(address?.postalCode) : null;
  const devolved = classifications.find(({ scheme }) => scheme === 'UK_CA_DEVOLVED_REGULATIONS')?.id;
  const found = regionOfPostcode(postcode) ?? partly ?? (devolved ? regionOfName(devolved) : null);
  // The whole country is less specific than any of them.
  return (stated?.code === 'UK' ? (found ?? stated) : (stated ?? found)) ?? undefined;
}

/** Its kind of buyer, and the evidence: `nhs name`. */
function typeOf(party: OcdsParty, name: string, ids: readonly string[]): string | undefined {
  const found = buyerTypeOf(party, name, ids);
  return found && `${found.type} ${found.source}`;
}

function readIdentifiers(party: OcdsParty) {
  const ids: string[] = [];
  const identifiers: { scheme: string; id: string }[] = [];
  const notes: string[] = [];
  // An id that was also published for others identifies none of them.
  const named = party.sharedId === undefined ? PARTY_ID.exec(party.id ?? '') : null;
  const published: OcdsIdentifier[] = [
    ...(party.identifier ? [party.identifier] : []),
    ...party.additionalIdentifiers,
    ...(named ? [{ scheme: named[1], id: named[2] }] : []),
  ];
  for (const { scheme, id } of published) {
    if (!id) continue;
    const found = scheme ? identityId(scheme, id) : unschemed(id, notes);
    if (found) ids.push(found);
    else if (scheme && !SOURCE_NUMBER.test(`${scheme}-${id}`)) notes.push(`refused as an identifier: ${scheme} ${id}`);
    const entry = entryOf(scheme, id, found);
    const known = identifiers.some((one) => one.scheme === entry.scheme && one.id === entry.id);
    if (!known && !SOURCE_NUMBER.test(`${entry.scheme}-${id}`)) identifiers.push(entry);
  }
  if (!ids.some(companyNumberOf)) addNumberInName(cleanLine(party.name), { ids, identifiers, notes });
  return { ids, identifiers, notes: [...new Set(notes)] };
}

type Named = Pick<Sighting, 'ids' | 'identifiers' | 'notes'>;

function addNumberInName(name: string, { ids, identifiers, notes }: Named): void {
  const id = parseCompanyNumber(numberIn(name) ?? '');
  if (id === null) return;
  ids.push(`GB-COH-${id}`);
  identifiers.push({ scheme: 'GB-COH', id });
  notes.push('company number published in the name');
}

/** An identifier as served: normalised where it identifies, otherwise as published. */
function entryOf(scheme: string | undefined, id: string, found: string | null): { scheme: string; id: string } {
  const match = /^(GB-[A-Z]+|GG-RCE|JE-FSC|IM-CR)-(.+)$/.exec(found ?? '');
  if (match) return { scheme: match[1] ?? '', id: match[2] ?? '' };
  return { scheme: scheme === undefined ? '' : schemeOf(scheme), id };
}

function unschemed(id: string, notes: string[]): string | null {
  const bare = id.trim().toUpperCase();
  // Notices of the old regime give a PPON so (FTS 049950-2026); its form cannot be mistaken.
  const ppon = identityId('GB-PPON', bare);
  if (ppon) return ppon;
  const [, scheme = '', own = ''] = PARTY_ID.exec(bare) ?? [];
  if (scheme !== '') return identityId(scheme, own);
  const number = FULL_NUMBER.test(bare) ? parseCompanyNumber(bare) : null;
  if (number) notes.push('company number published without a scheme');
  return number ? `GB-COH-${number}` : null;
}

/**
 * The id of a party by its name alone. Buyers: by cleaned name. Companies: by cleaned name and postcode, as two firms may share
 * a name; without a postcode by cleaned name, legal form and any foreign country.
 */
export function nameId(kind: IdentityKind, sighting: Sighting): string {
  const { nameKey: key, unnamedId } = sighting;
  const named = unnamedId === undefined ? key : `unnamed ${unnamedId}`;
  const basis = kind === 'company' ? `${named}|${placeOfName(sighting)}` : named;
  return nameIdOf(key, basis);
}

/** The id for the plain spelling of a buyer's name (`… Council`), or null where it is plain. Two firms may differ by as little. */
export function plainNameId(kind: IdentityKind, sighting: Sighting): string | null {
  if (kind === 'company' || sighting.nameKey === '') return null;
  const plain = plainBuyerKey(sighting.name);
  return plain === sighting.nameKey ? null : nameId(kind, { ...sighting, nameKey: plain });
}

/**
 * Ids that the name had under earlier rules: they stay valid, as customers keep them. A partnership had the one of a company of its
 * name at its postcode, which such a company without any other has still.
 */
export function formerNameIds(kind: IdentityKind, sighting: Sighting): string[] {
  const { name, nameKey: key, postcode, ids } = sighting;
  if (key === '') return [];
  const former = [formerNameKey(name), ...(kind === 'buyer' ? [formerPlainKey(name)] : [])];
  const [present, plain] = [nameId(kind, sighting), plainNameId(kind, sighting)];
  const had = former.map((one) => nameId(kind, { ...sighting, nameKey: one }));
  const others = had.filter((id) => id !== present && id !== plain);
  const form = kind === 'company' && postcode ? endingOf(name) : '';
  if (form === 'llp') others.push(...[key, ...former].map((one) => nameIdOf(one, `${one}|${postcode}`)));
  else if (form !== '' && ids.length === 0) others.push(present);
  return [...new Set(others)];
}

function placeOfName({ name, postcode, country = '' }: Sighting): string {
  const form = legalForm(name);
  // Many a partnership has a company of its name at its address, before it or next to it.
  if (postcode) return form === 'llp' ? `${postcode}|llp` : postcode;
  return isAbroad(country) ? `${form}|${country.toLowerCase()}` : form;
}

/** A buyer's name with its postcode, which decides where two buyers have the same name. Null without a postcode. */
export function placeId(kind: IdentityKind, sighting: Sighting): string | null {
  const { postcode, nameKey: key } = sighting;
  if (kind === 'company' || !postcode || !key) return null;
  return `at-${slugOf(key)}-${shortHash(`${key}|${postcode}`)}`;
}

/** The company number in an identity's id, or null. */
export function companyNumberOf(identityId: string): string | null {
  return /^GB-COH-(.+)$/.exec(identityId)?.[1] ?? null;
}

/** The key of a sighting: its best identifier, otherwise its name (a buyer's with its postcode). Lower case. */
export function tokenOf(kind: IdentityKind, sighting: Sighting): string {
  return sighting.ids[0]?.toLowerCase() ?? placeId(kind, sighting) ?? nameId(kind, sighting);
}

/** Whether a name may replace an identifier: a buyer's may, unless many have it; otherwise only together with a postcode. */
export function nameMayLead(kind: IdentityKind, sighting: Sighting): boolean {
  return sighting.nameKey !== '' && (leadsAlone(kind, sighting) || sighting.postcode !== undefined);
}

/** Whether a name without its place identifies a buyer. A company's name does not, nor does one that every county may have. */
export function leadsAlone(kind: IdentityKind, { nameKey }: Sighting): boolean {
  return kind === 'buyer' && !isCommonName(nameKey);
}

/** Whether a sighting has a name and no company number: the register may have the company. */
export function lacksNumber({ nameKey, ids }: Sighting): boolean {
  return nameKey !== '' && !ids.some((id) => companyNumberOf(id));
}
