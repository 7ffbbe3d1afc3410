import type { ContractDetail } from '../../schema/catalogue/details.ts';
import type { OcdsAward, OcdsContract, OcdsItem, OcdsRelease } from '../../schema/ocds/types.ts';
import { readCodes } from '../fields/cpv.ts';
import { regionsOf } from '../fields/regions.ts';
import { cleanLine, cleanText } from '../fields/text/clean.ts';
import { relatedItems, relatedLots } from './values/related-lots.ts';

/** What an award and its contracts say beside parties, money and dates. */
export function describeContract(
  award: OcdsAward | undefined,
  contracts: readonly OcdsContract[],
  merged: OcdsRelease,
): Pick<ContractDetail, 'description' | 'lots' | 'procedure' | 'regions' | 'cpvs'> {
  const items = ownItems(award, contracts, merged);
  const main = merged.tender.classification ? [merged.tender.classification] : [];
  const description = cleanText(contracts.findLast((one) => one.description)?.description ?? award?.description);
  // Contracts Finder writes `Other - ` where nobody said what else.
  const procedure = cleanLine(merged.tender.procurementMethodDetails).replace(/\s*-$/, '');
  return {
    ...(description && !/^see description of related tender\.?$/i.test(description) ? { description } : {}),
    lots: lotsOf(award, merged),
    ...(procedure ? { procedure } : {}),
    regions: regionsOf(items.flatMap((item) => item.addresses)),
    cpvs: readCodes([...items.flatMap((item) => item.classifications), ...main]).codes,
  };
}

/** Items of the award; where it has none, the tender's for its lots, or all of the tender's. */
function ownItems(
  award: OcdsAward | undefined,
  contracts: readonly OcdsContract[],
  { tender }: OcdsRelease,
): OcdsItem[] {
  const own = [...(award?.items ?? []), ...contracts.flatMap((contract) => contract.items)];
  if (own.length > 0) return own;
  const ofLots = relatedItems(award, tender);
  return ofLots.length > 0 ? ofLots : tender.items;
}

function lotsOf(award: OcdsAward | undefined, merged: OcdsRelease): { lot_id: string; title?: string }[] {
  const titles = new Map(relatedLots(award, merged.tender).map(({ id, title }) => [id, title]));
  return (award?.relatedLots ?? []).map((lotId) => {
    const title = cleanLine(titles.get(lotId));
    return { lot_id: lotId, ...(title ? { title } : {}) };
  });
}
