import { z } from 'zod';
import type { Database } from '../../schema/database.ts';
import type { NoticeDetail } from '../../schema/details.ts';
import { defineOperation } from '../operation.ts';
import { readCallOffs } from '../reads/contracts.ts';
import { type FrameworkRow, readFramework, readFrameworksByReference } from '../reads/frameworks.ts';
import { lookUpProcess } from './shared/find-process.ts';
import { toFrameworkAnswer } from './shared/framework-rows.ts';
import { frameworkAnswer } from './shared/framework-shapes.ts';
import { fromJson } from './shared/held.ts';
import { frameworkId } from './shared/inputs.ts';

/** Call-offs shown with a framework; the rest are in their buyers' lists. */
const CALL_OFFS_SHOWN = 25;

export const lookupFramework = defineOperation({
  name: 'lookup_framework',
  title: 'Look up a framework',
  description:
    'Use this when you want to know a framework agreement or dynamic market: its lots with the suppliers of each, buyer, period, ceiling and newest call-offs. ' +
    'Takes a framework_id from search_frameworks, a contract, a notice or a profile; its ocid, a notice of it or its own reference (RM6100) work too.',
  credits: 5,
  input: z.strictObject({ framework_id: frameworkId }),
  output: frameworkAnswer,
  bindings: [
    {
      method: 'GET',
      path: '/frameworks/:framework_id',
      operationId: 'lookup_framework',
      summary: 'A framework, its lots and their suppliers',
      inputs: ['framework_id'],
      example: { framework_id: 'ocds-h6vhtk-f00000' },
    },
  ],
  example: { framework_id: 'ocds-h6vhtk-f00000' },
  async run({ framework_id }, { catalogue }) {
    const framework = await lookUpFramework(catalogue, framework_id);
    if (!framework) return { kind: 'nothing', message: `no framework is known as ${framework_id}` };
    const callOffs = await readCallOffs(catalogue, framework.id, CALL_OFFS_SHOWN);
    return { kind: 'answer', body: toFrameworkAnswer(framework, callOffs) };
  },
});

/** By its id; else by a reference that is one framework's alone; else by a notice, contract or ocid of it or called off from it. */
async function lookUpFramework(catalogue: Database, given: string): Promise<FrameworkRow | undefined> {
  const own = (await readFramework(catalogue, given)) ?? (await readFramework(catalogue, given.toLowerCase()));
  if (own) return own;
  const [only, ...more] = await readFrameworksByReference(catalogue, given.toUpperCase());
  if (only && more.length === 0) return readFramework(catalogue, only);
  const asked = await lookUpProcess(catalogue, given);
  if (!asked) return undefined;
  const named = asked.contract?.framework_id ?? fromJson<NoticeDetail>(asked.notice.detail).framework_id;
  return (await readFramework(catalogue, asked.process.id)) ?? (named ? readFramework(catalogue, named) : undefined);
}
