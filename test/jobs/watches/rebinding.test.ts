import { promises } from 'node:dns';
import { createServer } from 'node:https';
import { type AddressInfo, Socket } from 'node:net';
import { afterEach, expect, it, vi } from 'vitest';
import { makeResolver } from '../../../jobs/watches/public-address.ts';
import { openWebhookClient } from '../../../jobs/watches/webhook.ts';
import { makeCertificate } from './certificates.ts';
import { startNameServer } from './name-server.ts';
import { addDelivery, addWatch, openAccount } from './seed.ts';
import { makeSender } from './sender.ts';

const NAME = 'hooks.example.org';
const PUBLIC = '93.184.216.34';
const LOOPBACK = '127.0.0.1';
const NOT_PUBLIC = 'its address is not on the public internet';
const DAY_MS = 86_400_000;

const closing: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  vi.restoreAllMocks();
  for (const close of closing.splice(0).reverse()) await close();
});

/** A name server that leads any name to an address for each time that it is asked; the last stays. */
async function startNames(...addresses: string[]) {
  const asked: string[] = [];
  const { server, close } = await startNameServer((_name, isOfIpv4) => {
    const address = addresses[Math.min(asked.length, addresses.length - 1)] ?? '';
    if (isOfIpv4) asked.push(address);
    return address;
  });
  closing.push(close);
  const resolver = new promises.Resolver();
  resolver.setServers([server]);
  return { asked, lookup: makeResolver([server]), check: () => resolver.resolve4(NAME) };
}

/** A receiver on loopback that has what it is sent, however it was led there. */
async function startSecureReceiver() {
  const day = (days: number) => new Date(Date.now() + days * DAY_MS);
  const received: string[] = [];
  const server = createServer(makeCertificate({ name: NAME, from: day(-1), until: day(1) }), (request, response) => {
    received.push(request.url ?? '');
    request.resume().on('end', () => response.end('ok'));
  });
  let connections = 0;
  server.on('connection', () => connections++);
  await new Promise<void>((resolve) => server.listen(0, LOOPBACK, resolve));
  closing.push(() => new Promise<void>((resolve) => void server.close(() => resolve())));
  const url = `https://${NAME}:${(server.address() as AddressInfo).port}/hook`;
  return { url, seen: () => ({ connections, received }) };
}

async function sendThrough({ lookup }: Awaited<ReturnType<typeof startNames>>, url: string) {
  const sender = await makeSender({}, openWebhookClient({ addresses: 'public', deadlineMs: 5_000, lookup }));
  closing.push(() => sender.close());
  const { id } = await addWatch(sender.accounts, { account_id: await openAccount(sender.accounts), webhook: url });
  await addDelivery(sender.accounts, id, ['1']);
  return { id, ...sender };
}

interface Connecting {
  host?: string;
  localAddress?: string;
  lookup: (...asked: unknown[]) => void;
}

/** What connections were given to connect to. None leaves this machine: an address of its own cannot reach another one. */
function recordAddresses(): string[] {
  const given: string[] = [];
  const connect = Socket.prototype.connect as (...all: unknown[]) => Socket;
  vi.spyOn(Socket.prototype, 'connect').mockImplementation(function (this: Socket, ...all: unknown[]) {
    const options = [all[0]].flat()[0] as Connecting;
    if (options.host !== NAME) return connect.apply(this, all);
    const { lookup } = options;
    options.localAddress = LOOPBACK;
    options.lookup = (name, asked, done) =>
      lookup(name, asked, (error: unknown, found: string | { address: string }[], ...more: unknown[]) => {
        given.push(...(Array.isArray(found) ? found.map(({ address }) => address) : found ? [found] : []));
        (done as (...answer: unknown[]) => void)(error, found, ...more);
      });
    return connect.apply(this, all);
  } as typeof Socket.prototype.connect);
  return given;
}

it('a name that is public when it is looked at, and leads to loopback when it is called, is not called', async () => {
  const receiver = await startSecureReceiver();
  const names = await startNames(PUBLIC, LOOPBACK);
  const sender = await sendThrough(names, receiver.url);
  expect(await names.check()).toEqual([PUBLIC]);
  expect(await sender.send()).toEqual({ delivered: 0, failed: 1 });
  expect(names.asked).toEqual([PUBLIC, LOOPBACK]);
  expect(await sender.listed(sender.id)).toMatchObject([{ status: 'waiting', attempts: 1, error: NOT_PUBLIC }]);
  expect(receiver.seen()).toEqual({ connections: 0, received: [] });
});

it('a name that leads elsewhere between two calls is judged for each of them', async () => {
  const receiver = await startSecureReceiver();
  const names = await startNames(PUBLIC, LOOPBACK);
  const sender = await sendThrough(names, receiver.url);
  const given = recordAddresses();
  await sender.send();
  // Asked once: what was judged is what is connected to, though the next answer would be loopback.
  expect([names.asked, given]).toEqual([[PUBLIC], [PUBLIC]]);
  expect(await sender.listed(sender.id)).toMatchObject([{ attempts: 1, error: expect.stringMatching(/connection/) }]);
  sender.wait(60);
  await sender.send();
  expect([names.asked, given]).toEqual([[PUBLIC, LOOPBACK], [PUBLIC]]);
  expect(await sender.listed(sender.id)).toMatchObject([{ attempts: 2, error: NOT_PUBLIC }]);
  expect(receiver.seen()).toEqual({ connections: 0, received: [] });
});
