import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { addDays } from '../../schema/config/clocks.ts';
import type { Database, SqlValue } from '../../schema/db/interface.ts';
import { compareText } from '../../schema/text/ids.ts';
import { chunksOf, groupBy, groupByEach } from '../../schema/text/memoise.ts';
import type { BuyerPurchases } from './find.ts';
import type { EarlierContract } from './judge.ts';
import { type TitleWords, titleWords } from './titles.ts';

/** Rows of one read: a database server answers with 10 MB at most. */
const PAGE_ROWS = 2_000;
/** Only texts with something like an identifier are read. Anything that begins with a hyphen is found far faster, and rules out most texts. */
const HEX = '[0-9a-f]'.repeat(4);
const NAMING = `description GLOB '*-${HEX}*' AND description GLOB '*[0-9][0-9][0-9][0-9]-${HEX}*'`;
const NOTICES = `SELECT id, published_at AS place, notice_id, process_id, stage, published, cpvs, buyer,
  detail ->> '$.dates.starts' AS starts, detail -> '$.continues' AS continues, CASE WHEN ${NAMING} THEN description END AS text
  FROM notice WHERE buyer_id = ? AND (published_at, id) > (?, ?) AND gone = 0 ORDER BY published_at, id LIMIT ${PAGE_ROWS}`;
const CONTRACTS = `SELECT id, sort_date AS place, process_id, title, awarded, signed, starts, ends,
  coalesce(ends_latest, detail ->> '$.extends_to') AS ends_latest, cpv, detail -> '$.cpvs' AS cpvs, detail -> '$.lots' AS lots,
  framework_id, framework_role
  FROM contract WHERE buyer_id = ? AND (sort_date, id) > (?, ?) AND gone = 0 ORDER BY sort_date, id LIMIT ${PAGE_ROWS}`;
const PROCESSES = `SELECT id, ocid, title, reference FROM process
  WHERE id IN (SELECT value FROM json_each(?)) AND buyer_id = ? AND gone = 0`;
/** From a call for bids, and from a plan, to the first day of the contract. */
const TENDER_DAYS = 150;
const PLANNING_DAYS = 270;
const FRAMEWORKS = 'SELECT id FROM framework WHERE buyer_id = ? AND gone = 0';

interface NoticeRow {
  id: string;
  place: string;
  notice_id: string;
  process_id: string;
  stage: string;
  published: string;
  cpvs: string;
  buyer: string | null;
  starts: string | null;
  text: string | null;
  /** JSON: ocids that it states to continue, or to be continued by. */
  continues: string | null;
}

interface ContractRow {
  id: string;
  place: string;
  process_id: string;
  title: string;
  awarded: string | null;
  signed: string | null;
  starts: string | null;
  ends: string | null;
  ends_latest: string | null;
  cpv: string | null;
  cpvs: string | null;
  lots: string | null;
  framework_id: string | null;
  framework_role: string | null;
}

interface ProcessRow {
  id: string;
  ocid: string;
  title: string;
  reference: string | null;
}

/** The sources of a process. */
interface Bought {
  process: ProcessRow;
  title: TitleWords;
  notices: NoticeRow[];
  contracts: ContractRow[];
  isFramework: boolean;
  /** The name that its notices give the buyer. */
  buyer: string;
}

/** Reads everything about a buyer from which successions are found. */
export async function readPurchases(catalogue: Database, buyerId: string): Promise<BuyerPurchases> {
  const notices = await readAll<NoticeRow>(catalogue, NOTICES, buyerId);
  const contracts = await readAll<ContractRow>(catalogue, CONTRACTS, buyerId);
  const frameworks = await catalogue.read<{ id: string }>({ sql: FRAMEWORKS, args: [buyerId] });
  const frameworkIds = new Set(frameworks.map(({ id }) => id));
  const byProcess = groupBy(notices, ({ process_id }) => process_id);
  const contractsOf = groupBy(contracts, ({ process_id }) => process_id);
  const bought = (await readProcesses(catalogue, [...byProcess.keys()], buyerId)).map((process): Bought => {
    const own = byProcess.get(process.id) ?? [];
    const buyer = own.findLast((notice) => notice.buyer)?.buyer ?? '';
    return {
      process,
      title: titleWords(process.title, buyer),
      notices: own,
      contracts: contractsOf.get(process.id) ?? [],
      isFramework: frameworkIds.has(process.id),
      buyer,
    };
  });
  return { later: bought.map(toLater), earlier: bought.flatMap(toEarlier), names: processesByName(bought) };
}

async function readAll<T extends { id: string; place: string }>(
  catalogue: Database,
  sql: string,
  buyerId: string,
): Promise<T[]> {
  const rows: T[] = [];
  for (let after: SqlValue[] = ['', '']; ; ) {
    const page = await catalogue.read<T>({ sql, args: [buyerId, ...after] });
    rows.push(...page);
    const last = page.at(-1);
    if (!last || page.length < PAGE_ROWS) return rows;
    after = [last.place, last.id];
    await yieldToEventLoop();
  }
}

async function readProcesses(catalogue: Database, ids: readonly string[], buyerId: string): Promise<ProcessRow[]> {
  const rows: ProcessRow[] = [];
  for (const some of chunksOf(ids, PAGE_ROWS)) {
    rows.push(...(await catalogue.read<ProcessRow>({ sql: PROCESSES, args: [JSON.stringify(some), buyerId] })));
  }
  return rows.toSorted((a, b) => compareText(a.id, b.id));
}

function toLater({ process, title, notices, contracts, isFramework }: Bought) {
  const asked = notices.filter(({ stage }) => stage === 'planning' || stage === 'tender' || stage === 'market');
  const starts =
    contracts.flatMap((one) => one.starts ?? []).toSorted()[0] ?? asked.findLast((one) => one.starts)?.starts;
  const later: BuyerPurchases['later'][number] = {
    processId: process.id,
    title,
    reference: process.reference,
    firstPublished: notices[0]?.published ?? '',
    starts: starts ?? null,
    expected: starts ?? expectedStart(notices, asked),
    isPlanOnly: notices.every(({ stage }) => stage === 'planning'),
    cpvs: [...new Set(notices.flatMap(({ cpvs }) => listOf(cpvs)))],
    isFramework,
    frameworkIds: contracts.flatMap(({ framework_id }) =>
      framework_id && framework_id !== process.id ? framework_id : [],
    ),
    texts: [...new Set(notices.flatMap(({ text }) => text ?? []))],
    continues: [...new Set(notices.flatMap(({ continues }) => listOf(continues)))],
  };
  return later;
}

/** The usual first day of a contract whose notices give none. */
function expectedStart(notices: readonly NoticeRow[], asked: readonly NoticeRow[]): string {
  const tender = notices.find(({ stage }) => stage === 'tender');
  const first = notices[0]?.published ?? '';
  if (tender) return addDays(tender.published, TENDER_DAYS);
  return asked.length > 0 ? addDays(asked.at(-1)?.published ?? first, PLANNING_DAYS) : first;
}

function toEarlier({ process, title, contracts, isFramework, buyer }: Bought): EarlierContract[] {
  return contracts.map((contract) => {
    const lots = JSON.parse(contract.lots ?? '[]') as { title?: string }[];
    const lot = lots.length === 1 ? lots[0]?.title : undefined;
    const titles: TitleWords[] = [title];
    if (contract.title !== process.title) titles.push(titleWords(contract.title, buyer));
    if (lot) titles.push(titleWords(`${process.title} ${lot}`, buyer));
    return {
      contractId: contract.id,
      processId: process.id,
      titles,
      reference: process.reference,
      awarded: contract.awarded ?? contract.signed ?? contract.place,
      starts: contract.starts,
      ends: contract.ends,
      endsLatest: contract.ends_latest,
      cpvs: [...new Set([...(contract.cpv ? [contract.cpv] : []), ...listOf(contract.cpvs)])],
      frameworkId: contract.framework_id,
      isFramework: isFramework || contract.framework_role === 'establishes',
    };
  });
}

/** The process of each name that texts may use. A name of several processes, which may be any of them, is left out. */
function processesByName(bought: readonly Bought[]): Map<string, string> {
  const named = groupByEach(bought, namesOf);
  return new Map(
    [...named].flatMap(([name, [first, ...others]]) =>
      first && others.length === 0 ? [[name, first.process.id]] : [],
    ),
  );
}

function namesOf({ process, notices }: Bought): Set<string> {
  return new Set([process.ocid, ...notices.map(({ notice_id }) => notice_id)].map((name) => name.toLowerCase()));
}

function listOf(json: string | null): string[] {
  return json === null ? [] : (JSON.parse(json) as string[]);
}
