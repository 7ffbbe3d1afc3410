import type { z } from 'zod';
import type { counterparty, frameworkReference, totals } from '../../../../schema/answers/shapes.ts';
import { formatMoney } from '../../../../schema/text/money.ts';
import type { buyerProfileAnswer } from '../../../operations/buyers/answer.ts';
import { FigureBar, RankedBars } from '../../charts/ranked-bars.tsx';
import { formatCount, formatNumbered } from '../../components/format.ts';
import { labelClass, labelPlaces } from '../../components/labels.ts';
import { frameworkPath, noticePath, safeLink, shortId } from '../../components/links.ts';
import { type Fact, Facts, Figures, Outward } from '../../components/parts.tsx';
import { poundsFirst } from '../../summary/tables.tsx';
import { Unfolding } from '../parts.tsx';
import { Licence, NoticeLinks } from '../provenance.tsx';
import { ByYear } from './by-year.tsx';
import type { OwnSums } from './own-sums.tsx';

/** Shared by the pages of companies and buyers. */

type Totals = z.input<typeof totals>;
type Counterparty = z.input<typeof counterparty>;

/** What the page of an organisation shows besides its profile. */
export interface ShownWith {
  /** The catalogue's current instant, which decides the current year. */
  now: Date;
  /** The page of its contracts; absent for the first. */
  cursor: string | undefined;
  /** Its contracts added up. */
  sums: OwnSums;
}

/** The kind and place of an organisation, in one line. */
export function Lead({ words }: { words: readonly (string | null | undefined)[] }) {
  const present = words.filter(Boolean);
  return present.length > 0 ? <p class="lead">{present.join(' · ')}</p> : null;
}

interface OverviewProps {
  /** Fields that both kinds of profile have. */
  profile: Pick<z.input<typeof buyerProfileAnswer>, 'totals' | 'by_year' | 'frameworks'>;
  /** The number of its contracts, and of its places on frameworks. */
  count: number;
  places: number;
  /** `won` or `issued`. */
  verb: string;
  parties: Pick<CounterpartiesProps, 'title' | 'parties' | 'path'>;
  now: Date;
}

/** The figures of a company or buyer: totals, years, counterparties and frameworks. */
export function Overview({ profile, count, places, verb, parties, now }: OverviewProps) {
  const { totals, by_year, frameworks } = profile;
  return (
    <>
      <TotalFigures count={count} places={places} totals={totals} verb={verb} />
      <ByYear years={by_year} totals={totals} thisYear={String(now.getUTCFullYear())} />
      <Counterparties count={count} {...parties} />
      <FrameworkList frameworks={frameworks} />
    </>
  );
}

interface TotalFiguresProps {
  /** The number of its contracts. */
  count: number;
  /** The number of its awards that are places on frameworks. */
  places: number;
  totals: Totals;
  /** `won` or `issued`. */
  verb: string;
}

/** The number of contracts and framework places, and the sums of values. */
function TotalFigures({ count, places, totals, verb }: TotalFiguresProps) {
  const sums = poundsFirst(totals.sum).map(([currency, sum]) => ({
    value: formatMoney(Math.round(sum.value), currency),
    label: `in total, over ${formatNumbered(sum.count, 'contract')} with a value of ${sum.count === 1 ? 'its' : 'their'} own`,
  }));
  return (
    <>
      <Figures
        figures={[
          { value: formatCount(count), label: `${count === 1 ? 'contract' : 'contracts'} ${verb}` },
          ...(places > 0 ? [{ value: formatCount(places), label: labelPlaces(places) }] : []),
          ...sums,
        ]}
      />
      <Apart totals={totals} />
    </>
  );
}

function Apart({ totals }: { totals: Totals }) {
  const classes = Object.entries(totals.not_in_total).filter(([, { count }]) => count > 0);
  if (classes.length === 0) return null;
  const words = classes.map(([name, { count }]) => `${labelClass(name).toLowerCase()}: ${formatCount(count)}`);
  return <p class="muted small">Counted separately, not in the sum: {words.join(' · ')}.</p>;
}

interface CounterpartiesProps {
  title: string;
  parties: readonly Counterparty[];
  /** The number of all contracts; each party has a share of them. */
  count: number;
  path(id: string): string;
}

/** The most frequent counterparties, with their values. */
function Counterparties({ title, parties, count, path }: CounterpartiesProps) {
  if (parties.length === 0) return null;
  const present = parties.filter(({ value }) => value);
  // One or two bars, bars of equal length, or of different currencies show nothing.
  const isDrawn = parties.length > 2 && countOf(present, 'value') > 1 && countOf(present, 'currency') === 1;
  const most = Math.max(0, ...parties.map(({ value = 0 }) => value));
  const describeValue = (value: number | undefined, currency: string | undefined) => {
    const text = formatMoney(value === undefined ? null : Math.round(value), currency);
    return text && value && isDrawn ? <FigureBar text={text} share={value / most} /> : (text ?? '–');
  };
  const havePlaces = parties.some(({ framework_places: places = 0 }) => places > 0);
  const rows = parties.map(({ id, name, contract_count, framework_places: places = 0, value, currency }) => ({
    key: id,
    name: <a href={path(id)}>{name}</a>,
    amount: contract_count,
    meaning: `in ${formatShare(contract_count, count)} of the contracts`,
    cells: [formatCount(contract_count), ...(havePlaces ? [formatCount(places)] : []), describeValue(value, currency)],
  }));
  return (
    <section>
      <h2>{title}</h2>
      <RankedBars
        label={title}
        heads={['Name', 'Contracts', ...(havePlaces ? ['Framework places'] : []), 'Value']}
        rows={rows}
      />
    </section>
  );
}

function countOf(parties: readonly Counterparty[], field: 'value' | 'currency'): number {
  return new Set(parties.map(({ [field]: each }) => each)).size;
}

function formatShare(part: number, whole: number): string {
  const share = Math.round((part / Math.max(part, whole, 1)) * 100);
  return part > 0 && share < 1 ? 'less than 1%' : `${share}%`;
}

/** The frameworks of an organisation; nothing if there are none. */
function FrameworkList({ frameworks }: { frameworks: readonly z.input<typeof frameworkReference>[] }) {
  if (frameworks.length === 0) return null;
  const items = frameworks.map(({ framework_id, title }) => (
    <li key={framework_id}>
      <a href={frameworkPath(framework_id)}>{title}</a>
    </li>
  ));
  return (
    <section>
      <h2>Frameworks</h2>
      <Unfolding items={items} />
    </section>
  );
}

interface PublishedThing {
  text: string;
  notice_id?: string | undefined;
}

interface AboutProps {
  core: Pick<
    z.input<typeof buyerProfileAnswer>['core'],
    'names' | 'also_known_as' | 'identifiers' | 'url' | 'notice_ids'
  >;
  /** The sources of its record, as a sentence; null where there are none. */
  words: string | null;
  /** The facts that come before its names. */
  facts: readonly Fact[];
  /** Its contracts and places on frameworks. Without any, the notices are the latest that name it. */
  awards: number;
}

/** Its names and identifiers, with the notices that state them. */
export function About({ core, words, facts, awards }: AboutProps) {
  const names = toPublishedNames(core);
  const identifiers = (core.identifiers ?? []).map(({ scheme, id, notice_id }) => ({
    text: `${scheme} ${id}`,
    notice_id,
  }));
  const all: Fact[] = [
    ...facts,
    ['Names', names.length > 0 && <Published things={names} />],
    ['Identifiers', identifiers.length > 0 && <Published things={identifiers} />],
    ['Website', core.url && <Outward href={safeLink(core.url)}>{core.url}</Outward>],
  ];
  return (
    <section class="provenance">
      <h2>Where this comes from</h2>
      {words && <p>{words}</p>}
      <NoticeLinks title={awards > 0 ? 'Notices of its newest contracts' : 'Latest notices'} ids={core.notice_ids} />
      <Facts facts={all} />
      <Licence />
    </section>
  );
}

/** All its names, those with a notice first. */
function toPublishedNames({ names = [], also_known_as = [] }: AboutProps['core']): PublishedThing[] {
  const known = new Set(names.map(({ name }) => name));
  const further = also_known_as.filter((name) => !known.has(name)).map((text) => ({ text }));
  return [...names.map(({ name, notice_id }) => ({ text: name, notice_id })), ...further];
}

/** Published names or identifiers, each with the latest notice that has it. */
function Published({ things }: { things: readonly PublishedThing[] }) {
  const items = things.map(({ text, notice_id }) => (
    <li key={text}>
      {text}
      {notice_id && (
        <span class="muted small">
          {' '}
          in notice <a href={noticePath(notice_id)}>{shortId(notice_id)}</a>
        </span>
      )}
    </li>
  ));
  return <Unfolding items={items} />;
}
