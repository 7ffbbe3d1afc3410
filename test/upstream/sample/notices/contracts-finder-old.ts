import type { Json } from '../../data.ts';
import { dayOf } from '../dates.ts';
import type { Award } from '../deals/make.ts';
import type { Company } from '../market/companies.ts';
import { countryOf } from '../market/places.ts';
import { type CfDeal, type CfIssue, cfBuyerParty, cfRelease } from './contracts-finder.ts';

const escaped = (name: string) => name.replaceAll('&', '&amp;').replaceAll("'", '&#039;');

/** The shape of 2017 to 2021: the tag is always `tender`, supplier ids are "1", "2" in each release, names are HTML. */
export function cfOldNotice(deal: CfDeal, issue: CfIssue): Json {
  const suppliers = [...new Set(deal.awards.flatMap((award) => award.suppliers))];
  const buyer = { id: '1', name: escaped(deal.buyer.name) };
  return {
    ...cfRelease(deal, issue, deal.awardGuid, 'tender', {}),
    id: `${deal.ocid}-${issue.serial}-${deal.reference.toLowerCase().replace(/[^a-z0-9]+/g, '')}`,
    buyer,
    parties: [{ ...cfBuyerParty(deal), ...buyer }, ...suppliers.map(oldSupplierParty)],
    tender: oldTender(deal),
    awards: deal.awards.map((award, index) => oldAward(deal, award, index, suppliers)),
  };
}

function oldSupplierParty(company: Company, index: number): Json {
  return {
    id: String(index + 2),
    name: escaped(company.style),
    roles: ['supplier', 'tenderer'],
    address: {
      streetAddress: `${company.street}\n        ${company.place.name}\n        ${company.postcode}`,
      countryName: `${countryOf(company.place)}\n`,
    },
    identifier: { scheme: company.number ? 'GB-COH' : '', id: company.number ?? '' },
  };
}

function oldTender(deal: CfDeal): Json {
  const [main] = deal.cpv;
  const uri = `http://cpv.data.ac.uk/code-${main?.[0]}.html`;
  return {
    id: `${deal.ocid}-${deal.reference}`,
    title: deal.title,
    description: deal.description,
    status: 'complete',
    items: [
      {
        id: 1,
        description: 'See description of related tender.',
        classification: { scheme: 'CPV', id: main?.[0], description: main?.[1], uri },
      },
    ],
    value: { amount: deal.net, currency: 'GBP' },
    procurementMethodDetails: 'Open procedure',
    tenderPeriod: { endDate: `${dayOf(deal.deadlineAt)}T00:00:00Z` },
  };
}

function oldAward(deal: CfDeal, award: Award, index: number, suppliers: readonly Company[]): Json {
  return {
    id: `${deal.awardGuid.slice(0, -1)}${index}`,
    date: `${dayOf(deal.awardAt)}T00:00:00Z`,
    value: { amount: award.net, currency: 'GBP' },
    status: 'active',
    suppliers: award.suppliers.map((company) => ({
      id: String(suppliers.indexOf(company) + 2),
      name: escaped(company.style),
    })),
    contractPeriod: { startDate: `${deal.starts}T00:00:00Z`, endDate: `${deal.ends}T00:00:00Z` },
  };
}
