import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { storePage } from '../../ingest/store/page.ts';
import { openJobsServices } from '../../jobs/startup/open-services.ts';
import { deliverWebhooks, matchChanges } from '../../jobs/tasks/watches.ts';
import { readBalance } from '../../schema/accounts/ledger/transfers.ts';
import { verifyLedger } from '../../schema/accounts/ledger/verify.ts';
import { readSettings } from '../../schema/config/settings.ts';
import { packageOf, read } from '../ingest/compile/releases.ts';
import { tender } from '../jobs/watches/matcher.ts';
import { type Receiver, startReceiver } from '../jobs/watches/receiver.ts';
import { addWatch, openAccount, SERVICE_SECRET } from '../jobs/watches/seed.ts';
import { makeFolder } from '../support/databases.ts';
import { LIMITS_MS } from '../support/time-limits.ts';
import { findServers, hasServers } from './servers.ts';

describe.skipIf(!hasServers('watches over libSQL servers'))(
  'watches whose catalogue and accounts are on servers',
  () => {
    let services: Awaited<ReturnType<typeof openJobsServices>>;
    let servers: Awaited<ReturnType<typeof findServers>>;
    let folder: Awaited<ReturnType<typeof makeFolder>>;
    let receiver: Receiver;
    beforeAll(async () => {
      folder = await makeFolder();
      servers = await findServers(folder.path);
      receiver = await startReceiver();
      const settings = { DATA_DIR: folder.path, AUTH_SECRET: SERVICE_SECRET, WATCH_ADDRESSES: 'any' };
      services = await openJobsServices(readSettings({ ...servers.urls, ...settings }), pino({ level: 'silent' }));
    }, LIMITS_MS.long);
    afterAll(async () => {
      await services?.close();
      await receiver?.close();
      await Promise.all([servers?.servers?.catalogue, servers?.servers?.accounts].map((server) => server?.kill()));
      await folder?.remove();
    });

    const store = async (numbers: readonly number[]) => {
      const source = 'find_a_tender';
      const page = read(packageOf(numbers.map((number) => tender(number, `Bridge ${number}`))), source);
      const fetched = { source, fetchedAt: '2026-06-01T00:00:00Z', before: [], after: [] };
      await storePage(services.catalogue, { ...fetched, ...page });
    };

    it('are matched and delivered in order, each delivery charged once, by several processes at a time', async () => {
      const { accounts } = services;
      const account = await openAccount(accounts, 1_000);
      await addWatch(accounts, { account_id: account, webhook: receiver.url, filters: '{"query":"bridge"}' });
      await store(Array.from({ length: 30 }, (_, number) => number + 1));
      const turns = () => Promise.all([matchChanges(services), matchChanges(services)]);
      const matched = await turns();
      expect(matched.flatMap((done) => (done.acquired ? (done.result?.deliveries ?? 0) : 0))).toContain(2);
      await Promise.all([deliverWebhooks(services), deliverWebhooks(services)]);
      expect(receiver.received.map(({ body }) => JSON.parse(body).data.items.length)).toEqual([25, 5]);
      await store([1, 2, 31]);
      await turns();
      await deliverWebhooks(services);
      const items = receiver.received.flatMap(({ body }) => JSON.parse(body).data.items as { id: string }[]);
      expect([items.length, new Set(items.map(({ id }) => id)).size]).toEqual([31, 31]);
      expect(await readBalance(accounts, account)).toBe(1_000 - 2 * 3);
      expect(await verifyLedger(accounts)).toMatchObject({ faults: [] });
    });
  },
);
