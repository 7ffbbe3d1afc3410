import type { Json } from '../../../data.ts';
import { dayOf, instantText } from '../../dates.ts';
import type { Deal } from '../../deals/make.ts';
import { withInitials } from '../../market/buyers.ts';
import type { Company } from '../../market/companies.ts';
import { isWebsite, MODIFICATION, type Site } from './sites.ts';

/** What a notice is for: each has a tag of its own. */
export type Stage = 'planning' | 'tender' | 'correction' | 'direct' | 'award' | 'modification';

/** One notice of a portal, about to be published. */
export interface PortalIssue {
  stage: Stage;
  type: string;
  at: number;
  /** Its own number, and that of the first notice of its family. */
  number: number;
  first: number;
}

const STATUS = {
  planning: 'planned',
  tender: 'active',
  correction: 'active',
  direct: 'complete',
  award: 'complete',
  modification: 'complete',
} as const;
const DOCUMENT = { planning: 'plannedProcurementNotice', tender: 'contractNotice', correction: 'contractNotice' };

/** Its awards have no status. */
const QUICK_QUOTE = '104';
const LOCAL: ReadonlySet<string> = new Set(['council', 'county', 'police', 'fire']);

/** London's wall clock, marked as if it were UTC. */
const wallClock = (at: number) => `${instantText(at).slice(0, 19)}Z`;
const midnight = (day: string) => `${day}T00:00:00Z`;
/** Line breaks of the portals' texts. */
const inLines = (text: string) => text.replaceAll('\n', '\r\n ');

/** A release as either portal publishes it, in the recorded shapes. Its ids by position are moved when it is served. */
export function portalRelease(site: Site, deal: Deal, issue: PortalIssue): Json {
  const { stage, number, first } = issue;
  const ocid = site.ocidOf(first);
  const page = pageOf(issue);
  const isAwarded = stage === 'direct' || stage === 'award' || stage === 'modification';
  const buyer = { name: portalName(deal), id: 'org-1' };
  return {
    id: site.label === 'SC' ? `rls-1-${page}` : `${ocid}-release-${number}`,
    ocid,
    date: midnight(dayOf(issue.at)),
    tag: [tagOf(issue)],
    initiationType: 'tender',
    parties: [buyerParty(site, deal, buyer), reviewBody(site, deal), ...(isAwarded ? supplierParties(deal) : [])],
    buyer,
    tender: tenderOf(site, deal, issue),
    ...(isAwarded ? awarded(deal, issue) : {}),
    language: 'EN',
    description: inLines(noteOf(site, issue)),
    links: [{ rel: 'canonical', href: site.recordOf(ocid) }],
  };
}

/** The id of a notice's page: its month in letters and a number. */
function pageOf({ at, number }: Pick<PortalIssue, 'at' | 'number'>): string {
  const month = new Date(`${dayOf(at)}T12:00:00Z`).toLocaleString('en-GB', { month: 'short', timeZone: 'UTC' });
  return `${month.slice(0, 3).toUpperCase()}${number}`;
}

/** A standard text, which ends with the notice's own number; a later notice may quote the first one's before. */
export function noteOf(site: Site, { number, first }: Pick<PortalIssue, 'number' | 'first'>): string {
  const ref = (of: number) => `(${site.label} Ref:${of})`;
  const follows = number === first ? '' : `This notice follows ${ref(first)}.\n`;
  const address = `${site.www}/Search/Search_Switch.aspx?ID=${number}`;
  const register = `NOTE: To register your interest in this notice and obtain any additional information please visit the ${site.title} Web Site at ${address}.`;
  return `${follows}${register}\n${ref(number)}`;
}

function tagOf({ stage, type }: PortalIssue): string {
  if (type === MODIFICATION) return 'contractAmendment';
  return stage === 'correction' ? 'tenderUpdate' : stage === 'direct' ? 'award' : stage;
}

/** Health boards and some universities go by their initials too. */
function portalName({ buyer: { name }, index }: Deal): string {
  return /Health Board$|Metropolitan University$/.test(name) && index % 2 === 0 ? withInitials(name) : name;
}

function buyerParty(site: Site, { buyer }: Deal, reference: { name: string; id: string }): Json {
  return {
    ...reference,
    identifier: { legalName: reference.name },
    address: {
      streetAddress: buyer.street,
      locality: buyer.place.name,
      region: buyer.place.itl,
      postalCode: buyer.postcode,
    },
    contactPoint: { name: buyer.person, email: `tenders@${buyer.domain}`, telephone: buyer.telephone, url: site.www },
    roles: ['buyer'],
    details: {
      classifications: [
        {
          id: LOCAL.has(buyer.kind) ? 'Regional or local authority' : 'Body governed by public law',
          scheme: 'TED_CA_TYPE',
        },
      ],
      url: `https://www.${buyer.domain}`,
    },
  };
}

function reviewBody({ label }: Site, { buyer }: Deal): Json {
  const name = label === 'SC' ? `${buyer.place.name} Sheriff Court` : 'High Court';
  return {
    name,
    id: 'org-2',
    identifier: { legalName: name },
    address: { locality: buyer.place.name },
    roles: ['reviewBody'],
  };
}

const suppliersOf = ({ awards }: Deal): Company[] => [...new Set(awards.flatMap(({ suppliers }) => suppliers))];
const idOf = (deal: Deal, company: Company) => `org-${suppliersOf(deal).indexOf(company) + 3}`;

function supplierParties(deal: Deal): Json[] {
  return suppliersOf(deal).map((company) => ({
    name: company.style,
    id: idOf(deal, company),
    identifier: { legalName: company.style },
    address: {
      streetAddress: company.street,
      locality: company.place.name,
      region: company.place.itl,
      postalCode: company.postcode,
    },
    roles: ['supplier'],
    details: { scale: company.sme ? 'sme' : 'large' },
  }));
}

function awarded(deal: Deal, { type, stage }: PortalIssue): Json {
  const status = type === QUICK_QUOTE ? {} : { status: 'active' };
  const value = (net: number) => ({ value: { amount: net, currency: 'GBP' } });
  const awards = deal.awards.map(({ id, lotIds, suppliers, net }) => ({
    id,
    ...status,
    suppliers: suppliers.map((company) => ({ name: company.style, id: idOf(deal, company) })),
    relatedLots: lotIds,
    ...(stage === 'direct' ? value(net) : {}),
  }));
  // Before a direct award nothing is signed; later the value stands on the contract alone.
  if (stage === 'direct') return { awards };
  const dateSigned = midnight(dayOf(deal.signAt));
  const contracts = deal.awards.map(({ id, net }) => ({
    id,
    awardID: id,
    status: 'active',
    ...value(net),
    dateSigned,
  }));
  return { awards, contracts };
}

function tenderOf(site: Site, deal: Deal, issue: PortalIssue): Json {
  const { stage, type } = issue;
  const status = STATUS[stage];
  const [main] = deal.cpv;
  return {
    id: referenceOf(site, deal, issue),
    title: deal.title,
    description: inLines(deal.description),
    status,
    legalBasis: isWebsite(type) ? {} : { id: '32014L0024', scheme: 'CELEX' },
    ...(deal.index % 4 === 0 ? {} : { classification: { id: main?.[0], scheme: 'CPV' } }),
    items: deal.lots.map((lot) => ({
      id: lot.id,
      additionalClassifications: deal.cpv.map(([id]) => ({ id, scheme: 'CPV' })),
      deliveryAddresses: [{ region: lot.region }],
      relatedLot: lot.id,
    })),
    ...(deal.index % 3 === 0 ? {} : { value: { amount: deal.net, currency: 'GBP' } }),
    procurementMethod: deal.method === 'direct' ? 'limited' : deal.method,
    procurementMethodDetails: deal.method === 'open' ? 'Open procedure' : 'Restricted procedure',
    mainProcurementCategory: deal.trade.category,
    submissionMethod: ['electronicSubmission'],
    submissionMethodDetails: site.www,
    ...periodsOf(deal, stage),
    documents: documentsOf(site, deal, issue),
    lots: deal.lots.map((lot) => ({
      id: lot.id,
      ...(deal.lots.length > 1 ? { title: lot.title, value: { amount: lot.net, currency: 'GBP' } } : {}),
      status,
      hasOptions: false,
      contractPeriod: { startDate: midnight(deal.starts), endDate: midnight(deal.ends) },
      hasRenewal: false,
    })),
  };
}

/** The buyer's own reference, behind a number on the Welsh site; the ocid where it has none. */
function referenceOf(site: Site, { index, reference }: Deal, { number, first }: PortalIssue): string {
  const ocid = site.ocidOf(first);
  const own = index % 7 === 0 ? '' : reference;
  return site.label === 'SC' ? own || ocid : `${ocid}-tender-${number}${own && `-${own}`}`;
}

function periodsOf(deal: Deal, stage: Stage): Json {
  if (stage === 'planning') return { communication: { futureNoticeDate: midnight(dayOf(deal.tenderAt)) } };
  if (stage !== 'tender' && stage !== 'correction') return {};
  // A correction gives another week.
  const closes = wallClock(deal.deadlineAt + (stage === 'correction' ? 7 * 86_400_000 : 0));
  return { tenderPeriod: { endDate: closes }, awardPeriod: { startDate: closes } };
}

/** The notice's own page first; then markers, and attachments without an address. */
function documentsOf(site: Site, { title, description, index }: Deal, issue: PortalIssue): Json[] {
  const page = pageOf(issue);
  const { stage, number, first, at } = issue;
  const attached = site.label === 'SC' ? `${page}-1` : `${site.ocidOf(first)}-document-${number}-${page}-1`;
  const documentType = stage in DOCUMENT ? DOCUMENT[stage as keyof typeof DOCUMENT] : 'awardNotice';
  return [
    {
      id: page,
      documentType,
      title,
      description: inLines(description),
      url: `${site.www}/search/show/search_view.aspx?ID=${page}`,
      format: 'text/html',
    },
    ...(stage === 'tender'
      ? [
          { id: 'economic', documentType: 'economicSelectionCriteria' },
          { id: 'technical', documentType: 'technicalSelectionCriteria' },
        ]
      : []),
    ...(stage === 'tender' && index % 2 === 0
      ? [
          {
            id: attached,
            title: 'Specification',
            datePublished: wallClock(at),
            dateModified: wallClock(at),
            format: 'application/pdf',
          },
        ]
      : []),
  ];
}
