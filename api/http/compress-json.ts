import type { IncomingMessage, ServerResponse } from 'node:http';
import compression from 'compression';

type Run = (request: IncomingMessage, response: ServerResponse, done: () => void) => void;

/** Files of JSON lines are none of these: they are sent byte for byte, in parts where asked. Nor are streams of events. */
const JSON_TYPE = /^application\/(csvm\+)?json\b/;

const compress = compression({
  filter: (_request, response) => JSON_TYPE.test(String(response.getHeader('Content-Type'))),
}) as unknown as Run;

/** Makes a JSON answer above 1 kB go out compressed where the client asks for it. Who does not ask pays nothing for it. */
export function compressJson(request: IncomingMessage, response: ServerResponse): void {
  if (request.headers['accept-encoding'] !== undefined) compress(request, response, () => undefined);
}
