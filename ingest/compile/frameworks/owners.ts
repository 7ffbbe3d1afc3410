import lists from '../../../schema/reference/framework-owners.json' with { type: 'json' };
import { type Mention, mentionsIn, quote } from './words.ts';

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
  return owned ? quote(owned) : isAgencys(method, buyer) ? method : undefined;
}
