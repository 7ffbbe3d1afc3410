import type { IncomingMessage } from 'node:http';
import type { Settings } from '../../schema/config/settings.ts';
import { Refusal } from '../contract/errors.ts';

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];
const HOST = /^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(:\d{1,5})?$/i;

/** Web origins that may call /mcp: our own addresses and those of MCP_ORIGINS. */
export function allowedOrigins({ BASE_URL, APP_URL, MCP_ORIGINS }: Settings): string[] {
  return [new URL(BASE_URL).origin, new URL(APP_URL).origin, ...MCP_ORIGINS];
}

/** Those, and where this machine speaks to itself, the very page that asks: a local tool has a port of its own. */
export function originsOf({ headers }: IncomingMessage, allowed: readonly string[]): readonly string[] {
  const { host, origin = '' } = headers;
  const page = URL.canParse(origin) ? new URL(origin) : undefined;
  const local = page && LOOPBACK.includes(page.hostname) && LOOPBACK.includes(hostName(host));
  return local ? [...allowed, page.origin] : allowed;
}

/** A page of a foreign site may not speak through its visitor's browser. No Origin: not a browser. @throws Refusal 403. */
export function assertOrigin(request: IncomingMessage, allowed: readonly string[]): void {
  const { origin } = request.headers;
  if (origin === undefined || allowed.includes('*') || allowed.includes(origin)) return;
  throw new Refusal(403, 'origin_not_allowed', 'This web origin may not call /mcp.');
}

/** On loopback a foreign host name means that somebody's DNS was bent towards this machine. @throws Refusal 403. */
export function assertHost(request: IncomingMessage, settings: Settings): void {
  const name = hostName(request.headers.host);
  const bound = settings.HOST.includes(':') ? `[${settings.HOST}]` : settings.HOST;
  const ours = [...LOOPBACK, new URL(settings.BASE_URL).hostname, new URL(settings.APP_URL).hostname];
  if (name !== '' && (!LOOPBACK.includes(bound) || ours.includes(name))) return;
  throw new Refusal(403, 'host_not_allowed', 'This host name is not one of ours.');
}

/** The name in a Host header, or nothing where it is none. */
function hostName(host = ''): string {
  return HOST.exec(host)?.[1]?.toLowerCase() ?? '';
}
