import type { Json } from '../../data.ts';
import type { Deal } from '../deals/make.ts';
import { countryOf } from '../market/places.ts';

/** Shares of tenders that state conditions: under the Act, and under the regulations before it. */
const STATED = { act: 0.3, before: 0.75 };
const DAY_MS = 86_400_000;

/** What a tender under the Act says of bidding, in its own place for each. */
export function actTerms(deal: Deal): Json {
  const { terms, index, lots } = deal;
  const { lotsBid, lotsWon } = terms;
  const limits = {
    ...(lotsBid ? { maximumLotsBidPerSupplier: lotsBid } : {}),
    ...(lotsWon ? { maximumLotsAwardedPerSupplier: lotsWon } : {}),
    ...(lots.length > 1 && index % 2 ? { awardCriteriaDetails: 'The best tender wins in each lot.' } : {}),
  };
  return {
    ...regimes(deal),
    ...(deal.aboveThreshold && index % 3 === 0 ? { coveredBy: terms.treaties } : {}),
    ...(Object.keys(limits).length > 0 ? { lotDetails: limits } : {}),
    ...reservation(deal),
  };
}

/** The rules of the Act that apply instead of the usual ones. Those of utilities apply above the thresholds alone. */
export function regimes({ terms, aboveThreshold }: Deal): Json {
  const special = terms.regimes.filter((regime) => regime !== 'utilities' || aboveThreshold);
  return special.length > 0 ? { specialRegime: special } : {};
}

/** The United Kingdom by its code alone, as the form leaves it; a county by its name too, with a code that no county has. */
function reservation({ terms: { reserved }, aboveThreshold, buyer }: Deal): Json {
  if (!reserved || aboveThreshold) return {};
  const local = reserved.local && countryOf(buyer.place) === 'England';
  const [code, description] = local ? [`E109900${buyer.place.itl.slice(-2)}`, buyer.place.county] : ['K02000001', null];
  return {
    otherRequirements: {
      ...(reserved.smeVcse ? { reservedParticipation: ['smeVcse'] } : {}),
      reservedParticipationLocation: { gazetteer: { scheme: 'GB-ONS', identifiers: [code] }, description },
    },
  };
}

/** Fields of a lot that say who it suits; none where nothing is ticked. */
export function suitability({ terms: { sme, vcse } }: Deal): Json {
  return sme || vcse ? { suitability: { ...(sme ? { sme } : {}), ...(vcse ? { vcse } : {}) } } : {};
}

/** What a lot of a tender under the Act says of its bids. The Act knows no conditions of suitability. */
export function actLotTerms(deal: Deal, at: number): Json {
  const { rarity, conditions } = deal.terms;
  const weights = weightsOf(deal, at);
  const criteria = conditions.map(({ type, description, minimum }) => ({
    type: type === 'suitability' ? 'technical' : type,
    description: minimum ? `${description}\n${minimum}` : description,
  }));
  return {
    awardCriteria: deal.terms.weighed
      ? weighed(weights, (weight) => ({ numbers: [{ number: weight, weight: 'percentageExact' }] }))
      : inWords(weights),
    ...(rarity < STATED.act ? { selectionCriteria: { criteria } } : {}),
    ...options(deal),
  };
}

/** What may be bought besides; nothing is said of options under the Act where there are none. */
export function options({ terms }: Deal): Json {
  return terms.options ? { hasOptions: true, options: { description: terms.options } } : {};
}

/** Weights of a lot. In a third of procurements the lots differ. */
function weightsOf({ terms: { price, socialValue }, index }: Deal, at: number) {
  const own = price + (index % 3 === 0 ? (at % 3) * 5 : 0);
  return { quality: 100 - own - socialValue, socialValue, price: own };
}

type Weights = ReturnType<typeof weightsOf>;

function inWords({ quality, socialValue, price }: Weights): Json {
  return {
    description: `Quality ${quality}%, price ${price}%${socialValue > 0 ? `, social value ${socialValue}%` : ''}`,
  };
}

function weighed({ quality, socialValue, price }: Weights, weigh: (weight: number) => Json): Json {
  return {
    criteria: [
      { type: 'quality', name: 'Quality', ...weigh(quality) },
      ...(socialValue > 0 ? [{ type: 'quality', name: 'Social value', ...weigh(socialValue) }] : []),
      { type: 'price', name: 'Price', ...weigh(price) },
    ],
  };
}

/** How a service writes what the older forms know. */
interface Style {
  /** Stands for `as many as there are`. */
  unlimited: number;
  day: (ms: number) => string;
}

/** What a tender before the Act says of bidding and of the contract. */
export function oldTerms(deal: Deal, { unlimited, day }: Style): Json {
  const { terms, index, lots, deadlineAt } = deal;
  const { rarity, conditions, validDays, guarantees, performance, sheltered, lotsBid, lotsWon } = terms;
  const validity =
    index % 6 === 1 ? { endDate: day(deadlineAt + (validDays ?? 0) * DAY_MS) } : { durationInDays: validDays };
  // Now and then one text where a list is meant.
  const appliesTo = index % 2 ? ['supplier'] : 'supplier';
  return {
    ...(rarity < STATED.before
      ? { selectionCriteria: { criteria: conditions.map((one) => ({ ...one, appliesTo })) } }
      : {}),
    submissionTerms: {
      languages: ['en'],
      ...(validDays ? { bidValidityPeriod: validity } : {}),
      ...(guarantees ? { depositsGuarantees: guarantees } : {}),
    },
    contractTerms: {
      hasElectronicOrdering: true,
      electronicInvoicingPolicy: 'allowed',
      hasElectronicPayment: true,
      ...(sheltered ? { reservedExecution: true } : {}),
      ...(performance ? { performanceTerms: performance } : {}),
    },
    ...(lots.length > 1
      ? {
          lotDetails: {
            maximumLotsBidPerSupplier: lotsBid ?? unlimited,
            ...(lotsWon ? { maximumLotsAwardedPerSupplier: lotsWon } : {}),
          },
        }
      : {}),
    ...(index % 4 === 1 ? { otherRequirements: { requiresStaffNamesAndQualifications: true } } : {}),
    ...(index % 3 > 0 ? { coveredBy: ['GPA'] } : {}),
    ...(isNarrowed(deal) ? { secondStage: { invitationDate: day(deadlineAt + 30 * DAY_MS) } } : {}),
  };
}

/** Whether only some of those who ask to take part are invited to bid. */
const isNarrowed = ({ method }: Deal) => method === 'selective';

/** What a lot before the Act says of its bids: weights are texts, with a sign or without. Many leave them to the documents. */
export function oldLotTerms(deal: Deal, at: number, status: string): Json {
  if (status === 'planned') return {};
  const sign = deal.index % 5 === 2 ? '%' : '';
  return {
    ...(deal.terms.weighed
      ? { awardCriteria: weighed(weightsOf(deal, at), (weight) => ({ description: `${weight}${sign}` })) }
      : {}),
    ...(status === 'active' && isNarrowed(deal)
      ? { secondStage: { minimumCandidates: 5, maximumCandidates: 5 + (deal.index % 3) } }
      : {}),
    ...(status === 'active'
      ? { submissionTerms: { variantPolicy: deal.index % 20 === 7 ? 'allowed' : 'notAllowed' } }
      : {}),
    hasOptions: deal.terms.options !== undefined,
    ...options(deal),
  };
}
