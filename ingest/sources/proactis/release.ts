import { NOTICE_NAMES } from '../../../schema/ocds/parts.ts';
import {
  canonicalJson,
  type JsonObject,
  listOf,
  mapTexts,
  objectOf,
  sha256,
  textOf,
} from '../../../schema/text/json-values.ts';
import { parseInstant } from '../../fields/dates.ts';
import { readCell } from './grid.ts';

/** How the releases of the two services differ. */
interface Site {
  /** Precedes the id of a notice: both services' ids have the same form. */
  prefix: string;
  /** How a notice names its own number in its text: `(SC Ref:n)`. */
  reference: RegExp;
}

/** A notice's own page, in the address of its first document. */
const PAGE = /\/search_view\.aspx\?ID=([A-Z]{3}\d+)\b/i;
/** `rls-<position>-<id>`; the position is that in the answer. */
const BY_POSITION = /^rls-\d+-([A-Z]{3}\d+)$/i;
/** `<ocid>-release-<number>`. */
const BY_NUMBER = /-release-(\d+)$/;
/** `PCS-665483`, as adapted here. */
const OWN_NUMBER = /-(\d+)$/;
const POSITIONAL_PARTY = /^org-\d+$/;
/** The buyer's reference, which follows the notice's own number. */
const PREFIXED_REFERENCE = /^ocds-[a-z0-9]{6}-\d+-tender-\d+-?/;
/** London wall-clock time, despite the `Z`: noon is the usual deadline in summer and winter alike. */
const WALL_CLOCK = /^(\d[\w ./-]{7,19}[T ])(\d{2}:\d{2}(?::\d{2})?)(?:\.\d+)? ?Z$/i;

/** The notice of a direct award that is intended. The award itself has a notice of its own, under any number or none. */
const BEFORE_AWARD = '15';
const CAME_TO_NOTHING: ReadonlySet<string> = new Set(['cancelled', 'unsuccessful']);

/** The tags of forms whose releases are tagged by subject: a change and a correction. */
const TAG_OF_TYPE: ReadonlyMap<string, string> = new Map([
  ['14', 'tenderUpdate'],
  [BEFORE_AWARD, 'award'],
  ['20', 'contractAmendment'],
]);

/**
 * A release in the shape that all services share. Its id is the notice's, which stays. Positional party ids become ids derived
 * from the party's details. Times get London's zone. A tag that contradicts the notice type is replaced by the type's, and so is
 * the status of an award that is only intended. Idempotent.
 */
export function adaptRelease(site: Site, release: JsonObject, url: string): JsonObject {
  const { links: _own, ...rest } = release;
  const names = namesOf(site, release);
  const [id] = names;
  const type = readCell(url)?.type ?? '';
  const tag = TAG_OF_TYPE.get(type);
  const adapted = mapTexts(renameParties(type === BEFORE_AWARD ? asIntended(rest) : rest), inLondon) as JsonObject;
  return {
    ...adapted,
    ...(id === undefined ? {} : { id, [NOTICE_NAMES]: names }),
    ...(tag === undefined ? {} : { tag: [tag] }),
    ...(adapted.tender === undefined ? {} : { tender: withOwnReference(adapted.tender) }),
  };
}

/** The release with its awards and contracts pending and unsigned, unless they came to nothing. */
function asIntended(release: JsonObject): JsonObject {
  const pending = (list: unknown) =>
    listOf(list, objectOf).map(({ dateSigned: _, ...one }) =>
      CAME_TO_NOTHING.has(textOf(one.status) ?? '') ? one : { ...one, status: 'pending' },
    );
  const lists = ['awards', 'contracts'].filter((name) => release[name] !== undefined);
  return { ...release, ...Object.fromEntries(lists.map((name) => [name, pending(release[name])])) };
}

/** The two ids of a notice: its page's, and its own number, which only its text contains. */
function namesOf({ prefix, reference }: Site, release: JsonObject): string[] {
  const releaseId = textOf(release.id) ?? '';
  const own = releaseId.startsWith(prefix) ? [releaseId] : [];
  const adapted = listOf(release[NOTICE_NAMES], textOf);
  if (own.length > 0 && adapted[0] === releaseId) return adapted;
  const pages = documentsIn(release).flatMap(({ url }) => PAGE.exec(textOf(url) ?? '')?.[1] ?? []);
  const page = BY_POSITION.exec(releaseId)?.[1] ?? pages[0];
  // Texts quote older notices of the family first.
  const stated = [...(textOf(release.description) ?? '').matchAll(reference)].at(-1)?.[1];
  const number = stated ?? BY_NUMBER.exec(releaseId)?.[1];
  return [...new Set([...own, ...[page?.toUpperCase(), number].flatMap((name) => (name ? `${prefix}${name}` : []))])];
}

/** The notice's own number. The id of its page is counted otherwise. */
export function ownNumber(names: readonly string[]): number | undefined {
  const found = names.flatMap((name) => OWN_NUMBER.exec(name)?.[1] ?? []).at(-1);
  return found === undefined ? undefined : Number(found);
}

function documentsIn({ planning, tender, awards, contracts }: JsonObject): JsonObject[] {
  const holders = [objectOf(planning), objectOf(tender), ...listOf(awards, objectOf), ...listOf(contracts, objectOf)];
  return holders.flatMap((holder) => listOf(holder?.documents, objectOf));
}

/** `org-3` is the third organisation in the whole answer, so each party gets an id derived from its details. */
function renameParties(release: JsonObject): JsonObject {
  const names = new Map<string, string>();
  const used = new Set<string>();
  for (const party of listOf(release.parties, objectOf)) {
    const { id: given, ...said } = party;
    const id = textOf(given) ?? '';
    if (!POSITIONAL_PARTY.test(id) || names.has(id)) continue;
    const mark = `org-x${sha256(canonicalJson(said)).slice(0, 12)}`;
    const name = used.has(mark) ? `${mark}-${used.size}` : mark;
    used.add(name);
    names.set(id, name);
  }
  return names.size === 0 ? release : (renameIds(release, names) as JsonObject);
}

function renameIds(value: unknown, names: ReadonlyMap<string, string>): unknown {
  if (Array.isArray(value)) return value.map((member) => renameIds(member, names));
  const object = objectOf(value);
  if (!object) return value;
  return Object.fromEntries(
    Object.entries(object).map(([key, member]) => [
      key,
      key === 'id' ? (names.get(textOf(member) ?? '') ?? member) : renameIds(member, names),
    ]),
  );
}

/** `2026-07-01T12:00:00Z`, which means noon in London, as `2026-07-01T12:00:00+01:00`. */
function inLondon(text: string): string {
  const [, day = '', time = ''] = WALL_CLOCK.exec(text.trim()) ?? [];
  if (day === '') return text;
  const local = day + time.padEnd(8, ':00');
  const [there, here] = [parseInstant(local), parseInstant(`${local}Z`)];
  if (!there || !here) return text;
  return `${local}${there < here ? '+01:00' : '+00:00'}`;
}

function withOwnReference(value: unknown): unknown {
  const tender = objectOf(value);
  const id = textOf(tender?.id);
  if (!tender || id === undefined || !PREFIXED_REFERENCE.test(id)) return value;
  const { id: _whole, ...rest } = tender;
  const own = id.replace(PREFIXED_REFERENCE, '');
  return own === '' ? rest : { ...rest, id: own };
}
