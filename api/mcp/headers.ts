import type { IncomingMessage } from 'node:http';
import { Refusal } from '../contract/errors.ts';

/** How an answer is written: one JSON body, or the same JSON as the one event of a stream. */
export type AnswerForm = 'json' | 'events';

const TAKES_JSON = /application\/(json|\*)|\*\/\*/i;
const TAKES_EVENTS = /text\/(event-stream|\*)/i;
/** What the protocol has clients accept: a client that names one of the two is answered in that one. */
const BOTH = 'application/json, text/event-stream';
const EVENTS = { 'Content-Type': 'text/event-stream', 'X-Accel-Buffering': 'no' };

/** The form that a client takes; JSON where it takes both, or says nothing. @throws Refusal 406. */
export function takeForm({ headers }: IncomingMessage): AnswerForm {
  const { accept = '' } = headers;
  if (accept === '' || TAKES_JSON.test(accept)) return 'json';
  if (TAKES_EVENTS.test(accept)) return 'events';
  throw new Refusal(406, 'not_acceptable', 'Accept application/json and text/event-stream.');
}

/** For the SDK, which refuses an earlier version's client that does not name both. */
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
