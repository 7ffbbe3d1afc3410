import { constants, fstatSync, openSync } from 'node:fs';
import { type DestinationStream, type Logger, pino } from 'pino';
import { readSecretValues, type Settings } from '../config/settings.ts';

/** Replaces a secret in a log. */
const HIDDEN = '[hidden]';
/** A shorter value is hardly a secret, and would blank half of every line. */
const SECRET_MIN = 6;
const CREDENTIALS = /\b(Bearer|Basic)\s+[\w.~+/=-]+/gi;
const MEMBERS =
  /("(?:proxy-)?(?:authorization|cookie|set-cookie|x-api-key|api[-_]?key|auth[-_]?token|password|secret)"\s*:\s*)"(?:[^"\\]|\\.)*"/gi;
const PARAMETERS =
  /([?&](?:[\w-]*token|[\w-]*key|sig|signature|code|state|password|secret|email|query|name)=)[^&\s"'\\)]+/gi;
/** A scheme is short: without this limit a long text of dots is scanned from each of them to its end. */
const USER_INFO = /(\b[a-z][a-z0-9+.-]{0,30}:\/\/)[^/\s"'@]+@/gi;

/** Removes secrets from a text. */
type Scrubber = (text: string) => string;

/** Hides anything that looks like a credential: headers, keys and tokens in addresses, user names before a host. */
export const hideCredentials: Scrubber = (text) =>
  text
    .replace(CREDENTIALS, `$1 ${HIDDEN}`)
    .replace(MEMBERS, `$1"${HIDDEN}"`)
    .replace(PARAMETERS, `$1${HIDDEN}`)
    .replace(USER_INFO, `$1${HIDDEN}@`);

/** Hides credentials, the values of secret settings in every form in which they are sent, and our API keys. */
function makeScrubber(settings: Partial<Settings>): Scrubber {
  const known = readSecretValues(settings)
    .filter((secret) => secret.length >= SECRET_MIN)
    .flatMap((secret) => [
      secret,
      JSON.stringify(secret).slice(1, -1),
      encodeURIComponent(secret),
      Buffer.from(`${secret}:`).toString('base64'),
    ]);
  const keys = new RegExp(`(?:svc_live_|${settings.KEY_PREFIX ?? 'svc_live_'})[0-9A-Za-z]{20,}`, 'g');
  return (text) => {
    const unknown = known.reduce((left, secret) => left.replaceAll(secret, HIDDEN), text);
    return hideCredentials(unknown.replace(keys, HIDDEN));
  };
}

/**
 * Structured lines, one JSON object each, on standard output unless a destination is given. Every line passes the scrubber, so
 * that no error can carry a secret into a log. It is written before the call returns, so that a process's last lines are in its
 * log, in order.
 */
export function openLog(
  settings: Partial<Settings> & Pick<Settings, 'LOG_LEVEL'>,
  name: string,
  destination: DestinationStream = openStandardOutput(),
): Logger {
  const options = { name, level: settings.LOG_LEVEL, hooks: { streamWrite: makeScrubber(settings) } };
  return pino(options, destination);
}

/** Bytes of lines that wait while they cannot be written. Further ones are lost. */
const WAITING_MAX = 4_000_000;
/** Bytes that a pipe takes whole or not at all: lines of several processes do not mix. */
const WHOLE_IN_PIPE = 4_096;
/** How soon what could not be written is tried again: perhaps no line follows. */
const AGAIN_MS = 100;
/** How often a process that ends tries to write to a full pipe, every 0.1 s. */
const LAST_TRIES = 10;

/**
 * Where lines go: an open file, by its number. A log that cannot be written, as its disk is full, ends no process: what waits is
 * written once there is room again.
 */
export function openOutput(fd: number, { retryEAGAIN = (): boolean => true } = {}): DestinationStream {
  const output = pino.destination({ fd, sync: true, maxLength: WAITING_MAX, maxWrite: WHOLE_IN_PIPE, retryEAGAIN });
  let isTriedAgain = false;
  output.on('error', () => {
    if (isTriedAgain) return;
    isTriedAgain = true;
    setTimeout(() => {
      isTriedAgain = false;
      output.write('');
    }, AGAIN_MS).unref();
  });
  return output;
}

/** Standard output. Where it is a pipe whose reader has stopped, lines wait as for a full disk, and the process does not. */
function openStandardOutput(): DestinationStream {
  const fd = openUnblocked(1);
  if (fd === null) return openOutput(1);
  let triesLeft = 0;
  const output = openOutput(fd, { retryEAGAIN: () => triesLeft-- > 0 });
  process.once('exit', () => {
    triesLeft = LAST_TRIES;
    output.write('');
  });
  return output;
}

/** The same pipe, opened again so that only this process does not wait for it; null where it is none, or the system cannot do this. */
function openUnblocked(fd: number): number | null {
  try {
    if (!fstatSync(fd).isFIFO()) return null;
    return openSync(`/proc/self/fd/${fd}`, constants.O_WRONLY | constants.O_NONBLOCK);
  } catch {
    return null;
  }
}

/** Node's warnings, and this program's of child processes that ended, as lines of the log instead of text on standard error. */
export function logWarnings(log: Logger): void {
  process.removeAllListeners('warning');
  process.on('warning', ({ name, message }) => log.warn({ warning: name }, message));
}
