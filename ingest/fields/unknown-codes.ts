import { type JsonObject, objectOf, textOf, valuesOf } from '../../schema/text/json-values.ts';
import { KNOWN_SCHEMES } from './identifier-schemes.ts';
import { STAGE_OF_NOTICE_TYPE, STAGE_OF_TAG } from './stages.ts';
import { mentionsIn } from './supplier-references.ts';

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
