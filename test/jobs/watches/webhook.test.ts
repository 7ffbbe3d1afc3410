import type { lookup as Lookup } from 'node:dns';
import type { ServerResponse } from 'node:http';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { openWebhookClient, type WebhookClient } from '../../../jobs/watches/webhook.ts';
import { makeWatchSecret } from '../../../schema/accounts/watches/secret.ts';
import { type Receiver, startReceiver } from './receiver.ts';

let receiver: Receiver;
let client: WebhookClient | undefined;
beforeAll(async () => {
  receiver = await startReceiver();
});
afterAll(() => receiver?.close());
afterEach(() => client?.close());

const secrets = [makeWatchSecret()];
const NOT_PUBLIC = 'its address is not on the public internet';

function open(options: Parameters<typeof openWebhookClient>[0]) {
  client = openWebhookClient({ deadlineMs: 2_000, ...options });
  return (url: string) => client?.send({ url, id: 'wd_1', body: '{}', secrets, now: new Date() });
}

/** A resolver that leads every name to these addresses, and counts how often it is asked. */
function resolver(addresses: readonly string[]) {
  const asked: string[] = [];
  const lookup = ((name: string, options: { all?: boolean }, done: (...answer: unknown[]) => void) => {
    asked.push(name);
    const found = addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
    if (options.all) done(null, found);
    else done(null, found[0]?.address, found[0]?.family);
  }) as unknown as typeof Lookup;
  return { asked, lookup };
}

describe('addresses that are no one else’s to call', () => {
  it.each([
    '127.0.0.1',
    '127.9.9.9',
    '10.1.2.3',
    '172.16.0.1',
    '192.168.1.1',
    '169.254.169.254',
    '100.64.0.1',
    '0.0.0.0',
    '2130706433',
    '0x7f000001',
    '0177.0.0.1',
    '127.1',
    '[::1]',
    '[::]',
    '[::ffff:127.0.0.1]',
    '[::ffff:a9fe:a9fe]',
    '[fe80::1]',
    '[fc00::1]',
    '[64:ff9b::7f00:1]',
    '[::7f00:1]',
    '[100:0:0:1::1]',
    '[4000::1]',
    '127.0.0.1.',
    '255.255.255.255',
    '224.0.0.1',
  ])('refuses %s', async (host) => {
    const send = open({ addresses: 'public' });
    expect(await send(`https://${host}/hook`)).toMatchObject({ status: null, error: NOT_PUBLIC });
  });

  it.each([
    ['a loopback address', ['127.0.0.1']],
    ['a private one', ['10.0.0.8']],
    ['a mapped one', ['::ffff:192.168.0.1']],
    ['one behind NAT64', ['64:ff9b::a9fe:a9fe']],
    ['one of an old form', ['::127.0.0.1']],
    ['a public and a private one', ['93.184.216.34', '127.0.0.1']],
  ])('refuses a name that leads to %s, and asks for its address once', async (_what, addresses) => {
    const { asked, lookup } = resolver(addresses);
    const send = open({ addresses: 'public', lookup });
    expect(await send('https://hooks.example.org/hook')).toMatchObject({ status: null, error: NOT_PUBLIC });
    // The addresses that were judged are those that are connected to: a name cannot change in between.
    expect(asked).toEqual(['hooks.example.org']);
  });

  it('refuses what is not https, and what is no address at all', async () => {
    const send = open({ addresses: 'public' });
    for (const url of ['http://example.org/hook', 'ftp://example.org', 'file:///etc/passwd', 'nothing'])
      expect(await send(url)).toMatchObject({ status: null, error: 'only https addresses are called' });
  });

  it('is lifted by the setting for tests alone', async () => {
    const send = open({ addresses: 'any' });
    expect(await send(receiver.url)).toMatchObject({ status: 200, error: null });
  });
});

describe('connections that fail', () => {
  it('says what kind of fault it was, and nothing of the network', async () => {
    const send = open({ addresses: 'any' });
    expect(await send(receiver.url.replace('http:', 'https:'))).toMatchObject({
      error: expect.stringMatching(/^the connection (failed \(\w+\)|was cut)$/),
    });
    const gone = await startReceiver();
    await gone.close();
    expect(await send(gone.url)).toMatchObject({ error: 'the connection was refused' });
    receiver.answer((response) => response.destroy());
    expect(await send(receiver.url)).toMatchObject({ status: null, error: 'the connection was cut' });
  });

  it('names the status of a receiver that wants to speak another protocol', async () => {
    const send = open({ addresses: 'any' });
    receiver.answer((response) => response.writeHead(101, { connection: 'Upgrade', upgrade: 'websocket' }).end());
    expect(await send(receiver.url)).toMatchObject({ status: 101, error: 'HTTP 101', isSent: true });
  });

  it('waits for the answer of a receiver that says it is at work, and not for one that says nothing else', async () => {
    const send = open({ addresses: 'any' });
    const sayBusy = (response: ServerResponse, times: number) => {
      for (let said = 0; said < times; said += 1) response.writeProcessing();
    };
    receiver.answer((response) => {
      sayBusy(response, 10);
      response.end('thank you');
    });
    expect(await send(receiver.url)).toMatchObject({ status: 200, answer: 'thank you', error: null });
    receiver.answer((response) => sayBusy(response, 11));
    expect(await send(receiver.url)).toMatchObject({ error: 'more than 10 interim answers (1xx)', isSent: true });
  });
});
