import type { Region } from '../../schema/reference/regions.ts';
import type { SearchDocument } from '../engine.ts';
import type { FacetName } from '../filters/facets.ts';
import { valueInPounds } from './from-row.ts';

/** Lower edges in pounds; a band is named after them (`100000-999999`). */
export const BAND_EDGES = [0, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000] as const;

/** `UKI` is London; `UK` alone begins every code there is. */
const REGION_LENGTH = 3;
/** A facet tells its most frequent values, at most so many. */
export const FACET_VALUES_MAX = 1_000;

/** The values under which a document is counted, the same for both engines. A document counts once under each. */
export function facetValues(document: SearchDocument): Partial<Record<FacetName, string[]>> {
  const value = valueInPounds(document);
  return {
    cpv_division: unique(document.cpvs.map((cpv) => cpv.slice(0, 2))),
    region: unique(document.regions.map(facetRegion)),
    buyer_id: document.buyer_id ? [document.buyer_id] : [],
    stage: [document.stage],
    source: [document.source],
    notice_type: [document.notice_type],
    month: [document.published.slice(0, 7)],
    value_band: value === null ? [] : [bandName(bandOf(value))],
  };
}

/** The region of a code; a place without one, or the whole country, by its name. Either is a filter that finds what was counted. */
function facetRegion({ code, name }: Region): string {
  return code && code.length >= REGION_LENGTH ? code.slice(0, REGION_LENGTH) : name;
}

/** Number of the band that a value in pounds lies in. */
export function bandOf(value: number): number {
  return Math.max(
    0,
    BAND_EDGES.findLastIndex((edge) => value >= edge),
  );
}

function bandName(band: number): string {
  const next = BAND_EDGES[band + 1];
  return next === undefined ? `${BAND_EDGES[band]}+` : `${BAND_EDGES[band]}-${next - 1}`;
}

function unique(values: string[]): string[] {
  return [...new Set(values.filter(Boolean))];
}
