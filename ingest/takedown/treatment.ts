import type { Database } from '../../schema/db/interface.ts';
import { canonicalJson } from '../../schema/text/json-values.ts';
import { prepare } from '../compile/process.ts';
import type { ReadContact } from '../contacts/personal-details.ts';
import { noticeIdOf } from '../fields/notice.ts';
import type { ReadRelease } from '../parse/page.ts';
import type { Quarantined } from '../parse/repair.ts';
import { makeRedactor, type PersonTarget, type Redactor, strikeJson } from './person.ts';

export interface NoticeTarget {
  noticeId: string;
}

/** A row of the takedown table, its target read. */
export type Takedown = { id: string; reason: string; takenAt: string; takenBy: string } & (
  | { kind: 'notice'; target: NoticeTarget }
  | { kind: 'person'; target: PersonTarget }
);

const READ = `SELECT id, kind, target, reason, taken_at, taken_by FROM takedown WHERE lifted_at IS NULL ORDER BY taken_at, id`;

/** Every takedown that stands, oldest first. */
export async function readTakedowns(catalogue: Database): Promise<Takedown[]> {
  type Row = { id: string; kind: string; target: string; reason: string; taken_at: string; taken_by: string };
  const rows = await catalogue.read<Row>({ sql: READ });
  return rows.map(({ id, kind, target, reason, taken_at, taken_by }) => {
    const head = { id, reason, takenAt: taken_at, takenBy: taken_by };
    if (kind === 'notice') return { ...head, kind, target: JSON.parse(target) as NoticeTarget };
    return { ...head, kind: 'person', target: JSON.parse(target) as PersonTarget };
  });
}

/** What the takedowns do to what comes in. */
interface Treatment {
  /** The release as it may be kept: its body empty where its notice was taken down, else without what was struck out. */
  release<T extends ReadRelease>(release: T): T;
  /** Bytes of what could not be read are not kept where they speak of something that was taken down. */
  quarantined(record: Quarantined): Quarantined;
}

/** Body of a release whose notice was taken down: its row stays, so that the same publication is known and never kept again. */
export const EMPTY_BODY = '';

/** Whether a release is held without its body because its notice was taken down. */
export function isTombstone({ body }: Pick<ReadRelease, 'body'>): boolean {
  return body === EMPTY_BODY;
}

const AS_IT_CAME: Treatment = { release: (release) => release, quarantined: (record) => record };

/**
 * Treats releases by the takedowns that stand. A release keeps the digest of its publication whatever is taken out of its
 * body: asked for again it is the one that is held, neither new nor brought back.
 */
export function makeTreatment(takedowns: readonly Takedown[]): Treatment {
  if (takedowns.length === 0) return AS_IT_CAME;
  const noticeIds = takedowns.flatMap((one) => (one.kind === 'notice' ? [one.target.noticeId] : []));
  const redactors = takedowns.flatMap((one) => (one.kind === 'person' ? [makeRedactor(one.id, one.target)] : []));
  return {
    release(release) {
      if (isTombstone(release) || speaksFor(release, noticeIds)) return empty(release);
      return redactors.reduce(strikeRelease, release);
    },
    quarantined(record) {
      const text = Buffer.from(record.bytes).toString('utf8');
      const isTaken =
        noticeIds.some((id) => text.toLowerCase().includes(id)) ||
        redactors.some(({ strike }) => strike(text) !== text);
      return isTaken ? { ...record, isTakenDown: true } : record;
    },
  };
}

function empty<T extends ReadRelease>(release: T): T {
  return { ...release, body: EMPTY_BODY, json: {}, unknown: [], contacts: [] };
}

/** Whether a release published one of these notices; only one that names it is looked at closely. */
function speaksFor(release: ReadRelease, noticeIds: readonly string[]): boolean {
  const named = noticeIds.filter(
    (id) => release.releaseId.toLowerCase().includes(id) || release.body.toLowerCase().includes(id),
  );
  if (named.length === 0) return false;
  const { date, digest, json, ocid, releaseId, source } = release;
  return named.includes(noticeIdOf(prepare({ date, digest, json, ocid, releaseId, source, fetchedAt: '' }).ocds));
}

/** The release without a person, or the very same where it does not speak of one. */
export function strikeRelease<T extends ReadRelease>(release: T, redactor: Redactor): T {
  const contacts = release.contacts?.filter((contact) => !isOf(contact, redactor));
  const lost = contacts !== undefined && contacts.length < (release.contacts?.length ?? 0);
  const treated = lost ? { ...release, contacts } : release;
  if (!redactor.mayConcern(release.body)) return treated;
  const json = strikeJson(release.json, redactor) as T['json'];
  const body = canonicalJson(json);
  return body === canonicalJson(release.json) ? treated : { ...treated, json, body };
}

/** Whether a contact is the person whom the redactor strikes out. */
export function isOf({ name, email, telephone }: Omit<ReadContact, 'partyId'>, { strike }: Redactor): boolean {
  return [name, email, telephone].some((text) => text !== null && strike(text) !== text);
}
