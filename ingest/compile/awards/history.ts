import type { ContractChange, ContractStatement, Stage } from '../../../schema/catalogue/details.ts';
import type {
  OcdsAmendment,
  OcdsAward,
  OcdsBidStatistic,
  OcdsContract,
  OcdsPeriod,
  OcdsValue,
} from '../../../schema/ocds/types.ts';
import { parseDay } from '../../fields/dates.ts';
import { cleanLine, cleanText } from '../../fields/text/clean.ts';
import { type NoticeGroup, publishedOf } from '../notice.ts';
import { readValue } from '../values/money.ts';

/** What one notice said about an award, before any merge. */
export interface Said {
  noticeId: string;
  noticeType: string;
  stage: Stage;
  published: string;
  award: OcdsAward | undefined;
  contracts: OcdsContract[];
  bids: readonly OcdsBidStatistic[];
}

/** What each notice said about each award, the oldest notice first; an edited notice counts with its last edit. */
export function saidByAward(groups: readonly NoticeGroup[]): Map<string, Said[]> {
  const found = new Map<string, Said[]>();
  for (const group of groups) {
    const bids = group.releases.findLast(({ ocds }) => ocds.bids.length > 0)?.ocds.bids ?? [];
    for (const [awardId, words] of wordsOf(group)) {
      const { noticeId, kind } = group;
      const said = {
        noticeId,
        noticeType: kind.noticeType,
        stage: kind.stage,
        published: publishedOf(group),
        ...words,
        bids,
      };
      const earlier = found.get(awardId);
      if (earlier) earlier.push(said);
      else found.set(awardId, [said]);
    }
  }
  return found;
}

type Words = Pick<Said, 'award' | 'contracts'>;

function wordsOf({ releases }: NoticeGroup): Map<string, Words> {
  const words = new Map<string, Words>();
  for (const { ocds } of releases) {
    for (const award of ocds.awards) {
      if (award.id) words.set(award.id, { award, contracts: words.get(award.id)?.contracts ?? [] });
    }
    const speaking = new Set<string>();
    for (const contract of ocds.contracts) {
      const awardId = contract.awardID ?? contract.id;
      if (!awardId) continue;
      const known = words.get(awardId);
      const earlier = speaking.has(awardId) ? (known?.contracts ?? []) : [];
      words.set(awardId, { award: known?.award, contracts: [...earlier, contract] });
      speaking.add(awardId);
    }
  }
  return words;
}

interface Changed {
  /** The contracts as they now are. */
  contracts: OcdsContract[];
  /** The notice of the newest change that states a value. */
  valueFrom: string | null;
  /** Whether a change states a period. */
  isChanged: boolean;
}

/**
 * Contracts with the value and period of the newest change notice (UK10). Both come from one notice, as merged amounts may
 * be the net of one notice and the gross of another. Later notices also count; proposed changes do not.
 */
export function applyChanges(contracts: readonly OcdsContract[], said: readonly Said[]): Changed {
  const values = new Map<string, OcdsValue>();
  const periods = new Map<string, OcdsPeriod>();
  let valueFrom: string | null = null;
  for (const { noticeId, stage, contracts: spoken } of said) {
    const isChange = stage === 'change';
    for (const { id = '', value, period, amendments } of spoken) {
      const stated = [value, ...amendments.map((one) => one.value).toReversed()].find(readValue);
      if (stated && (isChange || values.has(id))) {
        values.set(id, stated);
        valueFrom = noticeId;
      }
      const lasting = period ?? amendments.findLast((one) => one.period)?.period;
      if (lasting && (isChange || periods.has(id))) periods.set(id, { ...periods.get(id), ...withoutUnset(lasting) });
    }
  }
  const changed = contracts.map((contract) => {
    const { id = '', value, period } = contract;
    // A change that omits a part of the period does not change that part.
    const lasting = periods.has(id) ? { ...period, ...periods.get(id) } : period;
    return { ...contract, value: values.get(id) ?? value, period: lasting };
  });
  return { contracts: changed, valueFrom, isChanged: periods.size > 0 };
}

function withoutUnset(period: OcdsPeriod): OcdsPeriod {
  return Object.fromEntries(Object.entries(period).filter(([, day]) => day !== undefined));
}

/** The day that a termination (UK11) ended a contract: its own end or final date where that has passed, else its publication. */
export function terminationDay(said: readonly Said[]): string | null {
  const last = said.findLast(isTermination);
  if (!last) return null;
  const { published } = last;
  const own = last.contracts.flatMap(({ finalStatusDate, period }) => [finalStatusDate, period?.endDate]);
  return own.map(parseDay).find((day) => day !== null && day <= published) ?? published;
}

function isTermination({ noticeType }: Said): boolean {
  return noticeType === 'UK11' || noticeType === 'contractTermination';
}

/** What each notice said, for a reader; empty if there was only one notice. */
export function describeHistory(said: readonly Said[]): ContractStatement[] {
  if (said.length < 2) return [];
  return said.map(({ noticeId, noticeType, published, award, contracts }) => {
    const value = [award?.value, ...contracts.map((one) => one.value)].map(readValue).find(Boolean);
    const period = contracts.findLast((one) => one.period)?.period ?? award?.contractPeriod;
    const status = contracts.findLast((one) => one.status)?.status ?? award?.status;
    const starts = parseDay(period?.startDate);
    const ends = parseDay(period?.endDate);
    const suppliers = (award?.suppliers ?? []).map(({ name }) => cleanLine(name)).filter(Boolean);
    return {
      notice_id: noticeId,
      notice_type: noticeType,
      published,
      ...(status ? { status } : {}),
      ...(value ? { value: value.money.value, currency: value.money.currency, value_basis: value.basis } : {}),
      ...(starts ? { starts } : {}),
      ...(ends ? { ends } : {}),
      ...(suppliers.length > 0 ? { suppliers } : {}),
    };
  });
}

/** Amendments of the award and its contracts, each once; one that is only proposed says so. */
export function describeChanges(
  award: OcdsAward | undefined,
  contracts: readonly OcdsContract[],
  said: readonly Said[],
): ContractChange[] {
  const tell = ({ id, date, description }: OcdsAmendment): ContractChange[] => {
    if (!id && !date) return [];
    const notice = said.find(({ noticeId }) => noticeId === id);
    const text = cleanText(description);
    const day = parseDay(date) ?? notice?.published ?? '';
    return [{ notice_id: id ?? notice?.noticeId ?? '', date: day, ...(text ? { description: text } : {}) }];
  };
  const made = [...(award?.amendments ?? []), ...contracts.flatMap(({ amendments }) => amendments)].flatMap(tell);
  const known = new Set(made.map(({ notice_id }) => notice_id));
  const proposed = contracts.flatMap(({ proposedAmendments }) => proposedAmendments.flatMap(tell));
  return [
    ...made,
    ...proposed.filter(({ notice_id }) => !known.has(notice_id)).map((one) => ({ ...one, proposed: true as const })),
  ];
}
