import type { z } from 'zod';
import { londonDate } from '../../../schema/config/clocks.ts';
import { formatMoney } from '../../../schema/text/money.ts';
import type { contractAnswer } from '../../operations/contracts/shapes.ts';
import type { Span } from '../charts/timeline.tsx';
import { formatCount, formatDay, formatDays, formatEvidence, formatNumbered } from '../components/format.ts';
import {
  labelBasis,
  labelClass,
  labelDelivery,
  labelMatch,
  labelPlain,
  labelStanding,
  labelValueKind,
} from '../components/labels.ts';
import { Heading, joinTitle, type Page } from '../components/layout.tsx';
import { companyPath, contractPath, frameworkPath } from '../components/links.ts';
import { type Fact, Facts, type Figure, Figures, Warnings } from '../components/parts.tsx';
import { SourceList } from '../components/source-title.ts';
import { nameBids, nameEndBasis, nameLatestEnd, nameLosers, nameProcedure, nameReasons } from './competition.ts';
import { LongText } from './long-text.tsx';
import { NoticeTrail } from './notice/history.tsx';
import { Awarded, Cpv, type Money, nameBuyer, nameRegions, Related, Successors, SupplierNames } from './parts.tsx';
import { Performance } from './performance.tsx';
import { type Known, Provenance } from './provenance.tsx';

type Contract = z.input<typeof contractAnswer>;
type Award = Contract['awards'][number];

const SUPPLIERS_OPEN = 12;

/** The page of a contract. */
export function contractPage(contract: Contract, { now, fetched, cpvName }: Known): Page {
  const { title, buyer, awards } = contract;
  return {
    title: joinTitle(title, nameParties(contract)),
    description: [buyer, contract.supplier].filter(Boolean).join(' and '),
    section: 'contracts',
    body: (
      <article>
        <Heading kind={awards.length > 1 ? formatNumbered(awards.length, 'award') : 'Contract'} title={title}>
          <p class="lead">
            <Awarded suppliers={contract.suppliers} money={moneyOf(contract)} />
          </p>
          {buyer && <p>Bought by {nameBuyer(contract)}</p>}
        </Heading>
        <Warnings warnings={contract.warnings} />
        <Figures figures={figuresOf(contract)} />
        <LongText title="What it is for" text={contract.description} />
        {awards.length > 1 && <Awards awards={awards} whole={title} />}
        <NoticeTrail
          notices={contract.notices}
          history={contract.history}
          changes={contract.changes}
          spans={spansOf(contract)}
          now={now}
        />
        <Performance kpis={contract.kpis} />
        <LongText title="Why it has no performance indicators" text={contract.no_kpis_reason} />
        <LongText title="How it may be extended" text={contract.renewal} />
        <LongText title="What more may be bought under it" text={contract.options} />
        <section>
          <h2>Details</h2>
          <Facts facts={factsOf(contract, now, cpvName)} />
        </section>
        <Suppliers suppliers={contract.suppliers} />
        <Successors successors={contract.successors} />
        <Related related={contract.related} />
        <Provenance
          url={contract.url}
          source={contract.source}
          ocid={contract.ocid}
          notices={contract.notices}
          fetched={fetched}
        />
      </article>
    ),
  };
}

/** `contract of <buyer> with <supplier> and 3 more`. */
function nameParties({ buyer, suppliers }: Contract): string {
  const more = suppliers.length > 1 ? ` and ${suppliers.length - 1} more` : '';
  const [first] = suppliers;
  return ['contract', buyer && `of ${buyer}`, first && `with ${first.name}${more}`].filter(Boolean).join(' ');
}

/** The value and its kind, or null if none is stated. */
function moneyOf({ value, stated_value, currency, value_class, value_basis }: Contract): Money | null {
  const text = formatMoney(value ?? stated_value, currency);
  const kind = value_class && labelValueKind(value_class);
  const basis = value_basis && labelBasis(value_basis);
  return text ? { text, kind: [...new Set([kind, basis])].filter(Boolean).join(', ') } : null;
}

function figuresOf({ awarded, starts, ends }: Contract): Figure[] {
  return [
    ...dayFigure(awarded, 'awarded'),
    ...(starts && ends && starts <= ends
      ? [{ value: formatDays(starts, ends), label: `from ${formatDay(starts)} to ${formatDay(ends)}` }]
      : [...dayFigure(starts, 'starts'), ...dayFigure(ends, 'ends')]),
  ];
}

function dayFigure(day: string | undefined, label: string): Figure[] {
  return day ? [{ value: formatDay(day), label }] : [];
}

function spansOf({ starts, ends, ends_latest }: Contract): Span[] {
  return [
    ...(starts && ends ? [{ name: 'Contract', from: starts, to: ends }] : []),
    ...(ends && ends_latest && ends_latest > ends ? [{ name: 'If extended', from: ends, to: ends_latest }] : []),
  ];
}

function factsOf(contract: Contract, now: Date, cpvName: string | undefined): Fact[] {
  return [
    ['Status', nameStatus(contract, now)],
    ['Standstill until', formatDay(contract.standstill_until)],
    ['Signed', formatDay(contract.signed)],
    ['Ended early', formatDay(contract.terminated)],
    ['Cost in the end', contract.final_value && nameFinalValue(contract.final_value)],
    ['No longer a supplier', contract.former_suppliers?.join(', ')],
    ['Not included in the value', contract.value_apart && describeApart(contract.value_apart)],
    ['Where', nameRegions(contract.regions, contract.region)],
    ['Places of delivery', labelDelivery(contract.delivery_places)],
    ['CPV', contract.cpv && <Cpv code={contract.cpv} name={cpvName} />],
    ['May be extended to', nameLatestEnd(contract)],
    ['End taken from', nameEndBasis(contract)],
    ['Procedure', nameProcedure(contract)],
    ['Why so', nameReasons(contract)],
    ['Bids', nameBids(contract)],
    ['Bid and did not win', nameLosers(contract)],
    ['Published on', contract.also_on && <SourceList key="source" id={contract.source} others={contract.also_on} />],
    ['Framework', contract.framework_id && <FrameworkLink id={contract.framework_id} role={contract.framework_role} />],
  ];
}

/** What it is today; what is published, where its end is not known. */
function nameStatus({ status, stated_status, starts }: Contract, now: Date): string | undefined {
  if (status) return labelStanding(status, starts, londonDate(now));
  return stated_status && labelPlain(stated_status);
}

function nameFinalValue({ value, currency, value_basis }: NonNullable<Contract['final_value']>): string {
  return `${formatMoney(value, currency)} (${labelBasis(value_basis)})`;
}

function FrameworkLink({ id, role }: { id: string; role: string | undefined }) {
  const words = role === 'establishes' ? 'Sets up this framework' : 'Called off from this framework';
  return <a href={frameworkPath(id)}>{words}</a>;
}

/** Awards that do not count towards the value, by kind. */
function describeApart(apart: NonNullable<Contract['value_apart']>): string {
  return Object.entries(apart)
    .map(([name, { count, value, currency }]) => {
      const money = formatMoney(value, currency);
      return `${labelClass(name).toLowerCase()}: ${formatCount(count)}${money ? ` (${money})` : ''}`;
    })
    .join(' · ');
}

function Awards({ awards, whole }: { awards: Award[]; whole: string }) {
  const names = nameAwards(awards, whole);
  return (
    <section>
      <h2>The awards</h2>
      <ul class="results">
        {awards.map((award, at) => (
          <li key={award.contract_id}>
            <h3>
              <a href={contractPath(award.contract_id)}>{names[at]}</a>
            </h3>
            <p>
              {award.suppliers.length === 0 && <span class="muted">No supplier is named.</span>}
              <SupplierNames suppliers={award.suppliers} />
            </p>
            <div class="meta">
              <span>{describeValue(award)}</span>
              {award.awarded && <span>awarded {formatDay(award.awarded)}</span>}
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}

function describeValue({ value, stated_value, currency, value_class }: Award): string {
  const money = formatMoney(value ?? stated_value, currency);
  const kind = value_class && labelValueKind(value_class);
  return money ? [money, kind && `(${kind})`].filter(Boolean).join(' ') : 'value not stated';
}

/** The name of an award: its title, its lots or its suppliers, as titles often repeat. */
function nameAwards(awards: readonly Award[], whole: string): string[] {
  const lots = awards.map((award) => award.lots.map(({ title, lot_id }) => title ?? `Lot ${lot_id}`).join(', '));
  return awards.map(({ title, suppliers }, at) => {
    if (title !== whole) return title;
    const lot = lots[at] ?? '';
    const isAlone = lots.indexOf(lot) === at && lots.lastIndexOf(lot) === at;
    const supplier = suppliers[0]?.name;
    return (isAlone ? lot : [lot, supplier].filter(Boolean).join(': ')) || title;
  });
}

function Suppliers({ suppliers }: { suppliers: Contract['suppliers'] }) {
  if (suppliers.length === 0) return null;
  const list = (
    <ul class="plain">
      {suppliers.map((supplier) => (
        <li key={supplier.company_id}>
          <a href={companyPath(supplier.company_id)}>{supplier.name}</a>
          {supplier.companies_house_number && <> · Companies House {supplier.companies_house_number}</>}
          {supplier.match && <span class="muted"> · {describeMatch(supplier.match)}</span>}
        </li>
      ))}
    </ul>
  );
  return (
    <section>
      <h2>How the suppliers were identified</h2>
      {suppliers.length <= SUPPLIERS_OPEN ? (
        list
      ) : (
        <details>
          <summary>All {suppliers.length} suppliers</summary>
          {list}
        </details>
      )}
    </section>
  );
}

function describeMatch({ method, score, evidence }: NonNullable<Contract['suppliers'][number]['match']>): string {
  const how = method === 'unmatched' ? labelMatch(method) : `${labelMatch(method)}, ${Math.round(score * 100)}% sure`;
  return evidence.length > 0 ? `${how} (${formatEvidence(evidence)})` : how;
}
