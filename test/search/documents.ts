import type { SearchDocument } from '../../search/engine.ts';

let made = 0;

/** A document of our own making; whatever matters to a test is given. */
export function someDocument(given: Partial<SearchDocument> & { notice_id?: string } = {}): SearchDocument {
  const notice_id = given.notice_id ?? `${String(++made).padStart(6, '0')}-2026`;
  const published = given.published ?? '2026-03-01';
  return {
    id: `${notice_id}_ocds-h6vhtk-${notice_id}`,
    notice_id,
    ocid: `ocds-h6vhtk-${notice_id.replace(/[^a-z0-9]/g, '')}`,
    title: 'Supply of goods',
    description: '',
    buyer: null,
    buyer_id: null,
    suppliers: [],
    company_numbers: [],
    subjects: [],
    districts: [],
    published,
    published_at: `${published}T09:00:00Z`,
    deadline: null,
    deadline_at: null,
    value: null,
    currency: null,
    ceiling: null,
    ends: null,
    cpvs: [],
    regions: [],
    nation: null,
    source: 'find_a_tender',
    sources: [given.source ?? 'find_a_tender'],
    stage: 'tender',
    notice_type: 'UK4',
    status: 'open',
    url: null,
    is_tender: true,
    joint_buyer_ids: [],
    suitable_for: [],
    special_regimes: [],
    reserved_for: [],
    direct_award_grounds: [],
    above_threshold: null,
    tender_expected: null,
    framework_kind: null,
    buyer_kind: null,
    framework_id: null,
    ...given,
  };
}
