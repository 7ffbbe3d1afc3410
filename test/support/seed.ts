import type { ContractDetail } from '../../schema/catalogue/contract-details.ts';
import type { NoticeDetail, SupplierDetail } from '../../schema/catalogue/details.ts';
import { makeClocks } from '../../schema/config/clocks.ts';
import type { Database, SqlValue, Statement } from '../../schema/db/interface.ts';

/** The catalogue's now in these tests. */
export const NOW = new Date('2026-03-02T12:00:00Z');
export const clocks = makeClocks(NOW);

/** An insert of a row given by its columns; lists and objects become JSON. */
export function row(table: string, fields: Record<string, unknown>): Statement {
  const names = Object.keys(fields);
  const args = Object.values(fields).map(
    (value): SqlValue => (value !== null && typeof value === 'object' ? JSON.stringify(value) : (value as SqlValue)),
  );
  return { sql: `INSERT INTO ${table} (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`, args };
}

const versioned = { digest: 'd', seq: 1, gone: 0 };

export function processRow(id: string, fields: Record<string, unknown> = {}): Statement {
  return row('process', {
    id,
    ocid: id.split('~')[0],
    source: 'find_a_tender',
    title: `Process ${id}`,
    buyer_id: 'GB-PPON-PAAA-1111-AAAA',
    stage: 'tender',
    status: 'open',
    documents: [],
    notices: [],
    ...versioned,
    ...fields,
  });
}

export const noticeDetail: NoticeDetail = {
  lots: [],
  dates: {},
  documents: [],
  suppliers: [],
  contract_ids: [],
  warnings: [],
};

export function noticeRow(noticeId: string, processId: string, fields: Record<string, unknown> = {}): Statement {
  return row('notice', {
    id: `${noticeId}_${processId.replace(/[^\w-]/g, '_')}`,
    notice_id: noticeId,
    process_id: processId,
    ocid: processId.split('~')[0],
    source: 'find_a_tender',
    stage: 'tender',
    notice_type: 'UK4',
    title: `Notice ${noticeId}`,
    description: 'Planned and reactive maintenance of lifts.',
    buyer_id: 'GB-PPON-PAAA-1111-AAAA',
    buyer: 'Northwick Council',
    published: '2026-02-01',
    published_at: '2026-02-01T09:00:00Z',
    status: 'open',
    detail: noticeDetail,
    ...versioned,
    ...fields,
  });
}

export const contractDetail: ContractDetail = { lots: [], warnings: [], regions: [], cpvs: [] };

export function supplier(companyId: string, name: string): SupplierDetail {
  return {
    company_id: companyId,
    name,
    companies_house_number: companyId.replace('GB-COH-', ''),
    match: { method: 'company_number', score: 1, evidence: ['published with the notice'] },
  };
}

/** A contract and its suppliers' rows. */
export function contractRows(
  id: string,
  suppliers: SupplierDetail[],
  fields: Record<string, unknown> = {},
): Statement[] {
  const [processId = '', award = ''] = id.split('/');
  const sortDate = (fields.sort_date as string | undefined) ?? '2026-01-10';
  const contract = row('contract', {
    id,
    process_id: processId,
    ocid: processId.split('~')[0],
    source: 'find_a_tender',
    notice_id: '000002-2026',
    award_id: award,
    title: `Contract ${id}`,
    buyer_id: 'GB-PPON-PAAA-1111-AAAA',
    buyer: 'Northwick Council',
    supplier: suppliers[0]?.name ?? null,
    suppliers,
    value: 1000,
    currency: 'GBP',
    value_basis: 'net',
    value_class: 'sum',
    status: 'active',
    sort_date: sortDate,
    detail: contractDetail,
    ...versioned,
    ...fields,
  });
  const won = suppliers.map(({ company_id }, position) =>
    row('contract_supplier', { contract_id: id, company_id, position, sort_date: sortDate }),
  );
  return [contract, ...won];
}

export function frameworkRow(id: string, fields: Record<string, unknown> = {}): Statement {
  return row('framework', {
    id,
    process_id: id,
    ocid: id,
    source: 'find_a_tender',
    notice_id: '000002-2026',
    title: `Framework ${id}`,
    kind: 'framework',
    currency: 'GBP',
    published: '2026-01-10',
    ...versioned,
    ...fields,
  });
}

export function companyRow(id: string, name: string, fields: Record<string, unknown> = {}): Statement {
  return row('company', { id, name, name_key: name.toLowerCase(), ...versioned, ...fields });
}

export function buyerRow(id: string, name: string, fields: Record<string, unknown> = {}): Statement {
  return row('buyer', { id, name, name_key: name.toLowerCase(), ...versioned, ...fields });
}

export function registeredRow(number: string, name: string, fields: Record<string, unknown> = {}): Statement {
  return row('registered_company', {
    company_number: number,
    name,
    name_key: name.toLowerCase(),
    status: 'Active',
    category: 'Private Limited Company',
    record: { company_name: name, company_number: number, accounts: {}, sic_codes: [], previous_names: [] },
    digest: 'd',
    seq: 1,
    ...fields,
  });
}

export async function seed(database: Database, ...statements: (Statement | Statement[])[]): Promise<void> {
  await database.write([...statements.flat(), { sql: "UPDATE counter SET value = 1 WHERE name = 'seq'" }]);
}
