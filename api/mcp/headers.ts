import type { IncomingMessage } from 'node:http';
import type { Settings } from '../../schema/config/settings.ts';
import { Refusal } from '../contract/errors.ts';

/** The form of an answer: one JSON body, or the same JSON as the only event of a stream. */
export type AnswerForm = 'json' | 'events';

const TAKES_JSON = /application\/(json|\*)|\*\/\*/i;
const TAKES_EVENTS = /text\/(event-stream|\*)/i;
/** What the protocol requires clients to accept: a client that names one of the two gets that one. */
const BOTH = 'application/json, text/event-stream';
const EVENTS = { 'Content-Type': 'text/event-stream', 'X-Accel-Buffering': 'no' };

/** The form that a client accepts; JSON if it accepts both, or does not say. @throws Refusal 406. */
export function takeForm({ headers }: IncomingMessage): AnswerForm {
  const { accept = '' } = headers;
  if (accept === '' || TAKES_JSON.test(accept)) return 'json';
  if (TAKES_EVENTS.test(accept)) return 'events';
  throw new Refusal(406, 'not_acceptable', 'Accept application/json and text/event-stream.');
}

/** The SDK refuses clients of earlier versions that do not accept both forms. */
export function acceptBoth({ headers }: IncomingMessage): void {
  headers.accept = BOTH;
}

/** Headers and body of a message in a form. */
export function writeMessage(json: string, form: AnswerForm): { body: string; headers: Record<string, string> } {
  return form === 'json' ? { body: json, headers: {} } : { body: toEvent(json), headers: EVENTS };
}

/** The SDK's JSON answer as an event; what is an error of HTTP, empty or a stream already stays what it is. */
export async function toEvents(response: Response): Promise<Response> {
  const isJson = response.headers.get('content-type')?.startsWith('application/json') === true;
  return isJson && response.ok ? new Response(toEvent(await response.text()), { headers: EVENTS }) : response;
}

const toEvent = (json: string) => `event: message\ndata: ${json}\n\n`;

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];
const HOST = /^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(:\d{1,5})?$/i;

/** Web origins that may call /mcp: our own addresses and those of MCP_ORIGINS. */
export function allowedOrigins({ BASE_URL, APP_URL, MCP_ORIGINS }: Settings): string[] {
  return [new URL(BASE_URL).origin, new URL(APP_URL).origin, ...MCP_ORIGINS];
}

/** Those, and on loopback the page that makes the request: a local tool has its own port. */
export function originsOf({ headers }: IncomingMessage, allowed: readonly string[]): readonly string[] {
  const { host, origin = '' } = headers;
  const page = URL.canParse(origin) ? new URL(origin) : undefined;
  const local = page && LOOPBACK.includes(page.hostname) && LOOPBACK.includes(hostName(host));
  return local ? [...allowed, page.origin] : allowed;
}

/** Why a request comes from elsewhere, or undefined: a 403. @param allowed - what `originsOf` returns */
export function findForeign(
  { headers }: IncomingMessage,
  settings: Settings,
  allowed: readonly string[],
): Refusal | undefined {
  if (!isOurHost(headers.host, settings))
    return new Refusal(403, 'host_not_allowed', 'This host name is not one of ours.');
  // A page of a foreign site may not call through its visitor's browser. No Origin: not a browser.
  const { origin } = headers;
  if (origin === undefined || allowed.includes('*') || allowed.includes(origin)) return undefined;
  return new Refusal(403, 'origin_not_allowed', 'This web origin may not call /mcp.');
}

/** On loopback a foreign host name means that somebody redirected their DNS to this machine. */
function isOurHost(host: string | undefined, { HOST, BASE_URL, APP_URL }: Settings): boolean {
  const name = hostName(host);
  const bound = HOST.includes(':') ? `[${HOST}]` : HOST;
  const ours = [...LOOPBACK, new URL(BASE_URL).hostname, new URL(APP_URL).hostname];
  return name !== '' && (!LOOPBACK.includes(bound) || ours.includes(name));
}

/** The name in a Host header, or an empty text where it is malformed. */
function hostName(host = ''): string {
  return HOST.exec(host)?.[1]?.toLowerCase() ?? '';
}
