import type { Json } from '../../../data.ts';
import { addDays, addMonths, dayEnd, dayOf, dayStart } from '../../dates.ts';
import type { Deal } from '../../deals/make.ts';
import {
  buyerParty,
  type Issue,
  money,
  noticeDocument,
  periodOf,
  releaseOf,
  supplierParty,
  supplierReference,
  tenderHead,
} from '../release-shape.ts';

type Contract = { id: string; awardID: string } & Json;

function lifeRelease(deal: Deal, issue: Issue, tag: string, contracts: Contract[]): Json {
  return releaseOf(deal, issue, [tag], { parties: [buyerParty(deal.buyer)], tender: tenderHead(deal), contracts });
}

/** UK8. The encoding is not documented: payments as OCDS transactions. */
export function paymentNotice(deal: Deal, issue: Issue): Json {
  const [award] = deal.awards;
  const company = award?.suppliers[0];
  const transactions = [1, 2, 3].map((month) => ({
    id: `${issue.id}-${month}`,
    date: dayStart(addDays(dayOf(issue.at), -30 * month)),
    value: { amount: Math.round((deal.net / 24) * month * 100) / 100, currency: deal.currency },
    ...(company ? { payee: supplierReference(company, issue.sighting) } : {}),
  }));
  const documents = [noticeDocument(issue, 'UK8', 'implementationNotice', 'Contract payment')];
  return lifeRelease(deal, issue, 'implementation', [
    { id: '1', awardID: '1', implementation: { transactions }, documents },
  ]);
}

/** UK9: how the contract's indicators were met, or which were not. */
export function performanceNotice(deal: Deal, issue: Issue): Json {
  const measured = {
    id: issue.id,
    period: { startDate: dayStart(addMonths(dayOf(issue.at), -3)), endDate: dayEnd(addDays(dayOf(issue.at), -1)) },
    measure: '97%',
    measureClassification: { id: 'met', description: 'Good - performance is meeting or exceeding the KPI' },
  };
  const implementation = {
    metrics: [{ id: '1', title: 'Tasks completed to time', description: '95% or above', observations: [measured] }],
    performanceFailures: [
      {
        id: '1',
        requirement: 'Response within four hours',
        description: 'The response time was missed in two consecutive quarters.',
        decisionDate: dayStart(dayOf(issue.at)),
        penaltyType: 'contracted',
      },
    ],
  };
  const documents = [noticeDocument(issue, 'UK9', 'implementationNotice', 'Contract performance')];
  return lifeRelease(deal, issue, 'implementation', [{ id: '1', awardID: '1', implementation, documents }]);
}

/** UK10: the contract's term and value change. */
export function changeNotice(deal: Deal, issue: Issue): Json {
  const later = addMonths(deal.ends, 6);
  const change = {
    id: '1',
    awardID: '1',
    amendments: [
      {
        id: issue.id,
        date: dayStart(dayOf(issue.at)),
        description: 'Additional services within scope and an extension of six months.',
        rationaleClassifications: [{ scheme: 'UK_AMENDMENT', id: 'providedForInContract' }],
      },
    ],
    statusDetails: null,
    documents: [noticeDocument(issue, 'UK10', 'contractNotice', 'Contract change')],
    period: { ...periodOf(deal), endDate: dayEnd(later) },
    value: money(Math.round(deal.net * 115) / 100, deal.currency),
    aboveThreshold: deal.aboveThreshold,
  };
  return lifeRelease(deal, issue, 'contractAmendment', [change]);
}

/** UK11: the contract ends, at its time or before. */
export function contractTerminationNotice(deal: Deal, issue: Issue): Json {
  const contracts = deal.awards.map(({ id }) => ({
    id,
    awardID: id,
    status: 'terminated',
    period: { ...periodOf(deal), endDate: dayEnd(dayOf(issue.at)) },
    terminationRationaleClassifications: [
      { scheme: 'UK_TERMINATION', id: 'mutualAgreement', description: 'By agreement of the parties' },
    ],
    documents: [noticeDocument(issue, 'UK11', 'contractTerminationNotice', 'Contract termination')],
  }));
  return lifeRelease(deal, issue, 'contractTermination', contracts);
}

/** UK15, a delta: the awards are only named, one member goes. Never 30 new awards. */
export function modificationNotice(deal: Deal, issue: Issue): Json {
  const members = deal.awards.flatMap(({ suppliers }) => suppliers);
  const removed = members[(issue.nth + 1) % members.length];
  return releaseOf(deal, issue, ['award', 'contract'], {
    parties: [
      buyerParty(deal.buyer),
      ...(removed ? [supplierParty(removed, issue.sighting, ['removedSupplier'])] : []),
    ],
    awards: members.map((_, index) => ({ id: String(index + 1), amendments: [{ id: issue.id }] })),
    tender: {
      ...tenderHead(deal),
      amendments: [{ id: issue.id, date: dayStart(dayOf(issue.at)) }],
      documents: [noticeDocument(issue, 'UK15', 'awardNotice', 'Dynamic market modification')],
    },
  });
}

/** UK16. The encoding is not documented: built like a procurement termination. */
export function cessationNotice(deal: Deal, issue: Issue): Json {
  return releaseOf(deal, issue, ['tenderCancellation'], {
    parties: [buyerParty(deal.buyer)],
    tender: {
      ...tenderHead(deal),
      status: 'complete',
      documents: [noticeDocument(issue, 'UK16', 'tenderCancellationNotice', 'Dynamic market cessation')],
    },
  });
}

/** UK17, twice a year, of no one procurement. The encoding is not documented. */
export function complianceNotice(deal: Deal, issue: Issue): Json {
  const [year = '2026'] = dayOf(issue.at).split('-');
  return releaseOf({ ...deal, title: `Payments compliance ${year}` }, issue, ['implementation'], {
    parties: [buyerParty(deal.buyer)],
    tender: {
      ...tenderHead({ ...deal, title: `Payments compliance ${year}` }),
      documents: [noticeDocument(issue, 'UK17', 'implementationNotice', 'Payments compliance')],
    },
  });
}
