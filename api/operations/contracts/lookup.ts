import { z } from 'zod';
import { fromJson, omitEmpty } from '../../../schema/answers/omit-empty.ts';
import type { NoticeDetail, NoticeReference } from '../../../schema/catalogue/details.ts';
import { contractStatusNow } from '../../../schema/catalogue/live.ts';
import type { Database } from '../../../schema/db/interface.ts';
import { defineOperation } from '../../contract/operation.ts';
import { type AskedProcess, lookUpProcess, noNotice } from '../../find/process.ts';
import { type ContractRow, readContract, readContractsOfProcess } from '../../reads/contracts.ts';
import { noticeId, shape } from '../shared/inputs.ts';
import { countedElsewhere, toRelated } from '../shared/rows.ts';
import { toSuccessors } from '../shared/successions.ts';
import { toContractAnswer } from './answer.ts';
import { contractAnswer } from './shapes.ts';

const NUMERIC = new Intl.Collator('en', { numeric: true });

export const lookupContract = defineOperation({
  name: 'lookup_contract',
  title: 'Look up a contract',
  description:
    'Use this when you have a notice and want to know who won it, for how much, and from when to when. ' +
    'Takes any notice of the process, also its tender. ' +
    'Answers suppliers with company_id and evidence of their match, value with its basis, dates, awards, warnings, and what may succeed it. ' +
    'Not awarded yet: not found; use {get_notice}.',
  credits: 5,
  becomesFinal: true,
  input: z.strictObject({ notice_id: noticeId, ...shape }),
  output: contractAnswer,
  bindings: [
    {
      method: 'GET',
      path: '/contracts/:notice_id',
      operationId: 'lookup_contract',
      summary: 'The contract that a notice leads to',
      description:
        'Answers who won, for how much, and from when to when. Any notice of an awarded process leads to its contract; so does a contract_id or an ocid. A notice with several awards is one answer, and awards lists each of them. A process that is not yet awarded is not found and free; {get_notice} answers its notice.',
      inputs: ['notice_id', 'detail', 'fields'],
      example: { notice_id: '500031-2026' },
    },
  ],
  stated: [
    'notice_id',
    'title',
    'buyer',
    'supplier',
    'value',
    'buyer_id',
    'suppliers.company_id',
    'suppliers.name',
    'awards.contract_id',
    'framework_id',
    'successors.notice_id',
    'successors.title',
  ],
  shortening: {
    keep: [
      'stated_value',
      'currency',
      'value_basis',
      'value_class',
      'contract_id',
      'buyer_id',
      'suppliers.companies_house_number',
      'suppliers.is_sme',
      'suppliers.is_vcse',
      'suppliers.match',
      'awards.stated_value',
      'awards.currency',
      'awards.status',
      'awarded',
      'signed',
      'starts',
      'ends',
      'ends_latest',
      'procedure',
      'justification.text',
      'justification.grounds',
      'bids.received',
      'bids.from_smes',
      'bids.unsuccessful.name',
      ...['kpis', 'kpis.title', 'kpis.description', 'kpis.results'],
      ...['kpis.results.ends', 'kpis.results.measured', 'kpis.results.rating'],
      'status',
      'stated_status',
      'description',
      'cpv',
      'region',
      'framework_id',
      'framework_role',
      'terminated',
      'url',
      'successors',
    ],
    whole: { suppliers: 10, 'awards.suppliers': 10 },
    most: {
      kpis: 5,
      'kpis.results': -1,
      successors: 3,
      'successors.evidence': 2,
      'awards.lots': 1,
      'suppliers.match.evidence': 2,
      notices: -5,
    },
  },
  example: { notice_id: '500031-2026' },
  async run({ notice_id }, { catalogue, clocks }) {
    const asked = await lookUpProcess(catalogue, notice_id);
    if (!asked) return noNotice(catalogue, notice_id);
    const [first, ...further] = await contractsOf(catalogue, asked);
    if (!first) return { kind: 'nothing', message: notAwarded(asked) };
    const now = clocks.catalogueNow();
    const body = toContractAnswer([first, ...further], {
      notice_id: asked.notice.notice_id,
      title: asked.notice.title,
      cpv: asked.notice.cpv,
      url: asked.notice.url,
      notices: fromJson<NoticeReference[]>(asked.process.notices),
      now,
    });
    const related = await toRelated(catalogue, asked.process);
    const successors = await toSuccessors(
      catalogue,
      [first, ...further].map(({ id }) => id),
    );
    // The clock ends one that runs.
    const isFinal = [first, ...further].every((row) => contractStatusNow(row, now) !== 'active');
    return { kind: 'answer', isFinal, body: { ...body, ...omitEmpty({ related, successors }) } };
  },
});

/** The named contract; otherwise those of the notice; otherwise all of its process, or of another process with its id. */
async function contractsOf(catalogue: Database, asked: AskedProcess): Promise<ContractRow[]> {
  if (asked.contract) return [asked.contract];
  const elsewhere = countedElsewhere(asked.process).map((id) => readContract(catalogue, id));
  const counted = (await Promise.all(elsewhere)).filter((row) => row !== undefined);
  const rows = [...inOrder(await readContractsOfProcess(catalogue, asked.process.id)), ...counted];
  const named = new Set(fromJson<NoticeDetail>(asked.notice.detail).contract_ids);
  const own = asked.by === 'notice' ? rows.filter((row) => named.has(row.id)) : [];
  if (own.length > 0) return own;
  if (rows.length > 0) return rows;
  for (const other of asked.others) {
    const theirs = await readContractsOfProcess(catalogue, other.id);
    if (theirs.length > 0) return inOrder(theirs);
  }
  // The service of a copy may have published the tender and not the award: its original has the contract.
  const original = asked.notice.copy_of ? await lookUpProcess(catalogue, asked.notice.copy_of) : undefined;
  return original ? contractsOf(catalogue, original) : [];
}

/** Awards are sorted by their published numbers: 2 before 10. */
function inOrder(rows: ContractRow[]): ContractRow[] {
  return rows.sort((one, other) => NUMERIC.compare(one.award_id, other.award_id));
}

function notAwarded({ process: { status, stage }, notice }: AskedProcess): string {
  const named = `notice ${notice.notice_id}`;
  const ended = ['cancelled', 'withdrawn', 'unsuccessful'].includes(status);
  if (ended) return `${named} led to no contract: its process is ${status}`;
  const why =
    status === 'awarded'
      ? 'leads to no contract: its process was awarded, and no notice held states the award'
      : `has no contract yet: its process is not awarded (stage ${stage})`;
  return `${named} ${why}; {get_notice} answers the notice itself`;
}
