import { listRegions, regionOfCode } from '../../../schema/reference/regions.ts';
import { compareText } from '../../../schema/text/ids.ts';
import { formatMoney } from '../../../schema/text/money.ts';
import type { CpvNode } from '../../categories/cpv-tree.ts';
import { formatCount, formatNumbered } from '../components/format.ts';
import { labelPlaces } from '../components/labels.ts';
import { Heading, joinTitle, type Page } from '../components/layout.tsx';
import { buyerPath, categoryPath, companyPath, withQuery } from '../components/links.ts';
import { Figures } from '../components/parts.tsx';
import { ByYear } from '../records/organisation/by-year.tsx';
import type { Summary } from '../summary/kept.ts';
import { Groups, NoSums, NotInTotal, poundsFirst } from '../summary/tables.tsx';

const CODE_DIGITS = 8;
const REGIONS = listRegions().filter(({ code }) => code.length === 3);

/** What the page of a category adds up. */
export type CategorySums = Record<'years' | 'suppliers' | 'buyers' | 'regions' | 'finer', Summary>;

interface Category {
  node: CpvNode;
  /** Its digits without trailing zeros. */
  branch: string;
  /** The code of the region that it is narrowed to. */
  region: string | undefined;
  /** Null if nothing can be added up now. */
  sums: CategorySums | null;
  /** The catalogue's current instant, which decides the current year. */
  now: Date;
  appUrl: string;
}

/** All divisions of the CPV with what was bought in each. */
export function categoriesPage(summary: Summary | null): Page {
  return {
    title: 'What is bought, by category',
    description: 'Public contracts of the United Kingdom, counted and added up by what is bought',
    section: 'contracts',
    body: (
      <>
        <Heading title="What is bought">
          <p class="lead">
            Contracts by the division of the Common Procurement Vocabulary (CPV) that their main code lies in, those
            with the greatest value first.
          </p>
        </Heading>
        {summary ? (
          <>
            <Groups title="Categories" head="Category" summary={summary} linkOf={categoryPath} />
            <NotInTotal sums={summary.total} />
          </>
        ) : (
          <NoSums />
        )}
      </>
    ),
  };
}

/** Who buys and who supplies a category, where, when and for how much. */
export function categoryPage(category: Category): Page {
  const { node, branch, region, sums, appUrl } = category;
  const name = nameOf(node);
  const where = region && regionOfCode(region)?.name;
  return {
    title: joinTitle(name, where, 'Category'),
    description: `Who buys ${name}, and from whom`,
    section: 'contracts',
    links: [{ rel: 'canonical', href: appUrl + withQuery(categoryPath(branch), { region }) }],
    body: (
      <article>
        <Heading kind={`Category, CPV ${node.code}`} title={where ? `${name} in ${where}` : name}>
          <Broader node={node} />
          <Onward branch={branch} region={region} />
          <InRegion branch={branch} region={region} />
        </Heading>
        {sums ? <Added {...category} sums={sums} /> : <NoSums />}
      </article>
    ),
  };
}

function nameOf({ name, code }: { name?: string; code: string }): string {
  return name ?? `CPV ${code}`;
}

function Broader({ node: { division, code, broader } }: Pick<Category, 'node'>) {
  const above = [division, ...broader.filter((one) => one.code !== division.code)].filter((one) => one.code !== code);
  return (
    <p class="small">
      <a href="/categories">All categories</a>
      {above.map((one) => [
        ' › ',
        <a key={one.code} href={categoryPath(one.code)}>
          {nameOf(one)}
        </a>,
      ])}
    </p>
  );
}

function Onward({ branch: cpv, region }: Pick<Category, 'branch' | 'region'>) {
  return (
    <p>
      <a href={withQuery('/contracts', { cpv, region })}>Its contracts</a> ·{' '}
      <a href={withQuery('/renewals', { cpv, region })}>What runs out next</a> ·{' '}
      <a href={withQuery('/tenders', { cpv, region })}>Its live tenders</a> ·{' '}
      <a href={withQuery('/buyers', { cpv, region })}>Its buyers</a>
    </p>
  );
}

function InRegion({ branch, region }: Pick<Category, 'branch' | 'region'>) {
  // The country, or a part of a region: the form says what the page is narrowed to.
  const other = REGIONS.every(({ code }) => code !== region) && region ? regionOfCode(region) : null;
  return (
    <form class="ask" action={categoryPath(branch)}>
      <select name="region" aria-label="Region">
        <option value="">All regions</option>
        {[...(other ? [other] : []), ...REGIONS].map(({ code, name }) => (
          <option key={code} value={code} selected={code === region}>
            {name}
          </option>
        ))}
      </select>
      <button type="submit">Show</button>
    </form>
  );
}

function Added({ sums, branch, region, now }: Category & { sums: CategorySums }) {
  const { years, suppliers, buyers, regions, finer } = sums;
  const { total } = years;
  if (total.contract_count === 0 && !total.framework_places) return <p class="note">No contract is stored here.</p>;
  const inContracts = (more: Record<string, string>) => withQuery('/contracts', { cpv: branch, region, ...more });
  return (
    <>
      <Figures figures={figuresOf(total)} />
      <NotInTotal sums={total} />
      <p class="muted small">
        A contract with several codes counts whole in the category of each; its main code may lie in another category.
      </p>
      <Years summary={years} now={now} />
      <Groups title="Suppliers" head="Supplier" summary={suppliers} linkOf={companyPath} />
      <Groups title="Buyers" head="Buyer" summary={buyers} linkOf={buyerPath} />
      {!region && (
        <Groups
          title="Regions"
          head="Region"
          summary={regions}
          // This page narrows to regions with a code; the list of contracts also finds a place by its name.
          linkOf={(place) =>
            regionOfCode(place) ? withQuery(categoryPath(branch), { region: place }) : inContracts({ region: place })
          }
        />
      )}
      {branch.length < CODE_DIGITS && (
        <Groups
          title="By main code"
          head="Category"
          summary={finer}
          nameOf={({ id, name }) => (isSame(id, branch) ? 'no closer code' : name)}
          linkOf={(code) => (isSame(code, branch) ? inContracts({}) : withQuery(categoryPath(code), { region }))}
        />
      )}
    </>
  );
}

function isSame(code: string | null, branch: string): boolean {
  return code !== null && code.padEnd(CODE_DIGITS, '0') === branch.padEnd(CODE_DIGITS, '0');
}

function figuresOf({
  contract_count: count,
  framework_places: places = 0,
  value_total,
  value_count = {},
}: Summary['total']) {
  return [
    { value: formatCount(count), label: count === 1 ? 'contract' : 'contracts' },
    ...(places > 0 ? [{ value: formatCount(places), label: labelPlaces(places) }] : []),
    ...poundsFirst(value_total).map(([currency, sum]) => ({
      value: formatMoney(Math.round(sum), currency),
      label: `in total, over ${formatNumbered(value_count[currency] ?? 0, 'contract')} with a value of ${value_count[currency] === 1 ? 'its' : 'their'} own`,
    })),
  ];
}

/** The years of a summary, as the pages of organisations show theirs. */
function Years({ summary: { groups, total }, now }: { summary: Summary; now: Date }) {
  const years = groups.flatMap(({ id, contract_count, framework_places, value_total: sum }) =>
    id === null ? [] : [{ year: id, contract_count, framework_places, sum }],
  );
  const { value_total, value_count = {} } = total;
  const sums = Object.entries(value_total).map(([currency, value]) => [
    currency,
    { count: value_count[currency] ?? 0, value },
  ]);
  return (
    <ByYear
      years={years.toSorted((one, other) => compareText(other.year, one.year))}
      totals={{ sum: Object.fromEntries(sums), not_in_total: {} }}
      thisYear={String(now.getUTCFullYear())}
    />
  );
}
