import { sources } from '../../../ingest/sources/index.ts';
import type { ContractDetail } from '../../../schema/catalogue/contract-details.ts';
import type { NoticeDetail, Totals } from '../../../schema/catalogue/details.ts';
import type { FrameworkDetail } from '../../../schema/catalogue/framework-details.ts';
import type { Database, SqlValue, Statement } from '../../../schema/db/interface.ts';
import { nameKey } from '../../../schema/names/spelling.ts';
import { coverageRows } from './seed-coverage.ts';

/** What a hostile publisher might write: shown as text, wherever it stands. */
export const HOSTILE = '<script>alert("x")</script>';

export const IDS = {
  tender: '000123-2026',
  award: '000456-2026',
  process: 'ocds-h6vhtk-0a1b2c',
  contract: 'ocds-h6vhtk-0a1b2c_1',
  framework: 'ocds-h6vhtk-0f0f0f',
  company: 'GB-COH-01234567',
  buyer: 'GB-PPON-PABC-1234-ABCD',
};
export const DAYS = { published: '2026-10-20', awarded: '2026-11-02', deadline: '2099-01-15' };
export const TITLE = `Bridge repair & ${HOSTILE}`;
export const BUYER = `Ambleford Council ${HOSTILE}`;
const COMPANY = `HARROW & PIKE ${HOSTILE} LIMITED`;
export const regions = [{ code: 'TLI', name: 'London' }];
const json = (value: unknown) => JSON.stringify(value);

/** Fills a catalogue with one thing of each kind, tied to one another. */
export async function seedCatalogue(catalogue: Database): Promise<void> {
  await catalogue.write([
    ...['contracts_finder', 'find_a_tender', 'companies_house'].map(sourceRow),
    ...processRows(),
    ...partyRows(),
    ...coverageRows(),
    row('meta', { name: 'sample', value: 'Invented data, for a test.' }),
  ]);
}

function row(table: string, values: Record<string, SqlValue>): Statement {
  const names = Object.keys(values);
  const sql = `INSERT INTO ${table} (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`;
  return { sql, args: Object.values(values) };
}

const versioned = { digest: 'd', seq: 1 };

function sourceRow(id: string): Statement {
  return row('source', {
    id,
    title: sources.find((one) => one.id === id)?.title ?? id,
    homepage: 'https://example.org/',
    licence: 'OGL v3.0',
    licence_url: 'https://example.org/licence',
    attribution: sources.find((one) => one.id === id)?.attribution ?? '',
    timetable: '0 * * * *',
    releases: 1234,
    as_of: '2026-11-20T12:00:00Z',
    kind: id === 'companies_house' ? 'register' : 'notices',
  });
}

function processRows(): Statement[] {
  const notices = [
    { notice_id: IDS.tender, notice_type: 'UK4', stage: 'tender', published: DAYS.published, title: TITLE },
    { notice_id: IDS.award, notice_type: 'UK6', stage: 'award', published: DAYS.awarded, title: TITLE },
  ];
  const process = { ocid: IDS.process, source: 'find_a_tender', title: TITLE, buyer_id: IDS.buyer };
  return [
    row('process', {
      id: IDS.process,
      ...process,
      stage: 'award',
      status: 'open',
      documents: '[]',
      notices: json(notices),
      ...versioned,
    }),
    row('process', {
      ...process,
      id: IDS.framework,
      ocid: IDS.framework,
      stage: 'award',
      status: 'awarded',
      documents: '[]',
      notices: '[]',
      ...versioned,
    }),
    noticeRow(IDS.tender, 'UK4', 'tender', DAYS.published, 1),
    noticeRow(IDS.award, 'UK6', 'award', DAYS.awarded, 0),
    contractRow(),
    row('contract_supplier', {
      contract_id: IDS.contract,
      company_id: IDS.company,
      position: 0,
      sort_date: DAYS.awarded,
    }),
    frameworkRow(),
  ];
}

function noticeRow(id: string, type: string, stage: string, published: string, isTender: number): Statement {
  const detail: NoticeDetail = {
    lots: [{ lot_id: '1', title: HOSTILE, description: HOSTILE, value: 10 }],
    dates: { starts: '2027-01-01', ends: '2028-12-31' },
    how_to_apply: { url: 'javascript:alert(1)', details: HOSTILE },
    documents: [{ name: HOSTILE, url: 'javascript:alert(2)' }],
    suppliers: [],
    contract_ids: [IDS.contract],
    warnings: [],
  };
  return row('notice', {
    id: `${id}_${IDS.process}`,
    notice_id: id,
    process_id: IDS.process,
    ocid: IDS.process,
    source: 'find_a_tender',
    stage,
    notice_type: type,
    title: TITLE,
    description: `First.\n\n${HOSTILE}`,
    buyer_id: IDS.buyer,
    buyer: BUYER,
    published,
    published_at: `${published}T09:00:00Z`,
    deadline: DAYS.deadline,
    deadline_at: `${DAYS.deadline}T12:00:00Z`,
    value: 1_250_000.5,
    currency: 'GBP',
    value_basis: 'net',
    cpv: '45000000',
    cpvs: json(['45000000']),
    region: 'TLI',
    regions: json(regions),
    status: 'open',
    url: `https://www.find-tender.service.gov.uk/Notice/${id}`,
    is_tender: isTender,
    detail: json(detail),
    ...versioned,
  });
}

function contractRow(): Statement {
  const match = { method: 'company_number', score: 1, evidence: ['published'] };
  const history: ContractDetail['history'] = [
    { notice_id: IDS.award, notice_type: 'UK6', published: DAYS.awarded, suppliers: [COMPANY, 'Harbour & Sons <Ltd>'] },
    {
      notice_id: '000099-2026',
      notice_type: 'UK10',
      published: '2026-11-02',
      status: 'active',
      value: 990_000,
      currency: 'GBP',
      value_basis: 'net',
      ends: '2029-03-31',
    },
    { notice_id: '000100-2026', notice_type: 'UK9', published: '2026-11-03' },
  ];
  const detail: ContractDetail = { lots: [], warnings: ['The value is zero.'], regions, cpvs: ['45000000'], history };
  return row('contract', {
    id: IDS.contract,
    process_id: IDS.process,
    ocid: IDS.process,
    source: 'find_a_tender',
    notice_id: IDS.award,
    award_id: '1',
    title: TITLE,
    buyer_id: IDS.buyer,
    buyer: BUYER,
    supplier: COMPANY,
    suppliers: json([{ company_id: IDS.company, name: COMPANY, companies_house_number: '01234567', match }]),
    value: 990_000,
    currency: 'GBP',
    value_basis: 'net',
    value_class: 'sum',
    awarded: DAYS.awarded,
    status: 'active',
    sort_date: DAYS.awarded,
    framework_id: IDS.framework,
    framework_role: 'call_off',
    detail: json(detail),
    ...versioned,
  });
}

function frameworkRow(): Statement {
  const lots = [{ lot_id: '1', title: HOSTILE, suppliers: [{ company_id: IDS.company, name: COMPANY }] }];
  const detail: FrameworkDetail = { evidence: ['flag'], references: ['RM0001'], regions, warnings: [], cpvs: [] };
  return row('framework', {
    id: IDS.framework,
    process_id: IDS.framework,
    ocid: IDS.framework,
    source: 'find_a_tender',
    notice_id: IDS.award,
    title: `Works framework ${HOSTILE}`,
    kind: 'framework',
    buyer_id: IDS.buyer,
    buyer: BUYER,
    published: DAYS.published,
    lots: json(lots),
    detail: json(detail),
    ...versioned,
  });
}

function partyRows(): Statement[] {
  const totals: Totals = {
    sum: { GBP: { count: 1, value: 990_000 } },
    apart: { framework_ceiling: { count: 2 } },
    by_year: { 2026: { count: 1, sum: { GBP: 990_000 } } },
    top: [{ id: IDS.buyer, name: BUYER, count: 1, value: 990_000, currency: 'GBP' }],
    frameworks: [{ framework_id: IDS.framework, title: HOSTILE }],
  };
  const detail = json({ identifiers: [{ scheme: 'GB-PPON', id: 'PABC-1234-ABCD' }], also_known_as: [HOSTILE] });
  const shared = { contract_count: 1, totals: json(totals), detail, ...versioned };
  const register = { name: COMPANY, name_key: nameKey(COMPANY), status: 'Active', category: 'Private Limited Company' };
  const record = { company_name: COMPANY, company_number: '01234567', accounts: {}, sic_codes: [], previous_names: [] };
  return [
    row('buyer', { id: IDS.buyer, name: BUYER, name_key: nameKey(BUYER), region: 'London', ...shared }),
    row('company', {
      id: IDS.company,
      name: COMPANY,
      name_key: nameKey(COMPANY),
      company_number: '01234567',
      ...shared,
    }),
    row('registered_company', { company_number: '01234567', ...register, record: json(record), ...versioned }),
  ];
}

/** Sets columns of a row, as another publisher would have filled them. */
export async function alterRow(
  catalogue: Database,
  table: string,
  id: string,
  values: Record<string, string | number | null>,
): Promise<void> {
  await catalogue.write(
    Object.entries(values).map(([column, value]) => ({
      sql: `UPDATE ${table} SET ${column} = ? WHERE id = ?`,
      args: [value, id],
    })),
  );
}
