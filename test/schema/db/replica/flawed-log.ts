import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

/** `hangs`: says where its log stands, and answers nothing else. `forgets`: no longer has what our own reader of frames asks for. */
type Flaw = 'hangs' | 'forgets';

const FORWARDER = `
  const { createServer, request } = require('node:http');
  const { parentPort, workerData } = require('node:worker_threads');
  let flaw;
  parentPort.on('message', (next) => parentPort.postMessage(flaw = next));
  const refusal = { 'content-type': 'application/grpc-web', 'grpc-status': '9', 'grpc-message': 'NEED_SNAPSHOT' };
  createServer((incoming, outgoing) => {
    const { method, url, headers } = incoming;
    if (flaw === 'hangs' && !url.endsWith('/Hello')) return;
    const isOurs = url.endsWith('/BatchLogEntries') && headers['user-agent'] === 'node';
    if (flaw === 'forgets' && isOurs) return outgoing.writeHead(200, refusal).end();
    const passed = request(workerData + url, { method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode, answer.headers);
      answer.pipe(outgoing);
    });
    passed.on('error', () => outgoing.destroy());
    incoming.pipe(passed);
  }).listen(0, '127.0.0.1', function () {
    parentPort.postMessage(this.address().port);
  });`;

/** A database server whose log can fail its copies. In a thread: the package that copies blocks its own. */
export async function startFlawedLog(server: { url: string }) {
  const thread = new Worker(FORWARDER, { eval: true, workerData: server.url });
  const [port] = (await once(thread, 'message')) as [number];
  return {
    url: `http://127.0.0.1:${port}`,
    async become(flaw: Flaw) {
      thread.postMessage(flaw);
      await once(thread, 'message');
    },
    /** Breaks every connection off. */
    close: () => thread.terminate(),
  };
}
