import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildSampleServer } from '../../support/sample-services.ts';
import type { BuiltServer } from '../../support/services.ts';
import { ROOT } from '../../support/source-files.ts';
import { connect, type McpClient } from '../mcp/clients.ts';
import { type Figures, findAnswer } from './agent.ts';
import { buyerQuestions } from './buyers.ts';
import { listQuestions } from './lists.ts';
import { marketQuestions } from './markets.ts';
import { supplierQuestions } from './suppliers.ts';
import { tenderQuestions } from './tenders.ts';

const QUESTIONS = [...tenderQuestions, ...supplierQuestions, ...buyerQuestions, ...marketQuestions, ...listQuestions];
const FILE = join(ROOT, 'test/__snapshots__/questions.json');
/** More tokens than the figures by this much is dearer: names in an answer differ a little from run to run. */
const DEARER = 1.03;

/**
 * 71 research questions, each by the shortest way through the tools, from the generated sample. `UPDATE_QUESTIONS=1` writes
 * the figures again, for a diff that is looked at.
 */
describe('what an agent asks', () => {
  const known = JSON.parse(readFileSync(FILE, 'utf8')) as Record<string, Figures>;
  const found: Record<string, Figures> = {};
  let server: BuiltServer;
  let client: McpClient;
  beforeAll(async () => {
    server = await buildSampleServer({ credits: 10_000 });
    client = await connect('2026-07-28', `${server.url}/mcp/`, server.key);
  });
  afterAll(async () => {
    await client.close();
    await server.close();
    if (process.env.UPDATE_QUESTIONS) writeFileSync(FILE, `${JSON.stringify(found, null, 2)}\n`);
  });

  it('are 71 questions, no more known than asked', () => {
    expect(QUESTIONS).toHaveLength(71);
    if (!process.env.UPDATE_QUESTIONS) expect(Object.keys(known)).toEqual(QUESTIONS.map(({ ask }) => ask));
  });

  it.each(QUESTIONS.map((each) => [each.ask, each] as const))('%s', async (ask, question) => {
    const figures = await findAnswer(client, question);
    found[ask] = figures;
    if (process.env.UPDATE_QUESTIONS) return;
    const { tokens = 0, ...same } = known[ask] ?? {};
    const { tokens: needed, ...now } = figures;
    expect(now).toEqual(same);
    expect(needed, `tokens of: ${ask}`).toBeLessThanOrEqual(Math.ceil(tokens * DEARER) + 3);
  });
});
