import type { Json } from '../../../data.ts';
import { dayOf, instantText } from '../../dates.ts';
import { deliveryWords } from '../../deals/facts.ts';
import type { Deal } from '../../deals/make.ts';
import { renewal } from '../release-shape.ts';
import { oldLotTerms, oldTerms } from '../terms.ts';
import { isWebsite, type Site } from './sites.ts';

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

/** As many lots as there are, where a form must have a number. */
const UNLIMITED = 2_147_483_647;
/** London's wall clock, marked as if it were UTC. */
const wallClock = (at: number) => `${instantText(at).slice(0, 19)}Z`;
export const midnight = (day: string) => `${day}T00:00:00Z`;
/** Line breaks of the portals' texts. */
export const inLines = (text: string) => text.replaceAll('\n', '\r\n ');

const MONTHS = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'];
/** The id of a notice's page: its month in letters and a number. */
export function pageOf({ at, number }: Pick<PortalIssue, 'at' | 'number'>): string {
  return `${MONTHS[Number(dayOf(at).slice(5, 7)) - 1]}${number}`;
}

/** What is bought, in the recorded shape. */
export function tenderOf(site: Site, deal: Deal, issue: PortalIssue): Json {
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
      ...deliveryWords(deal),
      relatedLot: lot.id,
    })),
    ...(deal.index % 3 === 0 ? {} : { value: { amount: deal.net, currency: 'GBP' } }),
    procurementMethod: deal.method === 'direct' ? 'limited' : deal.method,
    procurementMethodDetails: deal.method === 'open' ? 'Open procedure' : 'Restricted procedure',
    mainProcurementCategory: deal.trade.category,
    submissionMethod: ['electronicSubmission'],
    submissionMethodDetails: site.www,
    ...periodsOf(deal, stage),
    ...(status === 'active' ? oldTerms(deal, { unlimited: UNLIMITED, day: (ms) => midnight(dayOf(ms)) }) : {}),
    documents: documentsOf(site, deal, issue),
    lots: deal.lots.map((lot, at) => ({
      id: lot.id,
      ...(deal.lots.length > 1 ? { title: lot.title, value: { amount: lot.net, currency: 'GBP' } } : {}),
      status,
      ...oldLotTerms(deal, at, status),
      contractPeriod: { startDate: midnight(deal.starts), endDate: midnight(deal.ends) },
      hasRenewal: deal.extendsTo !== undefined,
      ...renewal(deal),
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
