import { promises } from 'node:dns';
import { afterEach, expect, it, vi } from 'vitest';
import { lookUpPublic, makeResolver } from '../../../jobs/watches/public-address.ts';
import { openWebhookClient } from '../../../jobs/watches/webhook.ts';
import { makeWatchSecret } from '../../../schema/accounts/watches/secret.ts';
import { startNameServer } from './name-server.ts';

const closing: (() => void)[] = [];
afterEach(() => {
  vi.restoreAllMocks();
  for (const close of closing.splice(0)) close();
});

/** A name server that is silent about some names. */
async function startSilent(isSilent: (name: string) => boolean, address = '93.184.216.34') {
  const asked: string[] = [];
  const { server, close } = await startNameServer((name) => {
    asked.push(name);
    return isSilent(name) ? null : address;
  });
  closing.push(close);
  const lookUp = (name: string, lookup = makeResolver([server])) =>
    new Promise<unknown>((resolve) => lookup(name, { all: true }, (error, found) => resolve(error?.code ?? found)));
  return { asked, server, lookUp };
}

it('names that no server answers hold up no other name', async () => {
  const { asked, lookUp } = await startSilent((name) => name.startsWith('silent'));
  const over: unknown[] = [];
  for (let number = 0; number < 50; number++)
    void lookUp(`silent${number}.example.org`).then((answer) => over.push(answer));
  await expect.poll(() => new Set(asked).size).toBe(50);
  expect(await lookUp('hooks.example.org')).toEqual([{ address: '93.184.216.34', family: 4 }]);
  expect(over).toEqual([]);
});

it('the name of a webhook is looked up so, and not by the threads of the process', async () => {
  vi.spyOn(promises.Resolver.prototype, 'resolve4').mockResolvedValue(['10.0.0.8'] as never);
  vi.spyOn(promises.Resolver.prototype, 'resolve6').mockResolvedValue([]);
  const client = openWebhookClient({ addresses: 'public' });
  const webhook = { id: 'wd_1', body: '{}', secrets: [makeWatchSecret()], now: new Date() };
  const sent = await client.send({ url: 'https://hooks.example.org/hook', ...webhook });
  client.close();
  expect(sent.error).toBe('its address is not on the public internet');
});

it('each name is asked of the name servers that the system has by then', async () => {
  const asked = vi.spyOn(promises.Resolver.prototype, 'resolve4').mockResolvedValue(['93.184.216.34'] as never);
  vi.spyOn(promises.Resolver.prototype, 'resolve6').mockResolvedValue([]);
  const lookup = makeResolver();
  for (const name of ['hooks.example.org', 'hooks.example.com'])
    await new Promise<void>((resolve) => lookup(name, { all: true }, () => resolve()));
  // One that is there already keeps the servers that it began with.
  expect(new Set(asked.mock.contexts).size).toBe(2);
});

it('an unknown name, a private address and a name server that is down are told apart', async () => {
  const { server, lookUp } = await startSilent(() => false, '');
  expect(await lookUp('hooks.example.org', makeResolver([server]))).toBe('ENOTFOUND');
  const inside = await startSilent(() => false, '10.0.0.8');
  expect(await lookUp('hooks.example.org', lookUpPublic(makeResolver([inside.server])))).toBe('ENOTPUBLIC');
  for (const close of closing.splice(0)) close();
  expect(await lookUp('hooks.example.org', makeResolver([server]))).toBe('EAI_AGAIN');
});
