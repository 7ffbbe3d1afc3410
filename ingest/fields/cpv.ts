import type { OcdsClassification, OcdsRelease } from '../../schema/ocds/types.ts';
import { parseCpv } from '../../schema/text/ids.ts';

/** Classifications of a release in every place that carries CPV codes, the main one first. */
function classificationsOf(ocds: OcdsRelease): OcdsClassification[] {
  const { tender, awards, contracts } = ocds;
  const items = [...tender.items, ...awards.flatMap((award) => award.items), ...contracts.flatMap((one) => one.items)];
  return [
    ...(tender.classification ? [tender.classification] : []),
    ...tender.additionalClassifications,
    ...items.flatMap((item) => item.classifications),
  ];
}

/** CPV codes (8 digits), each once, the main one first, with their descriptions. */
export function cpvsOf(ocds: OcdsRelease): { codes: string[]; descriptions: Record<string, string> } {
  return readCodes(classificationsOf(ocds));
}

export function readCodes(classifications: readonly OcdsClassification[]) {
  const descriptions: Record<string, string> = {};
  const codes = new Set<string>();
  for (const { scheme, id, description } of classifications) {
    const code = scheme === undefined || /cpv/i.test(scheme) ? parseCpv(id ?? '') : null;
    if (!code || code === '00000000') continue;
    codes.add(code);
    if (description) descriptions[code] ??= description;
  }
  return { codes: [...codes], descriptions };
}
