import type { ContractChange, ContractStatement } from '../../../schema/catalogue/contract-details.ts';
import type { Stage } from '../../../schema/catalogue/details.ts';
import type { OcdsBids } from '../../../schema/ocds/bidding.ts';
import type { OcdsAmendment, OcdsAward, OcdsContract, OcdsPeriod, OcdsValue } from '../../../schema/ocds/types.ts';
import { parseDay } from '../../fields/dates.ts';
import { isReadable } from '../../fields/notice.ts';
import { cleanLine, cleanText } from '../../fields/text/clean.ts';
import { withoutOldLength } from '../../merge/ocds.ts';
import { latestBids } from '../facts/measures.ts';
import { type NoticeGroup, publishedOf } from '../notice.ts';
import { sayReasons, whyEnded } from '../related.ts';
import { isPriced, readValue } from '../values/money.ts';

/** What one notice states about an award, before any merge. */
export interface AwardStatement {
  noticeId: string;
  noticeType: string;
  stage: Stage;
  published: string;
  award: OcdsAward | undefined;
  contracts: OcdsContract[];
  bids: OcdsBids;
}

/** What each notice states about each award, by award id, the oldest notice first. An edited notice counts with its last edit. */
export function statementsByAward(groups: readonly NoticeGroup[]): Map<string, AwardStatement[]> {
  const found = new Map<string, AwardStatement[]>();
  for (const group of groups) {
    const { noticeId, kind, releases } = group;
    const { noticeType, stage } = kind;
    const bids = latestBids(releases.map(({ ocds }) => ocds.bids));
    const published = publishedOf(group);
    for (const [awardId, { award, contracts }] of statedByAward(group)) {
      const statement = { noticeId, noticeType, stage, published, award, contracts, bids };
      const earlier = found.get(awardId);
      if (earlier) earlier.push(statement);
      else found.set(awardId, [statement]);
    }
  }
  return found;
}

function statedByAward({ releases }: NoticeGroup): Map<string, Pick<AwardStatement, 'award' | 'contracts'>> {
  const stated = new Map<string, Pick<AwardStatement, 'award' | 'contracts'>>();
  for (const { ocds } of releases) {
    for (const award of ocds.awards) {
      if (award.id) stated.set(award.id, { award, contracts: stated.get(award.id)?.contracts ?? [] });
    }
    const inThisRelease = new Set<string>();
    for (const contract of ocds.contracts) {
      const awardId = contract.awardID ?? contract.id;
      if (!awardId) continue;
      const known = stated.get(awardId);
      const earlier = inThisRelease.has(awardId) ? (known?.contracts ?? []) : [];
      stated.set(awardId, { award: known?.award, contracts: [...earlier, contract] });
      inThisRelease.add(awardId);
    }
  }
  return stated;
}

/** What the newest of the notices that state a thing says. */
export function lastStated<T>(
  statements: readonly AwardStatement[],
  read: (statement: AwardStatement) => T | undefined,
): T | undefined {
  return statements.map(read).findLast((one) => one !== undefined);
}

/** The value of an award, and of its contract, that the newest notice states. */
export function newestValues(statements: readonly AwardStatement[]): (OcdsValue | undefined)[] {
  return [
    lastStated(statements, ({ award }) => award?.value),
    lastStated(statements, ({ contracts }) => contracts.findLast(({ value }) => value)?.value),
  ];
}

export interface Changed {
  /** The contracts after all changes. */
  contracts: OcdsContract[];
  /** The notice of the newest change that states a value. */
  valueFrom: string | null;
  /** What changes state of the period: its end or length, or only other days, such as the day of the change. */
  periodChanged: 'end' | 'other' | null;
}

/**
 * Contracts with the value and period of the newest change notice (UK10). Amounts are taken from one notice, because a merge
 * may mix the net amount of one with the gross amount of another. Later notices also count; proposed changes do not.
 */
export function applyChanges(contracts: readonly OcdsContract[], statements: readonly AwardStatement[]): Changed {
  const values = new Map<string, OcdsValue>();
  const periods = new Map<string, OcdsPeriod>();
  let valueFrom: string | null = null;
  for (const { noticeId, stage, contracts: ofNotice } of statements) {
    const isChange = stage === 'change';
    for (const { id = '', value, period, amendments } of ofNotice) {
      const stated = [value, ...amendments.map((one) => one.value).toReversed()].find(isPriced);
      if (stated && (isChange || values.has(id))) {
        values.set(id, stated);
        valueFrom = noticeId;
      }
      const newest = [period, ...amendments.map((one) => one.period).toReversed()].map(readableIn).find(Boolean);
      if (newest && (isChange || periods.has(id))) periods.set(id, extend(periods.get(id), newest));
    }
  }
  const changed = contracts.map((contract) => {
    const { id = '', value, period } = contract;
    // A change that omits a part of the period does not change that part.
    const newest = periods.has(id) ? extend(period, periods.get(id)) : period;
    return { ...contract, value: values.get(id) ?? value, period: newest };
  });
  const setsEnd = ({ endDate, durationInDays, durationInMonths }: OcdsPeriod) =>
    [endDate, durationInDays, durationInMonths].some((one) => one !== undefined);
  const whatChanged = [...periods.values()].some(setsEnd) ? 'end' : 'other';
  return { contracts: changed, valueFrom, periodChanged: periods.size === 0 ? null : whatChanged };
}

/** A period with what a later notice states of it. */
function extend(period: OcdsPeriod = {}, later: OcdsPeriod = {}): OcdsPeriod {
  return { ...withoutOldLength({ ...period }, { ...later }), ...later };
}

/** What a period states and can be read; undefined where that is nothing. */
function readableIn({ unreadable: _, ...period }: OcdsPeriod = {}): OcdsPeriod | undefined {
  const stated = Object.entries(period).filter(([key, one]) => one !== undefined && isReadable(key, one));
  return stated.length > 0 ? Object.fromEntries(stated) : undefined;
}

/** How a termination notice (UK11) ended the contracts of an award. */
export interface Termination {
  day: string;
  /** Whether the notice states that day as the one on which they really ended. */
  isStated: boolean;
  /** Whether they were completed: a termination notice follows every contract, also one that ended at its time. */
  isCompleted: boolean;
}

/** The reason that a termination notice states for a contract that ran its full term. */
const COMPLETED = 'contractCompleted';

/**
 * How termination notices ended the contracts of an award, or null while one continues. The day is the last on which one really
 * ended; where none is stated, the final date or end if that has passed, otherwise the day of publication.
 */
export function terminationOf(statements: readonly AwardStatement[], all: readonly OcdsContract[]): Termination | null {
  const endings = statements.filter(isTermination);
  const last = endings.at(-1);
  const ended = new Map(endings.flatMap(({ contracts }) => contracts.map((one) => [one.id, one.endReasons] as const)));
  if (!last || (all.length > 1 && all.some(({ id }) => !ended.has(id)))) return null;
  const isCompleted = ended.size > 0 && [...ended.values()].every(isCompletion);
  const really = all
    .flatMap(({ endedOn }) => parseDay(endedOn) ?? [])
    .toSorted()
    .at(-1);
  if (really) return { day: really, isStated: true, isCompleted };
  const { published } = last;
  const own = last.contracts.flatMap(({ finalStatusDate, period }) => [finalStatusDate, period?.endDate]);
  const day = own.map(parseDay).find((one) => one !== null && one <= published) ?? published;
  return { day, isStated: false, isCompleted };
}

function isCompletion(reasons: readonly string[]): boolean {
  return reasons.length > 0 && reasons.every((reason) => reason === COMPLETED);
}

function isTermination({ noticeType }: AwardStatement): boolean {
  return noticeType === 'UK11' || noticeType === 'contractTermination';
}

/** What each notice states, as it is served. Empty if there was only one notice. `nameOf` names suppliers stated by id alone. */
export function describeHistory(
  statements: readonly AwardStatement[],
  nameOf: (partyId: string) => string | undefined,
): ContractStatement[] {
  if (statements.length < 2) return [];
  return statements.map(({ noticeId, noticeType, published, award, contracts }) => {
    const value = [award?.value, ...contracts.map((one) => one.value)].map(readValue).find(Boolean);
    const period = contracts.findLast((one) => one.period)?.period ?? award?.contractPeriod;
    const status = contracts.findLast((one) => one.status)?.status ?? award?.status;
    const starts = parseDay(period?.startDate);
    const endedOn = contracts.findLast((one) => one.endedOn)?.endedOn;
    const ends = parseDay(endedOn) ?? parseDay(period?.endDate);
    const named = (award?.suppliers ?? []).map(({ id = '', name }) => cleanLine(name) || nameOf(id));
    const suppliers = named.flatMap((name) => name || []);
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

/**
 * Amendments of the award and its contracts, each once, and why they were terminated. Proposed ones are marked as such. The older
 * forms number them and give them no date: each notice that states one is then a change, as the next may begin at 1 again.
 */
export function describeChanges(
  award: OcdsAward | undefined,
  contracts: readonly OcdsContract[],
  statements: readonly AwardStatement[],
): ContractChange[] {
  const describe = (read: ReadAmendments) => {
    const found = read({ award, contracts }).flatMap((one): ContractChange[] => {
      if (!one.id && !one.date) return [];
      const [day, notice] = [parseDay(one.date), statements.find(({ noticeId }) => noticeId === one.id)];
      if (day !== null || notice)
        return [changeOf(notice?.noticeId ?? one.id ?? '', day ?? notice?.published ?? '', one)];
      return statements.flatMap((stating) =>
        read(stating).flatMap((own) => (own.id === one.id ? changeOf(stating.noticeId, stating.published, own) : [])),
      );
    });
    return [...new Map(found.map((change) => [JSON.stringify(change), change])).values()];
  };
  const made = describe(({ award, contracts }) => [award, ...contracts].flatMap((one) => one?.amendments ?? []));
  const known = new Set(made.map(({ notice_id }) => notice_id));
  const proposed = describe(({ contracts }) => contracts.flatMap(({ proposedAmendments }) => proposedAmendments));
  return [
    ...made,
    ...proposed.filter(({ notice_id }) => !known.has(notice_id)).map((one) => ({ ...one, proposed: true as const })),
    ...statements
      .filter(isTermination)
      .map((one) => changeOf(one.noticeId, one.published, { description: whyEnded(one.contracts) }))
      .filter(({ description }) => description),
  ];
}

type ReadAmendments = (
  stated: Pick<AwardStatement, 'award'> & { contracts: readonly OcdsContract[] },
) => OcdsAmendment[];

function changeOf(notice_id: string, date: string, amendment: Partial<OcdsAmendment>): ContractChange {
  const text = cleanText(sayReasons(amendment.reasons, amendment.description));
  const { money, basis } = readValue(amendment.value) ?? {};
  const [ends, extendsTo] = [amendment.period?.endDate, amendment.period?.maxExtentDate].map(parseDay);
  const change = { notice_id, date, ...(text ? { description: text } : {}) };
  const value = money ? { ...money, value_basis: basis } : {};
  return { ...change, ...value, ...(ends ? { ends } : {}), ...(extendsTo ? { extends_to: extendsTo } : {}) };
}
