import type { Region } from '../../schema/reference/regions.ts';
import type { AnyDocument, SearchDocument } from '../engine.ts';
import type { FacetName } from '../filters/facets.ts';
import { storedRegions } from '../filters/shapes.ts';
import { unique, valueInPounds } from './from-row.ts';

/** Lower edges in pounds; a band is named after them (`100000-999999`). */
export const BAND_EDGES = [0, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000] as const;

/** The whole country. */
const WHOLE = 'UK';
/** `UKI` is London; every code begins with `UK`. */
const REGION_LENGTH = 3;
/** A facet lists its most frequent values, at most this many. */
export const FACET_VALUES_MAX = 1_000;

/** The facet values of a document, the same for both engines. A document counts once under each. */
export function facetValues(document: SearchDocument): Partial<Record<FacetName, string[]>> {
  const value = valueInPounds(document);
  return {
    cpv_division: divisionsOf(document),
    region: regionNames(document),
    nation: document.nation ? [document.nation] : [],
    buyer_id: unique([...(document.buyer_id ? [document.buyer_id] : []), ...document.joint_buyer_ids]),
    stage: [document.stage],
    source: document.sources,
    notice_type: [document.notice_type],
    suitable_for: document.suitable_for,
    special_regime: document.special_regimes,
    reserved_for: document.reserved_for,
    direct_award_ground: document.direct_award_grounds,
    month: [document.published.slice(0, 7)],
    value_band: bandName(value),
  };
}

/** The CPV divisions of a document. */
export function divisionsOf({ cpvs }: Pick<AnyDocument, 'cpvs'>): string[] {
  return unique(cpvs.map((cpv) => cpv.slice(0, 2)));
}

/** The regions of a document, in a form that a filter finds. */
export function regionNames({ regions }: Pick<AnyDocument, 'regions'>): string[] {
  return unique(regions.flatMap(facetRegion));
}

/**
 * The region of a code, or a place without a code by its name: as a filter each finds the documents that it counts. The whole
 * country is none, as that filter finds every region.
 */
function facetRegion({ code, name }: Region): string[] {
  if (!code) return storedRegions(name)[0] === WHOLE ? [] : [name];
  return code === WHOLE ? [] : [code.slice(0, REGION_LENGTH)];
}

/** Number of the band for a value in pounds. */
export function bandOf(value: number): number {
  return Math.max(
    0,
    BAND_EDGES.findLastIndex((edge) => value >= edge),
  );
}

/** The name of the band for a value in pounds, as a list; empty without a value. */
export function bandName(value: number | null): string[] {
  if (value === null) return [];
  const band = bandOf(value);
  const next = BAND_EDGES[band + 1];
  return [next === undefined ? `${BAND_EDGES[band]}+` : `${BAND_EDGES[band]}-${next - 1}`];
}
