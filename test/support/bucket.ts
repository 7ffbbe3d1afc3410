import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { askText } from '../../schema/accounts/exports/s3/requests.ts';

/** A server that speaks S3, and a key that may do everything there. */
const server = process.env.S3_URL;
const [accessKeyId, secretAccessKey] = [
  process.env.S3_ACCESS_KEY_ID ?? 'test',
  process.env.S3_SECRET_ACCESS_KEY ?? 'test',
];

/** Whether there is an S3 server to test on; says aloud what is skipped where there is none. */
export function hasBucketServer(what: string): boolean {
  if (!server) console.warn(`skipped: ${what} needs S3_URL (an S3 server to test on, such as moto_server)`);
  return server !== undefined;
}

/**
 * What the service does next: `pass` (answers), `refuse` (403), `hang` (says nothing), `cut` (breaks off half-way through what it
 * answers), `vanish` (there is no such bucket), `break` (500).
 */
type Mood = 'pass' | 'refuse' | 'hang' | 'cut' | 'vanish' | 'break';

/** A new bucket of the server, reached through a proxy that can misbehave. */
export async function makeBucket() {
  const name = `test-${randomBytes(6).toString('hex')}`;
  const proxy = await startProxy(new URL(server ?? ''));
  const bucket = {
    address: `${proxy.url}/${name}`,
    prefix: 'some/exports/',
    region: 'us-east-1',
    ...{ accessKeyId, secretAccessKey, place: `s3://${name}/some/exports` },
  };
  await askText(bucket, { method: 'PUT' });
  return {
    ...proxy,
    bucket,
    /** Settings by which a process finds it. */
    settings: {
      EXPORTS_URL: bucket.place,
      EXPORTS_ENDPOINT: proxy.url,
      EXPORTS_ACCESS_KEY_ID: accessKeyId,
      EXPORTS_SECRET_ACCESS_KEY: secretAccessKey,
    },
  };
}

export type TestBucket = Awaited<ReturnType<typeof makeBucket>>;

async function startProxy(target: URL) {
  let mood: (asked: string) => Mood = () => 'pass';
  const open = new Set<ServerResponse>();
  const proxy = createServer((incoming, outgoing) => {
    const words = `${incoming.method} ${incoming.url}`;
    open.add(outgoing);
    outgoing.once('close', () => open.delete(outgoing));
    const now = mood(words);
    if (!misbehave(now, outgoing)) forward(target, incoming, outgoing, now === 'cut');
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  const { port } = proxy.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    /** What it does with requests from now on. */
    become(next: Mood | ((asked: string) => Mood)) {
      mood = typeof next === 'function' ? next : () => next;
    },
    /** Ends every connection and takes no more, until it comes back at the same address. */
    goAway() {
      proxy.close();
      proxy.closeAllConnections();
    },
    async comeBack() {
      await new Promise<void>((resolve) => proxy.listen(port, '127.0.0.1', resolve));
    },
    /** Waits until nothing is being answered any more. */
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
  const [status, code] = REFUSALS[mood] ?? [];
  if (status) outgoing.writeHead(status).end(`<?xml version="1.0"?><Error><Code>${code}</Code></Error>`);
  return status !== undefined || mood === 'hang';
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
