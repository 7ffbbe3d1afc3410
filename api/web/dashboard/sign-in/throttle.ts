import { createHmac, hash, randomBytes } from 'node:crypto';
import type { Request, Response } from 'express';
import { DAY_MS } from '../../../../schema/config/clocks.ts';
import type { Settings } from '../../../../schema/config/settings.ts';
import { domainOf, oneAddress } from '../../../../schema/text/email-addresses.ts';
import { addressKey, networkKey } from '../../../access/limits.ts';
import type { Machine } from '../../../concurrency/machine.ts';
import type { Services } from '../../../contract/operation.ts';
import { clientAddress } from '../../../http/exchange.ts';
import { isSame, readCookie } from '../../auth/form-tokens.ts';
import { formatInstant, formatWait } from '../../components/format.ts';
import { TooMany } from '../../serving/security.ts';

/** Password forms from one IP address, which a whole office may share. */
const PER_ADDRESS = { most: 60, seconds: 600 };
/** Password attempts: enough for forgetful people, too few for guessing. */
const TRIES = { most: 10, seconds: 900 };
/** Links mailed to one e-mail address, whether or not it has an account. */
const LINKS = { most: 5, seconds: 3_600 };
/** Reset links that one network can request, for any addresses. Its sign-ups have a limit a day. */
const RESETS_PER_NETWORK = { most: 30, seconds: 3_600 };

const KNOWN_BROWSER_MS = 180 * DAY_MS;

/** Counts a sign-up of today, unless the limit is reached. */
const COUNT_SIGN_UP = `
  INSERT INTO sign_up_day (day, hash, sign_ups) VALUES (?1, ?2, 1)
  ON CONFLICT (day, hash) DO UPDATE SET sign_ups = sign_ups + 1 WHERE sign_ups < ?3 RETURNING sign_ups`;

interface Allowed {
  most: number;
  seconds: number;
}

/** Why a form has to wait, whether or not there is an account. */
const WHY = {
  address: 'Too many forms about passwords came from your network address.',
  network: 'Too many links were requested from your network.',
  links: 'Too many links were requested with this e-mail address.',
  tries:
    'Too many passwords were tried with this e-mail address or link in a short time, so no more are checked for now, not even the right one.',
};
const WAYS_IN = ' A browser in which you have signed in before can still sign in, and so can a new password by mail.';

/** Counts one attempt. @throws TooMany if none is left */
type Take = (request: Request, email: string) => Promise<void>;

/** Limits password attempts and requests for links, by IP address and by e-mail address. */
export interface Throttle {
  /** A known browser has its own attempts, so that a stranger's guesses do not lock the person out. */
  tries: Take;
  /** Sign-up links. Reset links are counted separately. */
  signUps: Take;
  resets: Take;
  /** Stores that this browser belongs to the person. */
  trust(response: Response, email: string): void;
}

/** Counters for all API processes of this machine; they start at zero. */
export function makeThrottle({ settings, secret, machine }: Services): Throttle {
  const browsers = makeBrowsers(settings, secret);
  const addressOf = (request: Request) => clientAddress(request, settings.TRUST_PROXY);
  const ofPerson = (email: string) => hash('sha256', oneAddress(email));
  const takeAddress = makeTaker(machine, 'password-forms', PER_ADDRESS);
  const takeNetwork = makeTaker(machine, 'resets', RESETS_PER_NETWORK);
  const takeTry = makeTaker(machine, 'passwords', TRIES);
  const ofAddress = async (request: Request) =>
    assertFree(await takeAddress(addressKey(addressOf(request))), WHY.address);
  const makeLinks = (name: string): Take => {
    const takePerson = makeTaker(machine, name, LINKS);
    return async (request, email) => {
      await ofAddress(request);
      assertFree(await takePerson(ofPerson(email)), WHY.links);
    };
  };
  const takeReset = makeLinks('reset-links');
  return {
    async tries(request, email) {
      await ofAddress(request);
      const browser = browsers.recognise(request, email);
      assertFree(await takeTry(browser ?? ofPerson(email)), WHY.tries, browser ? '' : WAYS_IN);
    },
    signUps: makeLinks('sign-up-links'),
    async resets(request, email) {
      await takeReset(request, email);
      assertFree(await takeNetwork(networkKey(addressOf(request))), WHY.network);
    },
    trust: browsers.trust,
  };
}

/** @param more - what the person can do now @throws TooMany with the reason, if there is time to wait */
function assertFree(waitSeconds: number | null, why: string, more = ''): void {
  if (waitSeconds !== null) throw new TooMany(waitSeconds, `${why} Try again in ${formatWait(waitSeconds)}.${more}`);
}

/** Counts one use for an id. Returns the seconds to wait if none is left, otherwise null. */
function makeTaker(machine: Machine, name: string, { most, seconds }: Allowed): (id: string) => Promise<number | null> {
  const windows = machine.makeWindows(name, most, seconds);
  return async (id) => {
    const { count, waitSeconds } = await windows.take(id);
    return count > most ? waitSeconds : null;
  };
}

/**
 * Counts a sign-up of a network and of an e-mail domain for the day, across all processes.
 * @throws TooMany until the next day (UTC) if either limit is reached
 */
export async function takeSignUp(services: Services, request: Request, email: string): Promise<void> {
  const { SIGN_UPS_PER_NETWORK_DAY, SIGN_UPS_PER_DOMAIN_DAY, TRUST_PROXY } = services.settings;
  await countSignUp(services, `network:${networkKey(clientAddress(request, TRUST_PROXY))}`, SIGN_UPS_PER_NETWORK_DAY);
  await countSignUp(services, `domain:${domainOf(email)}`, SIGN_UPS_PER_DOMAIN_DAY);
}

async function countSignUp({ accounts, clocks, secret }: Services, origin: string, most: number): Promise<void> {
  const now = clocks.wallNow();
  const day = now.toISOString().slice(0, 10);
  const hash = createHmac('sha256', secret).update(`sign-up:${origin}`).digest('hex');
  const [outcome] = await accounts.write([{ sql: COUNT_SIGN_UP, args: [day, hash, most] }]);
  if (outcome?.changes === 1) return;
  const from = origin.startsWith('network') ? 'from your network' : 'with addresses of this domain';
  const endsMs = Date.parse(day) + DAY_MS;
  const until = formatInstant(new Date(endsMs).toISOString());
  throw new TooMany(
    Math.ceil((endsMs - now.getTime()) / 1_000),
    `No more accounts can be opened today ${from}. Sign up again from ${until}.`,
  );
}

/** Recognises browsers in which a person has signed in before. */
interface Browsers {
  /** Stores that this browser belongs to the person. */
  trust(response: Response, email: string): void;
  /** The browser's id if it belongs to the person, otherwise null. */
  recognise(request: Request, email: string): string | null;
}

/** A cookie signed for one person; it does not reveal whose it is. */
function makeBrowsers(settings: Settings, secret: string): Browsers {
  const secure = settings.APP_URL.startsWith('https:');
  const name = secure ? '__Host-known' : 'known';
  const sign = (browser: string, email: string) =>
    createHmac('sha256', secret).update(`known:${browser}:${email.toLowerCase()}`).digest('base64url');
  return {
    trust(response, email) {
      const browser = randomBytes(16).toString('base64url');
      const value = `${browser}.${sign(browser, email)}`;
      response.cookie(name, value, { httpOnly: true, sameSite: 'lax', secure, path: '/', maxAge: KNOWN_BROWSER_MS });
    },
    recognise(request, email) {
      const [browser = '', signature = ''] = (readCookie(request.headers.cookie, name) ?? '').split('.');
      return browser && isSame(signature, sign(browser, email)) ? browser : null;
    },
  };
}
