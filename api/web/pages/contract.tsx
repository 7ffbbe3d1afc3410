import type { z } from 'zod';
import type { contractAnswer } from '../../operations/shared/contract-shapes.ts';
import { formatDay, formatMoney, formatNumbered, splitParagraphs } from '../format.ts';
import { labelBasis, labelMatch, labelPlain, labelValueKind } from '../labels.ts';
import { Heading, joinTitle, type Page } from '../layout.tsx';
import { buyerPath, companyPath, contractPath, frameworkPath, noticePath, withQuery } from '../links.ts';
import { Facts, Warnings } from '../parts.tsx';
import { NoticeTrail, nameRegions, Provenance, Related, SupplierNames } from '../trail.tsx';
import { History } from './history.tsx';

type Contract = z.input<typeof contractAnswer>;
type Award = Contract['awards'][number];

const SUPPLIERS_OPEN = 12;

export function contractPage(contract: Contract): Page {
  const { title, buyer, awards } = contract;
  return {
    title: joinTitle(title, nameParties(contract)),
    description: [buyer, contract.supplier].filter(Boolean).join(' and '),
    section: 'notices',
    body: (
      <article>
        <Heading kind={awards.length > 1 ? formatNumbered(awards.length, 'award') : 'Contract'} title={title}>
          <p class="lead">
            {buyer && <Link href={contract.buyer_id && buyerPath(contract.buyer_id)}>{buyer}</Link>}
            {buyer && contract.suppliers.length > 0 && ' with '}
            <SupplierNames suppliers={contract.suppliers} />
          </p>
        </Heading>
        <Warnings warnings={contract.warnings} />
        <Facts facts={factsOf(contract)} />
        <Description text={contract.description} />
        {awards.length > 1 && <Awards awards={awards} whole={title} />}
        <Suppliers suppliers={contract.suppliers} />
        <History history={contract.history} />
        <Changes changes={contract.changes} />
        <NoticeTrail notices={contract.notices} />
        <Related related={contract.related} />
        <Provenance url={contract.url} source={contract.source} ocid={contract.ocid} />
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

function factsOf(contract: Contract) {
  const money = formatMoney(contract.value ?? contract.stated_value, contract.currency);
  const kind = contract.value_class && labelValueKind(contract.value_class);
  const basis = contract.value_basis && labelBasis(contract.value_basis);
  const words = [...new Set([kind, basis])].filter(Boolean).join(', ');
  return [
    ['Value', money ? [money, words && ` (${words})`] : 'not stated'],
    ['Awarded', formatDay(contract.awarded)],
    ['Signed', formatDay(contract.signed)],
    ['Starts', formatDay(contract.starts)],
    ['Ends', formatDay(contract.ends)],
    ['State', contract.status && labelPlain(contract.status)],
    ['Where', nameRegions(contract.regions, contract.region)],
    ['CPV', contract.cpv && <a href={withQuery('/notices', { cpv: contract.cpv })}>{contract.cpv}</a>],
    ['Procedure', contract.procedure],
    [
      'Framework',
      contract.framework_id && (
        <a href={frameworkPath(contract.framework_id)}>
          {contract.framework_role === 'establishes' ? 'Sets up this framework' : 'Called off from this framework'}
        </a>
      ),
    ],
  ] as const;
}

function Description({ text }: { text: string | undefined }) {
  if (!text) return null;
  return (
    <section>
      <h2>What it is for</h2>
      {splitParagraphs(text).map((paragraph, at) => (
        <p key={at}>{paragraph}</p>
      ))}
    </section>
  );
}

function Awards({ awards, whole }: { awards: Award[]; whole: string }) {
  return (
    <section>
      <h2>The awards</h2>
      <ul class="results">
        {awards.map((award) => (
          <li key={award.contract_id}>
            <h3>
              <a href={contractPath(award.contract_id)}>{nameAward(award, whole)}</a>
            </h3>
            <p>
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

/** What tells an award from its neighbours: many carry the title of the whole. */
function nameAward({ title, lots, suppliers }: Award, whole: string): string {
  if (title !== whole) return title;
  const lot = lots.map((each) => each.title ?? `Lot ${each.lot_id}`).join(', ');
  return lot || suppliers[0]?.name || title;
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
  return evidence.length > 0 ? `${how} (${evidence.join('; ')})` : how;
}

function Changes({ changes }: { changes: Contract['changes'] }) {
  if (!changes || changes.length === 0) return null;
  return (
    <section>
      <h2>Changes</h2>
      <ul class="plain">
        {changes.map(({ notice_id, date, description, proposed }) => (
          <li key={notice_id + date}>
            <a href={noticePath(notice_id)}>{formatDay(date)}</a>
            {proposed && ' (proposed, not signed)'}
            {description && `: ${description}`}
          </li>
        ))}
      </ul>
    </section>
  );
}

/** A link where there is somewhere to go. */
function Link({ href, children }: { href: string | undefined; children: string }) {
  return href ? <a href={href}>{children}</a> : <span>{children}</span>;
}
