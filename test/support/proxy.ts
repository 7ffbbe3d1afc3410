import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

/**
 * The service's next behaviour: `pass` (answers), `slow` (answers late), `refuse` (403), `hang` (no answer), `cut` (breaks off
 * half-way through an answer), `vanish` (404), `break` (500), `garble` (an unintelligible answer).
 */
export type Mood = 'pass' | 'slow' | 'refuse' | 'hang' | 'cut' | 'vanish' | 'break' | 'garble';

const SLOW_MS = 700;

/** A proxy in front of an HTTP service, that can misbehave. */
export async function startProxy(target: URL) {
  let mood: (asked: string) => Mood = () => 'pass';
  const open = new Set<ServerResponse>();
  const proxy = createServer((incoming, outgoing) => {
    const words = `${incoming.method} ${incoming.url}`;
    open.add(outgoing);
    outgoing.once('close', () => open.delete(outgoing));
    const now = mood(words);
    if (misbehave(now, outgoing)) return;
    setTimeout(() => forward(target, incoming, outgoing, now === 'cut'), now === 'slow' ? SLOW_MS : 0);
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  const { port } = proxy.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    /** How it treats requests from now on. */
    become(next: Mood | ((asked: string) => Mood)) {
      mood = typeof next === 'function' ? next : () => next;
    },
    /** Closes every connection and accepts no more, until it returns at the same address. */
    goAway() {
      proxy.close();
      proxy.closeAllConnections();
    },
    async comeBack() {
      await new Promise<void>((resolve) => proxy.listen(port, '127.0.0.1', resolve));
    },
    /** Waits until no answer is in progress. */
    async untilIdle() {
      while (open.size > 0) await pause(20);
    },
    close: () =>
      new Promise<void>((resolve) => {
        proxy.close(() => resolve());
        proxy.closeAllConnections();
      }),
  };
}

const REFUSALS: Partial<Record<Mood, [number, string]>> = {
  refuse: [403, 'AccessDenied'],
  vanish: [404, 'NoSuchBucket'],
  break: [500, 'InternalError'],
};

/** Whether it answered, or never will. */
function misbehave(mood: Mood, outgoing: ServerResponse): boolean {
  if (mood === 'garble')
    outgoing.writeHead(200, { 'content-type': 'application/json' }).end('{"results": [42, "<html>');
  const [status, code] = REFUSALS[mood] ?? [];
  if (status) outgoing.writeHead(status).end(`<?xml version="1.0"?><Error><Code>${code}</Code></Error>`);
  return status !== undefined || mood === 'hang' || mood === 'garble';
}

function forward(target: URL, incoming: IncomingMessage, outgoing: ServerResponse, isCut: boolean): void {
  const { method, url: path, headers } = incoming;
  const options = { host: target.hostname, port: target.port, method, path, headers };
  const onward = request(options, (answer) => {
    outgoing.writeHead(answer.statusCode ?? 500, answer.headers);
    if (!isCut) return void answer.pipe(outgoing);
    answer.once('data', (chunk: Buffer) => {
      answer.destroy();
      outgoing.write(chunk.subarray(0, chunk.length / 2), () => outgoing.destroy());
    });
  });
  onward.on('error', () => outgoing.destroy());
  incoming.pipe(onward);
}
