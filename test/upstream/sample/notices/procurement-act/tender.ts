import type { Json } from '../../../data.ts';
import { addDays, dayEnd, dayOf, dayStart, instantText } from '../../dates.ts';
import type { Deal } from '../../deals/make.ts';
import {
  buyerParty,
  type Issue,
  itemsOf,
  lotsOf,
  money,
  noticeDocument,
  relatedProcesses,
  releaseOf,
  techniques,
  tenderHead,
} from '../release-shape.ts';
import { actLotTerms, actTerms } from '../terms.ts';

const DAY_MS = 86_400_000;
const EXTENSION_DAYS = 9;

/** UK4, and its later versions: each repeats the whole tender, with a longer period and an amendment. */
export function tenderNotice(deal: Deal, issue: Issue): Json {
  const updated = issue.nth > 0;
  const tender = {
    ...tenderHead(deal),
    description: updated
      ? `${deal.description}\nUpdate: the closing date has been extended and clarification answers have been added to the portal.`
      : deal.description,
    status: 'active',
    items: itemsOf(deal, deal.lots),
    value: money(deal.net, deal.currency),
    procurementMethod: deal.method,
    procurementMethodDetails: deal.methodDetails,
    mainProcurementCategory: deal.trade.category,
    aboveThreshold: deal.aboveThreshold,
    submissionMethodDetails: `Tenders must be submitted through the e-tendering portal: ${deal.portal}`,
    submissionTerms: { electronicSubmissionPolicy: 'allowed', languages: ['en'] },
    ...deadlines(deal, issue.nth * EXTENSION_DAYS * DAY_MS),
    ...techniques(deal),
    ...actTerms(deal),
    lots: lotsOf(deal, 'active').map((lot, at) => ({ ...lot, ...actLotTerms(deal, at) })),
    ...(updated
      ? { amendments: [{ id: issue.id, date: instantText(issue.at), description: 'Deadline extended' }] }
      : {}),
    documents: [...tenderDocuments(deal), noticeDocument(issue, 'UK4', 'tenderNotice', 'Tender')],
  };
  return releaseOf(deal, issue, [updated ? 'tenderUpdate' : 'tender'], {
    parties: [buyerParty(deal.buyer)],
    ...(deal.index % 3 === 1 ? { planning: { noEngagementNoticeRationale: 'The market is known.' } } : {}),
    tender,
    ...relatedProcesses(deal),
  });
}

/** Two-stage procedures may carry only the date for requests to take part. */
function deadlines(deal: Deal, extraMs: number): Json {
  const closing = instantText(deal.deadlineAt + extraMs);
  const twoStage = deal.methodDetails === 'Competitive flexible procedure' && deal.index % 3 === 0;
  return {
    ...(twoStage ? { expressionOfInterestDeadline: closing } : { tenderPeriod: { endDate: closing } }),
    ...(deal.terms.enquiries
      ? { enquiryPeriod: { endDate: instantText(deal.deadlineAt + extraMs - 7 * DAY_MS) } }
      : {}),
    awardPeriod: { endDate: dayEnd(dayOf(deal.awardAt + extraMs)) },
  };
}

function tenderDocuments(deal: Deal): Json[] {
  if (deal.index % 3 > 0) return [{ id: 'L-1', documentType: 'biddingDocuments', url: deal.portal }];
  return [
    {
      id: 'A-1',
      documentType: 'biddingDocuments',
      description: 'Invitation to tender.pdf',
      url: `${deal.portal}/files/itt.pdf`,
      format: 'application/pdf',
    },
    {
      id: 'A-2',
      documentType: 'technicalSpecifications',
      description: 'Specification.docx',
      url: `${deal.portal}/files/specification.docx`,
    },
    { id: 'conflictOfInterest', documentType: 'conflictOfInterest', description: 'Not published' },
  ];
}

/** UK12: the procurement stops, or one of its lots does. */
export function terminationNotice(deal: Deal, issue: Issue): Json {
  const stopped = dayStart(addDays(dayOf(issue.at), -3));
  return releaseOf(deal, issue, ['tenderCancellation'], {
    parties: [buyerParty(deal.buyer)],
    tender: {
      ...tenderHead(deal),
      status: 'withdrawn',
      lots: deal.lots.map(({ id }) => ({ id, status: 'withdrawn' })),
      documents: [noticeDocument(issue, 'UK12', 'tenderCancellationNotice', 'Procurement termination')],
    },
    awards: deal.lots.map(({ id }) => ({ id, status: 'cancelled', finalStatusDate: stopped, relatedLots: [id] })),
  });
}
