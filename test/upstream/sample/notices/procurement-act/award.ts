import type { Json } from '../../../data.ts';
import { addDays, dayEnd, dayOf, dayStart, instantText } from '../../dates.ts';
import { directAwardWords, smeBids } from '../../deals/facts.ts';
import type { Award, Deal } from '../../deals/make.ts';
import {
  buyerParty,
  type Issue,
  itemsOf,
  money,
  noticeDocument,
  periodOf,
  relatedProcesses,
  releaseOf,
  renewal,
  supplierParties,
  supplierReference,
  techniques,
  tenderHead,
} from '../release-shape.ts';
import { options, regimes } from '../terms.ts';

const EIGHT_WORKING_DAYS = 10;

function awardedTender(deal: Deal): Json {
  return {
    ...tenderHead(deal),
    description: deal.description,
    status: 'complete',
    procurementMethod: deal.method,
    procurementMethodDetails: deal.methodDetails,
    ...directAwardWords(deal),
    ...regimes(deal),
    ...(deal.framework && deal.index % 3 > 0 ? techniques(deal) : {}),
    lots: deal.lots.map(({ id, title }) => ({ id, ...(deal.lots.length > 1 ? { title } : {}), status: 'complete' })),
  };
}

function awardRelease(deal: Deal, issue: Issue, tag: string[], rest: Json): Json {
  return releaseOf(deal, issue, tag, {
    parties: [buyerParty(deal.buyer), ...supplierParties(deal.awards, issue.sighting)],
    tender: awardedTender(deal),
    ...relatedProcesses(deal),
    ...rest,
  });
}

function awardBase(deal: Deal, award: Award, issue: Issue): Json {
  const lots = deal.lots.filter(({ id }) => award.lotIds.includes(id));
  return {
    id: award.id,
    mainProcurementCategory: deal.trade.category,
    suppliers: award.suppliers.map((company) => supplierReference(company, issue.sighting)),
    items: itemsOf(deal, lots),
    relatedLots: award.lotIds,
  };
}

function bidsOf(deal: Deal): Json {
  const statistics = deal.awards.flatMap((award) => [
    { measure: 'bids', value: award.bids, relatedLot: award.lotIds[0] },
    { measure: 'finalStageBids', value: award.bids, relatedLot: award.lotIds[0] },
    { measure: 'smeFinalStageBids', value: smeBids(award), relatedLot: award.lotIds[0] },
    { measure: 'vcseFinalStageBids', value: 0, relatedLot: award.lotIds[0] },
  ]);
  return { bids: { statistics: statistics.map((each, index) => ({ id: String(index + 1), ...each })) } };
}

/** UK5: a direct award before it is made. */
export function transparencyNotice(deal: Deal, issue: Issue): Json {
  const awards = deal.awards.map((award) => ({
    ...awardBase(deal, award, issue),
    status: 'pending',
    value: money(award.net, deal.currency),
    aboveThreshold: deal.aboveThreshold,
    contractPeriod: periodOf(deal),
    documents: [noticeDocument(issue, 'UK5', 'awardNotice', 'Transparency')],
    milestones: [{ id: '1', type: 'futureSignatureDate', dueDate: dayEnd(dayOf(deal.signAt)), status: 'scheduled' }],
  }));
  return awardRelease(deal, issue, ['award', 'contract'], { awards });
}

/** The standstill ends before the contract is signed. */
function standstillEnd(deal: Deal, day: string): string {
  const [asked, last] = [addDays(day, EIGHT_WORKING_DAYS), addDays(dayOf(deal.signAt), -1)];
  return asked < last ? asked : last;
}

/** UK6, and its later versions: the value stands on the award; standstill runs. */
export function awardNotice(deal: Deal, issue: Issue): Json {
  const day = dayOf(issue.at);
  const awards = deal.awards.map((award) => ({
    title:
      deal.lots.length > 1
        ? `${deal.title} - ${deal.lots.find(({ id }) => id === award.lotIds[0])?.title}`
        : deal.title,
    ...awardBase(deal, award, issue),
    status: 'pending',
    date: dayStart(dayOf(deal.awardAt)),
    value: money(award.net, deal.currency),
    aboveThreshold: deal.aboveThreshold,
    contractPeriod: periodOf(deal),
    ...renewal(deal),
    ...options(deal),
    standstillPeriod: { endDate: dayEnd(standstillEnd(deal, day)) },
    assessmentSummariesDateSent: dayStart(day),
    documents: [noticeDocument(issue, 'UK6', 'awardNotice', 'Contract award')],
    milestones: [{ id: '1', type: 'futureSignatureDate', dueDate: dayEnd(dayOf(deal.signAt)), status: 'scheduled' }],
  }));
  const tag = issue.nth > 0 ? ['awardUpdate', 'contractUpdate'] : ['award', 'contract'];
  return awardRelease(deal, issue, tag, { ...(deal.method === 'direct' ? {} : bidsOf(deal)), awards });
}

/** UK7: the award again without its value and date, which now stand on the contract. */
export function contractNotice(deal: Deal, issue: Issue): Json {
  const awards = deal.awards.map((award) => ({ ...awardBase(deal, award, issue), status: 'active' }));
  const contracts = deal.awards.map((award) => ({
    id: award.id,
    awardID: award.id,
    title: deal.title,
    status: 'active',
    period: periodOf(deal),
    ...renewal(deal),
    ...options(deal),
    value: money(award.net, deal.currency),
    aboveThreshold: deal.aboveThreshold,
    ...(deal.net < 5_000_000 && deal.index % 4 === 2 ? { noAgreedMetricsRationale: 'Below £5 million' } : {}),
    dateSigned: dayStart(dayOf(deal.signAt)),
    documents: [noticeDocument(issue, 'UK7', 'contractNotice', 'Contract details'), ...contractText(deal)],
  }));
  return awardRelease(deal, issue, ['award', 'contract'], {
    ...(deal.method === 'direct' ? {} : bidsOf(deal)),
    awards,
    contracts,
  });
}

/** Contracts above 5 million pounds are published with their text. */
function contractText(deal: Deal): Json[] {
  if (deal.net < 5_000_000) return [];
  return [
    {
      id: 'C-1',
      documentType: 'contractSigned',
      description: 'Redacted contract.pdf',
      url: `${deal.portal}/files/contract.pdf`,
      format: 'application/pdf',
    },
  ];
}

/** UK14. The encoding is not documented: built like an award to every admitted member. */
export function marketNotice(deal: Deal, issue: Issue): Json {
  const members = deal.awards.flatMap(({ suppliers }) => suppliers);
  const awards = members.map((company, index) => ({
    id: String(index + 1),
    status: 'active',
    date: instantText(issue.at),
    suppliers: [supplierReference(company, issue.sighting)],
    relatedLots: [deal.lots[index % deal.lots.length]?.id ?? '1'],
  }));
  const tender = {
    ...awardedTender(deal),
    ...techniques(deal),
    items: itemsOf(deal, deal.lots),
    status: 'active',
    documents: [noticeDocument(issue, 'UK14', 'awardNotice', 'Dynamic market establishment')],
  };
  return awardRelease(deal, issue, ['award', 'contract'], { tender, awards });
}
