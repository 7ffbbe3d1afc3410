import { toCompanyAnswer } from '../../schema/answers/company.ts';
import {
  type KnownCompany,
  readKnownCompanies,
  readSicWordsOf,
  type SicWords,
} from '../../schema/answers/known-company.ts';
import type { Match } from '../../schema/catalogue/details.ts';
import type { Database } from '../../schema/db/interface.ts';
import { type BuyersAsk, listBuyers } from '../../search/directory/buyers.ts';
import type { AskedCompany, ListedBuyers, LookedUpCompany } from '../contract/aside.ts';
import type { Nothing } from '../contract/operation.ts';
import { countLiveTenders } from '../reads/buyers.ts';
import { findCompanyGiven } from './by-id-or-name.ts';
import { numberIn } from './organisation.ts';

/** What a row led to, before its answer is made. */
type Found = { kind: 'found'; thing: KnownCompany; match: Match } | Nothing;

/**
 * The companies of many rows, in their order: all numbers with two statements, names one after the other. Takes milliseconds
 * for each name that is not exact, so it is not for a process that answers others.
 */
export async function lookUpCompanies(catalogue: Database, asked: readonly AskedCompany[]): Promise<LookedUpCompany[]> {
  const numbers = asked.flatMap((one) => ('id' in one ? (numberIn(one.id) ?? []) : []));
  const byNumber = await readKnownCompanies(catalogue, numbers);
  const found: Found[] = [];
  for (const one of asked) found.push(await lookUp(catalogue, one, byNumber));
  const things = found.flatMap((one) => (one.kind === 'found' ? [one.thing] : []));
  const sicWords = await readSicWordsOf(catalogue, ...things);
  return found.map((one) => toLookedUp(one, sicWords));
}

async function lookUp(
  catalogue: Database,
  asked: AskedCompany,
  byNumber: ReadonlyMap<string, KnownCompany>,
): Promise<Found> {
  if ('name' in asked) {
    const found = await findCompanyGiven(catalogue, asked);
    return found.kind === 'nothing' ? found : { ...found, match: found.match ?? exactly('exact', asked.name) };
  }
  const number = numberIn(asked.id);
  const known = number === null ? undefined : byNumber.get(number);
  if (number !== null && known) return { kind: 'found', thing: known, match: exactly('number', `number ${number}`) };
  const found = await findCompanyGiven(catalogue, { company_number: asked.id });
  if (found.kind === 'nothing') return found;
  return { ...found, match: exactly('identifier', `identifier ${asked.id}`) };
}

function exactly(method: Match['method'], evidence: string): Match {
  return { method, score: 1, evidence: [evidence] };
}

function toLookedUp(found: Found, sicWords: SicWords): LookedUpCompany {
  if (found.kind === 'nothing') return { ...found, candidates: found.candidates ?? [] };
  return { kind: 'found', answer: toCompanyAnswer(found.thing, sicWords), match: found.match };
}

/** A page of buyers, each with the tenders of it that can be bid for at an instant; null while contracts are read. */
export async function listBuyersAt(
  catalogue: Database,
  { now, ...asked }: BuyersAsk & { now: string },
): Promise<ListedBuyers | null> {
  const page = await listBuyers(catalogue, asked);
  if (!page) return null;
  const ids = page.entries.map(({ id }) => id);
  const live = await countLiveTenders(catalogue, ids, new Date(now));
  return {
    ...page,
    entries: page.entries.map(({ key: _k, otherKeys: _o, initials: _i, text: _t, size: _s, ...entry }) => ({
      ...entry,
      live_tender_count: live.get(entry.id) ?? 0,
    })),
  };
}
