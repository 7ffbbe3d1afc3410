import type { Json } from '../../data.ts';
import { dayEnd, dayOf, dayStart, instantText } from '../dates.ts';
import { termWords } from '../deals/facts.ts';
import type { Award, Deal } from '../deals/make.ts';
import { type Buyer, withInitials } from '../market/buyers.ts';
import type { Company } from '../market/companies.ts';
import { countryOf, REGIONS } from '../market/places.ts';

/** A Contracts Finder process: its own ocid, and a GUID for each of its two notices, which is not the ocid's. */
export interface CfDeal extends Deal {
  tenderGuid: string;
  awardGuid: string;
}

export interface CfIssue {
  /** The running number that ends a release id. */
  serial: number;
  at: number;
  nth: number;
}

const NOTICE = 'https://www.contractsfinder.service.gov.uk/Notice';
const ANYWHERE = [
  'British Oversea Territories',
  'Channel Islands',
  'Europe',
  'Isle of Man',
  'Rest of the World',
  'United Kingdom',
];
const STAGES = {
  tenderNotice: 'Opportunity notice',
  awardNotice: 'Awarded contract notice',
  marketEngagementNotice: 'Early engagement notice',
};

const PROCEDURES: Record<Deal['method'], readonly [method: string | null, details: string][]> = {
  open: [
    ['open', 'Open procedure (below threshold)'],
    ['open', 'Open procedure (above threshold)'],
    ['open', 'Open procedure'],
  ],
  selective: [
    ['selective', 'Call-off from a framework agreement'],
    ['selective', 'Call-off from a dynamic purchasing system'],
    ['selective', 'Restricted procedure'],
  ],
  limited: [
    ['limited', 'Competitive quotation (below threshold)'],
    [null, 'Not specified'],
  ],
  direct: [
    ['direct', 'Single tender action (below threshold)'],
    ['direct', 'Direct award'],
    [null, 'Other - '],
  ],
};

/** The fields every release of Contracts Finder has. */
export function cfRelease(deal: CfDeal, issue: CfIssue, guid: string, tag: string, rest: Json): Json {
  const date = instantText(issue.at);
  return {
    ocid: deal.ocid,
    id: `${guid}-${issue.serial}`,
    language: 'en',
    date,
    tag: [tag],
    initiationType: 'tender',
    ...rest,
    buyer: { id: deal.buyer.cfId, name: cfBuyerName(deal.buyer, deal.index) },
  };
}

function cfTender(deal: CfDeal, status: string): Json {
  const [main, ...others] = deal.cpv;
  const [method, details] = PROCEDURES[deal.method][deal.index % PROCEDURES[deal.method].length] ?? [
    null,
    'Not specified',
  ];
  return {
    id: deal.reference,
    title: deal.title,
    description: `${deal.description}${termWords(deal)}`.replaceAll('\n', '\r\n'),
    status,
    classification: { scheme: 'CPV', id: main?.[0], description: main?.[1] },
    ...(others.length
      ? { additionalClassifications: others.map(([id, description]) => ({ scheme: 'CPV', id, description })) }
      : {}),
    items: [{ id: '1', deliveryAddresses: addressesOf(deal) }],
    ...(deal.index % 5 === 0 ? { minValue: { amount: Math.round(deal.net * 0.8), currency: 'GBP' } } : {}),
    ...(deal.index % 6 === 5 ? {} : { value: { amount: deal.net, currency: 'GBP' } }),
    ...(method ? { procurementMethod: method } : {}),
    procurementMethodDetails: details,
    tenderPeriod: { endDate: instantText(deal.deadlineAt) },
    contractPeriod: { startDate: dayStart(deal.starts), endDate: dayEnd(deal.ends) },
    suitability: { sme: deal.terms.sme, vcse: deal.terms.vcse },
    mainProcurementCategory: deal.trade.category,
  };
}

/** Postcodes, region names, and the list that means anywhere, mixed as they come. */
function addressesOf({ buyer, index, region }: CfDeal): Json[] {
  const named = REGIONS.find(([code]) => region.startsWith(code))?.[1] ?? 'England';
  const byRegion = { region: named, countryName: 'United Kingdom' };
  if (index % 4 === 0) return [{ postalCode: buyer.postcode }, ...ANYWHERE.map((countryName) => ({ countryName }))];
  return index % 4 === 1 ? [{ postalCode: buyer.postcode }, byRegion, byRegion] : [byRegion];
}

/** Departments and agencies now and then add their own abbreviation. */
function cfBuyerName({ name, kind }: Buyer, index: number): string {
  return kind === 'central' && index % 2 === 0 ? withInitials(name) : name;
}

export function cfBuyerParty({ buyer, index }: CfDeal): Json {
  const country = countryOf(buyer.place);
  const name = cfBuyerName(buyer, index);
  const srs = /^GB-SRS-(.+)$/.exec(buyer.cfId)?.[1];
  return {
    id: buyer.cfId,
    name,
    identifier: { legalName: name, ...(srs ? { scheme: 'GB-SRS', id: srs } : {}) },
    address: {
      streetAddress: buyer.street,
      locality: buyer.place.name,
      postalCode: buyer.postcode,
      countryName: [country, 'UK', 'United Kingdom', country.toUpperCase()][buyer.street.length % 4],
    },
    contactPoint: { name: buyer.person, email: `procurement@${buyer.domain}`, telephone: buyer.telephone },
    details: { url: `https://www.${buyer.domain}` },
    roles: ['buyer'],
  };
}

/** About four in ten supplier references carry a company number, the rest an internal number that is nobody's identity. */
function cfSupplierId(company: Company, serial: number): { id: string; identifier: Json } {
  const legalName = company.style;
  if (company.number && company.cfNumber % 5 < 3)
    return { id: `GB-COH-${company.number}`, identifier: { legalName, scheme: 'GB-COH', id: company.number } };
  return { id: `GB-CFS-${company.cfNumber + (serial % 2) * 5000}`, identifier: { legalName } };
}

function cfSupplierParty(company: Company, serial: number): Json {
  return {
    ...cfSupplierId(company, serial),
    name: company.style,
    address: { streetAddress: `${company.street}\r\n${company.place.name}\r\n${company.postcode}` },
    details: { scale: company.sme ? 'sme' : 'large', ...(company.vcse ? { vcse: true } : {}) },
    roles: ['supplier'],
  };
}

function document(kind: keyof typeof STAGES, guid: string, firstAt: number, at: number): Json {
  return {
    id: '1',
    documentType: kind,
    description: `${STAGES[kind]} on Contracts Finder`,
    url: `${NOTICE}/${guid}`,
    datePublished: instantText(firstAt),
    ...(at > firstAt ? { dateModified: instantText(at) } : {}),
    format: 'text/html',
    language: 'en',
  };
}

/** An early engagement notice. */
export function cfPlanningNotice(deal: CfDeal, issue: CfIssue): Json {
  const milestones = [
    { id: '1', title: 'Engagement end date', type: 'engagement', dueDate: dayEnd(dayOf(deal.tenderAt)) },
  ];
  const documents = [document('marketEngagementNotice', deal.tenderGuid, issue.at, issue.at)];
  const { tenderPeriod: _none, contractPeriod: _later, ...tender } = cfTender(deal, 'planning');
  return cfRelease(deal, issue, deal.tenderGuid, 'planning', {
    title: deal.title,
    planning: { milestones, documents },
    tender,
    parties: [cfBuyerParty(deal)],
  });
}

/** An opportunity, and each edit of it: the same notice GUID, another ending. */
export function cfTenderNotice(deal: CfDeal, issue: CfIssue): Json {
  const tender = {
    ...cfTender(deal, 'active'),
    datePublished: instantText(deal.tenderAt),
    documents: [
      document('tenderNotice', deal.tenderGuid, deal.tenderAt, issue.at),
      { id: '2', description: 'Additional information on how to apply for this contract', url: deal.portal },
      ...(deal.index % 3 === 0
        ? [
            {
              id: '3',
              documentType: 'biddingDocuments',
              description: 'Specification.pdf',
              url: `${NOTICE}/Attachment/${deal.awardGuid}`,
              format: 'application/pdf',
            },
          ]
        : []),
    ],
  };
  return cfRelease(deal, issue, deal.tenderGuid, issue.nth > 0 ? 'tenderAmendment' : 'tender', {
    tender,
    parties: [cfBuyerParty(deal)],
  });
}

/** An award: the whole tender again, and one award a supplier or lot. */
export function cfAwardNotice(deal: CfDeal, issue: CfIssue): Json {
  const published = instantText(deal.signAt);
  const awardOf = (award: Award, index: number) => ({
    id: `${deal.ocid}-${index + 1}`,
    status: 'active',
    date: dayStart(dayOf(deal.awardAt)),
    datePublished: published,
    value: { amount: deal.index % 7 === 1 ? 0 : award.net, currency: 'GBP' },
    suppliers: award.suppliers.map((company) => ({ id: cfSupplierId(company, issue.serial).id, name: company.style })),
    contractPeriod: { startDate: dayStart(deal.starts), endDate: dayEnd(deal.ends) },
    documents: [document('awardNotice', deal.awardGuid, deal.signAt, issue.at)],
  });
  const suppliers = [...new Set(deal.awards.flatMap((award) => award.suppliers))];
  return cfRelease(deal, issue, deal.awardGuid, issue.nth > 0 ? 'awardUpdate' : 'award', {
    tender: cfTender(deal, 'complete'),
    parties: [cfBuyerParty(deal), ...suppliers.map((company) => cfSupplierParty(company, issue.serial))],
    awards: deal.awards.map(awardOf),
  });
}
