import { nameKey } from './clean.ts';
import { isPartOf, type KnownBody, knownBody } from './public-bodies.ts';

/** What stands at the end of a field for want of a value, and a company number that belongs elsewhere. */
const LEFTOVERS =
  /[\s,;:(–-]+(?:n\/a|(?:company\s+(?:no|number|reg(?:istration)?(?:\s+(?:no|number))?)\W*)?(?:\d{8}|(?:sc|ni|oc|ip|rs|r)\d{5,6}))[\s.)]*$/i;
/** What a body calls those who buy for it. */
const BUYING =
  '(?:(?:strategic|corporate|central|commercial) )?(?:procurement|purchasing|commissioning|e-?tendering)' +
  '(?: (?:unit|team|department|dept|services?|office|section|division|hub|portal))?';
const BUYERS_AFTER = new RegExp(String.raw`[\s,:(–-]+(?:the )?${BUYING}\)?$`, 'i');
const BUYERS_BEFORE = new RegExp(String.raw`^${BUYING}[\s,:–-]+(?:of |for |at )?`, 'i');
/** Bodies whose buying units are recognised by name alone. */
const WHOLE_BODY = /\b(?:council|nhs (?:foundation )?trust|university|constabulary|police|college)$|^university of /i;
/** Where a unit's name begins. */
const UNIT = /\s*[,;:|(/]\s*|\s+[–-]\s+/g;
/** Words of another body, which is no unit of the first. */
const ANOTHER =
  /\b(?:councils?|borough|trusts?|authority|authorities|limited|ltd|llp|plc|cic|homes|housing|association|partnership|colleges?|schools?|academy|academies|universit\w+|police|fire|constabulary|ministry|commission|hospitals?|on behalf|pensions?|federation|group|company|companies|consortium|board|joint|northern ireland|ni|scotland|wales)\b/i;
/** `MCA`, `DfTc`: letters, at least two of them capitals. */
const SHORT_NAME = /^(?=.*[A-Z].*[A-Z])[A-Za-z&]{2,8}$/;

const LEGAL_FORM = /\b(?:ltd|limited|plc|llp|cic)\b/i;

/** A name without what stands at its end for want of a value (`Marwell Council N/A`, `Marwell Ltd 01234567`), `Dept` in full. */
export function withoutLeftovers(name: string): string {
  return (
    name
      .replace(LEFTOVERS, '')
      .replace(/^(the )?dept\b\.?/i, '$1Department')
      .trim() || name
  );
}

/** A name without the unit that buys for the body: `Marwell University Procurement Unit`; the same name where it is no whole body then. */
export function withoutBuyingUnit(name: string): string {
  const bare = name.replace(BUYERS_AFTER, '').replace(BUYERS_BEFORE, '').trim();
  return WHOLE_BODY.test(bare) || knownBody(nameKey(bare)) ? bare : name;
}

/**
 * The listed body that a published name is of, or undefined: by any of its names, with its own short name before it, or with
 * a unit of it behind (`Ministry of Defence, Weapons`). Never where another body is named as well.
 */
export function bodyOf(name: string): KnownBody | undefined {
  const whole = withoutBuyingUnit(withoutLeftovers(name));
  const listed = knownBody(nameKey(whole));
  if (listed) return listed.isPlace && LEGAL_FORM.test(name) ? undefined : listed.body;
  const breaks = [...whole.matchAll(UNIT)];
  for (const { index, 0: sign } of breaks.toReversed()) {
    const [head, rest] = [whole.slice(0, index), whole.slice(index + sign.length)];
    const found = bodyOfParts(head, rest);
    if (found) return found;
  }
  return undefined;
}

function bodyOfParts(head: string, rest: string): KnownBody | undefined {
  const body = wholeNameOf(head);
  const other = knownBody(nameKey(rest.replace(/[)\s]+$/, '')));
  if (!body) return other && !other.isPlace && SHORT_NAME.test(head) ? other.body : undefined;
  const isOwn = other && (other.body.key === body.key || isPartOf(other.body, body));
  const isItsPlace = other?.isPlace && body.scope === 'national';
  return isOwn || isItsPlace || (!other && !ANOTHER.test(rest)) ? body : undefined;
}

/** The body of a name that is more than a place's. */
function wholeNameOf(name: string): KnownBody | undefined {
  const found = knownBody(nameKey(withoutBuyingUnit(name)));
  return found && !found.isPlace ? found.body : undefined;
}
