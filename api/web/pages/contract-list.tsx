import type { ComponentChildren } from 'preact';
import type { z } from 'zod';
import type { issuedItem, wonItem } from '../../operations/shared/contract-shapes.ts';
import { formatDay, formatMoney, formatNumbered } from '../format.ts';
import { labelSource, labelValueKind } from '../labels.ts';
import { buyerPath, contractPath, withQuery } from '../links.ts';
import { SupplierNames } from '../trail.tsx';

type Won = z.input<typeof wonItem>;
type Issued = z.input<typeof issuedItem>;

/** Contracts a company won: the buyer is what one wants to know. */
export function WonList({ items }: { items: readonly Won[] }) {
  return (
    <ul class="results">
      {items.map((item) => (
        <Line key={item.contract_id} item={item}>
          {item.buyer && <p>{item.buyer_id ? <a href={buyerPath(item.buyer_id)}>{item.buyer}</a> : item.buyer}</p>}
          {item.supplier_count && (
            <p class="muted small">shared by {formatNumbered(item.supplier_count, 'supplier')}</p>
          )}
        </Line>
      ))}
    </ul>
  );
}

/** Contracts of a buyer or a framework: the suppliers are what one wants to know. */
export function IssuedList({ items }: { items: readonly Issued[] }) {
  return (
    <ul class="results">
      {items.map((item) => (
        <Line key={item.contract_id} item={item}>
          {item.suppliers.length > 0 && (
            <p>
              <SupplierNames suppliers={item.suppliers} />
            </p>
          )}
        </Line>
      ))}
    </ul>
  );
}

function Line({ item, children }: { item: Won | Issued; children: ComponentChildren }) {
  const money = formatMoney(item.value ?? item.stated_value, item.currency);
  const kind = item.value_class && labelValueKind(item.value_class);
  return (
    <li>
      <h3>
        <a href={contractPath(item.contract_id)}>{item.title}</a>
      </h3>
      {children}
      <div class="meta">
        <span>{money ? [money, kind && ` (${kind})`] : 'value not stated'}</span>
        {item.awarded && <span>awarded {formatDay(item.awarded)}</span>}
        {item.ends && <span>ends {formatDay(item.ends)}</span>}
        {item.region && <span>{item.region}</span>}
        {item.source && <span>{labelSource(item.source)}</span>}
        {item.warnings && item.warnings.length > 0 && <span class="tag warn">{item.warnings[0]}</span>}
      </div>
    </li>
  );
}

/** The way to the first and the next page of a list; the address alone says which page it is. */
export function Pages(props: { path: string; query: Record<string, string>; next: string | null | undefined }) {
  const { cursor, ...first } = props.query;
  if (!props.next && !cursor) return null;
  return (
    <nav class="pages" aria-label="Pages">
      {cursor && <a href={withQuery(props.path, first)}>First page</a>}
      {props.next && (
        <a href={withQuery(props.path, { ...first, cursor: props.next })} rel="next">
          Next page
        </a>
      )}
    </nav>
  );
}
