import { DAY_MS, daysBetween } from '../config/clocks.ts';
import type { Database, Statement } from '../db/interface.ts';
import { NAMERS_MAX } from '../ocds/parts.ts';
import { compareText } from '../text/ids.ts';
import type { process } from './tables/procurement.ts';

/** The facts by which two processes of different services are compared. */
export type LikenedProcess = Pick<
  typeof process.$inferSelect,
  | 'id'
  | 'ocid'
  | 'source'
  | 'title'
  | 'buyer_id'
  | 'title_key'
  | 'reference'
  | 'first_published'
  | 'last_published'
  | 'deadline'
  | 'awarded'
  | 'counted_as'
  | 'notices'
>;

/** The reasons for treating two processes as one procurement published on both services. */
interface Likeness {
  /** `identifier` (one names the other), `reference` (the buyer's own) or `title`. Only the first merges them in totals. */
  method: 'identifier' | 'reference' | 'title';
  /** 0 to 1. */
  score: number;
  evidence: string[];
}

export interface RelatedProcess {
  process: LikenedProcess;
  likeness: Likeness;
}

/** A lower likeness is not reported. */
const SCORE_MIN = 0.8;
const RELATED_MAX = 5;
const CANDIDATES_MAX = 60;

/** Days between publications on the two services: fewer than the first is evidence, more than the second rules it out. */
const CLOSE_DAYS = 45;
const FAR_DAYS = 400;
const AWARD_DAYS = 7;
const OTHER_DEADLINE_DAYS = 60;

const COLUMNS = `p.id, p.ocid, p.source, p.title, p.buyer_id, p.title_key, p.reference, p.first_published, p.last_published,
  p.deadline, p.awarded, p.counted_as, p.notices`;
/** The mention by which one names the other; null where too many processes name it for one procurement. */
const NAMED = `CASE WHEN EXISTS (SELECT 1 FROM process_mention x WHERE x.mention = m.mention LIMIT 1 OFFSET ${NAMERS_MAX})
  THEN NULL ELSE m.mention END AS named`;
const IS_COPY = 'm.is_copy AS is_copy';
/** Identifiers first, as they are decisive. Each part is one look-up in an index. */
const CANDIDATES = `SELECT ${NAMED}, ${IS_COPY}, ${COLUMNS} FROM process_mention m CROSS JOIN process p ON p.ocid = m.mention
  WHERE m.process_id = ?1 AND p.gone = 0
UNION ALL SELECT ${NAMED}, ${IS_COPY}, ${COLUMNS} FROM process_mention m CROSS JOIN notice n ON n.notice_id = m.mention
  CROSS JOIN process p ON p.id = n.process_id WHERE m.process_id = ?1 AND n.gone = 0 AND p.gone = 0
UNION ALL SELECT ${NAMED}, ${IS_COPY}, ${COLUMNS} FROM process_mention m CROSS JOIN process p ON p.id = m.process_id
  WHERE m.mention = ?2 AND p.gone = 0
UNION ALL SELECT ${NAMED}, ${IS_COPY}, ${COLUMNS} FROM notice n CROSS JOIN process_mention m ON m.mention = n.notice_id
  CROSS JOIN process p ON p.id = m.process_id WHERE n.process_id = ?1 AND n.gone = 0 AND p.gone = 0
UNION ALL SELECT ${NAMED}, ${IS_COPY}, ${COLUMNS} FROM process_mention m CROSS JOIN notice_name x ON x.name = m.mention
  CROSS JOIN process p ON p.id = x.process_id WHERE m.process_id = ?1 AND p.gone = 0
UNION ALL SELECT ${NAMED}, ${IS_COPY}, ${COLUMNS} FROM notice_name x CROSS JOIN process_mention m ON m.mention = x.name
  CROSS JOIN process p ON p.id = m.process_id WHERE x.process_id = ?1 AND p.gone = 0
UNION ALL SELECT NULL, 0, ${COLUMNS} FROM process p WHERE p.buyer_id = ?3 AND p.reference = ?5 AND p.gone = 0
UNION ALL SELECT NULL, 0, ${COLUMNS} FROM process p WHERE p.buyer_id = ?3 AND p.title_key = ?4 AND p.gone = 0
LIMIT ${CANDIDATES_MAX}`;

/** Reads the processes that may be the same procurement, each with the mention by which one names the other. */
function relatedStatement({ id, ocid, buyer_id, title_key, reference }: LikenedProcess): Statement {
  return { sql: CANDIDATES, args: [id, ocid, buyer_id, title_key, reference] };
}

/**
 * The same procurement on the other service, most certain first, at most five. Calculated on request from what is stored about
 * both, so the order of arrival does not matter.
 */
export async function readRelated(catalogue: Database, own: LikenedProcess): Promise<RelatedProcess[]> {
  const rows = await catalogue.read<LikenedProcess & Naming>(relatedStatement(own));
  const found = new Map<string, RelatedProcess>();
  for (const { named, is_copy, ...other } of rows) {
    const likeness = likenessOf(own, other, { named, is_copy });
    const known = found.get(other.id);
    if (likeness && !(known && known.likeness.score >= likeness.score))
      found.set(other.id, { process: other, likeness });
  }
  const order = ({ process, likeness }: RelatedProcess) => `${2 - likeness.score} ${process.id}`;
  return [...found.values()].toSorted((a, b) => compareText(order(a), order(b))).slice(0, RELATED_MAX);
}

/** The mention by which one of two processes names the other, and whether it calls itself a copy. */
interface Naming {
  named: string | null;
  is_copy: 0 | 1;
}

/** How alike two processes of one buyer are, or null where they are not one procurement. Pure and symmetric. */
function likenessOf(own: LikenedProcess, other: LikenedProcess, { named, is_copy }: Naming): Likeness | null {
  const isCopy = named !== null && is_copy === 1;
  const isOneBuyer = own.buyer_id !== null && own.buyer_id === other.buyer_id;
  if (own.source === other.source || !(isOneBuyer || isCopy)) return null;
  const signs = signsOf(own, other);
  const found = named === null ? judge(signs) : ({ method: 'identifier', score: 1 } as const);
  if (!found || found.score < SCORE_MIN) return null;
  const naming = isCopy ? `one says that it is a copy of ${named}` : `one notice names the other: ${named}`;
  const evidence = [
    ...(named === null ? [] : [naming]),
    ...(isOneBuyer ? [`buyer: ${own.buyer_id}`] : []),
    ...(signs.reference ? [`reference: ${own.reference}`] : []),
    ...(signs.title === 'same' ? [`title: ${own.title}`] : []),
    ...(signs.title === 'near' ? ['titles share most words'] : []),
    ...signs.dates,
  ];
  return { ...found, evidence };
}

interface Signs {
  reference: boolean;
  title: 'same' | 'near' | 'other';
  /** Whether a title is distinctive: buyers use `Cleaning services` for many things. */
  titleTells: boolean;
  /** A deadline or an award on the same day. */
  sameDay: boolean;
  otherDeadline: boolean;
  gapDays: number;
  dates: string[];
}

function signsOf(own: LikenedProcess, other: LikenedProcess): Signs {
  const deadlineDays = daysApart(own.deadline, other.deadline);
  const awardDays = daysApart(own.awarded, other.awarded);
  const gapDays = gapBetween(own, other);
  const sameDeadline = deadlineDays !== null && deadlineDays <= 1;
  const sameAward = awardDays !== null && awardDays <= AWARD_DAYS;
  const both = (a: string | null, b: string | null) => [a, b].toSorted().join(' and ');
  const gap = gapDays === 1 ? 'a day' : `${gapDays} days`;
  return {
    reference: own.reference !== null && own.reference === other.reference,
    title: likeTitles(own.title_key, other.title_key),
    titleTells: (own.title_key ?? '').split(' ').length >= 3,
    sameDay: sameDeadline || sameAward,
    otherDeadline: deadlineDays !== null && deadlineDays > OTHER_DEADLINE_DAYS,
    gapDays,
    dates: [
      ...(sameDeadline ? [`deadlines: ${both(own.deadline, other.deadline)}`] : []),
      ...(sameAward ? [`awarded: ${both(own.awarded, other.awarded)}`] : []),
      gapDays === 0 ? 'published in the same days' : `published ${gap} apart`,
    ],
  };
}

function judge({
  reference,
  title,
  titleTells,
  sameDay,
  otherDeadline,
  gapDays,
}: Signs): Omit<Likeness, 'evidence'> | null {
  if (gapDays > FAR_DAYS) return null;
  if (reference && title !== 'other') return { method: 'reference', score: sameDay ? 0.99 : 0.97 };
  if (reference) return { method: 'reference', score: sameDay ? 0.93 : 0.85 };
  if (title !== 'same' || (otherDeadline && !sameDay)) return null;
  if (sameDay) return { method: 'title', score: titleTells ? 0.95 : 0.9 };
  return titleTells && gapDays <= CLOSE_DAYS ? { method: 'title', score: 0.85 } : null;
}

function likeTitles(one: string | null, two: string | null): Signs['title'] {
  if (one === null || two === null) return 'other';
  if (one === two) return 'same';
  const [words, others] = [new Set(one.split(' ')), new Set(two.split(' '))];
  const shared = [...words].filter((word) => others.has(word)).length;
  return shared / new Set([...words, ...others]).size >= 0.6 ? 'near' : 'other';
}

/** Days between the periods in which two processes published notices; 0 where these overlap. */
function gapBetween(own: LikenedProcess, other: LikenedProcess): number {
  const [start, end] = [dayOf(own.first_published), dayOf(own.last_published)];
  const [otherStart, otherEnd] = [dayOf(other.first_published), dayOf(other.last_published)];
  return Math.max(0, start - otherEnd, otherStart - end);
}

function daysApart(one: string | null, two: string | null): number | null {
  return one === null || two === null ? null : Math.abs(daysBetween(one, two));
}

/** Days since 1970; 0 where no day is known. */
function dayOf(day: string | null): number {
  return day === null ? 0 : Math.round(Date.parse(`${day}T00:00:00Z`) / DAY_MS);
}
