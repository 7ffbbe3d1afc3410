import { readNewestExports } from '../../../schema/accounts/exports/states.ts';
import type { Database } from '../../../schema/db/interface.ts';
import type { Candidate, Services } from '../../contract/operation.ts';
import { readFrameworksAmong, readFrameworksByReference } from '../../reads/frameworks.ts';
import { readNoticesById, readNoticesNumbered } from '../../reads/processes.ts';
import { findBuyerByName, findCompanyByName } from './by-name.ts';
import { lookUpBuyerById, lookUpCompany, NAME } from './organisation.ts';

/** Nothing was found: what a run answers. */
export interface Nothing {
  kind: 'nothing';
  message: string;
  candidates?: Candidate[];
}

const CANDIDATES_MOST = 5;
/** An id of either service inside something longer, such as the address of a notice. */
const INSIDE = /\d{6}-\d{4}(?!\d)|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/i;

/** No company goes by this number or id; by this name perhaps: those that are near, and the way to them. */
export async function noCompany(catalogue: Database, given: string): Promise<Nothing> {
  const message = `no company is known as ${given}`;
  if (await lookUpBuyerById(catalogue, given)) return nothing(`${message}: it is a buyer; {lookup_buyer} takes its id`);
  if (!NAME.test(given)) return nothing(`${message}; {search_companies} finds companies by name`);
  const { candidates } = await findCompanyByName(catalogue, given);
  return near(message, '{search_companies} finds companies by name', candidates);
}

/** The same of a buyer. */
export async function noBuyer(catalogue: Database, given: string): Promise<Nothing> {
  const message = `no buyer is known as ${given}`;
  if (await lookUpCompany(catalogue, given))
    return nothing(`${message}: it is a company; {lookup_company} takes its id`);
  if (!NAME.test(given)) return nothing(`${message}; {search_buyers} finds buyers by name`);
  const { candidates } = await findBuyerByName(catalogue, given);
  return near(message, '{search_buyers} finds buyers by name', candidates);
}

/** No notice goes by this; the one whose id is inside it perhaps does, or one of the same number and another year. */
export async function noNotice(catalogue: Database, given: string): Promise<Nothing> {
  const message = `no notice, contract or ocid ${given} is held`;
  const id = INSIDE.exec(given)?.[0].toLowerCase();
  const inside = id && id !== given.toLowerCase() ? await readNoticesById(catalogue, id) : [];
  const number = /\d{6}/.exec(id ?? given)?.[0];
  const alike = inside.length === 0 && number ? await readNoticesNumbered(catalogue, number, CANDIDATES_MOST) : [];
  const candidates = [...inside.slice(0, 1), ...alike].map(({ notice_id, title }) => ({ id: notice_id, name: title }));
  return near(message, '{search_notices} finds the ids of notices by words', candidates);
}

/** No framework goes by this; those that its words find. A reference may be several frameworks'. */
export async function noFramework({ catalogue, search, clocks }: Services, given: string): Promise<Nothing> {
  const message = `no framework is known as ${given}`;
  const way = '{search_frameworks} finds frameworks by words';
  const named = await readFrameworksByReference(catalogue, given.toUpperCase());
  const shared = [...(await readFrameworksAmong(catalogue, named)).values()];
  if (shared.length > 0)
    return near(
      `${message} alone`,
      way,
      shared.map(({ id, title }) => ({ id, name: title })),
    );
  const asked = { scope: 'frameworks' as const, text: given, filters: {}, limit: CANDIDATES_MOST };
  const { hits } = NAME.test(given) ? await search.find({ ...asked, now: clocks.catalogueNow() }) : { hits: [] };
  const found = hits.flatMap(({ framework_id: id, title }) => (id ? [{ id, name: title }] : []));
  return near(message, way, found);
}

/** The account has no such export; its newest ones, if it has any. */
export async function noExport(accounts: Database, accountId: string, given: string): Promise<Nothing> {
  const own = await readNewestExports(accounts, accountId, CANDIDATES_MOST);
  const candidates = own.map(({ id, dataset, format, status, created_at }) => ({
    id,
    name: `${dataset} as ${format}, ${status}, of ${created_at}`,
  }));
  return near(
    `no export ${given} of this account`,
    '{bulk_export} makes one, and {list_ledger} has the charge_id of each',
    candidates,
  );
}

function nothing(message: string): Nothing {
  return { kind: 'nothing', message };
}

function near(message: string, way: string, candidates: Candidate[]): Nothing {
  if (candidates.length === 0) return nothing(`${message}; ${way}`);
  const nearest = candidates.slice(0, CANDIDATES_MOST);
  return { kind: 'nothing', message: `${message}; send the id of a candidate`, candidates: nearest };
}
