import type { ComponentChildren } from 'preact';
import { formatMoney } from '../../../schema/text/money.ts';
import { RankedBars } from '../charts/ranked-bars.tsx';
import { formatCount, formatNumbered } from '../components/format.ts';
import { labelClass } from '../components/labels.ts';
import type { Summary, SummaryGroup } from './kept.ts';

type Sums = Pick<SummaryGroup, 'contract_count' | 'framework_places' | 'value_total'>;

interface GroupsProps {
  title: string;
  summary: Summary;
  /** The name of the column of names. */
  head: string;
  /** What a group is called, if not by its own name; null for contracts that state none. */
  nameOf?(group: SummaryGroup): string | null;
  /** Where a group leads. */
  linkOf?(id: string): string;
}

/** The groups of a summary as a table, the greatest first, with a bar for the share of each in the pounds. */
export function Groups({ title, summary, head, nameOf = ({ name }) => name, linkOf }: GroupsProps) {
  const { groups, others, group_count } = summary;
  if (groups.length === 0) return null;
  // The contracts that a line leads to include the places.
  const havePlaces = [...groups, others].some((one) => (one?.framework_places ?? 0) > 0);
  const rows = groups.map((group) => {
    const share = formatPercent(group);
    return {
      key: group.id ?? '',
      name: <GroupName name={nameOf(group)} href={group.id !== null ? linkOf?.(group.id) : undefined} />,
      amount: group.value_total.GBP ?? 0,
      meaning: `${share} of the pounds`,
      cells: [...cellsOf(group, havePlaces), share],
    };
  });
  const rest = others && {
    name: formatNumbered(group_count - groups.length, 'other'),
    cells: [...cellsOf(others, havePlaces), ''],
  };
  return (
    <section>
      <h2>{title}</h2>
      <RankedBars
        label={title}
        heads={[head, 'Contracts', ...(havePlaces ? ['Framework places'] : []), 'Value', 'Share']}
        rows={rows}
        rest={rest}
      />
    </section>
  );
}

function GroupName({ name, href }: { name: string | null; href: string | undefined }): ComponentChildren {
  if (name === null) return <span class="muted">not stated</span>;
  return href ? <a href={href}>{name}</a> : name;
}

function cellsOf(
  { contract_count, framework_places = 0, value_total }: Sums,
  havePlaces: boolean,
): ComponentChildren[] {
  return [
    formatCount(contract_count),
    ...(havePlaces ? [formatCount(framework_places)] : []),
    <Values key="value" sums={value_total} />,
  ];
}

/** Sums of several currencies, pounds first. */
export function poundsFirst<T>(byCurrency: Readonly<Record<string, T>>): [currency: string, one: T][] {
  const rank = (currency: string) => (currency === 'GBP' ? 0 : 1);
  return Object.entries(byCurrency).toSorted(([one], [other]) => rank(one) - rank(other));
}

/** A line for each currency; a dash for none. */
function Values({ sums }: { sums: Readonly<Record<string, number>> }) {
  const [first, ...others] = poundsFirst(sums).map(([currency, sum]) => formatMoney(Math.round(sum), currency));
  return (
    <>
      {first ?? '–'}
      {others.map((text) => (
        <span key={text} class="hint">
          {text}
        </span>
      ))}
    </>
  );
}

/** Of the pounds. The share of a small amount is rounded to 0. */
function formatPercent({ share, value_total: { GBP = 0 } }: SummaryGroup): string {
  return GBP > 0 && share < 0.01 ? 'below 1%' : `${Math.round(share * 100)}%`;
}

/** What is in no sum and why, in one line. */
export function NotInTotal({ sums }: { sums: Summary['total'] }) {
  const classes = Object.entries(sums.not_in_total ?? {});
  if (classes.length === 0) return null;
  const words = classes.map(([name, { count }]) => `${labelClass(name).toLowerCase()}: ${formatCount(count)}`);
  return <p class="muted small">Counted separately, not in the sums: {words.join(' · ')}.</p>;
}

/** In place of sums that cannot be calculated now. */
export function NoSums() {
  return (
    <p class="note warn" role="status">
      The sums of contracts are not available at the moment. The rest of this page is complete; try again in a minute.
    </p>
  );
}
