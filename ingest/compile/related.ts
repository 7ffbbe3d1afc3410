import type { NoticeDetail } from '../../schema/catalogue/details.ts';
import type { OcdsAward, OcdsContract, OcdsRelease } from '../../schema/ocds/types.ts';
import lists from '../../schema/reference/framework-owners.json' with { type: 'json' };
import { DASH } from '../../schema/text/ids.ts';
import { dropInvisible } from '../../schema/text/json-values.ts';
import { matchesOf, memoise } from '../../schema/text/memoise.ts';
import { documentsOf } from '../fields/notice.ts';
import { cleanLine, saysNothing } from '../fields/text/clean.ts';
import { listServices } from '../sources/index.ts';
import { type Mention, mentionsIn, quote } from './frameworks/words.ts';
import type { CompiledContract, CompiledNotice, RelatedSigns } from './types.ts';

interface SignedProcess {
  source: string;
  title: string;
  merged: OcdsRelease;
  notices: readonly CompiledNotice[];
  contracts: readonly CompiledContract[];
  isCallOff: boolean;
}

/** Find a Tender began on this day. */
const BOTH_SINCE = '2021-01-01';
/** Notices under the Procurement Act are on Find a Tender only. */
export const ACT = '2023/54';

/** The signs by which a compiled process is found on another service. Pure. */
export function relatedSignsOf(process: SignedProcess): RelatedSigns {
  const { title, merged, notices, contracts } = process;
  const published = notices.map((notice) => notice.published).toSorted();
  const mayBeOnBoth =
    merged.tender.legalBasis !== ACT &&
    !notices.some(({ noticeType }) => /^UK\d+$/.test(noticeType)) &&
    (published.at(-1) ?? '') >= BOTH_SINCE;
  const deadlines = notices.flatMap(({ deadline }) => deadline ?? []);
  const awards = contracts.flatMap(({ awarded, signed }) => awarded ?? signed ?? []);
  return {
    titleKey: mayBeOnBoth ? titleKeyOf(title) : null,
    reference: mayBeOnBoth ? referenceOf(merged.tender.id) : null,
    mentions: mentionsOf(process),
    originals: originalsOf(process),
    firstPublished: published[0] ?? null,
    lastPublished: published.at(-1) ?? null,
    deadline: deadlines.toSorted().at(-1) ?? null,
    awarded: awards.toSorted()[0] ?? null,
  };
}

const TITLE_MIN = 8;

/** The part of a title that both services share, without the place that a portal puts first and without references. */
function titleKeyOf(title: string): string | null {
  const key = title
    .replace(/^GB-[^:]{2,40}:\s*/, '')
    .replace(/\bDN\d{5,7}\b/g, ' ')
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/&/g, ' and ')
    .replace(/['’`]/g, '')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
  return key.length >= TITLE_MIN && key.includes(' ') ? key : null;
}

const GUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
/** Portals write their own number into the buyer's reference: `CORNWALL001-DN636983-81931092`, `tender_317298/1116759`. */
const PORTAL = /(?:^|[^A-Z0-9])(DN\d{5,7})(?:$|[^0-9])|^(TENDER_\d{4,})\//;

/** A reference that identifies a procurement: never an ocid or GUID, and with at least three digits. */
function referenceOf(raw: string | undefined): string | null {
  const text = (raw ?? '').trim().toUpperCase();
  if (text === '' || text.startsWith('OCDS-') || GUID.test(text)) return null;
  const portal = PORTAL.exec(text);
  const key = (portal?.[1] ?? portal?.[2] ?? text).replace(/[^A-Z0-9]/g, '');
  const digits = key.replace(/[^0-9]/g, '').length;
  return key.length >= 5 && key.length <= 60 && digits >= 3 ? key : null;
}

/**
 * The buyer's own number or name for a procurement, as published; Contracts Finder once put the ocid before it. An ocid or a GUID
 * in its place was filled in by a service.
 */
export function ownReferenceOf({ ocid = '', tender: { id = '' } }: OcdsRelease): Pick<NoticeDetail, 'reference'> {
  const reference = cleanLine(id.startsWith(`${ocid}-`) ? id.slice(ocid.length + 1) : id);
  return saysNothing(reference) || /^ocds-/i.test(reference) || GUID.test(reference) ? {} : { reference };
}

/** Matches no text. Used when there is no other service. */
const NEVER = '(?!)';

/**
 * The other services, and a pattern that finds their notices in texts, with a group for each service. It matches addresses
 * only, or ocids and quoted numbers too.
 */
const namingOfOthers = memoise((key) => {
  const [source, wanted] = key.split('\n');
  const others = listServices().flatMap(({ id, notices }) => (id === source ? [] : notices));
  const patterns = others.map(({ naming: { address, quote } }, index) => {
    return `(?<s${index}>${wanted === 'addresses' ? address : `${address}|${quote}`})`;
  });
  return { others, pattern: new RegExp(patterns.join('|') || NEVER, 'gi') };
});

/** The notices and processes of services other than `source` that a text names, in lower case. Numbers get the prefix of their service. */
export function namesIn(text: string, source: string, addressesOnly: boolean): string[] {
  // The number of services is part of the key, so that a service added to the table is found.
  const key = `${source}\n${addressesOnly ? 'addresses' : 'names'}\n${listServices().length}`;
  const { others, pattern } = namingOfOthers(key);
  return matchesOf(text, pattern).map((match) => {
    const service = others[Object.values(match.groups ?? {}).findIndex((found) => found !== undefined)];
    // The first is the service's own group, around the others.
    const [, first = '', second] = match.slice(1).filter((part) => part !== undefined);
    const name = second ? `${second}-${first}` : first.replace(DASHES, '-');
    return (/^ocds-/i.test(name) ? name : `${service?.prefix ?? ''}${name}`).toLowerCase();
  });
}

/** A text that names more than this is a list of procurements. */
const MENTIONS_MAX = 5;
/** Relations to another procurement than this one. */
const OTHER_PROCUREMENT =
  /^(framework|parent|prior|subContract|replacementProcess|renewalProcess|unsuccessfulProcess)$/i;

/** Relations to an earlier or later procurement of the same need; the dates say which is later. */
const CONTINUES = /^(prior|renewalProcess|replacementProcess)$/i;

/** The processes that a release says it continues or is continued by; absent if it states none. */
export function continuationOf({ relatedProcesses, contracts }: OcdsRelease): Pick<NoticeDetail, 'continues'> {
  const stated = [...relatedProcesses, ...contracts.flatMap((contract) => contract.relatedProcesses)];
  const named = stated.flatMap(({ relationship, identifier, scheme = 'ocid' }) =>
    identifier && /ocid/i.test(scheme) && relationship.some((code) => CONTINUES.test(code))
      ? [identifier.trim().toLowerCase()]
      : [],
  );
  return named.length > 0 ? { continues: [...new Set(named)] } : {};
}

/** A call-off quotes the numbers and ocid of its framework, which is another procurement. So only addresses count in it. */
function mentionsOf({ source, merged, isCallOff }: SignedProcess): string[] {
  // All texts at once: no reference to a notice spans two line breaks.
  const text = dropInvisible(textsOf(merged).join('\n\n'));
  const found = new Set(namesIn(text, source, isCallOff));
  return found.size > MENTIONS_MAX ? [] : [...found].toSorted();
}

/** A number in brackets within a sentence is that of another notice. */
const IN_A_SENTENCE = /(?<=[^\s.!?:;)][^\S\n]*)\([^()\n]{1,40}\)/g;

/** The notice that a notice says it copies: its process from a canonical link, its number from the last number in the text. */
export function originalOf(source: string, release: OcdsRelease): CompiledNotice['original'] {
  const [process] = originalsOf({ source, merged: release });
  const text = release.description ?? '';
  const numbersIn = (said: string) => namesIn(said, source, false).filter((name) => !name.startsWith('ocds-'));
  const notice = numbersIn(text).length > 0 ? numbersIn(text.replace(IN_A_SENTENCE, ' ')).at(-1) : undefined;
  return { ...(process ? { process } : {}), ...(notice ? { notice } : {}) };
}

/** The processes of other services that this one says it copies. */
function originalsOf({ source, merged }: Pick<SignedProcess, 'source' | 'merged'>): string[] {
  const canonical = merged.links.filter(({ rel }) => rel === 'canonical').map(({ href }) => href);
  return [...new Set(canonical.flatMap((href) => namesIn(href, source, true)))].toSorted();
}

const DASHES = new RegExp(DASH, 'g');

function textsOf(merged: OcdsRelease): (string | undefined)[] {
  const { tender } = merged;
  const related = merged.relatedProcesses.filter(
    ({ relationship }) => !relationship.some((code) => OTHER_PROCUREMENT.test(code)),
  );
  return [
    ...[merged.title, merged.description],
    ...[tender.id, tender.title, tender.description, tender.submissionMethodDetails, tender.procurementMethodDetails],
    ...[...tender.lots, ...merged.awards, ...merged.contracts].flatMap(({ title, description }) => [
      title,
      description,
    ]),
    ...[...merged.awards, ...merged.contracts].flatMap(({ amendments }) => amendments.map((one) => one.description)),
    ...related.flatMap(({ identifier, title }) => [identifier, title]),
    ...merged.links.map(({ href }) => href),
    ...documentsOf(merged).flatMap(({ url, title, description }) => [url, title, description]),
  ];
}

/** What a notice says that it changes of those before it, proposes to change, what was not performed, or why it ends them, each text once. */
export function changesOf({ tender, awards, contracts }: OcdsRelease): string {
  const made = [tender, ...awards, ...contracts].flatMap((one) => one.amendments);
  const proposed = contracts.flatMap(({ proposedAmendments }) => proposedAmendments);
  const told = [...made, ...proposed].map(({ reasons, description }) => sayReasons(reasons, description));
  const said = joinOnce([...told, whyEnded([...awards, ...contracts])]);
  // A notice that ends a contract for a failure describes that twice.
  return joinOnce([said, ...contracts.flatMap(({ failures }) => failures.filter((text) => !said.includes(text)))]);
}

/** Why awards and contracts ended, in words. */
export function whyEnded(parts: readonly (OcdsAward | OcdsContract)[]): string {
  const ended = parts.filter(({ status }) => ['cancelled', 'terminated', 'ended'].includes(status ?? ''));
  return joinOnce(ended.map((one) => sayReasons('endReasons' in one ? one.endReasons : [], one.statusDetails)));
}

function joinOnce(texts: readonly string[]): string {
  return [...new Set(texts)].filter(Boolean).join('\n\n');
}

/** Reasons by their codes and in words: `Breach of contract: A warranty was untrue.` */
export function sayReasons(codes: readonly string[] = [], words = ''): string {
  const spaced = codes.map((code) => code.replace(/[a-z](?=[A-Z])/g, '$& ').toLowerCase()).join(', ');
  return [spaced.charAt(0).toUpperCase() + spaced.slice(1), saysNothing(words) ? '' : words].filter(Boolean).join(': ');
}

/** Frameworks that only the government's commercial agency sets up. */
const AGENCY_TITLE = /\bRM\s?\d{4}\b|\bG-?Cloud\b/i;
const AGENCY_NUMBER = /^\s*\(?RM\s?\d{4}\b/;
const AGENCY = /crown commercial|commercial agency|\bCCS\b|\bGCA\b|cabinet office|government procurement service/i;

/** A framework named after one of these bodies is set up by that body only. */
const OWNERS = lists.owners.map((names) => ({
  /** Up to four words may come between the body's name and the word for a framework, except verbs with the body as subject. */
  before: new RegExp(
    `(?:^|[\\s(])(?:${names})(?:\\s+(?!(?:is|has|will|wish|seek|intend|establish|set|put|award|invit)\\w*\\b)\\S+){0,4}\\s*$`,
    'i',
  ),
  after: new RegExp(`^\\s*[:(]?\\s*(?:${names})\\b`, 'i'),
  name: new RegExp(`\\b(?:${names})\\b`, 'i'),
}));

/** Whether a mention is a framework of another body that sets them up for others. A consortium shares all but the agency's. */
export function isOwnedByOther({ before, after }: Mention, buyer: string): boolean {
  if (AGENCY_NUMBER.test(after) && !AGENCY.test(buyer)) return true;
  const owner = OWNERS.find((one) => one.before.test(before) || one.after.test(after));
  return owner !== undefined && !owner.name.test(buyer) && !/consorti/i.test(buyer);
}

/** Whether a text names a framework by the number or name that the commercial agency gives its own, and the buyer is another body. */
export function isAgencys(text: string, buyer: string): boolean {
  return AGENCY_TITLE.test(text) && !isAgency(buyer);
}

/** Whether the buyer is the commercial agency. */
export function isAgency(buyer: string): boolean {
  return AGENCY.test(buyer);
}

/** The framework of another body that a procedure names, such as `Other - ESPO Framework 319`; undefined if it names none. */
export function othersNamedBy(method: string, buyer: string): string | undefined {
  const owned = mentionsIn(method).find((mention) => isOwnedByOther(mention, buyer));
  if (owned) return quote(owned);
  return isAgencys(method, buyer) ? method : undefined;
}
