import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { deliverWebhooks, mailWatches } from '../../../jobs/tasks/watches.ts';
import { joinInstallation } from '../../../schema/accounts/installation.ts';
import { readDeliveries } from '../../../schema/accounts/watches/deliveries.ts';
import { sealWatchSecret, signingSecrets } from '../../../schema/accounts/watches/secret.ts';
import type { Database } from '../../../schema/db/interface.ts';
import { openDatabase } from '../../../schema/db/open.ts';
import { makeJobServices } from '../../support/job-services.ts';
import { type Hrana, startHrana } from '../../support/libsql-server.ts';
import { startReceiver } from './receiver.ts';
import { addDelivery, addWatch, openAccount, SERVICE_SECRET } from './seed.ts';

const AT = '2026-06-01T08:00:00.000Z';
const settings = {
  AUTH_SECRET: SERVICE_SECRET,
  WATCH_ADDRESSES: 'any',
  SMTP_URL: 'smtp://127.0.0.1:9',
  MAIL_FROM: 'watches@example.org',
};

let built: Awaited<ReturnType<typeof makeJobServices>>;
let server: Hrana;
let accounts: Database;
beforeAll(async () => {
  built = await makeJobServices(settings);
  server = await startHrana(join(built.folder, 'accounts.db'));
  accounts = await openDatabase({ url: server.url, durability: 'full' });
  await joinInstallation(accounts, { secret: SERVICE_SECRET, toolPrefix: 'svc_' }, { program: '1', at: AT });
});
afterAll(async () => {
  await accounts.close();
  server.close();
  await built.close();
});

describe('jobs on an accounts server', () => {
  it("with another AUTH_SECRET than the installation's send nothing and say so; those with the same do", async () => {
    const receiver = await startReceiver();
    const accountId = await openAccount(accounts);
    const { id } = await addWatch(accounts, { account_id: accountId, webhook: receiver.url });
    await addDelivery(accounts, id, ['a']);
    const alike = { ...built.services, accounts };
    const other = { ...alike, settings: { ...alike.settings, AUTH_SECRET: 'another one, of 32 characters or more' } };
    const listed = () => readDeliveries(accounts, { accountId, watchId: id }, { limit: 1 });

    const words = /AUTH_SECRET differs from the installation's/;
    await expect(deliverWebhooks(other)).rejects.toThrow(words);
    await expect(mailWatches(other)).rejects.toThrow(words);
    expect(await listed()).toMatchObject([{ status: 'waiting', attempts: 0 }]);

    expect(await deliverWebhooks(alike)).toMatchObject({ result: { delivered: 1, failed: 0 } });
    expect(await listed()).toMatchObject([{ status: 'delivered', attempts: 1 }]);
    await receiver.close();
  });
});

it('a secret that was rotated after AUTH_SECRET had changed signs at once, without the former one', () => {
  const until = '2026-06-02T08:00:00Z';
  const [former_secret, secret] = ['the secret before', SERVICE_SECRET].map((one) =>
    sealWatchSecret('own', 'w_1', one),
  );
  const signing = (own: string | undefined, former: string | undefined) =>
    signingSecrets(
      { id: 'w_1', secret: own ?? null, former_secret: former ?? null, former_until: until },
      SERVICE_SECRET,
      new Date(AT),
    );
  expect(signing(secret, former_secret)).toEqual(['own']);
  expect(signing(former_secret, secret)).toBeNull();
});
