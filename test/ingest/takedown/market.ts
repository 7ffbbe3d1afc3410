import { pino } from 'pino';
import { openJobsServices } from '../../../jobs/startup/open-services.ts';
import { writeExports } from '../../../jobs/tasks/run.ts';
import { openSearch } from '../../../search/open.ts';
import { ask } from '../../support/client.ts';
import { type CliAnswer, runHere } from '../../support/run-command.ts';
import { type BuiltServer, buildServer } from '../../support/services.ts';
import type { Json, PublishedRelease } from '../../upstream/data.ts';
import { startUpstream } from '../../upstream/server.ts';
import { AS_OF, makeData, makeNotice } from '../small-world.ts';

export const PERSON = { name: 'Wilhelmina Oakapple', email: 'w.oakapple@example.org', phone: '07700 900321' };
/** What would give her away, in any spelling that a catalogue has. */
export const TRACES = /oakapple|900\s?321|elm cottage|ZZ9 9ZZ/i;

export const TENDER = '000001-2026';
export const AWARD = '000002-2026';
export const DETAILS = '000003-2026';

const SOLE_TRADER = {
  id: 'GB-FTS-4711',
  name: 'Mrs Wilhelmina  OAKAPPLE',
  identifier: { legalName: 'Wilhelmina Oakapple' },
  address: {
    streetAddress: '1 Elm Cottage',
    locality: 'Harrowmere',
    postalCode: 'ZZ9 9ZZ',
    countryName: 'United Kingdom',
  },
  details: { url: 'https://oakapple.example.org', scale: 'sme' },
  contactPoint: { name: PERSON.name, email: PERSON.email, telephone: PERSON.phone },
  roles: ['supplier'],
};
const COUNCIL = {
  id: 'GB-PPON-PBCD-1234-FGHJ',
  name: 'Little Example Council',
  roles: ['buyer'],
  contactPoint: { name: 'Ann Clerk', email: 'ann.clerk@example.gov.uk', telephone: '01632 960111' },
};
const document = (id: string, noticeType: string) => ({
  id,
  noticeType,
  url: `https://www.find-tender.service.gov.uk/Notice/${id}`,
});
const PLACE = { deliveryLocation: { description: `To ${PERSON.name}, 1 Elm Cottage, ${PERSON.phone}` } };
const at = (hoursAgo: number) => new Date(AS_OF.getTime() - hoursAgo * 3_600_000);
const award = {
  id: '1',
  status: 'active',
  suppliers: [{ id: SOLE_TRADER.id, name: SOLE_TRADER.name }],
  value: { amount: 900, currency: 'GBP' },
};

/** Four notices of our own writing: an open tender; an award of it and its contract details, to a sole trader; another buyer's plan. */
export function publish(): PublishedRelease[] {
  const process = { planning: undefined, ocid: 'ocds-h6vhtk-00aaaa', buyer: { id: COUNCIL.id, name: COUNCIL.name } };
  const tender = (more: Json) => ({ id: 'r', title: 'Beekeeping for the square', ...more });
  return [
    makeNotice(1, at(30), {
      ...process,
      ocid: 'ocds-h6vhtk-00bbbb',
      tag: ['tender'],
      parties: [COUNCIL],
      tender: tender({
        title: 'Honey supply',
        description: `Questions: ann.clerk@example.gov.uk or 01632 960111, or ask ${PERSON.name}, ${PERSON.email}, tel. +44 (0)7700 900321`,
        tenderPeriod: { endDate: '2026-12-01T12:00:00Z' },
        documents: [document(TENDER, 'UK4')],
      }),
    }),
    makeNotice(2, at(20), {
      ...process,
      tag: ['award', 'contract'],
      parties: [COUNCIL, SOLE_TRADER],
      tender: tender({}),
      awards: [{ ...award, title: 'Hives at Elm Cottage', items: [PLACE], documents: [document(AWARD, 'UK6')] }],
    }),
    makeNotice(3, at(10), {
      ...process,
      tag: ['award', 'contract'],
      parties: [COUNCIL, SOLE_TRADER],
      tender: tender({}),
      awards: [award],
      contracts: [{ id: '1', awardID: '1', status: 'active', documents: [document(DETAILS, 'UK7')] }],
    }),
    makeNotice(4, at(5), { tender: { id: 'x', title: 'Gravel for the square' } }),
  ];
}

export interface Market extends BuiltServer {
  /** A metered or free answer over HTTP. */
  get(path: string): Promise<Awaited<ReturnType<typeof ask>>>;
  cli(...args: string[]): Promise<CliAnswer>;
  /** Pays for an export, has it written, and answers its state and its file. */
  exported(dataset: string, format: string): Promise<{ id: string; text(): Promise<string>; state(): Promise<Json> }>;
  /** Writes the exports that wait, as the jobs process does. */
  write(): Promise<void>;
}

/** Services on a loopback upstream that published those notices, asked over HTTP and operated from the command line. */
export async function openMarket(): Promise<Market> {
  const upstream = await startUpstream({ data: makeData({ findATender: publish() }) });
  let environment: Record<string, string> = {};
  const built = await buildServer({
    credits: 5_000,
    settings: { AS_OF: AS_OF.toISOString() },
    async fill(_catalogue, { DATA_DIR }) {
      environment = {
        DATA_DIR,
        AS_OF: AS_OF.toISOString(),
        LOG_LEVEL: 'silent',
        CONTACT: 'test@example.org',
        FIND_A_TENDER_URL: upstream.url,
        PROCUREMENT_GAP_SECONDS: '0',
        PROCUREMENT_GAP_AFTER_429_SECONDS: '0',
      };
      const done = await runHere(environment, 'ingest', 'find-a-tender', '--since', '2026-11-18');
      if (done.code !== 0) throw new Error(done.stderr);
    },
    search: (set, catalogue) => openSearch(set, catalogue, 'reader'),
  });
  const write = async () => {
    const jobs = await openJobsServices(built.settings, pino({ level: 'silent' }));
    await writeExports(jobs);
    await jobs.close();
  };
  const get = (path: string, init?: RequestInit) => ask(built.url, path, built.key, init);
  return {
    ...built,
    get,
    write,
    cli: (...args) => runHere(environment, ...args),
    async exported(dataset, format) {
      const body = JSON.stringify({ dataset, format, ...(dataset === 'tenders' ? { status: 'any' } : {}) });
      const made = await get('/v1/exports', { method: 'POST', body, headers: { 'content-type': 'application/json' } });
      await write();
      if (made.status !== 200) throw new Error(made.text);
      const state = async () => (await get(`/v1/exports/${made.body.export_id}`)).body as Json;
      const download = async () => new URL(String((await state()).download_url));
      return {
        id: made.body.export_id as string,
        state,
        text: async () => {
          const { pathname, search } = await download();
          return (await fetch(built.url + pathname + search)).text();
        },
      };
    },
    async close() {
      await built.close();
      await upstream.close();
    },
  };
}
