import type { Json } from '../../../data.ts';
import { addDays, dayEnd, dayOf } from '../../dates.ts';
import type { Deal } from '../../deals/make.ts';
import {
  buyerParty,
  type Issue,
  itemsOf,
  lotsOf,
  money,
  noticeDocument,
  releaseOf,
  techniques,
  tenderHead,
} from '../release-shape.ts';
import { regimes } from '../terms.ts';

function plannedTender(deal: Deal): Json {
  return {
    ...tenderHead(deal),
    description: deal.description,
    items: itemsOf(deal, deal.lots),
    value: money(deal.net, deal.currency),
    procurementMethod: deal.method,
    procurementMethodDetails: deal.methodDetails,
    mainProcurementCategory: deal.trade.category,
    aboveThreshold: deal.aboveThreshold,
    ...regimes(deal),
    lots: lotsOf(deal, 'planned'),
    ...techniques(deal),
    communication: { futureNoticeDate: dayEnd(dayOf(deal.tenderAt)) },
    status: 'planned',
  };
}

function planningRelease(deal: Deal, issue: Issue, tag: string, planning: Json): Json {
  return releaseOf(deal, issue, [tag], { parties: [buyerParty(deal.buyer)], planning, tender: plannedTender(deal) });
}

/** UK1, the yearly list of what is coming. */
export function pipelineNotice(deal: Deal, issue: Issue): Json {
  const documents = [noticeDocument(issue, 'UK1', 'plannedProcurementNotice', 'Pipeline')];
  return planningRelease(deal, issue, 'planning', { documents });
}

/** UK2, and its later versions. */
export function engagementNotice(deal: Deal, issue: Issue): Json {
  const milestones = [
    {
      id: 'engagement',
      type: 'engagement',
      description: `Suppliers are invited to complete the questionnaire at ${deal.portal} and to attend an online briefing.`,
      dueDate: dayEnd(addDays(dayOf(issue.at), 18)),
      status: 'scheduled',
    },
  ];
  const documents = [noticeDocument(issue, 'UK2', 'marketEngagementNotice', 'Preliminary market engagement')];
  return planningRelease(deal, issue, issue.nth > 0 ? 'planningUpdate' : 'planning', { milestones, documents });
}

/** UK3, which shortens the tendering period that follows. */
export function plannedNotice(deal: Deal, issue: Issue): Json {
  const documents = [noticeDocument(issue, 'UK3', 'plannedProcurementNotice', 'Planned procurement')];
  return planningRelease(deal, issue, 'planning', { documents });
}

/** UK13. The encoding is not documented: built like the other planning notices. */
export function marketIntentionNotice(deal: Deal, issue: Issue): Json {
  const documents = [noticeDocument(issue, 'UK13', 'plannedProcurementNotice', 'Dynamic market intention')];
  return planningRelease(deal, issue, 'planning', { documents });
}
