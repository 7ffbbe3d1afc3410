import { londonDate } from '../../../schema/config/clocks.ts';
import { formatMoney } from '../../../schema/text/money.ts';
import { formatDay, formatEnd, formatStart } from '../components/format.ts';
import { labelCounted, labelProcedure, labelStanding } from '../components/labels.ts';
import { contractPath } from '../components/links.ts';
import { SourceList } from '../components/source-title.ts';
import type { ContractHit } from '../queries/hits.ts';
import { nameBuyer, SupplierNames } from '../records/parts.tsx';
import { Extract } from './hit-list.tsx';

/** A list of contracts that were found, with where each stands on the London day of `now`. @param level - of their headings */
export function ContractHits(props: { hits: readonly ContractHit[]; now: Date; level?: 2 | 3 }) {
  const { hits, now, level = 2 } = props;
  const today = londonDate(now);
  return (
    <ul class="results">
      {hits.map((hit) => (
        <Line key={hit.contract_id} hit={hit} today={today} level={level} />
      ))}
    </ul>
  );
}

function Line({ hit, today, level }: { hit: ContractHit; today: string; level: 2 | 3 }) {
  const Title = level === 2 ? 'h2' : 'h3';
  const { suppliers, supplier_count } = hit;
  return (
    <li class="hit">
      <div>
        <Title>
          <a href={contractPath(hit.contract_id)}>{hit.title}</a>
        </Title>
        {hit.buyer && <p>Buyer: {nameBuyer(hit)}</p>}
        {suppliers.length > 0 && (
          <p>
            {supplier_count === 1 ? 'Supplier' : 'Suppliers'}: <SupplierNames suppliers={suppliers} />
          </p>
        )}
        <Extract hit={hit} />
      </div>
      <Facts hit={hit} today={today} />
      <div class="meta">
        <Standing hit={hit} today={today} />
        {hit.awarded && <span>awarded {formatDay(hit.awarded)}</span>}
        {hit.starts && <span>{formatStart(hit.starts, today)}</span>}
        {hit.procedure && hit.procedure !== 'other' && (
          <span>procedure: {labelProcedure(hit.procedure).toLowerCase()}</span>
        )}
        {hit.region && <span>{hit.region}</span>}
        {hit.source && (
          <span>
            <SourceList id={hit.source} others={hit.also_on} />
          </span>
        )}
      </div>
    </li>
  );
}

function Standing({ hit: { status, starts }, today }: { hit: ContractHit; today: string }) {
  if (!status) return null;
  const isRunning = status === 'active' && !(starts && starts > today);
  return <span class={isRunning ? 'tag good' : 'tag'}>{labelStanding(status, starts, today)}</span>;
}

/** The value with what it counts as, and the end with the latest possible one. */
function Facts({ hit, today }: { hit: ContractHit; today: string }) {
  const { value, stated_value, currency, counted_as, ends, ends_latest } = hit;
  const money = formatMoney(value ?? stated_value, currency);
  return (
    <div class="hit-facts">
      {money ? <strong>{money}</strong> : <span class="muted">value not stated</span>}
      {money && <span class="hint">{labelCounted(counted_as)}</span>}
      {ends && <span>{formatEnd(ends, today)}</span>}
      {ends_latest && ends_latest !== ends && <span class="hint">or {formatDay(ends_latest)} if extended</span>}
    </div>
  );
}
