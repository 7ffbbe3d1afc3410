/** A receiver of webhooks in TypeScript, with what Node brings alone. A test runs this very text. */
const TYPESCRIPT = `import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { env } from 'node:process';

const SECRET = env.WEBHOOK_SECRET ?? ''; // whsec_…, shown when the watch was made
const TOLERANCE_SECONDS = 300;

/** Whether a webhook was signed with the secret within the last five minutes. The body is its bytes as they came. */
function verify(headers: IncomingHttpHeaders, body: Buffer): boolean {
  const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures } = headers;
  const isRecent = Math.abs(Date.now() / 1000 - Number(timestamp)) <= TOLERANCE_SECONDS;
  const key = Buffer.from(SECRET.replace('whsec_', ''), 'base64');
  const expected = createHmac('sha256', key).update(\`\${id}.\${timestamp}.\`).update(body).digest();
  // For a day after a new secret both sign: one match is enough.
  const isSigned = String(signatures).split(' ').some((one) => {
    const [version, signature = ''] = one.split(',');
    const given = Buffer.from(signature, 'base64');
    return version === 'v1' && given.length === expected.length && timingSafeEqual(given, expected);
  });
  return isRecent && isSigned;
}

const done = new Set<string>(); // keep this in your database

createServer(async (request, response) => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const body = Buffer.concat(chunks);
  if (!verify(request.headers, body)) return response.writeHead(401).end();
  const delivery = String(request.headers['webhook-id']);
  // A delivery may come twice, with the same id.
  if (!done.has(delivery)) {
    for (const { change, kind, id } of JSON.parse(body.toString()).data.items) console.log(change, kind, id);
    done.add(delivery);
  }
  response.writeHead(204).end();
}).listen(Number(env.PORT ?? 8080));
`;

/** The same in Python, with its standard library alone. */
const PYTHON = `import base64, hashlib, hmac, json, os, time
from http.server import BaseHTTPRequestHandler, HTTPServer

SECRET = os.environ["WEBHOOK_SECRET"]  # whsec_..., shown when the watch was made
TOLERANCE_SECONDS = 300


def verify(headers, body):
    """Whether a webhook was signed with the secret within the last five minutes. The body is its bytes as they came."""
    delivery, timestamp = headers.get("webhook-id", ""), headers.get("webhook-timestamp", "")
    if not timestamp.isdecimal() or abs(time.time() - int(timestamp)) > TOLERANCE_SECONDS:
        return False
    key = base64.b64decode(SECRET.removeprefix("whsec_"))
    digest = hmac.new(key, f"{delivery}.{timestamp}.".encode() + body, hashlib.sha256).digest()
    expected = b"v1," + base64.b64encode(digest)
    # For a day after a new secret both sign: one match is enough.
    signatures = headers.get("webhook-signature", "").encode().split(b" ")
    return any([hmac.compare_digest(expected, one) for one in signatures])


done = set()  # keep this in your database


class Receiver(BaseHTTPRequestHandler):
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


HTTPServer(("", int(os.environ.get("PORT", 8080))), Receiver).serve_forever()
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
  { id: 'typescript', language: 'TypeScript', text: TYPESCRIPT, needs: 'Node 20 or later, without any package' },
  { id: 'python', language: 'Python', text: PYTHON, needs: 'Python 3.9 or later, without any package' },
];

/** The receiver of a page's address; undefined where there is none. */
export const findReceiver = (wanted: string): Receiver | undefined => RECEIVERS.find(({ id }) => id === wanted);
