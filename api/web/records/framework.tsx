import type { z } from 'zod';
import { formatMoney } from '../../../schema/text/money.ts';
import type { frameworkAnswer } from '../../operations/frameworks/answer.ts';
import { type Span, Timeline } from '../charts/timeline.tsx';
import { daysUntil, formatCount, formatDay, formatDays, formatNumbered, formatPeriod } from '../components/format.ts';
import { labelPlain } from '../components/labels.ts';
import { Heading, joinTitle, type Page } from '../components/layout.tsx';
import { companyPath, frameworkPath } from '../components/links.ts';
import { type Fact, Facts, type Figure, Figures, Pages, Warnings } from '../components/parts.tsx';
import { SourceList } from '../components/source-title.ts';
import { IssuedTable, SORT_SCRIPT } from './contract-list.tsx';
import { LongText } from './long-text.tsx';
import { Fees } from './notice/criteria.tsx';
import { Cpv, describeMarket, nameBuyer, nameRegions } from './parts.tsx';
import { type Known, NoticeLinks, Provenance } from './provenance.tsx';

type Framework = z.input<typeof frameworkAnswer>;

const SUPPLIERS_OPEN = 24;

interface KnownMarket extends Known {
  /** For a dynamic market: the status of its latest notice. */
  status?: string | undefined;
}

/** @param cursor - the page of its call-offs; absent for the first */
export function frameworkPage(
  framework: Framework,
  { now, fetched, status, cpvName }: KnownMarket,
  cursor?: string,
): Page {
  const { title, buyer } = framework;
  return {
    title: joinTitle(title, buyer, labelPlain(framework.kind)),
    description: `Lots, suppliers and call-offs of ${title}`,
    section: 'frameworks',
    scripts: [SORT_SCRIPT],
    body: (
      <article>
        <Heading kind={labelPlain(framework.kind)} title={title}>
          {buyer && <p class="lead">{nameBuyer(framework)}</p>}
          {status && (
            <p>
              <MarketState status={status} until={framework.ends} now={now} />
            </p>
          )}
        </Heading>
        <Warnings warnings={framework.warnings} />
        {!cursor && <About framework={framework} now={now} />}
        <section>
          <h2>Call-offs</h2>
          <CallOffs framework={framework} cursor={cursor} />
        </section>
        {!cursor && (
          <section>
            <h2>Details</h2>
            <Facts facts={factsOf(framework, cpvName)} />
          </section>
        )}
        <Provenance url={framework.url} source={framework.source} ocid={framework.ocid} fetched={fetched}>
          <NoticeLinks title="Its notices" ids={framework.notice_ids ?? [framework.notice_id]} />
        </Provenance>
      </article>
    ),
  };
}

/** Whether suppliers can join a dynamic market, and until when. Its end is said where it agrees with that. */
function MarketState({ status, until, now }: { status: string; until: string | undefined; now: Date }) {
  const isOver = until !== undefined && daysUntil(until, now) < 0;
  const agrees = status === (isOver ? 'closed' : 'open');
  const words = agrees ? describeMarket(until, now) : labelPlain(status);
  return <span class={status === 'open' ? 'tag good' : 'tag'}>{words}</span>;
}

/** Its kind, period, buyers and suppliers. */
function About({ framework, now }: { framework: Framework; now: Date }) {
  const spans = spansOf(framework);
  return (
    <>
      <Figures figures={figuresOf(framework)} />
      <LongText title="What it covers" text={framework.description} />
      <LongText title="How contracts are called off" text={framework.call_off_terms} />
      <Fees {...framework} />
      <FrameworkLots lots={framework.lots} currency={framework.currency} />
      {spans.length > 0 && (
        <section>
          <h2>How long it runs</h2>
          <Timeline title="When the framework runs" moments={[]} spans={spans} now={now} />
        </section>
      )}
    </>
  );
}

function figuresOf(framework: Framework): Figure[] {
  const { ceiling, currency, starts, ends, lots, supplier_count: suppliers, call_off_count } = framework;
  const money = formatMoney(ceiling, currency);
  return [
    {
      value: formatCount(suppliers),
      label: `${suppliers === 1 ? 'supplier' : 'suppliers'} in ${formatNumbered(lots.length, 'lot')}`,
    },
    { value: formatCount(call_off_count), label: `${call_off_count === 1 ? 'contract' : 'contracts'} called off` },
    ...(money ? [{ value: money, label: 'ceiling over all call-offs together' }] : []),
    ...(starts && ends && starts <= ends
      ? [{ value: formatDays(starts, ends), label: `from ${formatDay(starts)} to ${formatDay(ends)}` }]
      : []),
  ];
}

function spansOf({ starts, ends, extends_to }: Framework): Span[] {
  return [
    ...(starts && ends ? [{ name: 'Framework', from: starts, to: ends }] : []),
    ...(ends && extends_to && extends_to > ends ? [{ name: 'If extended', from: ends, to: extends_to }] : []),
  ];
}

function factsOf(framework: Framework, cpvName: string | undefined): Fact[] {
  return [
    ['Starts', formatDay(framework.starts)],
    ['Ends', formatDay(framework.ends)],
    ['May be extended to', formatDay(framework.extends_to)],
    ['Who may use it', framework.who_may_use],
    ['Where', nameRegions(framework.regions, framework.region)],
    ['Number of suppliers', framework.max_suppliers ? `at most ${formatCount(framework.max_suppliers)}` : null],
    ['Open framework', framework.open_framework && 'awarded again later, when other suppliers may join'],
    ['References', framework.references?.join(', ')],
    ['CPV', framework.cpv && <Cpv code={framework.cpv} name={cpvName} />],
    ['Buyers it names', framework.buyers?.join('; ')],
    ['Only for', framework.restricted_to?.join('; ')],
    ['Published on', framework.also_on && <SourceList key="source" id={framework.source} others={framework.also_on} />],
    ['Recognised by', framework.evidence.map(labelPlain).join(', ')],
  ];
}

function FrameworkLots({ lots, currency }: { lots: Framework['lots']; currency: string | undefined }) {
  if (lots.length === 0) return null;
  return (
    <section>
      <h2>{lots.length === 1 ? 'Suppliers' : 'Lots and their suppliers'}</h2>
      <ul class="results">
        {lots.map(({ lot_id, title, value, starts, ends, supplier_count: count, suppliers }) => (
          <li key={lot_id}>
            <h3>{title || `Lot ${lot_id}`}</h3>
            <p class="meta">
              {value !== undefined && <span>{formatMoney(value, currency)}</span>}
              {(starts || ends) && <span>{formatPeriod(starts, ends)}</span>}
              <span>{count === 0 ? 'no supplier is named' : formatNumbered(count, 'supplier')}</span>
            </p>
            <SupplierList suppliers={suppliers.slice(0, SUPPLIERS_OPEN)} />
            {suppliers.length > SUPPLIERS_OPEN && (
              <details>
                <summary>{suppliers.length - SUPPLIERS_OPEN} more</summary>
                <SupplierList suppliers={suppliers.slice(SUPPLIERS_OPEN)} />
              </details>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

function SupplierList({ suppliers }: { suppliers: Framework['lots'][number]['suppliers'] }) {
  if (suppliers.length === 0) return null;
  return (
    <ul class="names">
      {suppliers.map(({ company_id, name }) => (
        <li key={company_id}>
          <a href={companyPath(company_id)}>{name}</a>
        </li>
      ))}
    </ul>
  );
}

function CallOffs({ framework, cursor }: { framework: Framework; cursor: string | undefined }) {
  const { call_off_count: count, call_offs: shown } = framework;
  if (count === 0) return <p>We have no contract called off from it.</p>;
  return (
    <>
      <p>{formatNumbered(count, 'contract')} called off, newest first.</p>
      <IssuedTable items={shown} />
      <Pages
        path={frameworkPath(framework.framework_id)}
        query={cursor ? { cursor } : {}}
        next={framework.next_cursor}
      />
    </>
  );
}
