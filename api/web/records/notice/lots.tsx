import type { z } from 'zod';
import { formatMoney } from '../../../../schema/text/money.ts';
import { shorten } from '../../../../search/documents/from-row.ts';
import type { document, lot } from '../../../operations/shared/notice-shapes.ts';
import { formatDay, formatNumbered, formatPeriod } from '../../components/format.ts';
import { labelPlain } from '../../components/labels.ts';
import { safeLink } from '../../components/links.ts';
import { Outward } from '../../components/parts.tsx';
import { Unfolding } from '../long-text.tsx';
import { LISTED_MAX, LotCriteria } from './criteria.tsx';

const LOTS_OPEN = 12;
/** A notice may have thousands of lots, and each of them many criteria: then each lists fewer, and less of their words. */
const CRITERIA_MAX = 2_000;
const WORDS_MAX = 200_000;

type Lot = z.input<typeof lot>;

interface LotsProps {
  lots: readonly Lot[];
  currency: string | undefined;
  /** The description of the notice, which many buyers repeat in every lot. */
  noticeDescription: string;
}

/** The lots of a notice. Of very many, the rest unfold, and each shows the beginning of its description. */
export function Lots({ lots, currency, noticeDescription }: LotsProps) {
  if (lots.length === 0) return null;
  const [shown, rest] = [lots.slice(0, LOTS_OPEN), lots.slice(LOTS_OPEN)];
  // Where all suit the same, the facts of the notice say so.
  const sayWhom = new Set(lots.map(wordSuited)).size > 1 ? wordSuited : () => '';
  const listed = Math.min(LISTED_MAX, Math.ceil(CRITERIA_MAX / lots.length));
  const most = Math.min(400, Math.ceil(WORDS_MAX / lots.length));
  const common = { currency, noticeDescription, sayWhom, listed, most, isFew: rest.length === 0 };
  return (
    <section>
      <h2>{lots.length === 1 ? 'Lot' : `${lots.length} lots`}</h2>
      <LotList lots={shown} {...common} />
      {rest.length > 0 && (
        <details>
          <summary>{rest.length} more</summary>
          <LotList lots={rest} {...common} />
        </details>
      )}
    </section>
  );
}

interface LotListProps extends LotsProps {
  sayWhom: (lot: Lot) => string;
  /** How many of its criteria of a kind each lot lists. */
  listed: number;
  /** Characters of each text about them. */
  most: number;
  /** Whether there are so few that each shows the whole of its description. */
  isFew: boolean;
}

function LotList({ lots, currency, noticeDescription, sayWhom, listed, most, isFew }: LotListProps) {
  return (
    <ul class="results">
      {lots.map((each) => (
        <li key={each.lot_id}>
          <h3>{each.title || `Lot ${each.lot_id}`}</h3>
          {each.description && each.description !== each.title && each.description !== noticeDescription && (
            <div class="published-text">
              {isFew ? <Unfolding text={each.description} /> : <p>{shorten(each.description, 400)}</p>}
            </div>
          )}
          {each.renewal && <p class="muted small">Extension: {shorten(each.renewal, 400)}</p>}
          {each.options && each.options !== each.renewal && (
            <p class="muted small">Options: {shorten(each.options, 400)}</p>
          )}
          <LotCriteria lot={each} listed={listed} most={most} />
          <div class="meta">
            {each.value !== undefined && <span>{formatMoney(each.value, each.currency ?? currency)}</span>}
            {(each.starts || each.ends) && <span>{formatPeriod(each.starts, each.ends)}</span>}
            {each.extends_to && <span>with every extension until {formatDay(each.extends_to)}</span>}
            {!each.ends && formatLength(each)}
            {(each.invited_min || each.invited_max) && <span>{wordInvited(each)}</span>}
            {each.variants && <span>{wordVariants(each.variants)}</span>}
            {sayWhom(each) && <span>{sayWhom(each)}</span>}
            {each.status && each.status !== 'active' && <span>{labelPlain(each.status)}</span>}
          </div>
        </li>
      ))}
    </ul>
  );
}

/** `variants not allowed`. */
const wordVariants = (variants: string) => `variants ${labelPlain(variants).toLowerCase()}`;

/** `suitable for small businesses`, or an empty text. */
function wordSuited({ suitable_for_sme: sme, suitable_for_vcse: vcse }: Lot): string {
  const whom = [sme && 'small businesses', vcse && 'voluntary, community and social enterprises'].filter(Boolean);
  return whom.length > 0 ? `suitable for ${whom.join(' and ')}` : '';
}

/** `5 to 8 are invited to bid`. */
function wordInvited({ invited_min: least, invited_max: most }: Lot): string {
  if (least && most) return least === most ? `${most} are invited to bid` : `${least} to ${most} are invited to bid`;
  return least ? `at least ${least} are invited to bid` : `at most ${most} are invited to bid`;
}

const formatLength = ({ duration_months: months, duration_days: days = (months ?? 0) * 30 }: Lot) =>
  days > 0 ? <span>for {formatFormDays(days, months)}</span> : null;

/** `48 months`: the forms publish a month as thirty days and a year as 365. */
export function formatFormDays(days: number, months = days % 365 === 0 ? (days / 365) * 12 : days / 30): string {
  return Number.isInteger(months) ? formatNumbered(months, 'month') : formatNumbered(days, 'day');
}

type Document = z.input<typeof document>;

/** The documents of a notice, as links where a browser can open them. */
export function Documents({ documents }: { documents: readonly Document[] }) {
  if (documents.length === 0) return null;
  return (
    <section>
      <h2>Documents</h2>
      <ul class="plain">
        {documents.map((each, at) => (
          <li key={at}>
            <Outward href={isAddress(each.link_kind) ? safeLink(each.url) : null}>{each.name || each.url}</Outward>
            {each.type_label && !isSameText(each.type_label, each.name) && (
              <span class="muted small"> {each.type_label}</span>
            )}
            {each.published && <span class="muted small"> {formatDay(each.published)}</span>}
            {each.junk_reason && <span class="muted small"> ({each.junk_reason})</span>}
          </li>
        ))}
      </ul>
    </section>
  );
}

const isSameText = (one: string, other: string | undefined) => one.toLowerCase() === other?.trim().toLowerCase();

/** Whether the address is a web page that a browser can open. */
function isAddress(kind: Document['link_kind']): boolean {
  return kind !== 'broken' && kind !== 'mail' && kind !== 'private';
}
