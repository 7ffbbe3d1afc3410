import { formatCount, formatDay, formatMoney, formatNumbered } from '../components/format.ts';
import { labelPlain } from '../components/labels.ts';
import { Heading, joinTitle, type Page } from '../components/layout.tsx';
import { buyerPath, frameworkPath, withQuery } from '../components/links.ts';
import { Pages, SearchBox } from '../components/parts.tsx';
import { SourceList } from '../components/source-title.ts';
import type { FoundFrameworks, Frameworks } from '../queries/frameworks.ts';
import type { Query } from '../queries/hits.ts';
import { matchesAll } from './addresses.ts';
import { SomeWords } from './some-words.tsx';

interface FrameworkSearch extends FoundFrameworks {
  query: Query;
}

/** The page of the framework search. */
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
        <SearchBox
          action="/frameworks"
          value={words}
          label="Words in a framework, or its reference"
          hint="Words or a reference"
        />
        {faults.map((fault) => (
          <p key={fault} class="note bad" role="alert">
            {fault}
          </p>
        ))}
        {results?.some && (
          <SomeWords path="/frameworks" query={query} what="framework" some={results.some}>
            <FrameworkList items={results.some.items} />
          </SomeWords>
        )}
        {results && !results.some && (
          <>
            <div class="found-bar">
              <p class="muted">
                {results.exact ? '' : 'At least '}
                {formatNumbered(results.total, 'framework')}
              </p>
              {results.items.length > 0 && matchesAll(query) && (
                <ul>
                  <li>
                    <a href={withQuery('/dashboard/exports/new', exportOf(query))} rel="nofollow">
                      Download
                    </a>
                  </li>
                </ul>
              )}
            </div>
            <FrameworkList items={results.items} />
            <Pages path="/frameworks" query={query} next={results.next} />
          </>
        )}
      </>
    ),
  };
}

/** The fields of an export of the results. */
function exportOf({ query, cursor: _, sort: __, ...filters }: Query): Query {
  return { dataset: 'frameworks', ...(query && query !== '*' && { query }), ...filters };
}

/** A list of frameworks. @param level - of their headings, one below the section's */
export function FrameworkList({ items, level = 2 }: { items: Frameworks['items']; level?: 2 | 3 }) {
  return (
    <ul class="results">
      {items.map((item) => (
        <Line key={item.framework_id} item={item} level={level} />
      ))}
    </ul>
  );
}

function Line({ item, level }: { item: Frameworks['items'][number]; level: 2 | 3 }) {
  const Title = level === 2 ? 'h2' : 'h3';
  const ceiling = formatMoney(item.ceiling, item.currency);
  return (
    <li>
      <Title>
        <a href={frameworkPath(item.framework_id)}>{item.title}</a>
      </Title>
      {item.buyer && <p>{item.buyer_id ? <a href={buyerPath(item.buyer_id)}>{item.buyer}</a> : item.buyer}</p>}
      <div class="meta">
        <span>{labelPlain(item.kind)}</span>
        {item.lot_count > 0 && <span>{formatNumbered(item.lot_count, 'lot')}</span>}
        <span>
          {formatCount(item.supplier_count)} supplier{item.supplier_count === 1 ? '' : 's'}
        </span>
        {ceiling && <span>ceiling {ceiling}</span>}
        {item.ends && <span>ends {formatDay(item.ends)}</span>}
        <span>{item.source && <SourceList ids={[item.source, ...(item.also_on ?? [])]} />}</span>
      </div>
    </li>
  );
}
