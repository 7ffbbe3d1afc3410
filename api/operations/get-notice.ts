import { z } from 'zod';
import { defineOperation } from '../operation.ts';
import { lookUpProcess } from './shared/find-process.ts';
import { held } from './shared/held.ts';
import { noticeId } from './shared/inputs.ts';
import { toNoticeAnswer } from './shared/notice-rows.ts';
import { noticeAnswer } from './shared/notice-shapes.ts';
import { toRelated } from './shared/related-rows.ts';

export const getNotice = defineOperation({
  name: 'get_notice',
  title: 'Read a whole notice',
  description:
    'Use this when a search gave you a notice and you want all of it: the full description, lots, dates, how to apply, documents and whether it is live now. ' +
    'Takes a notice_id from a search or list; with an ocid or contract_id the newest notice of that process is answered. ' +
    'Names every other notice of the process and, once awarded, its contract_ids.',
  credits: 5,
  input: z.strictObject({ notice_id: noticeId }),
  output: noticeAnswer,
  bindings: [
    {
      method: 'GET',
      path: '/notices/:notice_id',
      operationId: 'get_notice',
      summary: 'A whole notice',
      inputs: ['notice_id'],
      example: { notice_id: '500010-2026' },
    },
  ],
  example: { notice_id: '500010-2026' },
  async run({ notice_id }, { catalogue, clocks }) {
    const asked = await lookUpProcess(catalogue, notice_id);
    if (!asked) return { kind: 'nothing', message: `no notice, contract or ocid ${notice_id} is held` };
    const related = await toRelated(catalogue, asked.process);
    return { kind: 'answer', body: { ...toNoticeAnswer(asked, clocks.catalogueNow()), ...held({ related }) } };
  },
});
