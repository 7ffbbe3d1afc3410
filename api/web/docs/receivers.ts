/** A receiver of webhooks in TypeScript, with Node's own modules only. A test runs this very text. */
const TYPESCRIPT = `import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import { env } from 'node:process';
import { buffer } from 'node:stream/consumers';

const SECRET = env.WEBHOOK_SECRET ?? ''; // whsec_…, shown once
const TOLERANCE_SECONDS = 300;

/** Whether a webhook was signed with the secret, not long ago. */
function verify(headers: IncomingMessage['headers'], body: Buffer) {
  const { 'webhook-id': id, 'webhook-timestamp': timestamp } = headers;
  const age = Math.abs(Date.now() / 1000 - Number(timestamp));
  const key = Buffer.from(SECRET.replace('whsec_', ''), 'base64');
  const signed = createHmac('sha256', key).update(\`\${id}.\${timestamp}.\`);
  const expected = signed.update(body).digest();
  // For a day after a rotation both secrets sign: one match is enough.
  const signatures = String(headers['webhook-signature']).split(' ');
  const isSigned = signatures.some((one) => {
    const [version, text = ''] = one.split(',');
    const given = Buffer.from(text, 'base64');
    if (version !== 'v1' || given.length !== expected.length) return false;
    return timingSafeEqual(given, expected);
  });
  return isSigned && age <= TOLERANCE_SECONDS;
}

const done = new Set<string>(); // keep this in your database

async function receive(request: IncomingMessage): Promise<number> {
  const body = await buffer(request);
  if (!verify(request.headers, body)) return 401;
  const delivery = String(request.headers['webhook-id']);
  // A delivery may come twice, with the same id.
  if (done.has(delivery)) return 204;
  for (const { change, kind, id } of JSON.parse(String(body)).data.items)
    console.log(change, kind, id);
  done.add(delivery);
  return 204;
}

createServer((request, response) => {
  receive(request).then(
    (status) => response.writeHead(status).end(),
    () => response.destroy(), // it is sent again
  );
}).listen(Number(env.PORT ?? 8080));
`;

/** The same in Python, with its standard library only. */
const PYTHON = `import base64, hashlib, hmac, json, os, time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

SECRET = os.environ["WEBHOOK_SECRET"]  # whsec_..., shown once
TOLERANCE = 300  # seconds


def verify(headers, body):
    """Whether a webhook was signed with the secret, not long ago."""
    delivery = headers.get("webhook-id", "")
    timestamp = headers.get("webhook-timestamp", "")
    if not timestamp.isdecimal():
        return False
    key = base64.b64decode(SECRET.removeprefix("whsec_"))
    signed = f"{delivery}.{timestamp}.".encode() + body
    digest = hmac.new(key, signed, hashlib.sha256).digest()
    expected = b"v1," + base64.b64encode(digest)
    # For a day after a new secret both sign: one match is enough.
    signatures = headers.get("webhook-signature", "").encode().split()
    is_signed = any([hmac.compare_digest(expected, s) for s in signatures])
    return is_signed and abs(time.time() - int(timestamp)) <= TOLERANCE


done = set()  # keep this in your database


class Receiver(BaseHTTPRequestHandler):
    timeout = 15

    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        is_ours = verify(self.headers, body)
        delivery = self.headers.get("webhook-id")
        # A delivery may come twice, with the same id.
        if is_ours and delivery not in done:
            for item in json.loads(body)["data"]["items"]:
                print(item["change"], item["kind"], item["id"], flush=True)
            done.add(delivery)
        self.send_response(204 if is_ours else 401)
        self.end_headers()


address = ("", int(os.environ.get("PORT", 8080)))
ThreadingHTTPServer(address, Receiver).serve_forever()
`;

/** A receiver of webhooks that verifies them. */
export interface Receiver {
  /** The last part of its page's address. */
  id: string;
  language: string;
  text: string;
  needs: string;
}

export const RECEIVERS: readonly Receiver[] = [
  { id: 'typescript', language: 'TypeScript', text: TYPESCRIPT, needs: 'Node 22.18 or later, or Node 20 with tsx' },
  { id: 'python', language: 'Python', text: PYTHON, needs: 'Python 3.9 or later' },
];

/** The receiver of a page's address; undefined where there is none. */
export const findReceiver = (wanted: string): Receiver | undefined => RECEIVERS.find(({ id }) => id === wanted);
