import type { z } from 'zod';
import type { frameworkItem } from '../../operations/shared/framework-shapes.ts';
import type { Query } from '../find-hits.ts';
import { formatCount, formatDay, formatMoney, formatNumbered } from '../format.ts';
import { labelPlain, labelSource } from '../labels.ts';
import { Heading, joinTitle, type Page } from '../layout.tsx';
import { buyerPath, frameworkPath } from '../links.ts';
import { SearchBox } from '../parts.tsx';
import { Pages } from './contract-list.tsx';
import { SomeWords } from './some-words.tsx';

type Item = z.input<typeof frameworkItem>;

interface Frameworks {
  items: readonly Item[];
  total: number;
  exact: boolean;
  next: string | null;
}

export interface FrameworkSearch {
  query: Query;
  results: (Frameworks & { some?: Frameworks }) | null;
  faults: readonly string[];
}

export function frameworksPage({ query, results, faults }: FrameworkSearch): Page {
  const words = query.query === '*' ? '' : (query.query ?? '');
  return {
    title: joinTitle(words, 'Frameworks', query.cursor && 'further results'),
    section: 'frameworks',
    body: (
      <>
        <Heading title="Frameworks">
          {!words && (
            <p class="lead">
              Agreements and dynamic markets that public bodies buy through: their lots, suppliers and call-offs.
            </p>
          )}
        </Heading>
        <SearchBox action="/frameworks" value={words} label="Words in a framework, or its reference" />
        {faults.map((fault) => (
          <p key={fault} class="note bad" role="alert">
            {fault}
          </p>
        ))}
        {results?.some && (
          <SomeWords path="/frameworks" query={query} what="framework" some={results.some}>
            <List items={results.some.items} />
          </SomeWords>
        )}
        {results && !results.some && (
          <>
            <p class="muted">
              {results.exact ? '' : 'At least '}
              {formatNumbered(results.total, 'framework')}
            </p>
            <List items={results.items} />
            <Pages path="/frameworks" query={query} next={results.next} />
          </>
        )}
      </>
    ),
  };
}

function List({ items }: { items: readonly Item[] }) {
  return (
    <ul class="results">
      {items.map((item) => (
        <Line key={item.framework_id} item={item} />
      ))}
    </ul>
  );
}

function Line({ item }: { item: Item }) {
  const ceiling = formatMoney(item.ceiling, item.currency);
  return (
    <li>
      <h2>
        <a href={frameworkPath(item.framework_id)}>{item.title}</a>
      </h2>
      {item.buyer && <p>{item.buyer_id ? <a href={buyerPath(item.buyer_id)}>{item.buyer}</a> : item.buyer}</p>}
      <div class="meta">
        <span>{labelPlain(item.kind)}</span>
        {item.lot_count > 0 && <span>{formatNumbered(item.lot_count, 'lot')}</span>}
        <span>
          {formatCount(item.supplier_count)} supplier{item.supplier_count === 1 ? '' : 's'}
        </span>
        {ceiling && <span>ceiling {ceiling}</span>}
        {item.ends && <span>ends {formatDay(item.ends)}</span>}
        <span>{item.source && labelSource(item.source)}</span>
      </div>
    </li>
  );
}
