import type { z } from 'zod';
import type { frameworkAnswer } from '../../operations/shared/framework-shapes.ts';
import { formatDay, formatMoney, formatNumbered, splitParagraphs } from '../format.ts';
import { labelPlain } from '../labels.ts';
import { Heading, joinTitle, type Page } from '../layout.tsx';
import { buyerPath, companyPath, frameworkPath, noticePath, withQuery } from '../links.ts';
import { type Fact, Facts, Warnings } from '../parts.tsx';
import { nameRegions, Provenance } from '../trail.tsx';
import { IssuedList, Pages } from './contract-list.tsx';

type Framework = z.input<typeof frameworkAnswer>;

/** @param cursor - which page of its call-offs is shown; absent for the first. */
export function frameworkPage(framework: Framework, cursor?: string): Page {
  const { title, buyer, buyer_id } = framework;
  return {
    title: joinTitle(title, buyer, labelPlain(framework.kind)),
    description: `Lots, suppliers and call-offs of ${title}`,
    section: 'frameworks',
    body: (
      <article>
        <Heading kind={labelPlain(framework.kind)} title={title}>
          {buyer && <p class="lead">{buyer_id ? <a href={buyerPath(buyer_id)}>{buyer}</a> : buyer}</p>}
        </Heading>
        <Warnings warnings={framework.warnings} />
        <Facts facts={factsOf(framework)} />
        {framework.description && (
          <section>
            <h2>What it covers</h2>
            {splitParagraphs(framework.description).map((paragraph, at) => (
              <p key={at}>{paragraph}</p>
            ))}
          </section>
        )}
        <FrameworkLots lots={framework.lots} currency={framework.currency} />
        <section>
          <h2>Call-offs</h2>
          <CallOffs framework={framework} cursor={cursor} />
        </section>
        <Provenance url={framework.url} source={framework.source} ocid={framework.ocid} />
      </article>
    ),
  };
}

function factsOf(framework: Framework): Fact[] {
  const ceiling = formatMoney(framework.ceiling, framework.currency);
  return [
    ['Starts', formatDay(framework.starts)],
    ['Ends', formatDay(framework.ends)],
    ['May be extended to', formatDay(framework.extends_to)],
    ['Ceiling', ceiling && `${ceiling} over all call-offs together`],
    ['Who may use it', framework.who_may_use],
    ['Where', nameRegions(framework.regions, framework.region)],
    ['Most suppliers', framework.max_suppliers ? String(framework.max_suppliers) : null],
    ['References', framework.references?.join(', ')],
    ['CPV', framework.cpv && <a href={withQuery('/notices', { cpv: framework.cpv })}>{framework.cpv}</a>],
    ['Set up by notice', <a href={noticePath(framework.notice_id)}>{framework.notice_id}</a>],
    ['Recognised by', framework.evidence.map(labelPlain).join(', ')],
  ];
}

function FrameworkLots({ lots, currency }: { lots: Framework['lots']; currency: string | undefined }) {
  if (lots.length === 0) return null;
  return (
    <section>
      <h2>{lots.length === 1 ? 'Suppliers' : 'Lots and their suppliers'}</h2>
      <ul class="results">
        {lots.map(({ lot_id, title, value, suppliers }) => (
          <li key={lot_id}>
            <h3>{title || `Lot ${lot_id}`}</h3>
            {value !== undefined && <p class="muted">{formatMoney(value, currency)}</p>}
            {suppliers.length === 0 && <p class="muted">No supplier is named.</p>}
            <ul class="names">
              {suppliers.map(({ company_id, name }) => (
                <li key={company_id}>
                  <a href={companyPath(company_id)}>{name}</a>
                </li>
              ))}
            </ul>
          </li>
        ))}
      </ul>
    </section>
  );
}

function CallOffs({ framework, cursor }: { framework: Framework; cursor: string | undefined }) {
  const { call_off_count: count, call_offs: shown } = framework;
  if (count === 0) return <p>No contract called off from it is held.</p>;
  return (
    <>
      <p>{formatNumbered(count, 'contract')} called off, newest first.</p>
      <IssuedList items={shown} />
      <Pages
        path={frameworkPath(framework.framework_id)}
        query={cursor ? { cursor } : {}}
        next={framework.next_cursor}
      />
    </>
  );
}
