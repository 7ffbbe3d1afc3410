import type { Json } from '../../../data.ts';
import { dayOf } from '../../dates.ts';
import type { Deal } from '../../deals/make.ts';
import { withInitials } from '../../market/buyers.ts';
import type { Company } from '../../market/companies.ts';
import { MODIFICATION, type Site } from './sites.ts';
import { inLines, midnight, type PortalIssue, pageOf, tenderOf } from './tender.ts';

/** Its awards have no status. */
const QUICK_QUOTE = '104';
const LOCAL: ReadonlySet<string> = new Set(['council', 'county', 'police', 'fire']);

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
