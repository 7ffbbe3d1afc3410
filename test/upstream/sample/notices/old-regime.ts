import type { Json } from '../../data.ts';
import { addDays, dayEnd, dayOf, dayStart, instantText } from '../dates.ts';
import { deliveryWords, directAwardWords, smeBids } from '../deals/facts.ts';
import type { Award, Deal } from '../deals/make.ts';
import type { Buyer } from '../market/buyers.ts';
import type { Company } from '../market/companies.ts';
import { type Issue, releaseOf, renewal, techniques, UNLIMITED } from './release-shape.ts';
import { oldLotTerms, oldTerms } from './terms.ts';

const CA_TYPE: Record<string, [id: string, description: string]> = {
  central: ['MINISTRY', 'Ministry or any other national or federal authority'],
  utility: ['BODY_PUBLIC', 'Body governed by public law'],
  nhs: ['BODY_PUBLIC', 'Body governed by public law'],
};
const REGIONAL: [string, string] = ['REGIONAL_AUTHORITY', 'Regional or local authority'];

/** A buyer as notices under the 2015 regulations name it: by the service's own number, of which it may own several. */
function oldBuyerParty(buyer: Buyer, id: string): Json {
  const [type, label] = CA_TYPE[buyer.kind] ?? REGIONAL;
  return {
    name: buyer.name,
    id,
    identifier: { legalName: buyer.name, ...(buyer.other?.scheme === 'GB-COH' ? { id: buyer.other.id } : {}) },
    address: {
      streetAddress: buyer.street,
      locality: buyer.place.name,
      region: buyer.place.itl,
      postalCode: buyer.postcode,
      countryName: 'United Kingdom',
    },
    contactPoint: { name: buyer.person, email: `tenders@${buyer.domain}`, url: `https://www.${buyer.domain}` },
    roles: ['buyer'],
    details: {
      url: `https://www.${buyer.domain}`,
      classifications: [
        { scheme: 'TED_CA_TYPE', id: type, description: label },
        { scheme: 'COFOG', id: '01', description: 'General public services' },
      ],
    },
  };
}

function oldSupplier(company: Company, nth: number): { id: string; identifier: Json } {
  const legalName = company.style;
  if (company.number && company.shown.startsWith('coh') && company.ftsNumber % 2 === 0)
    return { id: `GB-COH-${company.number}`, identifier: { legalName, id: company.number, scheme: 'GB-COH' } };
  const bare = company.number && company.ftsNumber % 5 < 2 ? { id: company.number } : {};
  return { id: `GB-FTS-${company.ftsNumber + (nth % 3)}`, identifier: { legalName, ...bare } };
}

function oldSupplierParty(company: Company, nth: number): Json {
  return {
    name: company.style,
    ...oldSupplier(company, nth),
    address: { locality: company.place.name, region: company.place.itl.slice(0, 3), countryName: 'United Kingdom' },
    roles: ['supplier'],
    details: { scale: company.sme ? 'sme' : 'large' },
  };
}

const REVIEW_BODY = {
  name: 'High Court of Justice',
  id: 'GB-FTS-899999',
  identifier: { legalName: 'High Court of Justice' },
  address: { locality: 'London', countryName: 'United Kingdom' },
  roles: ['reviewBody'],
};

const PROCEDURES: Record<Deal['method'], string> = {
  open: 'Open procedure',
  selective: 'Restricted procedure',
  limited: 'Competitive procedure with negotiation',
  direct: 'Award procedure without prior publication of a call for competition',
};

function oldTender(deal: Deal, status: string): Json {
  const [main] = deal.cpv;
  const utility = deal.buyer.kind === 'utility';
  return {
    id: deal.index % 4 === 0 ? deal.ocid : deal.reference,
    legalBasis: { id: utility ? '32014L0025' : '32014L0024', scheme: 'CELEX' },
    title: deal.title,
    status,
    classification: { scheme: 'CPV', id: main?.[0], description: main?.[1] },
    mainProcurementCategory: deal.trade.category,
    description: deal.description,
    value: { amount: deal.net, currency: deal.currency },
    procurementMethod: deal.method === 'direct' ? 'limited' : deal.method,
    procurementMethodDetails: PROCEDURES[deal.method],
    ...directAwardWords(deal),
  };
}

/** Now and then the addresses come as an object keyed "1" (002109-2021). */
function oldItems(deal: Deal): Json[] {
  return deal.lots.map((lot) => ({
    id: lot.id,
    additionalClassifications: deal.cpv.map(([id, description]) => ({ scheme: 'CPV', id, description })),
    deliveryAddresses: deal.index % 9 === 4 ? { '1': { region: lot.region } } : [{ region: lot.region }],
    ...deliveryWords(deal),
    relatedLot: lot.id,
  }));
}

function oldLots(deal: Deal, status: string): Json[] {
  return deal.lots.map((lot, at) => ({
    id: lot.id,
    ...(deal.lots.length > 1 ? { title: lot.title } : {}),
    description: deal.description.replaceAll('\n', '<br/>'),
    value: { amount: lot.net, currency: deal.currency },
    contractPeriod:
      deal.index % 2 ? { startDate: dayStart(deal.starts), endDate: dayEnd(deal.ends) } : { durationInDays: 1080 },
    hasRenewal: deal.extendsTo !== undefined,
    ...renewal(deal),
    ...oldLotTerms(deal, at, status),
    status,
  }));
}

function buyerIdOf({ buyer, index }: Deal): string {
  return `GB-FTS-${buyer.ftsNumbers[index % buyer.ftsNumbers.length]}`;
}

function oldRelease(deal: Deal, issue: Issue, tag: string[], rest: Json): Json {
  const id = buyerIdOf(deal);
  const parties = [oldBuyerParty(deal.buyer, id), REVIEW_BODY];
  return releaseOf(deal, issue, tag, { buyer: { id, name: deal.buyer.name }, parties, ...rest });
}

/** A prior information notice. */
export function oldPlanningNotice(deal: Deal, issue: Issue): Json {
  const tender = {
    ...oldTender(deal, 'planned'),
    items: oldItems(deal),
    lots: oldLots(deal, 'planned'),
    communication: { futureNoticeDate: dayOf(deal.tenderAt) },
  };
  return oldRelease(deal, issue, ['planning'], { tender });
}

/** A contract notice, and corrections of it; some deadlines are a date without a time. */
export function oldTenderNotice(deal: Deal, issue: Issue): Json {
  const closing =
    deal.index % 7 === 3
      ? addDays(dayOf(deal.deadlineAt), issue.nth * 7)
      : instantText(deal.deadlineAt + issue.nth * 7 * 86_400_000);
  const tender = {
    ...oldTender(deal, 'active'),
    ...oldTerms(deal, { unlimited: UNLIMITED, day: (ms) => dayEnd(dayOf(ms)) }),
    items: oldItems(deal),
    lots: oldLots(deal, 'active'),
    ...techniques(deal),
    submissionMethod: ['electronicSubmission'],
    submissionMethodDetails: deal.portal,
    tenderPeriod: { endDate: closing },
    ...(issue.nth > 0
      ? {
          amendments: [
            { id: issue.id, date: instantText(issue.at), description: 'IV.2.2 time limit for receipt of tenders' },
          ],
        }
      : {}),
  };
  return oldRelease(deal, issue, [issue.nth > 0 ? 'tenderUpdate' : 'tender'], { tender });
}

/** A contract award notice: ids carry the notice's number, contracts the money, lots may say `cancelled` although they were awarded. */
export function oldAwardNotice(deal: Deal, issue: Issue): Json {
  const idOf = (award: Award, index: number) => `${issue.id}-${award.lotIds[0]}-${index + 1}`;
  const awards = deal.awards.map((award, index) => ({
    id: idOf(award, index),
    title: deal.title,
    ...(deal.index % 6 > 0 ? { relatedLots: award.lotIds } : {}),
    status: 'active',
    suppliers: award.suppliers.map((company) => ({ id: oldSupplier(company, issue.sighting).id, name: company.style })),
  }));
  const contracts = deal.awards.map((award, index) => ({
    id: idOf(award, index),
    awardID: idOf(award, index),
    status: 'active',
    value: { amount: award.net, currency: deal.currency },
    dateSigned: dayStart(dayOf(deal.signAt)),
  }));
  const suppliers = [...new Set(deal.awards.flatMap((award) => award.suppliers))];
  const tender = {
    ...oldTender(deal, 'complete'),
    items: oldItems(deal),
    lots: oldLots(deal, deal.index % 5 === 0 ? 'cancelled' : 'complete'),
    ...techniques(deal),
  };
  const id = buyerIdOf(deal);
  return oldRelease(deal, issue, issue.nth > 0 ? ['awardUpdate', 'contractUpdate'] : ['award', 'contract'], {
    ...(deal.index % 8 === 2 && deal.buyer.kind === 'nhs' ? { description: PROVIDER_SELECTION } : {}),
    parties: [
      oldBuyerParty(deal.buyer, id),
      ...suppliers.map((company) => oldSupplierParty(company, issue.sighting)),
      REVIEW_BODY,
    ],
    tender,
    awards,
    contracts,
    bids: {
      statistics: deal.awards
        .flatMap((award) => [
          { measure: 'bids', relatedLot: award.lotIds[0], value: award.bids },
          { measure: 'smeBids', relatedLot: award.lotIds[0], value: smeBids(award) },
          { measure: 'electronicBids', relatedLot: award.lotIds[0], value: award.bids },
        ])
        .map((each, index) => ({ id: String(index + 1), ...each })),
    },
    ...(deal.parent?.link === 'identifier'
      ? {
          relatedProcesses: [
            { id: '1', relationship: ['framework'], scheme: 'ocid', identifier: deal.parent.framework.ocid },
          ],
        }
      : {}),
  });
}

const PROVIDER_SELECTION =
  'This contract is awarded under the Health Care Services (Provider Selection Regime) Regulations 2023. The Procurement Act 2023 does not apply to this award.';
