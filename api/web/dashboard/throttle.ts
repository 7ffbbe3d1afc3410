import { createHash } from 'node:crypto';
import type { Request } from 'express';
import { RateLimiterMemory } from 'rate-limiter-flexible';
import type { Settings } from '../../../schema/env.ts';
import { clientAddress } from '../../exchange.ts';
import { addressKey } from '../../limits.ts';
import { TooMany, takeOne } from '../security.ts';

/** Forms about passwords that one address of a machine may send. */
const PER_ADDRESS = { points: 30, duration: 600 };
/** Tries at a password: enough for forgetful people, too few for guessing. */
const TRIES = { points: 10, duration: 900 };
/** Links that may be asked for to one e-mail address, whether or not it has an account. */
const LINKS = { points: 5, duration: 3_600 };

/** Takes one try from whoever asks. @throws TooMany */
export type Take = (request: Request, email: string) => Promise<void>;

/** How often passwords are tried and links are asked for, per address of a machine and per e-mail address. */
export interface Throttle {
  tries: Take;
  links: Take;
}

export function makeThrottle({ TRUST_PROXY }: Settings): Throttle {
  const addresses = new RateLimiterMemory({ keyPrefix: 'entry-address', ...PER_ADDRESS });
  const makeTake = (emails: RateLimiterMemory): Take => {
    return async (request, email) => {
      const person = createHash('sha256').update(email.toLowerCase()).digest('hex');
      const waitSeconds =
        (await takeOne(addresses, addressKey(clientAddress(request, TRUST_PROXY)))) ?? (await takeOne(emails, person));
      if (waitSeconds !== null) throw new TooMany(waitSeconds);
    };
  };
  return {
    tries: makeTake(new RateLimiterMemory({ keyPrefix: 'entry-tries', ...TRIES })),
    links: makeTake(new RateLimiterMemory({ keyPrefix: 'entry-links', ...LINKS })),
  };
}
