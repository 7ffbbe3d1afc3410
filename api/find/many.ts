import { toCompanyAnswer } from '../../schema/answers/company.ts';
import {
  type KnownCompany,
  readKnownCompanies,
  readSicWordsOf,
  type SicWords,
} from '../../schema/answers/known-company.ts';
import type { Match } from '../../schema/catalogue/details.ts';
import type { Database } from '../../schema/db/interface.ts';
import { findCompany } from '../../search/names/companies.ts';
import type { AskedCompany, LookedUpCompany } from '../contract/long-reads.ts';
import type { Nothing } from '../contract/operation.ts';
import { findCompanyGiven, noneNamed } from './by-id-or-name.ts';
import { answerCompany, bestOf } from './by-name.ts';
import { lookUpCompany, numberIn } from './organisation.ts';

/** The result for a row, before its answer is built. */
type Found = { kind: 'found'; thing: KnownCompany; match: Match } | Nothing;
/** The result for a name: an id, before its company is read. */
type Lead = { kind: 'lead'; id: string; match: Match } | Nothing;

/**
 * The companies for many rows, in order: each name is looked up once, and all companies found are read with a few statements.
 * Takes milliseconds for each inexact name, so it is not for a process that answers calls.
 */
export async function lookUpCompanies(catalogue: Database, asked: readonly AskedCompany[]): Promise<LookedUpCompany[]> {
  const leads = new Map<string, Lead>();
  for (const one of asked) {
    if ('name' in one && !leads.has(keyOf(one))) leads.set(keyOf(one), await findLead(catalogue, one));
  }
  const ids = asked.flatMap((one) => ('id' in one ? one.id : (idOfLead(leads.get(keyOf(one))) ?? [])));
  const byNumber = await readKnownCompanies(
    catalogue,
    ids.flatMap((id) => numberIn(id) ?? []),
  );
  const found: Found[] = [];
  for (const one of asked) {
    found.push(
      'id' in one ? await findById(catalogue, one.id, byNumber) : await follow(catalogue, one, leads, byNumber),
    );
  }
  const things = found.flatMap((one) => (one.kind === 'found' ? [one.thing] : []));
  const sicWords = await readSicWordsOf(catalogue, ...things);
  return found.map((one) => toLookedUp(one, sicWords));
}

type AskedName = Extract<AskedCompany, { name: string }>;
type ByNumber = ReadonlyMap<string, KnownCompany>;

function keyOf({ name, postcode = '' }: AskedName): string {
  return `${name}\n${postcode}`;
}

function idOfLead(lead: Lead | undefined): string | undefined {
  return lead?.kind === 'lead' ? lead.id : undefined;
}

/** The company that a name means; candidates are read only where none is certain. */
async function findLead(catalogue: Database, { name, postcode }: AskedName): Promise<Lead> {
  const found = await findCompany(catalogue, name, postcode, true);
  const sure = bestOf(found);
  if (sure) return { kind: 'lead', ...sure };
  const { best, candidates } = await answerCompany(catalogue, name, found);
  return best ? { kind: 'lead', ...best } : noneNamed('company', name, candidates);
}

async function follow(
  catalogue: Database,
  asked: AskedName,
  leads: ReadonlyMap<string, Lead>,
  byNumber: ByNumber,
): Promise<Found> {
  const lead = leads.get(keyOf(asked));
  if (lead?.kind !== 'lead') return lead ?? noneNamed('company', asked.name, []);
  const thing = knownAs(lead.id, byNumber) ?? (await lookUpCompany(catalogue, lead.id));
  return thing ? { kind: 'found', thing, match: lead.match } : noneNamed('company', asked.name, []);
}

function knownAs(id: string, byNumber: ByNumber): KnownCompany | undefined {
  const number = numberIn(id);
  return number === null ? undefined : byNumber.get(number);
}

async function findById(catalogue: Database, id: string, byNumber: ByNumber): Promise<Found> {
  const known = knownAs(id, byNumber);
  if (known) return { kind: 'found', thing: known, match: exactly('number', `number ${numberIn(id)}`) };
  const found = await findCompanyGiven(catalogue, { company_number: id });
  if (found.kind === 'nothing') return found;
  return { kind: 'found', thing: found.thing, match: exactly('identifier', `identifier ${id}`) };
}

function exactly(method: Match['method'], evidence: string): Match {
  return { method, score: 1, evidence: [evidence] };
}

function toLookedUp(found: Found, sicWords: SicWords): LookedUpCompany {
  if (found.kind === 'nothing') return { ...found, candidates: found.candidates ?? [] };
  return { kind: 'found', answer: toCompanyAnswer(found.thing, sicWords), match: found.match };
}
