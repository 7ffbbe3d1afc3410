import { londonDate } from '../../../schema/config/clocks.ts';
import { formatDay, formatMoney, formatNumbered } from '../components/format.ts';
import { labelContractStatus, labelCounted, labelProcedure } from '../components/labels.ts';
import { buyerPath, contractPath, withQuery } from '../components/links.ts';
import { SourceTitle } from '../components/source-title.ts';
import type { ContractHit, Query } from '../queries/hits.ts';
import { SupplierNames } from '../records/parts.tsx';
import { Extract } from './hit-list.tsx';

/** Periods of months in which people look for what ends. */
export const END_MONTHS = [3, 6, 12, 18] as const;

/** A list of contracts that were found. */
export function ContractHits({ hits }: { hits: readonly ContractHit[] }) {
  return (
    <ul class="results">
      {hits.map((hit) => (
        <Line key={hit.contract_id} hit={hit} />
      ))}
    </ul>
  );
}

function Line({ hit }: { hit: ContractHit }) {
  const { buyer, buyer_id, suppliers, supplier_count, status } = hit;
  return (
    <li class="hit">
      <div>
        <h2>
          <a href={contractPath(hit.contract_id)}>{hit.title}</a>
        </h2>
        {buyer && <p>Buyer: {buyer_id ? <a href={buyerPath(buyer_id)}>{buyer}</a> : buyer}</p>}
        {suppliers.length > 0 && (
          <p>
            {supplier_count === 1 ? 'Supplier' : 'Suppliers'}: <SupplierNames suppliers={suppliers} />
          </p>
        )}
        <Extract hit={hit} />
      </div>
      <Facts hit={hit} />
      <div class="meta">
        {status && <span class={status === 'active' ? 'tag good' : 'tag'}>{labelContractStatus(status)}</span>}
        {hit.awarded && <span>awarded {formatDay(hit.awarded)}</span>}
        {hit.starts && <span>starts {formatDay(hit.starts)}</span>}
        {hit.procedure && <span>{labelProcedure(hit.procedure)}</span>}
        {hit.region && <span>{hit.region}</span>}
        {hit.source && (
          <span>
            <SourceTitle id={hit.source} />
          </span>
        )}
      </div>
    </li>
  );
}

/** The value with what it counts as, and the end with the latest possible one. */
function Facts({
  hit: { value, stated_value, currency, counted_as, status, ends, ends_latest },
}: {
  hit: ContractHit;
}) {
  const money = formatMoney(value ?? stated_value, currency);
  return (
    <div class="hit-facts">
      {money ? <strong>{money}</strong> : <span class="muted">value not stated</span>}
      {money && <span class="hint">{labelCounted(counted_as)}</span>}
      {ends && (
        <span>
          {status === 'ended' ? 'ended' : 'ends'} {formatDay(ends)}
        </span>
      )}
      {ends_latest && ends_latest !== ends && <span class="hint">at the latest {formatDay(ends_latest)}</span>}
    </div>
  );
}

/** Links that narrow a search to what ends within some months from today. */
export function EndsWithin({ path, query, now }: { path: string; query: Query; now: Date }) {
  const { cursor: _, ...same } = query;
  const today = londonDate(now);
  return (
    <p class="within">
      Ends within{' '}
      {END_MONTHS.map((months) => {
        const within = { ends_from: today, ends_to: addMonths(today, months) };
        const isChosen = query.ends_from === within.ends_from && query.ends_to === within.ends_to;
        return (
          <a
            key={months}
            class="chip"
            href={withQuery(path, { ...same, ...within })}
            rel="nofollow"
            aria-current={isChosen ? 'true' : undefined}
          >
            {formatNumbered(months, 'month')}
          </a>
        );
      })}
    </p>
  );
}

/** The same day some months later, or the last one of a shorter month. @param day - `YYYY-MM-DD` */
export function addMonths(day: string, months: number): string {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  const last = new Date(Date.UTC(year, month + months, 0)).getUTCDate();
  return new Date(Date.UTC(year, month - 1 + months, Math.min(date, last))).toISOString().slice(0, 10);
}
