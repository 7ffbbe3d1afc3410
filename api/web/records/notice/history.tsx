import type { z } from 'zod';
import { compareText } from '../../../../schema/text/ids.ts';
import { formatMoney } from '../../../../schema/text/money.ts';
import { shorten } from '../../../../search/documents/from-row.ts';
import type { contractAnswer } from '../../../operations/contracts/shapes.ts';
import type { noticeReference } from '../../../operations/shared/notice-shapes.ts';
import { type Span, Timeline } from '../../charts/timeline.tsx';
import { formatDay, formatNumbered, formatPeriod } from '../../components/format.ts';
import { labelBasis, labelNoticeType, labelPlain } from '../../components/labels.ts';
import { noticePath, shortId } from '../../components/links.ts';

type Contract = z.input<typeof contractAnswer>;
type Statement = NonNullable<Contract['history']>[number];
type Change = NonNullable<Contract['changes']>[number];

const NAMED_MAX = 4;
const WORDS_MAX = 400;
/** In a long history the newest notices are visible. */
const OPEN_MAX = 20;

interface TrailProps {
  notices: readonly z.input<typeof noticeReference>[];
  /** What the notices said about each contract. A field that a notice omits keeps its value. */
  history?: readonly Statement[] | undefined;
  changes?: readonly Change[] | undefined;
  /** The notice of the page. */
  current?: string;
  /** Periods: the contract, the time for bids. */
  spans: readonly Span[];
  now: Date;
}

interface TrailEntry {
  notice_id: string;
  /** The code of its type; null if it is known only from a change. */
  notice_type: string | null;
  published: string;
  said: string[];
}

/** Every notice of a process, oldest first, as a timeline and a list. */
export function NoticeTrail({ notices, history, changes, current, spans, now }: TrailProps) {
  const trail = buildTrail(notices, history, changes);
  if (trail.length === 0) return null;
  const moments = trail.map((notice) => ({
    day: notice.published,
    name: nameNotice(notice),
    isCurrent: notice.notice_id === current,
  }));
  const earlier = trail.length > OPEN_MAX ? trail.length - OPEN_MAX : 0;
  const list = (from: number, to: number) => (
    <ol class="trail" start={from + 1}>
      {trail.slice(from, to).map((notice, at) => (
        <TrailItem key={notice.notice_id + notice.published} notice={notice} number={from + at + 1} current={current} />
      ))}
    </ol>
  );
  return (
    <section>
      <h2>Notices of this process</h2>
      <Timeline title={titleOf(trail.length, spans)} moments={moments} spans={spans} now={now} />
      {earlier > 0 && (
        <details>
          <summary>The {earlier} oldest</summary>
          {list(0, earlier)}
        </details>
      )}
      {list(earlier, trail.length)}
    </section>
  );
}

function titleOf(count: number, spans: readonly Span[]): string {
  const names = spans.map(({ name }) => name.toLowerCase());
  return ['Timeline of', [formatNumbered(count, 'notice'), ...names].join(', ')].join(' ');
}

function TrailItem({ notice, number, current }: { notice: TrailEntry; number: number; current: string | undefined }) {
  const { notice_id, published, said } = notice;
  const isCurrent = notice_id === current;
  return (
    <li aria-current={isCurrent ? 'true' : undefined}>
      <span class="order">{number}</span>
      <time dateTime={published}>{formatDay(published)}</time>
      <div>
        {isCurrent ? nameNotice(notice) : <a href={noticePath(notice_id)}>{nameNotice(notice)}</a>}{' '}
        <span class="muted small">
          <span class="whole">{shortId(notice_id)}</span>
          {isCurrent && ' (this notice)'}
        </span>
        {said.map((words) => (
          <p key={words}>{words}</p>
        ))}
      </div>
    </li>
  );
}

function nameNotice({ notice_type }: TrailEntry): string {
  return notice_type ? labelNoticeType(notice_type) : 'Contract change';
}

/** The notices of the process with their changes, including notices known only from the history. */
function buildTrail(
  notices: TrailProps['notices'],
  history: readonly Statement[] = [],
  changes: readonly Change[] = [],
): TrailEntry[] {
  const trail = new Map<string, TrailEntry>();
  for (const { notice_id, notice_type, published } of [...notices, ...history])
    if (!trail.has(notice_id)) trail.set(notice_id, { notice_id, notice_type, published, said: [] });
  for (const { notice_id, date } of changes)
    if (!trail.has(notice_id)) trail.set(notice_id, { notice_id, notice_type: null, published: date, said: [] });
  for (const statement of history) trail.get(statement.notice_id)?.said.push(...wordsOf(statement));
  for (const change of changes) addOnce(trail.get(change.notice_id)?.said, describeChange(change));
  return [...trail.values()].sort((one, other) => compareText(one.published, other.published));
}

/** A notice often changes several awards in the same words. */
function addOnce(said: string[] | undefined, words: string | null): void {
  if (words && !said?.includes(words)) said?.push(words);
}

function wordsOf({ status, value, currency, value_basis, starts, ends, suppliers = [] }: Partial<Statement>): string[] {
  const money = formatMoney(value, currency);
  const named = suppliers.slice(0, NAMED_MAX).map(({ name }) => name);
  const more = suppliers.length > NAMED_MAX ? ` and ${suppliers.length - NAMED_MAX} more` : '';
  const said = [
    status && labelPlain(status),
    money && (value_basis ? `${money} (${labelBasis(value_basis)})` : money),
    formatPeriod(starts, ends),
    suppliers.length > 0 && `with ${named.join(', ')}${more}`,
  ].filter(Boolean);
  return said.length > 0 ? [said.join(' · ')] : [];
}

/** A change in its words; one that is only proposed also with the value and the end that it is to bring. */
function describeChange({ description, proposed, value, currency, value_basis, ends }: Change): string | null {
  const words = description && shorten(description, WORDS_MAX);
  if (!proposed) return words ?? null;
  const told = ['Proposed, not signed', ...wordsOf({ value, currency, value_basis, ends })].join(' · ');
  return words ? `${told}: ${words}` : told;
}
