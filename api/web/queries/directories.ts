import type { z } from 'zod';
import type { Services } from '../../contract/operation.ts';
import { searchBuyers } from '../../operations/search/buyers.ts';
import { searchCompanies } from '../../operations/search/companies.ts';
import { labelBuyerKind } from '../components/labels.ts';
import { type Outcome, readQuery, refuseWords, runForPage } from './run-operation.ts';

/** A company or a buyer in a directory. */
export interface DirectoryEntry {
  id: string;
  name: string;
  /** Facts that distinguish it from others with its name. */
  facts: readonly (string | null | undefined)[];
  /** In the register; absent for buyers. */
  status?: string | undefined;
  contractCount: number;
  frameworkPlaces: number;
  /** The sum of its contracts whose values may be added up, in pounds. */
  value?: number | undefined;
  lastAward?: string | undefined;
  openTenders?: number | undefined;
}

export interface DirectoryPage {
  entries: readonly DirectoryEntry[];
  total: number;
  /** False where there may be more than `total`. */
  exact: boolean;
  next: string | null;
}

type FoundDirectory = { page: DirectoryPage; faults: readonly string[] } | { page: null; faults: string[] };

type Input = Readonly<Record<string, string>>;

/** Lists companies, or buyers, with the API's operation. */
export async function listDirectory(
  services: Services,
  kind: 'company' | 'buyer',
  query: Input,
): Promise<FoundDirectory> {
  const faults = refuseWords(query.query);
  if (faults.length > 0) return { page: null, faults };
  if (kind === 'company') {
    return toPage(await runForPage(searchCompanies, readQuery(searchCompanies, query), services), ofCompany);
  }
  return toPage(await runForPage(searchBuyers, readQuery(searchBuyers, query), services), ofBuyer);
}

interface Body<One> {
  items: readonly One[];
  total: number;
  total_is: 'exact' | 'at_least';
  next_cursor: string | null;
}

function toPage<One>(found: Outcome<Body<One>>, toEntry: (one: One) => DirectoryEntry): FoundDirectory {
  if (found.kind === 'refused') return { page: null, faults: found.faults };
  if (found.kind === 'nothing') return { page: null, faults: [found.message] };
  const { items, total, total_is, next_cursor: next } = found.body;
  return { page: { entries: items.map(toEntry), total, exact: total_is === 'exact', next }, faults: [] };
}

type Company = z.input<typeof searchCompanies.output>['items'][number];
type Buyer = z.input<typeof searchBuyers.output>['items'][number];
const SIC_SHOWN = 3;

function ofCompany(one: Company): DirectoryEntry {
  const { id, name, companies_house_number, status, region, locality, is_sme, sic_code_list: codes } = one;
  return {
    id,
    name,
    status,
    facts: [
      companies_house_number,
      [locality?.toLowerCase() !== region?.toLowerCase() && locality, region].filter(Boolean).join(', '),
      is_sme && 'small or medium-sized',
      codes.length > 0 && `SIC ${codes.slice(0, SIC_SHOWN).join(', ')}`,
    ].map((fact) => fact || null),
    contractCount: one.contract_count,
    frameworkPlaces: one.framework_places,
    value: one.value,
    lastAward: one.last_award,
  };
}

function ofBuyer({ buyer_id, name, kind, region, value, ...counts }: Buyer): DirectoryEntry {
  return {
    id: buyer_id,
    name,
    facts: [kind && labelBuyerKind(kind), region],
    contractCount: counts.contract_count,
    frameworkPlaces: counts.framework_places,
    value,
    openTenders: counts.live_tender_count,
  };
}
