import type { z } from 'zod';
import { sayStatus } from '../../../../schema/catalogue/live.ts';
import { makeLookup } from '../../../../schema/text/json-values.ts';
import { formatMoney } from '../../../../schema/text/money.ts';
import { shorten } from '../../../../search/documents/from-row.ts';
import type { noticeAnswer } from '../../../operations/notices/shapes.ts';
import type { Span } from '../../charts/timeline.tsx';
import {
  daysUntil,
  formatDay,
  formatDays,
  formatInstant,
  formatNumbered,
  formatPeriod,
  formatSpan,
} from '../../components/format.ts';
import { labelBasis, labelDelivery, labelNation, labelNoticeType, labelPlain } from '../../components/labels.ts';
import { Heading, joinTitle, type Page } from '../../components/layout.tsx';
import { frameworkPath } from '../../components/links.ts';
import { type Fact, Facts, type Figure, Figures, Warnings } from '../../components/parts.tsx';
import { SourceList } from '../../components/source-title.ts';
import { SOON_DAYS } from '../../search/hit-list.tsx';
import { nameBids, nameLosers, nameProcedure, nameReasons } from '../competition.ts';
import { LongText } from '../long-text.tsx';
import { Awarded, describeMarket, Incumbents, type Money, nameBuyer, nameRegions, Related } from '../parts.tsx';
import { Performance } from '../performance.tsx';
import { type Known, Provenance } from '../provenance.tsx';
import { Comparison, Conditions, Fees } from './criteria.tsx';
import { Apply, ContractLinks, Cpvs } from './facts.tsx';
import { NoticeTrail } from './history.tsx';
import { Documents, formatFormDays, Lots } from './lots.tsx';

type Notice = z.input<typeof noticeAnswer>;

/** The heading above what a notice says of earlier ones, by its stage. */
const CHANGED = makeLookup({ termination: 'Why it ended', performance: 'What was not performed' });

/** The page of a notice. `now` is the catalogue's current instant, which decides how long a tender is open. */
export function noticePage(notice: Notice, { now, fetched }: Known): Page {
  return {
    title: joinTitle(notice.title, notice.buyer, nameNotice(notice)),
    description: shorten(notice.description || notice.title, 160),
    section: notice.live ? 'tenders' : 'notices',
    body: (
      <article>
        <Heading kind={labelNoticeType(notice.notice_type)} title={notice.title}>
          {hasSuppliers(notice) && (
            <p class="lead">
              <Awarded suppliers={notice.suppliers ?? []} money={moneyOf(notice)} />
            </p>
          )}
          {notice.buyer && <p class={hasSuppliers(notice) ? undefined : 'lead'}>{nameBuyer(notice)}</p>}
          <p>
            <State notice={notice} now={now} />
          </p>
        </Heading>
        <Warnings warnings={notice.warnings} />
        <Figures figures={figuresOf(notice)} />
        <Apply how={notice.how_to_apply} live={notice.live} url={notice.url} source={notice.source} />
        <LongText title={CHANGED[notice.stage] ?? 'What changes'} text={notice.what_changed} />
        <Performance kpis={notice.kpis} />
        <LongText title="Description" text={notice.description} />
        <LongText title="Engagement with the market" text={notice.engagement} />
        <LongText title="Why no engagement notice was published" text={notice.no_engagement_reason} />
        <LongText title="How the procedure runs" text={notice.procedure_features} />
        <Conditions {...notice} />
        <Comparison {...notice} />
        <Fees {...notice} />
        <LongText title="Deposits and guarantees" text={notice.guarantees} />
        <LongText title="How the contract is performed" text={notice.performance_terms} />
        <LongText title="How the contract is paid" text={notice.financial_terms} />
        <LongText title="Risks to the contract" text={notice.risks} />
        <Lots lots={notice.lots} currency={notice.currency} noticeDescription={notice.description} />
        {notice.additional_information !== notice.description && (
          <LongText title="Additional information" text={notice.additional_information} />
        )}
        <Documents documents={notice.documents} />
        <NoticeTrail notices={notice.notices} current={notice.notice_id} spans={spansOf(notice)} now={now} />
        <section>
          <h2>Details</h2>
          <Facts facts={factsOf(notice)} />
        </section>
        <Incumbents incumbents={notice.incumbents} />
        <Related related={notice.related} />
        <Provenance
          url={notice.url}
          source={notice.source}
          ocid={notice.ocid}
          notices={notice.notices}
          fetched={fetched}
        />
      </article>
    ),
  };
}

/** Its kind, number and day. The beginning of a GUID distinguishes notices of one day. */
function nameNotice({ notice_type, notice_id, published }: Notice): string {
  const number = notice_id.length <= 12 ? notice_id : /^[0-9a-f]{8}(?=-)/i.exec(notice_id)?.[0];
  return [[labelNoticeType(notice_type), number].filter(Boolean).join(' '), formatDay(published)].join(', ');
}

/** Open, closing soon or closed, in words as well as colour. */
function State({ notice, now }: { notice: Notice; now: Date }) {
  if (!notice.live || !notice.deadline) return <span class="tag">{nameState(notice, now)}</span>;
  const days = daysUntil(notice.deadline, now);
  return <span class={days <= SOON_DAYS ? 'tag warn' : 'tag good'}>Open, {sayLeft(days, notice, now)}</span>;
}

/** The days left, and on the last day the hours, in London time. */
function sayLeft(days: number, { deadline_at }: Notice, now: Date): string {
  if (days > 0) return `${formatNumbered(days, 'day')} left`;
  const leftMs = deadline_at ? Date.parse(deadline_at) - now.getTime() : Number.NaN;
  return leftMs > 0 ? `closes today, ${formatSpan(leftMs)} left` : 'closes today';
}

/** The status of notices that are not open for bids: planned, over or replaced. */
function nameState(notice: Notice, now: Date): string {
  const { status, stage, deadline, notice_id, notices } = notice;
  if (sayStatus(status, stage)) return 'Award intended';
  const newest = notices.at(-1)?.notice_id ?? notice_id;
  if (status === 'open' && newest !== notice_id) return 'A later notice follows';
  if (stage === 'market' && status === 'open') return describeMarket(notice.deadline ?? notice.dates.ends, now);
  const isExpected = status === 'open' || status === 'closed';
  return isExpected && stage === 'tender' && deadline === null ? 'No deadline is published' : labelPlain(status);
}

/** The headline of a notice with awards: suppliers and value. */
const hasSuppliers = ({ suppliers }: Notice): boolean => (suppliers?.length ?? 0) > 0;

function moneyOf({ value, currency, value_basis }: Notice): Money | null {
  const text = formatMoney(value, currency);
  return text ? { text, kind: value_basis ? labelBasis(value_basis) : '' } : null;
}

function figuresOf(notice: Notice): Figure[] {
  const { deadline_at, deadline, value_basis, dates, status } = notice;
  const money = hasSuppliers(notice) ? null : moneyOf(notice)?.text;
  const [day, time] = (formatInstant(deadline_at) ?? '').split(' at ');
  const { starts, ends } = dates;
  const word = status === 'withdrawn' ? 'deadline before it was withdrawn' : 'deadline';
  return [
    ...(deadline ? [{ value: day || formatDay(deadline), label: [word, time && `, at ${time} London time`] }] : []),
    ...(money ? [{ value: money, label: ['value', value_basis && ` (${labelBasis(value_basis)})`] }] : []),
    ...(starts && ends && starts <= ends
      ? [{ value: formatDays(starts, ends), label: `contract, from ${formatDay(starts)}` }]
      : []),
  ];
}

/** The time for bids and the period of the contract. */
function spansOf({ notices, published, deadline, stage, dates: { starts, ends, extends_to } }: Notice): Span[] {
  const opened = notices.find((each) => each.stage === 'tender')?.published ?? (stage === 'tender' ? published : null);
  return [
    ...(opened && deadline ? [{ name: 'Bids', from: opened, to: deadline }] : []),
    ...(starts && ends ? [{ name: 'Contract', from: starts, to: ends }] : []),
    ...(ends && extends_to && extends_to > ends ? [{ name: 'If extended', from: ends, to: extends_to }] : []),
  ];
}

function factsOf(notice: Notice): Fact[] {
  const { dates } = notice;
  return [
    [
      'Published',
      [formatDay(notice.published), ' on ', <SourceList key="source" id={notice.source} others={notice.also_on} />],
    ],
    ['Together with', notice.joint_buyers?.join('; ')],
    ['Engagement until', formatDay(dates.engagement_until)],
    ['Questions until', sayQuestions(dates)],
    ['Expressions of interest until', formatDay(dates.expressions_until)],
    ['Invitations to bid expected', formatDay(dates.invitations_expected)],
    ['Tender expected', formatDay(dates.tender_expected)],
    ['Bids expected until', formatDay(dates.bids_expected)],
    ['To be advertised again', formatDay(dates.recurs_expected)],
    ['Award expected', formatDay(dates.award_expected)],
    ['Contract', periodOf(dates)],
    ['Awarded', formatDay(dates.awarded)],
    ['Standstill until', formatDay(dates.standstill_until)],
    ['Signature expected', formatDay(dates.signature_expected)],
    ['Signed', formatDay(dates.signed)],
    ['Worth at least', formatMoney(notice.value_min, notice.currency)],
    ['Where', nameRegions(notice.regions, notice.region)],
    ['Places of delivery', labelDelivery(notice.delivery_places)],
    ['Nation', notice.nation && labelNation(notice.nation)],
    ['Procedure', nameProcedure(notice)],
    ['Takes less time than usual', notice.accelerated && (notice.accelerated_reason ?? 'Yes')],
    ['Why so', nameReasons(notice)],
    ['Bids', nameBids(notice)],
    ['Bid and did not win', nameLosers(notice)],
    ['Category', notice.category && labelPlain(notice.category)],
    ['Suitable for small businesses', sayWhether(notice.suitable_for_sme)],
    ['Suitable for voluntary, community and social enterprises', sayWhether(notice.suitable_for_vcse)],
    ['Reserved for', nameReserved(notice)],
    ['Variants', notice.variants && labelPlain(notice.variants)],
    ['Bids stay valid', sayValidity(notice)],
    ['Lots for one bidder', sayLotsMost(notice)],
    ['Advertised again', notice.recurrence],
    ['Special rules', notice.special_regimes?.map(labelPlain).join(', ')],
    ['Above the threshold', sayWhether(notice.above_threshold)],
    ['Covered by', notice.covered_by?.join(', ')],
    ['CPV', notice.cpvs && notice.cpvs.length > 0 ? <Cpvs cpvs={notice.cpvs} /> : notice.cpv],
    ['Contracts', notice.contract_ids && notice.contract_ids.length > 0 && <ContractLinks notice={notice} />],
    ['Framework', notice.framework_id && <a href={frameworkPath(notice.framework_id)}>This framework</a>],
    ['Reference of the buyer', notice.reference],
    ['Notice', notice.notice_id],
  ];
}

/** `1 May 2026, at 17:00 London time`. */
function sayQuestions({ enquiries_until: until, enquiries_until_at: at }: Notice['dates']): string | null {
  const [, time] = (formatInstant(at) ?? '').split(' at ');
  return time ? `${formatDay(until)}, at ${time} London time` : formatDay(until);
}

/** `for 3 months`, `until 1 May 2026`. */
function sayValidity({ bid_valid_days: days, bid_valid_until: until }: Notice): string | null {
  if (until) return `until ${formatDay(until)}`;
  return days ? `for ${formatFormDays(days)}` : null;
}

/** `bids for up to 3, wins up to 2`. */
function sayLotsMost({ lots_bid_max: bid, lots_won_max: won }: Notice): string | null {
  return [...(bid ? [`bids for up to ${bid}`] : []), ...(won ? [`wins up to ${won}`] : [])].join(', ') || null;
}

/** `small businesses and social enterprises based in Kent`. */
function nameReserved({ reserved_for: codes = [], reserved_places: places = [] }: Notice): string | null {
  const kinds = codes.flatMap((code) => RESERVED[code] ?? labelPlain(code).toLowerCase()).join(', ');
  const where = places.map((one) => one.replace(/^(?=United)/, 'the ')).join(', ');
  return [kinds || (where && 'suppliers'), where && `based in ${where}`].filter(Boolean).join(' ') || null;
}

const RESERVED = makeLookup<string | string[]>({
  area: [],
  smeVcse: 'small businesses and voluntary, community and social enterprises',
  shelteredWorkshop: 'supported employment providers',
  publicService: 'public service mutuals',
  shelteredEmployment: 'performance in sheltered employment programmes',
});

function sayWhether(stated: boolean | undefined): string | null {
  if (stated === undefined) return null;
  return stated ? 'yes' : 'no';
}

function periodOf({ starts, ends, extends_to }: Notice['dates']): string | null {
  const words = formatPeriod(starts, ends);
  return words && extends_to ? `${words}, or until ${formatDay(extends_to)} if extended` : words;
}
