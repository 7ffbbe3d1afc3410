import { OWNER_KINDS } from '../../../schema/catalogue/changes/owners.ts';
import type { Database, Statement } from '../../../schema/db/interface.ts';
import { type DatedSighting, factsOf } from '../../identity/facts.ts';
import { type IdentityKind, nameId, placeId, plainNameId } from '../../party/sighting.ts';

const FORGET_FACTS = `DELETE FROM identity_fact WHERE (kind, token, field, value) IN
  (SELECT fact.value ->> 0, fact.value ->> 1, fact.value ->> 2, fact.value ->> 3 FROM json_each(?) AS fact)`;
const FORGET_OF_NAMES = `DELETE FROM identity_fact WHERE kind = ? AND token IN (SELECT value FROM json_each(?))`;
/** Facts that tie an organisation to another id or name, which is their value. */
const TIES =
  "('same_as', 'name_id', 'plain_name_id', 'register_name_id', 'register_likely_id', 'within', 'formerly', 'leads_to')";
const FORGET_TIES = `DELETE FROM identity_fact WHERE kind = ? AND field IN ${TIES} AND value IN (SELECT value FROM json_each(?))`;
const FORGET_ALIASES = 'DELETE FROM alias WHERE kind = ?1 AND alias IN (SELECT value FROM json_each(?2))';
const FORGET_LEADS = 'DELETE FROM alias WHERE kind = ?1 AND target IN (SELECT value FROM json_each(?2))';
/** A name may lead to a company of the register, or to another name: then its parties, seen without an id, have that one's. */
const ELSEWHERE = `SELECT DISTINCT iif(role = 'buyer', role, 'company') AS kind, identity_id,
    iif(json_array_length(sighting, '$.ids') = 0, sighting, NULL) AS sighting FROM party
  WHERE identity_id IN (SELECT value FROM json_each(?1) UNION
    SELECT identity_id FROM party WHERE process_id IN (SELECT id FROM process WHERE ocid IN (SELECT value FROM json_each(?2))))
  AND process_id NOT IN (SELECT id FROM process WHERE ocid IN (SELECT value FROM json_each(?2)))`;

/** SQL: whether an organisation has its id from a name that no fact has any more, not even those about its place or number. */
export const isForgotten = (kind: IdentityKind) => `id GLOB 'name-*'
  AND NOT EXISTS (SELECT 1 FROM identity_fact WHERE kind = '${kind}' AND token = ${kind}.id)
  AND NOT EXISTS (SELECT 1 FROM identity_fact WHERE kind = '${kind}' AND field IN ${TIES} AND value = ${kind}.id)`;

/** Removes the facts that only these sightings state. `kept` are the remaining sightings. */
export function forgetFacts(sightings: readonly DatedSighting[], kept: readonly DatedSighting[]): Statement[] {
  const keyOf = ({ kind, token, field, value }: ReturnType<typeof factsOf>[number]) => [kind, token, field, value];
  const said = new Set(kept.flatMap(factsOf).map((fact) => JSON.stringify(keyOf(fact))));
  const lost = sightings.flatMap(factsOf).map(keyOf);
  const forgotten = lost.filter((key) => !said.has(JSON.stringify(key)));
  const ofNames = OWNER_KINDS.flatMap((kind) => {
    const names = JSON.stringify(lostNames(kind, sightings, kept));
    return [FORGET_OF_NAMES, FORGET_TIES, FORGET_ALIASES, FORGET_LEADS].map((sql) => ({ sql, args: [kind, names] }));
  });
  return [{ sql: FORGET_FACTS, args: [JSON.stringify(forgotten)] }, ...ofNames];
}

function lostNames(kind: IdentityKind, sightings: readonly DatedSighting[], kept: readonly DatedSighting[]): string[] {
  const still = new Set(namesOf(kind, kept));
  return [...new Set(namesOf(kind, sightings))].filter((name) => !still.has(name));
}

function namesOf(kind: IdentityKind, sightings: readonly DatedSighting[]): string[] {
  const own = sightings.filter((one) => one.kind === kind);
  return own.flatMap(({ sighting }) => [nameId(kind, sighting), placeId(kind, sighting)].filter((id) => id !== null));
}

/** Those sightings without a number whose name only these processes have. */
export async function onlyHere(
  catalogue: Database,
  sightings: readonly DatedSighting[],
  ocids: readonly string[],
): Promise<DatedSighting[]> {
  const named = sightings.filter(({ sighting }) => sighting.ids.length === 0);
  const idsOf = ({ kind, sighting }: Pick<DatedSighting, 'kind' | 'sighting'>) =>
    [nameId(kind, sighting), plainNameId(kind, sighting)].filter((id) => id !== null);
  const rows = await catalogue.read<{ kind: IdentityKind; identity_id: string; sighting: string | null }>({
    sql: ELSEWHERE,
    args: [JSON.stringify(named.flatMap(idsOf)), JSON.stringify(ocids)],
  });
  const elsewhere = new Set(
    rows.flatMap(({ kind, identity_id: id, sighting }) =>
      sighting === null ? id : [id, ...idsOf({ kind, sighting: JSON.parse(sighting) })],
    ),
  );
  return named.filter((one) => !idsOf(one).some((id) => elsewhere.has(id)));
}
