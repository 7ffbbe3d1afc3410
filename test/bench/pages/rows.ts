import type { ContractDetail } from '../../../schema/catalogue/contract-details.ts';
import type { Match, NoticeDetail, RegisterRecord } from '../../../schema/catalogue/details.ts';
import type { FrameworkDetail } from '../../../schema/catalogue/framework-details.ts';
import type { SqlValue } from '../../../schema/db/interface.ts';
import type { SearchDocument } from '../../../search/engine.ts';

/** A row before it is stored: column -> value. */
export type Row = Record<string, SqlValue>;

/** Suppliers that a page may hold; the longest lists of the generated world are not longer. */
export interface Supplier {
  company_id: string;
  name: string;
  companies_house_number: string;
  match: Match;
}

/** The framework that an award is called off from. */
export interface FrameworkLink {
  id: string;
  role: 'call_off' | 'establishes';
}

const LOTS = 4;
const MATCH: Match = { method: 'company_number', score: 1, evidence: ['company number published'] };
const DOCUMENTS = [1, 2, 3].map((index) => ({
  name: `Attachment ${index}`,
  url: `https://notices.example/document/${index}`,
  type: 'tenderNotice',
}));

const json = (value: unknown): string => JSON.stringify(value);
const lotsOf = ({ title }: SearchDocument) =>
  Array.from({ length: LOTS }, (_, index) => ({
    lot_id: String(index + 1),
    title: `${title}, part ${index + 1}`,
    description: `What is bought in part ${index + 1}: ${title.toLowerCase()}`,
  }));

/** Suppliers as contracts and notices name them. */
export function suppliersOf({ suppliers, company_numbers: numbers }: SearchDocument): Supplier[] {
  const named = suppliers.flatMap((name, index): Supplier[] => {
    const number = numbers[index];
    return number ? [{ company_id: `GB-COH-${number}`, name, companies_house_number: number, match: MATCH }] : [];
  });
  return [...new Map(named.map((supplier) => [supplier.company_id, supplier])).values()];
}

export function processRow(document: SearchDocument, seq: number): Row {
  const { ocid, source, title, buyer_id, stage, status, notice_id, notice_type, published, url } = document;
  return {
    id: ocid,
    ocid,
    source,
    title,
    buyer_id,
    stage,
    status,
    documents: json(DOCUMENTS),
    notices: json([{ notice_id, notice_type, stage, published, title, url }]),
    first_published: published,
    last_published: published,
    digest: '',
    seq,
  };
}

export function noticeRow(document: SearchDocument, suppliers: readonly Supplier[], seq: number): Row {
  const {
    suppliers: _names,
    company_numbers: _numbers,
    subjects: _subjects,
    districts: _districts,
    ceiling: _ceiling,
    ends: _ends,
    framework_kind: _kind,
    ...same
  } = document;
  const { framework_id: _framework, sources: _sources, regions, cpvs, is_tender, ...others } = same;
  const {
    joint_buyer_ids: _joint,
    suitable_for: _suited,
    special_regimes: _regimes,
    reserved_for: _reserved,
    direct_award_grounds: _grounds,
    above_threshold: _above,
    tender_expected: _expected,
    ...columns
  } = others;
  const detail: NoticeDetail = {
    lots: lotsOf(document),
    dates: { starts: '2026-12-01', ends: '2029-11-30' },
    how_to_apply: { method: 'online', url: 'https://notices.example/apply' },
    documents: DOCUMENTS,
    suppliers: [...suppliers],
    procedure: 'Open procedure',
    contract_ids: suppliers.length > 0 ? [contractId(document)] : [],
    warnings: [],
  };
  return {
    ...columns,
    process_id: document.ocid,
    value_basis: document.value === null ? null : 'net',
    cpv: cpvs[0] ?? null,
    cpvs: json(cpvs),
    region: regions[0]?.code ?? null,
    regions: json(regions),
    is_tender: is_tender ? 1 : 0,
    detail: json(detail),
    digest: '',
    seq,
  };
}

export const contractId = ({ ocid }: SearchDocument): string => `${ocid}_1`;

export function contractRow(
  document: SearchDocument,
  suppliers: readonly Supplier[],
  framework: FrameworkLink | null,
  seq: number,
): Row {
  const { published, regions, cpvs, notice_id, notice_type } = document;
  const said = { notice_id, notice_type, published, suppliers: suppliers.map(({ name }) => name) };
  const detail: ContractDetail = { lots: [], warnings: [], regions, cpvs, history: [said] };
  return {
    id: contractId(document),
    process_id: document.ocid,
    ocid: document.ocid,
    source: document.source,
    notice_id,
    award_id: '1',
    title: document.title,
    buyer_id: document.buyer_id,
    buyer: document.buyer,
    supplier: suppliers[0]?.name ?? null,
    suppliers: json(suppliers),
    value: document.value,
    currency: document.currency,
    value_basis: document.value === null ? null : 'net',
    value_class: valueClass(document),
    awarded: published,
    status: 'active',
    sort_date: published,
    cpv: cpvs[0] ?? null,
    region: regions[0]?.code ?? null,
    url: document.url,
    framework_id: framework?.id ?? null,
    framework_role: framework?.role ?? null,
    detail: json(detail),
    digest: '',
    seq,
  };
}

export const valueClass = ({ value }: SearchDocument) => (value === null ? 'unstated' : 'sum');

/** A framework whose lots share these suppliers out among them. */
export function frameworkRow(document: SearchDocument, suppliers: readonly Supplier[], seq: number): Row {
  const { cpvs, regions } = document;
  const detail: FrameworkDetail = { evidence: ['flag'], references: [], regions, warnings: [], cpvs };
  const lots = lotsOf(document).map(({ lot_id, title }) => ({
    lot_id,
    title,
    suppliers: suppliers.map(({ company_id, name }) => ({ company_id, name })),
  }));
  return {
    id: document.ocid,
    process_id: document.ocid,
    ocid: document.ocid,
    source: document.source,
    notice_id: document.notice_id,
    title: document.title,
    kind: 'framework',
    buyer_id: document.buyer_id,
    buyer: document.buyer,
    ceiling: document.value,
    currency: document.currency,
    url: document.url,
    published: document.published,
    lots: json(lots),
    detail: json(detail),
    digest: '',
    seq,
  };
}

/** What the register says of a supplier. */
export function registerRow(number: string, name: string, nameKey: string): Row {
  const record: RegisterRecord = {
    company_name: name,
    company_number: number,
    address_line_1: '1 High Street',
    locality: 'Ambleford',
    status: 'Active',
    accounts: { category: 'SMALL', next_due: '2027-06-30' },
    sic_codes: [{ code: '43999', description: 'Other specialised construction activities' }],
    previous_names: [],
  };
  return {
    company_number: number,
    name,
    name_key: nameKey,
    status: 'Active',
    category: 'Private Limited Company',
    record: json(record),
    digest: '',
    seq: 1,
  };
}
