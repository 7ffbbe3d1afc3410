import type { Database } from '../../../schema/database.ts';
import { readNoticesById } from '../../reads/processes.ts';
import { findBuyerByName, findCompanyByName } from './find-by-name.ts';

/** Nothing was found: what a run answers. */
export interface Nothing {
  kind: 'nothing';
  message: string;
  candidates?: { id: string; name: string }[];
}

const CANDIDATES_MOST = 5;
/** A text that may be a name: it has a word of three letters and is no identifier of a scheme. */
const NAME = /^(?![A-Z]{2,3}-)(?=.*\p{L}{3}).{3,300}$/u;
/** An id of either service inside something longer, such as the address of a notice. */
const INSIDE = /\d{6}-\d{4}(?!\d)|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/i;

/** No company goes by this number or id; by this name perhaps: those that are near, and the way to them. */
export async function noCompany(catalogue: Database, given: string): Promise<Nothing> {
  const message = `no company is known as ${given}`;
  if (!NAME.test(given)) return { kind: 'nothing', message: `${message}; lookup_company finds companies by name` };
  const { candidates } = await findCompanyByName(catalogue, given);
  return near(message, 'lookup_company', candidates);
}

/** The same of a buyer. */
export async function noBuyer(catalogue: Database, given: string): Promise<Nothing> {
  const message = `no buyer is known as ${given}`;
  if (!NAME.test(given)) return { kind: 'nothing', message: `${message}; lookup_buyer finds buyers by name` };
  const { candidates } = await findBuyerByName(catalogue, given);
  return near(message, 'lookup_buyer', candidates);
}

/** No notice goes by this; the one whose id is inside it perhaps does. */
export async function noNotice(catalogue: Database, given: string): Promise<Nothing> {
  const message = `no notice, contract or ocid ${given} is held`;
  const id = INSIDE.exec(given)?.[0].toLowerCase();
  const [notice] = id && id !== given.toLowerCase() ? await readNoticesById(catalogue, id) : [];
  if (!notice) return { kind: 'nothing', message: `${message}; search_notices finds the ids of notices` };
  const candidates = [{ id: notice.notice_id, name: notice.title }];
  return { kind: 'nothing', message: `${message}; send the id alone`, candidates };
}

function near(message: string, tool: string, candidates: { id: string; name: string }[]): Nothing {
  if (candidates.length === 0) return { kind: 'nothing', message: `${message}; ${tool} finds it by another name` };
  const nearest = candidates.slice(0, CANDIDATES_MOST);
  return { kind: 'nothing', message: `${message}; send the id of a candidate`, candidates: nearest };
}
