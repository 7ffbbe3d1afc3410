import type { VNode } from 'preact';
import type { z } from 'zod';
import type { region, related, supplier } from '../../operations/shared/notice-shapes.ts';
import type { incumbent, successor } from '../../operations/shared/successions.ts';
import { daysUntil, formatDay, formatEvidence } from '../components/format.ts';
import { buyerPath, companyPath, contractPath, noticePath, withQuery } from '../components/links.ts';
import { SourceTitle } from '../components/source-title.ts';

/** The same procurement on the other service, and how we know. */
export function Related({ related: found }: { related: z.input<typeof related>[] | undefined }) {
  if (!found || found.length === 0) return null;
  return (
    <section>
      <h2>The same procurement elsewhere</h2>
      <ul class="plain">
        {found.map(({ notice_id, title, source, published, match, counted_once }) => (
          <li key={notice_id}>
            <a href={noticePath(notice_id)}>{title}</a> on <SourceTitle id={source} />
            {published && `, since ${formatDay(published)}`}
            <span class="muted small">
              {' '}
              {match.method === 'identifier' ? 'Named there' : `${Math.round(match.score * 100)}% sure`} (
              {formatEvidence(match.evidence)}). {counted_once && 'Its awards are counted once.'}
              {/* Where one names the other and nothing is awarded yet, the notices may be found and counted once too. */}
              {!counted_once && match.method !== 'identifier' && 'Counted separately.'}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** A CPV code, with what it means where that is known. */
export function Cpv({ code, name }: { code: string; name?: string | undefined }) {
  return (
    <>
      <a href={withQuery('/notices', { cpv: code })}>{code}</a> {name}
    </>
  );
}

/** Who holds now what a notice asks for, and how we know. */
export function Incumbents({ incumbents }: { incumbents: z.input<typeof incumbent>[] | undefined }) {
  if (!incumbents || incumbents.length === 0) return null;
  return (
    <section>
      <h2>Who holds it now</h2>
      <ul class="plain">
        {incumbents.map(({ contract_id, title, suppliers, ends, ends_latest, score, evidence }) => (
          <li key={contract_id}>
            <a href={contractPath(contract_id)}>{title}</a>
            {suppliers.length > 0 && ' with '}
            <SupplierNames suppliers={suppliers} />
            {ends && `, until ${formatDay(ends)}`}
            {ends_latest && `, at most ${formatDay(ends_latest)}`}
            <Grounds score={score} evidence={evidence} />
          </li>
        ))}
      </ul>
    </section>
  );
}

/** What the buyer bought after a contract, and how we know. */
export function Successors({ successors }: { successors: z.input<typeof successor>[] | undefined }) {
  if (!successors || successors.length === 0) return null;
  return (
    <section>
      <h2>What came after</h2>
      <ul class="plain">
        {successors.map(({ notice_id, title, published, score, evidence }) => (
          <li key={notice_id}>
            <a href={noticePath(notice_id)}>{title}</a>
            {published && `, since ${formatDay(published)}`}
            <Grounds score={score} evidence={evidence} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function Grounds({ score, evidence }: { score: number; evidence: string[] }) {
  return (
    <span class="muted small">
      {' '}
      {Math.round(score * 100)}% sure ({formatEvidence(evidence)}).
    </span>
  );
}

type Named = Pick<z.input<typeof supplier>, 'company_id' | 'name'>;
const NAMED_MAX = 4;

/** A buyer's name, a link to its page if it has one. */
export function nameBuyer({ buyer, buyer_id }: { buyer?: string | null | undefined; buyer_id?: string | undefined }) {
  return buyer && buyer_id ? <a href={buyerPath(buyer_id)}>{buyer}</a> : buyer;
}

/** The first few suppliers by name, each a link, and how many more there are. */
export function SupplierNames({ suppliers }: { suppliers: readonly Named[] }) {
  const shown = suppliers.slice(0, NAMED_MAX);
  const more = suppliers.length - shown.length;
  return (
    <>
      {shown.map(({ company_id, name }, at) => (
        <span key={company_id}>
          {at > 0 && ', '}
          <a href={companyPath(company_id)}>{name}</a>
        </span>
      ))}
      {more > 0 && ` and ${more} more`}
    </>
  );
}

/** A formatted amount, and its kind. */
export interface Money {
  text: string;
  kind: string;
}

/** Who won and for how much, in one line. */
export function Awarded({ suppliers, money }: { suppliers: readonly Named[]; money: Money | null }) {
  return (
    <>
      {suppliers.length > 0 ? (
        <>
          Awarded to <SupplierNames suppliers={suppliers} />
        </>
      ) : (
        'No supplier is named'
      )}
      {' · '}
      {money ? <strong>{money.text}</strong> : 'value not stated'}
      {money?.kind && ` (${money.kind})`}
    </>
  );
}

/** The names of the regions without repeats, or null if there are none. */
export function nameRegions(
  regions: z.input<typeof region>[] | undefined,
  fallback?: string | null | undefined,
): string | null {
  const names = new Set(regions?.map(({ name, code }) => (code && code !== name ? `${name} (${code})` : name)));
  return names.size > 0 ? [...names].join(', ') : (fallback ?? null);
}

/** Whether suppliers can join a dynamic market. @param until - its last day, if one is published */
export function describeMarket(until: string | null | undefined, now: Date): string {
  if (!until) return 'Open to applications, no end date is stated';
  return daysUntil(until, now) < 0 ? `Closed since ${formatDay(until)}` : `Open, apply until ${formatDay(until)}`;
}

const LIST_OPEN = 8;

/** A list. Its first items are visible, the rest unfold. */
export function Unfolding({ items }: { items: VNode[] }) {
  const rest = items.slice(LIST_OPEN);
  return (
    <>
      <ul class="plain">{items.slice(0, LIST_OPEN)}</ul>
      {rest.length > 0 && (
        <details>
          <summary>{rest.length} more</summary>
          <ul class="plain">{rest}</ul>
        </details>
      )}
    </>
  );
}
