import { londonDate } from '../../../schema/config/clocks.ts';
import { formatMoney } from '../../../schema/text/money.ts';
import type { Services } from '../../contract/operation.ts';
import { formatDay, formatEnd } from '../components/format.ts';
import { labelCounted, labelStage, labelStanding } from '../components/labels.ts';
import { contractPath, noticePath } from '../components/links.ts';
import type { SourceTitles } from '../components/source-title.ts';
import { type ContractHit, type FoundHits, findHits, type Hit, type Query, type Scope } from '../queries/hits.ts';

/** The searches that are feeds too. */
export type FeedScope = Exclude<Scope, 'frameworks'>;

/** What a feed says of one result. */
export interface FeedEntry {
  /** Of its page. */
  path: string;
  /** What distinguishes it from others with this page: a notice can belong to several processes. */
  part?: string | undefined;
  title: string;
  summary: string;
  date: Date;
  buyer: string | null | undefined;
}

interface FeedOptions {
  limit: number;
  titles: SourceTitles;
}

/** The newest results of a search: notices by their publication, contracts by their award. */
export async function findEntries(
  services: Services,
  scope: FeedScope,
  query: Query,
  { limit, titles }: FeedOptions,
): Promise<FoundHits<FeedEntry>> {
  const today = londonDate(services.clocks.catalogueNow());
  if (scope === 'contracts') {
    const found = await findHits(services, scope, { ...query, sort: '-awarded' }, { limit });
    return mapFound(found, (hit) => ofContract(hit, today, titles));
  }
  const found = await findHits(services, scope, { ...query, sort: '-published' }, { limit });
  return mapFound(found, (hit) => ofNotice(hit, today, titles));
}

function mapFound<One>({ results, faults }: FoundHits<One>, toEntry: (hit: One) => FeedEntry): FoundHits<FeedEntry> {
  if (!results) return { results, faults };
  const { some: _, ...rest } = results;
  return { results: { ...rest, items: results.items.map(toEntry) }, faults };
}

function ofNotice(hit: Hit, today: string, titles: SourceTitles): FeedEntry {
  const { stage, value, currency, region, deadline, tender_expected: expected, source, extract } = hit;
  const facts = [
    stage && labelStage(stage),
    deadline && `${deadline < today ? 'closed' : 'closes'} ${formatDay(deadline)}`,
    expected && `tender expected ${formatDay(expected)}`,
    formatMoney(value, currency),
    region,
    nameSource(source, titles),
  ];
  return {
    path: noticePath(hit.notice_id),
    part: hit.ocid,
    title: hit.title,
    summary: summarise(facts, extract),
    date: new Date(hit.published_at ?? `${hit.published}T00:00:00Z`),
    buyer: hit.buyer,
  };
}

function ofContract(hit: ContractHit, today: string, titles: SourceTitles): FeedEntry {
  const { supplier, status, starts, ends, region, source, extract } = hit;
  const facts = [
    supplier,
    sayMoney(hit),
    status && labelStanding(status, starts, today).toLowerCase(),
    ends && formatEnd(ends, today),
    region,
    nameSource(source, titles),
  ];
  return {
    path: contractPath(hit.contract_id),
    title: hit.title,
    summary: summarise(facts, extract),
    date: new Date(`${hit.dated}T00:00:00Z`),
    buyer: hit.buyer,
  };
}

/** The value of a contract, and why it is in no total. */
function sayMoney({ value, stated_value, currency, counted_as }: ContractHit): string | null {
  const money = formatMoney(value ?? stated_value, currency);
  return money && counted_as !== 'sum' ? `${money} (${labelCounted(counted_as)})` : money;
}

function summarise(facts: readonly (string | null | undefined)[], extract: string | undefined): string {
  return [facts.filter(Boolean).join(', '), extract].filter(Boolean).join(' - ');
}

function nameSource(source: string | undefined, titles: SourceTitles): string | undefined {
  return source && (titles.get(source) ?? source);
}
