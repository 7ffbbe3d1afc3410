import fc from 'fast-check';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type AnswerCache, makeAnswerCache } from '../../../api/answer/cache.ts';
import type { Operation, Services } from '../../../api/contract/operation.ts';
import { operations } from '../../../api/operations/index.ts';
import { compileCompanyTexts } from '../../../ingest/store/company-texts.ts';
import type { ReleaseToStore } from '../../../ingest/store/page.ts';
import { takeDown } from '../../../jobs/takedown/run.ts';
import type { Database } from '../../../schema/db/interface.ts';
import { openCatalogue } from '../../../schema/db/open-catalogue.ts';
import { market, storeBatches } from '../../ingest/store/any-order.ts';
import { copyJobs, type FilledJobs, openJobs, rebuild } from '../../jobs/tasks/rebuild/filled-services.ts';
import { makeFolder } from '../../support/databases.ts';
import { clocks, row } from '../../support/seed.ts';

const kept = operations.filter((operation) => operation.lasting || operation.becomesFinal);

/** What is asked after every step: things that the market has, had, will have or never has, by ids and by names. */
const NOTICES = [
  '000000-2026',
  '000001-2026',
  '000003-2026',
  '000007-2026',
  'ocds-h6vhtk-000000',
  'ocds-h6vhtk-000002',
];
const NUMBERS = ['01234567', 'GB-COH-01234567', 'GB-PPON-PQRS-5678-TVWX', '99999999', 'GB-FTS-1'];
const BUYERS = ['GB-LAE-HRW', 'GB-COH-02468013', 'GB-FTS-5', 'Pennine Water', 'GB-NHS-RXX'];
const NAMES = ['Brightwater Cleaning', 'Pennine Water'];
const INPUTS: Record<string, Record<string, string>[]> = {
  lookup_contract: [...NOTICES, 'ocds-h6vhtk-000001-a-0'].map((notice_id) => ({ notice_id })),
  contract_documents: NOTICES.map((notice_id) => ({ notice_id })),
  get_notice: NOTICES.map((notice_id) => ({ notice_id })),
  lookup_company: [...NUMBERS.map((company_number) => ({ company_number })), ...NAMES.map((name) => ({ name }))],
  lookup_buyer: [...BUYERS.map((buyer_id) => ({ buyer_id })), ...NAMES.map((name) => ({ name }))],
};

type Step =
  | { do: 'store'; releases: ReleaseToStore[] }
  | { do: 'take down'; noticeId: string }
  | { do: 'register'; number: string; name: string; isDescribed: boolean }
  | { do: 'describe'; code: string }
  | { do: 'compile' }
  | { do: 'rebuild' };

const number = fc.constantFrom('01234567', '02468013', '99999999');
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: market.map((releases) => ({ do: 'store' as const, releases: releases.slice(0, 3) })) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('take down' as const), noticeId: fc.constantFrom(...NOTICES.slice(0, 3)) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('register' as const),
      isDescribed: fc.boolean(),
      number,
      name: fc.constantFrom('OAKES LTD', 'PENNINE WATER PLC'),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('describe' as const), code: fc.constantFrom('42110', '81210') }),
  },
  { weight: 3, arbitrary: fc.constant({ do: 'compile' as const }) },
  { weight: 1, arbitrary: fc.constant({ do: 'rebuild' as const }) },
);

let template: Awaited<ReturnType<typeof makeFolder>>;
beforeAll(async () => {
  template = await makeFolder();
  await (await openJobs(template.path)).close();
});
afterAll(() => template.remove());

async function take({ jobs }: FilledJobs, one: Step): Promise<void> {
  const { catalogue } = jobs;
  if (one.do === 'store') await storeBatches(catalogue, [one.releases]);
  else if (one.do === 'take down')
    await takeDown(jobs, { kind: 'notice', noticeId: one.noticeId }, { reason: 'drawn' });
  else if (one.do === 'register') await catalogue.write(registerStatements(one));
  else if (one.do === 'describe') {
    await catalogue.write(
      [{ ...row('sic_code', { code: one.code, description: `Work ${Date.now()}` }) }].map(replacing),
    );
  } else if (one.do === 'compile')
    await compileCompanyTexts({ catalogue, fence: null, log: pino({ level: 'silent' }) });
  else await rebuild(jobs);
}

const replacing = ({ sql, args = [] }: ReturnType<typeof row>) => ({
  sql: sql.replace('INSERT', 'INSERT OR REPLACE'),
  args,
});

/** Codes that the register describes by itself, or leaves to what other rows taught. */
function registerStatements({ number: company_number, name, isDescribed }: Extract<Step, { do: 'register' }>) {
  const sic_codes = ['42110', '81210'].map((code) => (isDescribed ? { code, description: 'Building' } : { code }));
  const record = { company_number, name, sic_codes };
  const fields = { company_number, name, name_key: name.toLowerCase(), status: 'active', category: 'ltd', record };
  return [row('registered_company', { ...fields, digest: name, seq: 1 })].map(replacing);
}

interface Asked {
  cache: AnswerCache;
  catalogue: Database;
}

/** What a call answers through the cache, and whether that was a kept answer. */
async function askKept({ cache }: Asked, operation: Operation, input: Record<string, unknown>) {
  const found = await cache.find(operation, input);
  if (found) return { body: found.body, isKept: true };
  try {
    const { body } = await cache.make(operation, input, async (catalogue) => {
      const text = await readText(catalogue, operation, input);
      const made = text === undefined ? await answerAnew(catalogue, operation, input) : { body: text };
      return { ...made, credits: 5, alongside: undefined, creditsRemaining: undefined };
    });
    return { body, isKept: false };
  } catch (error) {
    return { body: (error as Error).message, isKept: false };
  }
}

let texts = 0;

async function readText(catalogue: Database, operation: Operation, input: Record<string, unknown>) {
  const text = await operation.readText?.(operation.input.parse(input), { catalogue } as Services);
  if (text !== undefined) texts += 1;
  return text;
}

/** The answer made from the catalogue. @throws Error with the words of a 404. */
async function answerAnew(catalogue: Database, operation: Operation, input: Record<string, unknown>) {
  const found = await operation.run(operation.input.parse(input), { catalogue, clocks } as Services, {
    accountId: '',
    keyId: '',
  });
  if (found.kind === 'nothing') throw new Error(found.message);
  const body = JSON.stringify(operation.output.parse(found.body));
  return { body, ...(found.isFinal && { isFinal: true }) };
}

/** Asks everything of the cache, and of the writer's own connection; answers how many were kept. */
async function compare(asked: Asked, writer: Database): Promise<number> {
  let reused = 0;
  for (const operation of kept) {
    for (const input of INPUTS[operation.name] ?? []) {
      const given = await askKept(asked, operation, input);
      const fresh = await answerAnew(writer, operation, input).catch(({ message }: Error) => ({ body: message }));
      expect({ input, body: given.body }).toEqual({ input, body: fresh.body });
      if (given.isKept) reused += 1;
    }
  }
  return reused;
}

const yieldToEventLoop = () => new Promise((resolve) => setImmediate(resolve));

it('a kept answer is the one that would be made now, whatever is ingested, taken down or rebuilt', async () => {
  expect(kept.map(({ name }) => name).toSorted()).toEqual(Object.keys(INPUTS).toSorted());
  let outlived = 0;
  await fc.assert(
    fc.asyncProperty(market, fc.array(step, { minLength: 2, maxLength: 6 }), async (first, steps) => {
      const filled = await copyJobs(template.path);
      const { url } = filled.jobs.catalogue;
      const catalogue = await openCatalogue({ url, durability: 'normal', readOnly: true, lookEveryMs: 5 });
      const asked = { cache: makeAnswerCache(catalogue, 8, () => new Date()), catalogue };
      try {
        await storeBatches(filled.jobs.catalogue, [first]);
        await yieldToEventLoop();
        await compare(asked, filled.jobs.catalogue);
        for (const one of steps) {
          // Half of the questions come while the step is under way.
          await Promise.all([
            take(filled, one),
            ...kept.map((row) => askKept(asked, row, INPUTS[row.name]?.[0] ?? {})),
          ]);
          await yieldToEventLoop();
          outlived += await compare(asked, filled.jobs.catalogue);
        }
      } finally {
        await catalogue.close();
        await filled.close();
      }
    }),
    { numRuns: 6, seed: 7 },
  );
  expect(outlived).toBeGreaterThan(0);
  expect(texts).toBeGreaterThan(0);
});
