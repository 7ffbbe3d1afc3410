import type { lookup as Lookup } from 'node:dns';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import tls from 'node:tls';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { openWebhookClient } from '../../../jobs/watches/webhook.ts';
import { makeWatchSecret } from '../../../schema/accounts/watches/secret.ts';
import { makeCertificate } from './certificates.ts';
import { startReceiver } from './receiver.ts';

const NAME = 'hooks.example.org';
const DAY_MS = 86_400_000;
const now = Date.now();
const valid = { name: NAME, from: new Date(now - DAY_MS), until: new Date(now + DAY_MS) };
const secrets = [makeWatchSecret()];

/** Leads every name to an address for each time that it is asked. */
function resolver(...addresses: string[]) {
  const asked: string[] = [];
  const lookup = ((name: string, options: { all?: boolean }, done: (...answer: unknown[]) => void) => {
    const address = addresses[Math.min(asked.push(name), addresses.length) - 1];
    if (options.all) done(null, [{ address, family: 4 }]);
    else done(null, address, 4);
  }) as unknown as typeof Lookup;
  return { asked, lookup };
}

afterEach(() => {
  vi.restoreAllMocks();
});

/** Calls a receiver with this certificate, which is among those that are trusted or is not. */
async function call({ cert, key }: ReturnType<typeof makeCertificate>, { isTrusted }: { isTrusted: boolean }) {
  const create = tls.createSecureContext;
  if (isTrusted) vi.spyOn(tls, 'createSecureContext').mockImplementation((options) => create({ ...options, ca: cert }));
  const received: string[] = [];
  const server = createServer({ cert, key }, (request, response) => {
    received.push(request.url ?? '');
    request.resume().on('end', () => response.end('ok'));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const client = openWebhookClient({ addresses: 'any', deadlineMs: 2_000, lookup: resolver('127.0.0.1').lookup });
  const url = `https://${NAME}:${(server.address() as AddressInfo).port}/hook`;
  const { status, error } = await client.send({ url, id: 'wd_1', body: '{}', secrets, now: new Date() });
  client.close();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  return { status, error, received };
}

describe('the certificate of a receiver', () => {
  it('is taken where it is trusted, of its name and of these days', async () => {
    expect(await call(makeCertificate(valid), { isTrusted: true })).toEqual({
      status: 200,
      error: null,
      received: ['/hook'],
    });
  });

  it.each([
    ['self-signed', valid, false, 'its certificate is self-signed'],
    ['expired', { ...valid, until: new Date(now - DAY_MS / 2) }, true, 'its certificate has expired'],
    ['of days to come', { ...valid, from: new Date(now + DAY_MS / 2) }, true, 'its certificate is not valid yet'],
    ['for another name', { ...valid, name: 'other.example.org' }, true, 'its certificate is for another name'],
  ])('is refused where it is %s, and nothing is sent', async (_what, made, isTrusted, error) => {
    expect(await call(makeCertificate(made), { isTrusted })).toEqual({ status: null, error, received: [] });
  });
});

it('a name is looked up once for a call: what was judged is what is connected to', async () => {
  const [receiver, other] = [await startReceiver(), await startReceiver()];
  const { asked, lookup } = resolver('127.0.0.1', '127.0.0.2');
  const client = openWebhookClient({ addresses: 'any', deadlineMs: 2_000, lookup });
  const url = receiver.url.replace('127.0.0.1', NAME);
  expect(await client.send({ url, id: 'wd_1', body: '{}', secrets, now: new Date() })).toMatchObject({ status: 200 });
  expect([asked, receiver.received.length]).toEqual([[NAME], 1]);
  client.close();
  // The next call looks it up again, and is refused where it leads to loopback by then.
  const rebound = openWebhookClient({ addresses: 'public', deadlineMs: 2_000, lookup: resolver('127.0.0.1').lookup });
  const hidden = `https://${NAME}:${new URL(other.url).port}/hook`;
  expect(await rebound.send({ url: hidden, id: 'wd_2', body: '{}', secrets, now: new Date() })).toMatchObject({
    status: null,
    error: 'its address is not on the public internet',
  });
  expect(other.received).toEqual([]);
  rebound.close();
  await receiver.close();
  await other.close();
});
