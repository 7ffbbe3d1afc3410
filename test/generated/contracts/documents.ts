import { PROCEDURES } from '../../../schema/catalogue/enums.ts';
import type { ContractDocument } from '../../../search/engine.ts';
import { drawEnding, drawStem, makeDice } from '../draw.ts';
import { makeNotices } from '../notices/make.ts';

const DAY_MS = 86_400_000;

/** Contracts with the texts, codes, places and values of generated notices, oldest first, the same for the same count. */
export function* makeContractDocuments(count: number): Generator<ContractDocument> {
  const dice = makeDice(11);
  const later = (day: string, days: number) => new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10);
  for (const notice of makeNotices(count)) {
    const { id, notice_id, ocid, title, description, buyer, buyer_id, subjects, published: dated } = notice;
    const { value, currency, cpvs, regions, nation, source, sources } = notice;
    const isNamed = notice.suppliers.length > 0;
    const company_numbers = isNamed ? notice.company_numbers : [String(dice.below(15_000_000)).padStart(8, '0')];
    yield {
      suppliers: isNamed ? notice.suppliers : [`${drawStem(dice, 'Ford')} ${drawEnding(dice)}`],
      company_ids: company_numbers.map((number) => `GB-COH-${number}`),
      framework_id: dice.chance(0.1) ? `ocds-h6vhtk-f${dice.below(2_000)}` : null,
      starts: dice.chance(0.9) ? later(dated, dice.below(60)) : null,
      ends: dice.chance(0.8) ? later(dated, 100 + dice.below(1_500)) : null,
      is_terminated: dice.chance(0.02),
      procedure: dice.chance(0.7) ? dice.pick(PROCEDURES) : null,
      bids: dice.chance(0.4) ? dice.below(20) : null,
      sme: dice.chance(0.6) ? dice.chance(0.5) : null,
      vcse: dice.chance(0.6) ? dice.chance(0.1) : null,
      buyer_kind: null,
      direct_award_grounds: [],
      standstill_until: null,
      id,
      notice_id,
      ocid,
      title,
      description,
      buyer,
      buyer_id,
      subjects,
      districts: [],
      dated,
      value,
      currency,
      cpvs,
      regions,
      nation,
      source,
      sources,
      company_numbers,
    };
  }
}
