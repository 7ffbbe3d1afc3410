import { londonDate } from '../../../schema/config/clocks.ts';
import { formatMoney } from '../../../schema/text/money.ts';
import { readHighlight } from '../../../search/results/highlight.ts';
import { daysUntil, formatDay, formatEnd, formatNumbered } from '../components/format.ts';
import { labelPlain, labelStage } from '../components/labels.ts';
import { frameworkPath, noticePath } from '../components/links.ts';
import { SourceList } from '../components/source-title.ts';
import type { FrameworkHit, Hit, Scope } from '../queries/hits.ts';
import { nameBuyer } from '../records/parts.tsx';

/** Deadlines within this number of days show the days left. */
export const SOON_DAYS = 7;

/** A list of hits. @param level - of their headings, one below the section's */
export function HitList(props: { hits: readonly Hit[]; scope: Scope; now: Date; level?: 2 | 3 }) {
  const { hits, scope, now, level = 2 } = props;
  return (
    <ul class="results">
      {hits.map((hit) => (
        <HitLine key={hit.notice_id + hit.title} hit={hit} scope={scope} now={now} level={level} />
      ))}
    </ul>
  );
}

function HitLine({ hit, scope, now, level }: { hit: Hit; scope: Scope; now: Date; level: 2 | 3 }) {
  const Title = level === 2 ? 'h2' : 'h3';
  return (
    <li class="hit">
      <div>
        <Title>
          <a href={noticePath(hit.notice_id)}>{hit.title}</a>
        </Title>
        {hit.buyer && <p>{nameBuyer(hit)}</p>}
        <Extract hit={hit} />
      </div>
      <div class="hit-facts">
        {hit.value !== undefined && hit.value !== null && <strong>{formatMoney(hit.value, hit.currency)}</strong>}
        {hit.deadline && <Deadline day={hit.deadline} now={now} />}
        {scope === 'notices' && hit.tender_expected && <span>tender expected {formatDay(hit.tender_expected)}</span>}
      </div>
      <div class="meta">
        {scope === 'notices' && hit.stage && <span class="tag">{labelStage(hit.stage)}</span>}
        {hit.region && <span>{hit.region}</span>}
        {hit.published && <span>published {formatDay(hit.published)}</span>}
        {hit.source && (
          <span>
            <SourceList id={hit.source} others={hit.also_on} />
          </span>
        )}
      </div>
    </li>
  );
}

/** The text around the matching words, or its beginning. */
export function Extract({ hit }: { hit: Pick<Hit, 'title' | 'extract' | 'highlight'> }) {
  const pieces = readHighlight(hit.highlight ?? '');
  const isTitle = pieces.map(({ text }) => text).join('') === hit.title.replace(/\s+/g, ' ').trim();
  if (pieces.length === 0 || isTitle) return hit.extract ? <p class="muted small">{hit.extract}</p> : null;
  return <p class="muted small">{pieces.map(({ text, isHit }) => (isHit ? <mark key={text}>{text}</mark> : text))}</p>;
}

/** A deadline, with the days left if it is near. */
function Deadline({ day, now }: { day: string; now: Date }) {
  const days = daysUntil(day, now);
  if (days < 0) return <span>closed {formatDay(day)}</span>;
  if (days > SOON_DAYS) return <span class="tag good">closes {formatDay(day)}</span>;
  const left = days === 0 ? 'today' : `${formatDay(day)}, ${formatNumbered(days, 'day')} left`;
  return <span class="tag warn">closes {left}</span>;
}

/** A short list of hits: title, buyer and one date. */
export function BriefList(props: { hits: readonly Hit[]; now: Date; by: 'deadline' | 'published' }) {
  const { hits, now, by } = props;
  return (
    <ul class="brief">
      {hits.map((hit) => (
        <li key={hit.notice_id + hit.title}>
          <a href={noticePath(hit.notice_id)}>{hit.title}</a>
          <div class="meta">
            {by === 'deadline' && hit.deadline && <Deadline day={hit.deadline} now={now} />}
            {by === 'published' && hit.stage && <span class="tag">{labelStage(hit.stage)}</span>}
            {hit.buyer && <span>{hit.buyer}</span>}
            {by === 'published' && hit.published && <span>{formatDay(hit.published)}</span>}
          </div>
        </li>
      ))}
    </ul>
  );
}

/** A list of frameworks on the London day of `now`. @param level - of their headings, one below the section's */
export function FrameworkList(props: { items: readonly FrameworkHit[]; now: Date; level?: 2 | 3 }) {
  const { items, now, level = 2 } = props;
  const today = londonDate(now);
  return (
    <ul class="results">
      {items.map((item) => (
        <FrameworkLine key={item.framework_id} item={item} today={today} level={level} />
      ))}
    </ul>
  );
}

function FrameworkLine({ item, today, level }: { item: FrameworkHit; today: string; level: 2 | 3 }) {
  const Title = level === 2 ? 'h2' : 'h3';
  const ceiling = formatMoney(item.ceiling, item.currency);
  return (
    <li>
      <Title>
        <a href={frameworkPath(item.framework_id)}>{item.title}</a>
      </Title>
      {item.buyer && <p>{nameBuyer(item)}</p>}
      <div class="meta">
        <span>{labelPlain(item.kind)}</span>
        {item.lot_count > 0 && <span>{formatNumbered(item.lot_count, 'lot')}</span>}
        <span>{formatNumbered(item.supplier_count, 'supplier')}</span>
        {ceiling && <span>ceiling {ceiling}</span>}
        {item.ends && <span>{formatEnd(item.ends, today)}</span>}
        {item.source && (
          <span>
            <SourceList id={item.source} others={item.also_on} />
          </span>
        )}
      </div>
    </li>
  );
}
