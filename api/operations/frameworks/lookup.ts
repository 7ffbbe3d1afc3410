import { z } from 'zod';
import { CANDIDATES_MAX, defineOperation, type Nothing, nothingNear, type Services } from '../../contract/operation.ts';
import { lookUpFramework } from '../../find/framework.ts';
import { NAME } from '../../find/organisation.ts';
import { countCallOffs, readCallOffs } from '../../reads/contracts.ts';
import { readFrameworksAmong, readFrameworksByReference } from '../../reads/frameworks.ts';
import { ISSUED_KEPT } from '../contracts/item-shapes.ts';
import { makePaidList } from '../contracts/list.ts';
import { frameworkId, listCursor, listLimit, shape } from '../shared/inputs.ts';
import { FEES_KEPT } from '../shared/notice-shapes.ts';
import { frameworkAnswer, toFrameworkAnswer } from './answer.ts';

const operation = 'lookup_framework';
const credits = 5;
const list = makePaidList(operation, credits, 'framework');

export const lookupFramework = defineOperation({
  name: operation,
  title: 'Look up a framework',
  description:
    'Use this when you want a framework agreement or dynamic market: lots with suppliers, buyer, period, ceiling and newest call-offs. ' +
    'Takes its id, ocid, a notice_id of it or its reference (RM6100). ' +
    'next_cursor leads to more call-offs, free for 24 hours.',
  credits,
  input: z.strictObject({ framework_id: frameworkId, limit: listLimit, cursor: listCursor, ...shape }),
  describedBy: { tools: ['search_frameworks'], inputs: ['detail'] },
  output: frameworkAnswer,
  bindings: [
    {
      method: 'GET',
      path: '/frameworks/:framework_id',
      operationId: operation,
      summary: 'A framework, its lots and their suppliers',
      description:
        'Answers a framework agreement or dynamic market: its buyer, period and ceiling, its lots with their suppliers, and its newest call-offs. Its ocid, a notice of it and a reference such as RM6100 lead to it as well. Further pages of call-offs are free for 24 hours.',
      inputs: ['framework_id', 'limit', 'cursor', 'detail', 'fields'],
      example: { framework_id: 'ocds-h6vhtk-f00000', limit: 2 },
    },
  ],
  example: { framework_id: 'ocds-h6vhtk-f00000' },
  stated: [
    'framework_id',
    'title',
    'buyer',
    'buyer_id',
    'lots.lot_id',
    'lots.suppliers',
    'evidence',
    'call_off_count',
    'call_offs.notice_id',
    'call_offs.contract_id',
    'next_cursor',
  ],
  shortening: {
    keep: [
      'buyer_id',
      'starts',
      'ends',
      'extends_to',
      'ceiling',
      'currency',
      'cpv',
      'region',
      'description',
      'who_may_use',
      'open_framework',
      'restricted_to',
      'warnings',
      ...FEES_KEPT,
      'references',
      'url',
      'next_cursor',
      'supplier_count',
      'lots.supplier_count',
      'lots.ends',
      ...ISSUED_KEPT.map((field) => field.replace('items', 'call_offs')),
    ],
    most: { lots: 6, 'lots.suppliers': 5, call_offs: 500, 'call_offs.suppliers': 10, evidence: 2 },
  },
  toolDefaults: { limit: 5 },
  check: list.check,
  creditsNeeded: list.creditsNeeded,
  async run(input, services, caller) {
    const { catalogue } = services;
    const framework = await lookUpFramework(catalogue, input.framework_id);
    if (!framework) return noFramework(services, input.framework_id);
    const { id } = framework;
    const page = await list.readPage({ services, caller, input }, id, readCallOffs);
    const callOffs = { rows: page.rows, count: await countCallOffs(catalogue, id) };
    const answer = toFrameworkAnswer(framework, callOffs, services.clocks.catalogueNow());
    const body = { ...answer, ...page.next };
    return page.paid ? { kind: 'answer', body, charge: 'none' } : { kind: 'answer', body };
  },
});

/** No framework has this identifier; lists those that its words find. Several frameworks may share a reference. */
async function noFramework({ catalogue, search, clocks }: Services, given: string): Promise<Nothing> {
  const message = `no framework is known as ${given}`;
  const way = '{search_frameworks} finds frameworks by words';
  const named = await readFrameworksByReference(catalogue, given);
  const shared = [...(await readFrameworksAmong(catalogue, named)).values()];
  if (shared.length > 0)
    return nothingNear(
      `${message} alone`,
      way,
      shared.map(({ id, title }) => ({ id, name: title })),
    );
  const asked = { scope: 'frameworks' as const, text: given, filters: {}, limit: CANDIDATES_MAX };
  const { hits } = NAME.test(given) ? await search.find({ ...asked, now: clocks.catalogueNow() }) : { hits: [] };
  const found = hits.flatMap(({ framework_id: id, title }) => (id ? [{ id, name: title }] : []));
  return nothingNear(message, way, found);
}
