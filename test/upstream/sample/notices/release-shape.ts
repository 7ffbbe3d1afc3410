import type { Json } from '../../data.ts';
import { dayEnd, dayStart, instantText } from '../dates.ts';
import { deliveryWords, renewalWords } from '../deals/facts.ts';
import type { Award, Deal, Lot } from '../deals/make.ts';
import type { Buyer } from '../market/buyers.ts';
import type { Company } from '../market/companies.ts';
import { suitability } from './terms.ts';

/** One notice to be built: its number, when it goes out, and how many of its kind went before. */
export interface Issue {
  id: string;
  at: number;
  nth: number;
  /** Which of a party's numbers the service uses this time: they change between releases. */
  sighting: number;
}

/** Stands for a number that the service writes as `1e9999`: the text is made where the release is serialised. */
export const UNLIMITED = 987_654_321_012;

const SITE = 'https://www.find-tender.service.gov.uk/Notice';
const LEGAL_BASIS = { id: '2023/54', scheme: 'UKPGA', uri: 'https://www.legislation.gov.uk/ukpga/2023/54/contents' };

/** The fields every release has, in the service's order. */
export function releaseOf(deal: Deal, { id, at }: Issue, tag: string[], rest: Json): Json {
  const buyer = buyerReference(deal.buyer);
  return {
    ocid: deal.ocid,
    id,
    tag,
    date: instantText(at),
    initiationType: 'tender',
    parties: [],
    buyer,
    ...rest,
    language: 'en',
  };
}

function buyerReference(buyer: Buyer): Json {
  return { id: `GB-PPON-${buyer.ppon}`, name: buyer.name };
}

/** The Act's heading of a tender. */
export function tenderHead(deal: Deal): Json {
  return { id: deal.reference, legalBasis: LEGAL_BASIS, title: deal.title };
}

/** A buyer as notices under the Act name it. */
export function buyerParty(buyer: Buyer): Json {
  const central = buyer.centralGovernment;
  const type =
    buyer.kind === 'utility'
      ? 'publicUndertaking'
      : central
        ? 'publicAuthorityCentralGovernment'
        : 'publicAuthoritySubCentralGovernment';
  const label =
    buyer.kind === 'utility'
      ? 'Public undertaking'
      : `Public authority - ${central ? 'central' : 'sub-central'} government`;
  return {
    name: buyer.name,
    id: `GB-PPON-${buyer.ppon}`,
    identifier: { scheme: 'GB-PPON', id: buyer.ppon },
    ...(buyer.other ? { additionalIdentifiers: [buyer.other] } : {}),
    address: {
      streetAddress: buyer.street,
      locality: buyer.place.name,
      postalCode: buyer.postcode,
      country: 'GB',
      countryName: 'United Kingdom',
      region: buyer.place.itl,
    },
    contactPoint: { name: buyer.person, email: `procurement@${buyer.domain}`, telephone: buyer.telephone },
    roles: ['buyer'],
    details: {
      url: `https://www.${buyer.domain}`,
      classifications: [
        { scheme: 'UK_CA_TYPE', id: type, description: label },
        ...(buyer.devolved
          ? [{ scheme: 'UK_CA_DEVOLVED_REGULATIONS', id: buyer.devolved, description: 'Devolved regulations apply' }]
          : []),
      ],
    },
  };
}

/** How a supplier is identified in a release: its party id and its identifiers. A source's own number may change between releases. */
function supplierIdentity(
  company: Company,
  sighting = 0,
): { id: string; identifier?: Json; additionalIdentifiers?: Json[] } {
  const { shown, number, charity, ppon, ftsNumber } = company;
  if (shown === 'chc' && charity) return { id: `GB-CHC-${charity}`, identifier: { scheme: 'GB-CHC', id: charity } };
  if (shown === 'none' || (!number && shown !== 'ppon')) return { id: `GB-FTS-${ftsNumber + (sighting % 3)}` };
  if (shown === 'ppon') return { id: `GB-PPON-${ppon}`, identifier: { scheme: 'GB-PPON', id: ppon } };
  const paired = shown === 'coh_and_ppon' ? { additionalIdentifiers: [{ scheme: 'GB-PPON', id: ppon }] } : {};
  return { id: `GB-COH-${number}`, identifier: { scheme: 'GB-COH', id: number }, ...paired };
}

export function supplierParty(company: Company, sighting = 0, roles: string[] = ['supplier']): Json {
  return {
    name: company.style,
    ...supplierIdentity(company, sighting),
    address: {
      streetAddress: company.street,
      locality: company.place.name,
      postalCode: company.postcode,
      country: 'GB',
      countryName: 'United Kingdom',
      region: company.place.itl,
    },
    contactPoint: { name: company.person, email: `tenders@${company.domain}` },
    roles,
    details: { url: `https://www.${company.domain}`, scale: company.sme ? 'sme' : 'large', vcse: company.vcse },
  };
}

export function supplierReference(company: Company, sighting = 0): Json {
  return { id: supplierIdentity(company, sighting).id, name: company.style };
}

/** Each supplier once, however many awards it won. */
export function supplierParties(awards: readonly Award[], sighting = 0): Json[] {
  return [...new Set(awards.flatMap(({ suppliers }) => suppliers))].map((company) => supplierParty(company, sighting));
}

/** The one document that says which notice this is. */
export function noticeDocument({ id, at }: Issue, noticeType: string, documentType: string, name: string): Json {
  return {
    id,
    documentType,
    noticeType,
    description: `${name} notice on Find a Tender`,
    url: `${SITE}/${id}`,
    datePublished: instantText(at),
    format: 'text/html',
  };
}

/** Money as the Act's notices give it: net and with VAT. */
export function money(net: number, currency: string): Json {
  return { amountGross: Math.round(net * 120) / 100, amount: net, currency };
}

export function periodOf({ starts, ends, extendsTo }: Deal): Json {
  return {
    startDate: dayStart(starts),
    endDate: dayEnd(ends),
    ...(extendsTo ? { maxExtentDate: dayEnd(extendsTo) } : {}),
  };
}

/** One item a lot with its classifications and place. */
export function itemsOf(deal: Deal, lots: readonly Lot[]): Json[] {
  return lots.map((lot) => ({
    id: lot.id,
    additionalClassifications: deal.cpv.map(([id, description]) => ({ scheme: 'CPV', id, description })),
    deliveryAddresses: [{ region: lot.region, country: 'GB', countryName: 'United Kingdom' }],
    ...deliveryWords(deal),
    relatedLot: lot.id,
  }));
}

/** The lots of a notice before award. */
export function lotsOf(deal: Deal, status: string): Json[] {
  return deal.lots.map((lot) => ({
    id: lot.id,
    ...(deal.lots.length > 1 ? { title: lot.title, value: money(lot.net, deal.currency) } : {}),
    status,
    ...suitability(deal),
    contractPeriod: periodOf(deal),
    ...renewal(deal),
  }));
}

/** How a lot or a contract may be extended; nothing where it may not. */
export function renewal(deal: Deal): Json {
  const description = renewalWords(deal);
  return description ? { hasRenewal: true, renewal: { description } } : {};
}

/** Where a call-off says what it was called off from. */
export function relatedProcesses({ parent }: Deal): Json {
  if (!parent || parent.link === 'text') return {};
  const { framework, link } = parent;
  const title = `${framework.buyer.name} - ${framework.title} - ${framework.reference}`;
  const named = { id: 'framework', relationship: ['framework'], title };
  return {
    relatedProcesses: [link === 'identifier' ? { ...named, scheme: 'ocid', identifier: framework.ocid } : named],
  };
}

/** The block by which a framework or dynamic market is known. */
export function techniques({ framework, starts, ends }: Deal): Json {
  if (!framework) return {};
  if (framework.kind === 'market') return { techniques: { hasDynamicPurchasingSystem: true } };
  return {
    techniques: {
      hasFrameworkAgreement: true,
      frameworkAgreement: {
        method: framework.method,
        type: framework.type,
        description:
          'Call-off contracts may be awarded directly or by further competition under the order form in schedule 4.',
        maximumParticipants: framework.maximumParticipants,
        buyerCategories: framework.buyerCategories,
        period: { startDate: dayStart(starts), endDate: dayEnd(ends) },
      },
    },
    ...(framework.feePercent > 0
      ? { participationFees: [{ id: '1', type: ['win'], relativeValue: { proportion: framework.feePercent / 100 } }] }
      : {}),
  };
}
