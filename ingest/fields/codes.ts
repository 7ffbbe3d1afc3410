import { parseCompanyNumber } from '../../schema/text/ids.ts';
import { type JsonObject, objectOf, textOf, valuesOf } from '../../schema/text/json-values.ts';
import { STAGE_OF_NOTICE_TYPE, STAGE_OF_TAG } from './notice.ts';
import { mentionsIn } from './supplier-references.ts';

/** Identifier schemes, best first. The best identifier of an identity is its id, in any order of arrival. */
const SCHEME_RANK = [
  'GB-COH',
  'GB-PPON',
  'GB-CHC',
  'GB-SC',
  'GB-NIC',
  'GB-NHS',
  'GB-UKPRN',
  'GB-MPR',
  'GB-CQC',
  'GB-LAE',
  'GB-LAS',
  'GB-GOR',
  'GB-SRS',
  'GG-RCE',
  'JE-FSC',
  'IM-CR',
] as const;

/** Schemes that we know and do not identify by: a tax number, or a source's own numbering. */
const IGNORED = ['VAT', 'GB-VAT', 'OTHER', 'GB-FTS', 'GB-CFS'];
const KNOWN_SCHEMES: ReadonlySet<string> = new Set([...SCHEME_RANK, ...IGNORED]);

const RANK = new Map<string, number>(SCHEME_RANK.map((scheme, index) => [scheme, index]));

/** PPON of the central digital platform: `PABC-1234-DEFG` (GCGS-Central-Digital-Platform, PponService.cs). */
const PPON = /^P[A-Z]{3}-\d{4}-[A-Z]{4}$/;

/**
 * The URL-safe id of an identifier, such as `GB-COH-01234567`, or null where it is junk or of no scheme that identifies.
 * A company number is normalised; one that cannot be a company number (a VAT number, an NHS code) is refused.
 */
export function identityId(scheme: string, raw: string): string | null {
  const name = scheme.trim().toUpperCase();
  if (!RANK.has(name)) return null;
  const id = raw.trim();
  if (name === 'GB-COH') {
    const number = parseCompanyNumber(id);
    return number ? `GB-COH-${number}` : null;
  }
  if (name === 'GB-PPON') return PPON.test(id.toUpperCase()) ? `GB-PPON-${id.toUpperCase()}` : null;
  const safe = id
    .replace(/[^A-Za-z0-9.]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .toUpperCase();
  return /[A-Z1-9]/.test(safe) && safe.length <= 60 ? `${name}-${safe}` : null;
}

/** Order of ids: by scheme, then by text. Names come after every identifier. */
export function compareIds(a: string, b: string): number {
  const byRank = rankOf(a) - rankOf(b);
  if (byRank !== 0) return byRank;
  return a < b ? -1 : Number(a > b);
}

/**
 * The scheme of an identifier where an organisation has one number in it, or null. Registration accounts (GB-SRS) are
 * no such scheme: departments of one council each have their own.
 */
export function strongSchemeOf(id: string): string | null {
  const scheme = SCHEME_RANK[rankOf(id)];
  return scheme === undefined || scheme === 'GB-SRS' ? null : scheme;
}

function rankOf(id: string): number {
  const upper = id.toUpperCase();
  const index = SCHEME_RANK.findIndex((scheme) => upper.startsWith(`${scheme}-`));
  return index === -1 ? SCHEME_RANK.length : index;
}

const KNOWN_TENDER_STATUSES: ReadonlySet<string> = new Set([
  'planning',
  'planned',
  'active',
  'complete',
  'cancelled',
  'unsuccessful',
  'withdrawn',
]);

const KNOWN_AWARD_STATUSES: ReadonlySet<string> = new Set([
  'pending',
  // Contracts Finder only, recorded in October 2022: an award still to be made.
  'planned',
  'active',
  'cancelled',
  'unsuccessful',
]);

const KNOWN_CONTRACT_STATUSES: ReadonlySet<string> = new Set(['pending', 'active', 'terminated', 'cancelled']);

/** A category without a mapping. It is counted, never guessed. */
export interface Unknown {
  field: string;
  value: string;
}

/** Every value of a release's category fields that the compiler has no meaning for. */
export function findUnknown(release: JsonObject): Unknown[] {
  const found: Unknown[] = [];
  const check = (field: string, raw: unknown, known: (value: string) => boolean) => {
    const value = textOf(raw);
    if (value && !known(value)) found.push({ field, value });
  };
  for (const tag of valuesOf(release.tag)) check('tag', tag, (value) => value in STAGE_OF_TAG);
  const tender = objectOf(release.tender) ?? {};
  check('tender.status', tender.status, (value) => KNOWN_TENDER_STATUSES.has(value));
  const awards = valuesOf(release.awards).map((award) => objectOf(award) ?? {});
  const contracts = valuesOf(release.contracts).map((contract) => objectOf(contract) ?? {});
  for (const award of awards) check('awards.status', award.status, (value) => KNOWN_AWARD_STATUSES.has(value));
  for (const contract of contracts)
    check('contracts.status', contract.status, (value) => KNOWN_CONTRACT_STATUSES.has(value));
  const branches = [objectOf(release.planning) ?? {}, tender, ...awards, ...contracts];
  for (const document of branches.flatMap((branch) => valuesOf(branch.documents)))
    check('documents.noticeType', objectOf(document)?.noticeType, (value) => value in STAGE_OF_NOTICE_TYPE);
  const inline = mentionsIn(release).map(({ mention }) => mention);
  for (const party of [...valuesOf(release.parties), release.buyer, ...inline]) {
    const { identifier, additionalIdentifiers } = objectOf(party) ?? {};
    for (const each of [...valuesOf(identifier), ...valuesOf(additionalIdentifiers)])
      check('identifier.scheme', objectOf(each)?.scheme, (value) => KNOWN_SCHEMES.has(value.toUpperCase()));
  }
  return found;
}
