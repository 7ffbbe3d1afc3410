import { once } from 'node:events';
import type { Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { createPrivateServer, shareRun } from '../../../schema/process/private-server.ts';

let server: Server | undefined;
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

async function start(answer: (number: number) => string) {
  let asked = 0;
  const started = createPrivateServer((_request, response) => {
    asked += 1;
    response.end(answer(asked));
  });
  server = started;
  started.listen(0, '127.0.0.1');
  await once(started, 'listening');
  return { port: (started.address() as AddressInfo).port, asked: () => asked };
}

it('a connection on which several requests come together is closed, and those after the first cost nothing', async () => {
  const { port, asked } = await start((number) => `answer ${number}`);
  const socket = connect(port, '127.0.0.1').on('error', () => undefined);
  const closed = new Promise((resolve) => socket.once('close', resolve));
  socket.resume().write('GET / HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(5_000));
  await closed;
  expect(asked()).toBe(1);
  for (const number of [2, 3]) expect(await (await fetch(`http://127.0.0.1:${port}`)).text()).toBe(`answer ${number}`);
});

it('more connections than monitors need are not accepted, and do not keep others out for long', async () => {
  const { port } = await start(() => 'ok');
  const silent = Array.from({ length: 150 }, () =>
    connect(port, '127.0.0.1')
      .on('error', () => undefined)
      .resume(),
  );
  const closed = silent.map((socket) => new Promise((resolve) => socket.once('close', resolve)));
  await Promise.all(closed.slice(100));
  const ask = () =>
    fetch(`http://127.0.0.1:${port}`).then(
      (answer) => answer.text(),
      () => 'refused',
    );
  expect(await ask()).toBe('refused');
  await Promise.all(closed);
  expect(await ask()).toBe('ok');
});

it('callers that come while some work runs share its result, and the next begins it again', async () => {
  let runs = 0;
  const work = shareRun(async () => {
    runs += 1;
    if (runs === 2) throw new Error('failed');
    return runs;
  });
  expect(await Promise.all([work(), work(), work()])).toEqual([1, 1, 1]);
  expect(await Promise.allSettled([work(), work()])).toMatchObject([{ status: 'rejected' }, { status: 'rejected' }]);
  expect(await work()).toBe(3);
});
