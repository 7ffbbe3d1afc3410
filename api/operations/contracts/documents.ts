import { z } from 'zod';
import { fromJson, omitEmpty } from '../../../schema/answers/omit-empty.ts';
import type { DocumentDetail, NoticeReference } from '../../../schema/catalogue/details.ts';
import { defineOperation } from '../../contract/operation.ts';
import { type AskedProcess, lookUpProcess, noNotice } from '../../find/process.ts';
import { readOfficialTest } from '../../reads/sources.ts';
import { noticeId, shape } from '../shared/inputs.ts';
import { document } from '../shared/notice-shapes.ts';
import { DOCUMENTS_MAX, toDocument, truncate } from '../shared/rows.ts';

const documentsAnswer = z.object({
  documents: z.array(document),
  count: z.int(),
  notice_id: z.string(),
  ocid: z.string(),
  title: z.string(),
  source: z.string(),
  warnings: z.array(z.string()).optional().describe('How many documents are left out, where there are very many'),
});

type Document = ReturnType<typeof toDocument>;

export const contractDocuments = defineOperation({
  name: 'contract_documents',
  title: 'List the documents of a contract or tender',
  description:
    'Use this when you need the papers of a procurement: tender packs, specifications, award notices. ' +
    'Takes any notice, awarded or not. ' +
    "Answers the address, type and date of every document of the process; link_kind tells a file from a portal. None, or only the notice's own page: an empty list.",
  credits: 10,
  lasting: true,
  input: z.strictObject({ notice_id: noticeId, ...shape }),
  output: documentsAnswer,
  bindings: [
    {
      method: 'GET',
      path: '/contracts/:notice_id/documents',
      operationId: 'contract_documents',
      summary: 'Documents of every notice of the process',
      description:
        "Lists the documents of every notice of a process, awarded or not: tender packs, specifications, award notices. link_kind tells a file from a portal. Without documents, or with nothing but the notice's own page, the list is empty and free.",
      inputs: ['notice_id', 'detail', 'fields'],
      example: { notice_id: '500031-2026' },
    },
  ],
  stated: ['documents.name', 'documents.url', 'count', 'notice_id', 'title'],
  shortening: {
    of: 'documents',
    keep: ['documents.type_label', 'documents.published', 'documents.junk', 'warnings'],
    most: { documents: 20 },
  },
  example: { notice_id: '500031-2026' },
  async run({ notice_id }, { catalogue }) {
    const asked = await lookUpProcess(catalogue, notice_id);
    if (!asked) return noNotice(catalogue, notice_id);
    const { process, notice } = asked;
    const isOfficial = await readOfficialTest(catalogue);
    const published = fromJson<DocumentDetail[]>(process.documents).map((detail) => toDocument(detail, isOfficial));
    const { listed, warnings } = officialFirst(withoutBarePages(published, asked));
    const body = {
      documents: listed,
      count: listed.length,
      notice_id: notice.notice_id,
      ocid: process.ocid,
      title: process.title,
      source: process.source,
      ...omitEmpty({ warnings }),
    };
    return listed.length === 0 ? { kind: 'answer', body, charge: 'none' } : { kind: 'answer', body };
  },
});

/** Empty where all of them are pages of the notices themselves: the caller already has those. */
function withoutBarePages(documents: Document[], { notice, process }: AskedProcess): Document[] {
  const pages = new Set([notice.url, ...fromJson<NoticeReference[]>(process.notices).map(({ url }) => url)]);
  return documents.every(({ url, link_kind }) => link_kind === 'notice' || pages.has(url)) ? [] : documents;
}

/** The documents as published. If there are too many, pages of notices come first. */
function officialFirst(documents: Document[]) {
  if (documents.length <= DOCUMENTS_MAX) return { listed: documents, warnings: [] };
  const isOfficial = ({ link_kind }: Document) => link_kind === 'notice';
  const ordered = [...documents.filter(isOfficial), ...documents.filter((one) => !isOfficial(one))];
  return truncate(ordered, DOCUMENTS_MAX, 'documents');
}
