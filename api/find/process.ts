import { fromJson } from '../../schema/answers/omit-empty.ts';
import type { ContractDetail } from '../../schema/catalogue/contract-details.ts';
import type { Database } from '../../schema/db/interface.ts';
import { parseContractId, parseNoticeId, parseOcid } from '../../schema/text/ids.ts';
import { readNoticeNamed } from '../../search/names/notices.ts';
import { CANDIDATES_MAX, type Nothing, nothingNear } from '../contract/operation.ts';
import { type ContractRow, readContract, readContractsOfOcid } from '../reads/contracts.ts';
import {
  type NoticeRow,
  type ProcessRow,
  readNewestNotice,
  readNoticeOfRow,
  readNoticesById,
  readNoticesNumbered,
  readProcess,
  readProcessesByOcid,
} from '../reads/processes.ts';
import { lookUpBuyerById, lookUpCompany } from './organisation.ts';

/** The result for an id that was given for a notice. */
export interface AskedProcess {
  /** What the id turned out to name. */
  by: 'notice' | 'contract' | 'ocid';
  process: ProcessRow;
  /** The requested notice; for a contract or an ocid, the newest notice of the process. */
  notice: NoticeRow;
  /** Set where a contract_id was given. */
  contract?: ContractRow;
  /** Further processes under the same id. */
  others: ProcessRow[];
}

/**
 * The process with an ocid (in any case), a process id, a contract id, a notice id, another name of one notice, or the id by which
 * changes list it. Undefined if there is none. Notice ids include unusual ones, like the oldest on Contracts Finder.
 */
export async function lookUpProcess(catalogue: Database, given: string): Promise<AskedProcess | undefined> {
  const noticeId = parseNoticeId(given);
  if (noticeId) return byNoticeId(catalogue, noticeId);
  const contract = (await readContract(catalogue, given)) ?? (await readContract(catalogue, given.toLowerCase()));
  if (contract) return byContract(catalogue, contract);
  const former = await byFormerContractId(catalogue, given);
  if (former) return former;
  const unusual = (await byNoticeId(catalogue, given)) ?? (await byNoticeId(catalogue, given.toLowerCase()));
  if (unusual) return unusual;
  const named = await readNoticeNamed(catalogue, given);
  if (named) return byNoticeId(catalogue, named);
  const ocid = parseOcid(given);
  const ofOcid = ocid ? await byOcid(catalogue, ocid) : undefined;
  if (ofOcid) return ofOcid;
  const listed = await readNoticeOfRow(catalogue, given);
  return listed && byNotice(catalogue, listed);
}

/** An id of either service inside a longer text, such as the address of a notice. */
const INSIDE = /\d{6}-\d{4}(?!\d)|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/i;

/** A number of Find a Tender without its leading zeros: `76920-2026`. */
const UNPADDED = /(?<![\w-])\d{3,5}-\d{4}(?![\w-])/;
const PADDED_LENGTH = 'NNNNNN-YYYY'.length;

/** A number by itself; letters before it, or more digits, make it part of an id of another form. */
const NUMBER = /(?<![a-z\d-])\d{6}(?![a-z\d])/i;

/**
 * No notice has this id, but the one whose id is inside it may be meant, or one with the same number and another year; otherwise
 * it may be that of a buyer or company. A number of six digits could be a company's too.
 */
export async function noNotice(catalogue: Database, given: string): Promise<Nothing> {
  const message = `no notice, contract or ocid ${given} is held`;
  const id = INSIDE.exec(given)?.[0].toLowerCase() ?? UNPADDED.exec(given)?.[0].padStart(PADDED_LENGTH, '0');
  const inside = id && id !== given.toLowerCase() ? await readNoticesById(catalogue, id) : [];
  const number = NUMBER.exec(id ?? given)?.[0];
  const alike = inside.length === 0 && number ? await readNoticesNumbered(catalogue, number, CANDIDATES_MAX) : [];
  const candidates = [...inside.slice(0, 1), ...alike].map(({ notice_id, title }) => ({ id: notice_id, name: title }));
  if (candidates.length === 0 && (await lookUpBuyerById(catalogue, given))) {
    const ways = '{search_notices} and {search_contracts} take it as buyer_id';
    return { kind: 'nothing', message: `${message}: it is a buyer; ${ways}` };
  }
  if (candidates.length === 0 && (await lookUpCompany(catalogue, given)))
    return { kind: 'nothing', message: `${message}: it is a company; {company_contracts} lists what it won` };
  return nothingNear(message, '{search_notices} finds the ids of notices by words', candidates);
}

async function byNoticeId(catalogue: Database, noticeId: string): Promise<AskedProcess | undefined> {
  const [notice, ...further] = await readNoticesById(catalogue, noticeId);
  return notice && byNotice(catalogue, notice, further);
}

async function byNotice(
  catalogue: Database,
  notice: NoticeRow,
  further: readonly NoticeRow[] = [],
): Promise<AskedProcess | undefined> {
  const process = await readProcess(catalogue, notice.process_id);
  if (!process) return undefined;
  const others = await Promise.all(further.map((row) => readProcess(catalogue, row.process_id)));
  return { by: 'notice', process, notice, others: others.filter((other) => other !== undefined) };
}

async function byContract(catalogue: Database, contract: ContractRow): Promise<AskedProcess | undefined> {
  const process = await readProcess(catalogue, contract.process_id);
  if (!process) return undefined;
  const named = await readNoticesById(catalogue, contract.notice_id);
  const notice = named.find((row) => row.process_id === process.id) ?? (await readNewestNotice(catalogue, process.id));
  return notice && { by: 'contract', process, notice, contract, others: [] };
}

/**
 * Releases of a further buyer may split an ocid into two processes, or show two to be one, which changes the ids of some
 * contracts. The old id leads to the contract of the same award, if there is only one.
 */
async function byFormerContractId(catalogue: Database, given: string): Promise<AskedProcess | undefined> {
  const former = parseContractId(given);
  if (!former) return undefined;
  const stored = await readContractsOfOcid(catalogue, ocidOf(former.processId));
  const award = awardOf(former.contractId);
  const [contract, ...others] = stored.filter((row) => awardsOf(row).includes(award));
  if (contract) return others.length === 0 ? byContract(catalogue, contract) : undefined;
  return byCountedContractId(catalogue, former);
}

/** A contract that is counted as one of the other service leads there. */
async function byCountedContractId(catalogue: Database, given: NonNullable<ReturnType<typeof parseContractId>>) {
  const process = await readProcess(catalogue, given.processId);
  const countedAs = fromJson<Record<string, string[]>>(process?.counted_as ?? '{}')[given.contractId]?.[0];
  const contract = countedAs && (await readContract(catalogue, countedAs));
  return contract ? byContract(catalogue, contract) : undefined;
}

function ocidOf(processId: string): string {
  return processId.split('~')[0] ?? processId;
}

/** Its own award, and those under which it was published again. */
function awardsOf({ id, detail }: ContractRow): string[] {
  const { also_published_as = [] } = fromJson<ContractDetail>(detail);
  return [id, ...also_published_as].map(awardOf);
}

function awardOf(contractId: string): string {
  return contractId.slice(contractId.lastIndexOf('-a-'));
}

/** An ocid leads to the process of its first buyer; a process id that no longer exists, to the only process of its ocid. */
async function byOcid(catalogue: Database, given: string): Promise<AskedProcess | undefined> {
  const ofOcid = await readProcessesByOcid(catalogue, ocidOf(given));
  const named = given.includes('~') ? ofOcid.filter(({ id }) => id === given) : ofOcid;
  const [process, ...others] = named.length === 0 && ofOcid.length === 1 ? ofOcid : named;
  if (!process) return undefined;
  const notice = await readNewestNotice(catalogue, process.id);
  return notice && { by: 'ocid', process, notice, others };
}
