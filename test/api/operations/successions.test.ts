import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeWebApp } from '../../../api/web/app.ts';
import type { Database } from '../../../schema/db/interface.ts';
import { measureRetenders } from '../../generated/retenders/measure.ts';
import { ask } from '../../support/client.ts';
import { type BuiltServer, buildServer } from '../../support/services.ts';
import { callMcp } from '../transports.ts';

/** A pair of which the later procurement is still being tendered or planned. */
const OPEN = `SELECT s.process_id, s.contract_id, s.score, n.notice_id, n.title AS later, c.title AS earlier, c.supplier
  FROM succession s CROSS JOIN contract c ON c.id = s.contract_id CROSS JOIN notice n ON n.process_id = s.process_id
  WHERE n.stage IN ('planning', 'tender') AND s.score > 0.85 ORDER BY s.process_id, s.contract_id LIMIT 1`;

interface Pair {
  process_id: string;
  contract_id: string;
  score: number;
  notice_id: string;
  later: string;
  earlier: string;
  supplier: string;
}

let server: BuiltServer;
let pair: Pair;
beforeAll(async () => {
  const fill = async (catalogue: Database) => {
    await measureRetenders(catalogue, 1, 120);
    pair = (await catalogue.read<Pair>({ sql: OPEN }))[0] as Pair;
  };
  server = await buildServer({ fill, credits: 1_000, web: makeWebApp });
});
afterAll(() => server.close());

describe('who holds a contract now, and what came after', () => {
  it('a tender names the contract it may succeed, its supplier and the grounds', async () => {
    const { body } = await ask(server.url, `/v1/notices/${pair.notice_id}`, server.key);
    expect(body.incumbents).toContainEqual({
      contract_id: pair.contract_id,
      notice_id: expect.any(String),
      title: pair.earlier,
      supplier: pair.supplier,
      suppliers: [{ company_id: expect.any(String), name: pair.supplier }],
      ends: expect.toSatisfy((day: unknown) => day === null || /^\d{4}-\d\d-\d\d$/.test(String(day))),
      score: pair.score,
      method: expect.stringMatching(/^(identifier|reference|title_cpv_dates)$/),
      evidence: expect.arrayContaining([expect.any(String)]),
    });
  });

  it('the contract names the tender, over REST and MCP alike', async () => {
    const { body } = await ask(server.url, `/v1/contracts/${pair.contract_id}`, server.key);
    const [successor] = body.successors as Record<string, unknown>[];
    expect(successor).toMatchObject({ title: pair.later, ocid: pair.process_id, contract_ids: [pair.contract_id] });
    const tool = await callMcp(server.url, 'svc_lookup_contract', { notice_id: pair.contract_id }, server.key);
    expect((tool.body.successors as unknown[])[0]).toMatchObject({ title: pair.later, score: pair.score });
  });

  it('both have their part of a page', async () => {
    const notice = await (await fetch(`${server.url}/notices/${pair.notice_id}`)).text();
    expect(notice).toContain('Who holds it now');
    expect(notice).toContain(pair.supplier.replaceAll('&', '&amp;'));
    const contract = await (await fetch(`${server.url}/contracts/${pair.contract_id}`)).text();
    expect(contract).toContain('What came after');
  });
});
