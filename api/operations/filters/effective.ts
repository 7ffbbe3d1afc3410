import type { Database } from '../../../schema/db/interface.ts';
import { cpvBranch } from '../../../schema/reference/cpv.ts';
import { codeOfRegionName, isRegionName, regionOfCode } from '../../../schema/reference/regions.ts';
import type { SearchFilters } from '../../../search/engine.ts';
import { lookUpBuyer } from '../find/organisation.ts';

type Undefinable<T> = { [K in keyof T]?: T[K] | undefined };
type Several = 'cpv' | 'region' | 'source' | 'notice_type' | 'stage';

/** Filters as a caller gives them: several values are one text with commas between. */
export type GivenFilters = Undefinable<Omit<SearchFilters, Several> & Record<Several, string>>;

/**
 * Filters as they are applied: any identifier of a buyer becomes its buyer_id, a region takes the form in which it is kept, and a
 * CPV code stands for its branch.
 */
export async function effectiveFilters(catalogue: Database, given: GivenFilters): Promise<SearchFilters> {
  const { buyer_id, cpv, region, source, notice_type, stage, ...same } = given;
  const buyer = buyer_id === undefined ? undefined : await lookUpBuyer(catalogue, buyer_id);
  const lists = {
    cpv: cpv && unique(splitList(cpv).map(cpvBranch)),
    region: region && unique(splitRegions(region).map(keptRegion)),
    source: source && unique(splitList(source)),
    notice_type: notice_type && unique(splitList(notice_type)),
    stage: stage && unique(splitList(stage)),
  };
  const all = { ...(buyer_id !== undefined && { buyer_id: buyer?.id ?? buyer_id }), ...lists, ...same };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined && value !== ''));
}

/** Filters as an answer tells them: several values with commas between. */
export function sayFilters(filters: SearchFilters): Record<string, string | number> {
  return Object.fromEntries(
    Object.entries(filters).map(([name, value]) => [name, Array.isArray(value) ? value.join(',') : value]),
  ) as Record<string, string | number>;
}

/** The values of a list with commas between. */
export function splitList(list: string): string[] {
  return list
    .split(',')
    .map((value) => value.trim())
    .filter(Boolean);
}

/** Names of regions may hold a comma themselves (Bristol, City of); what holds no region at all is one name. */
export function splitRegions(text: string): string[] {
  const parts = splitList(text);
  const regions: string[] = [];
  for (let at = 0; at < parts.length; at++) {
    const both = `${parts[at]}, ${parts[at + 1]}`;
    const isOne = at + 1 < parts.length && isRegion(both);
    regions.push(isOne ? both : (parts[at] ?? ''));
    if (isOne) at++;
  }
  return regions.some(isRegion) ? regions : [text.trim()];
}

function isRegion(text: string): boolean {
  return isRegionName(text) || regionOfCode(text) !== null;
}

/** A code as regions are kept under it (`UKI3` for `TLI3`), a region's name as its code, which finds what lies in it too. */
function keptRegion(region: string): string {
  return codeOfRegionName(region) ?? regionOfCode(region)?.code ?? region;
}

function unique(values: string[]): string[] {
  return [...new Set(values)];
}
