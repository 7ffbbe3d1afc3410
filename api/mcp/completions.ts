import {
  type CompleteRequestParams,
  type CompleteResult,
  ProtocolError,
  ProtocolErrorCode,
} from '@modelcontextprotocol/server';
import type { Database } from '../../schema/db/interface.ts';
import { CPV_DIVISIONS } from '../../schema/reference/cpv.ts';
import { keyOf, listRegions, type Region } from '../../schema/reference/regions.ts';
import { readNarrower } from '../categories/cpv-tree.ts';
import { readBuyersBeginning } from '../reads/buyers.ts';
import { readCompaniesBeginning } from '../reads/companies.ts';

const VALUES_MAX = 20;
/** One more tells whether there are more. */
const READ_MAX = VALUES_MAX + 1;
const TEXT_MAX = 100;
/** At least this much of a name or an id must be typed: completions find something specific rather than list everything. */
const LETTERS_MIN = 4;
const DIGITS_MIN = 6;
/** Completions a minute for each account. */
export const COMPLETIONS_PER_MINUTE = 60;

type Complete = (catalogue: Database, text: string) => Promise<string[]> | string[];

const findBuyers = async (catalogue: Database, text: string) =>
  isEnough(text) ? readBuyersBeginning(catalogue, text, READ_MAX) : [];
const findCompanies = async (catalogue: Database, text: string) =>
  isEnough(text) ? readCompaniesBeginning(catalogue, text, READ_MAX) : [];

const completeBuyerId: Complete = async (catalogue, text) => (await findBuyers(catalogue, text)).map(({ id }) => id);
const completeBuyerName: Complete = async (catalogue, text) =>
  (await findBuyers(catalogue, text)).map(({ name }) => name);
/** Regions with this beginning of their code, or of a word in their name, widest first; several levels may have one name. */
const completeRegion: Complete = (_catalogue, text) => {
  const code = text.trim().toUpperCase().replace(/^TL/, 'UK');
  // A text without letters begins no name.
  const start = ` ${keyOf(text) || text.trim()}`;
  const fits = (one: Region) => one.code?.startsWith(code) || ` ${keyOf(one.name)}`.includes(start);
  return [
    ...new Set(
      listRegions()
        .filter(fits)
        .map(({ name }) => name),
    ),
  ];
};

/** Divisions by digits or by a word of their names; below a division, the next codes that notices use. */
const completeCpv: Complete = async (catalogue, text) => {
  if (/^\d{2,8}$/.test(text)) {
    const below = await readNarrower(catalogue, text);
    return [...CPV_DIVISIONS.filter(({ code }) => code === text), ...below].map(({ code }) => code);
  }
  const start = text.toLowerCase();
  const fits = ({ code, name }: { code: string; name: string }) =>
    code.startsWith(start) || ` ${name.toLowerCase()}`.includes(` ${start}`);
  return CPV_DIVISIONS.filter(fits).map(({ code }) => code);
};

const completeCompanyName: Complete = async (catalogue, text) =>
  (await findCompanies(catalogue, text)).map(({ name }) => name);
/** Numbers by digits or by the company's name; a company outside the register gets our own id. */
const completeCompanyNumber: Complete = async (catalogue, text) =>
  (await findCompanies(catalogue, text)).map(({ id, company_number: number }) => number ?? id);

/** The common beginning of a scheme's ids is not part of a name. */
const SCHEME = /^gb-[a-z]+-?/i;

function isEnough(text: string): boolean {
  const count = (kind: RegExp) => text.replace(SCHEME, '').match(kind)?.length ?? 0;
  return count(/\p{L}/gu) >= LETTERS_MIN || count(/\d/g) >= DIGITS_MIN;
}

/** What is completed, by the prompt or the resource template and the argument. */
const COMPLETED: Readonly<Record<string, Complete>> = {
  'buyer://{buyer_id} buyer_id': completeBuyerId,
  'company://{company_number} company_number': completeCompanyNumber,
  'cpv://{code} code': completeCpv,
  'research_supplier company': completeCompanyName,
  'find_tenders company': completeCompanyName,
  'profile_buyer buyer': completeBuyerName,
  'find_tenders cpv': completeCpv,
  'find_tenders region': completeRegion,
  'renewal_pipeline category': completeCpv,
  'renewal_pipeline region': completeRegion,
  'compare_competitors companies': completeCompanyName,
  'compare_competitors cpv': completeCpv,
  'size_market category': completeCpv,
  'size_market region': completeRegion,
  'weekly_watch category': completeCpv,
  'weekly_watch region': completeRegion,
};

/** Possible values that continue an argument, free; empty for arguments without any. @throws ProtocolError for an unknown prompt or resource */
export async function completeArgument(
  catalogue: Database,
  { ref, argument }: CompleteRequestParams,
  isKnown: (ref: string) => boolean,
): Promise<CompleteResult> {
  const of = ref.type === 'ref/prompt' ? ref.name : ref.uri;
  if (!isKnown(of)) {
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Nothing is known as ${of.slice(0, TEXT_MAX)}`);
  }
  const complete = COMPLETED[`${of} ${argument.name}`];
  const found = complete ? await complete(catalogue, argument.value.slice(0, TEXT_MAX)) : [];
  const values = [...new Set(found)].slice(0, VALUES_MAX);
  return { completion: { values, hasMore: found.length > VALUES_MAX } };
}
