import { createHash } from 'node:crypto';
import type { Request, Response } from 'express';
import { oneAddress } from '../../../schema/addresses.ts';
import type { Settings } from '../../../schema/env.ts';
import { clientAddress } from '../../exchange.ts';
import { addressKey } from '../../limits.ts';
import { makeWindows } from '../../windows.ts';
import { makeBrowsers } from '../auth/browsers.ts';
import { TooMany } from '../security.ts';

/** Forms about passwords that one address of a machine may send: a whole office may be behind it. */
const PER_ADDRESS = { most: 60, seconds: 600 };
/** Tries at a password: enough for forgetful people, too few for guessing. */
const TRIES = { most: 10, seconds: 900 };
/** Links that may be asked for to one e-mail address, whether or not it has an account. */
const LINKS = { most: 5, seconds: 3_600 };

interface Allowed {
  most: number;
  seconds: number;
}

/** Takes one try from whoever asks. @throws TooMany */
export type Take = (request: Request, email: string) => Promise<void>;

/** How often passwords are tried and links are asked for, per address of a machine and per e-mail address. */
export interface Throttle {
  /** A browser that somebody has signed in with has tries of its own: a stranger who guesses does not keep them out. */
  tries: Take;
  /** Links for a sign-up; those for a new password are counted apart, so that neither is used up by the other. */
  signUps: Take;
  resets: Take;
  /** Remembers this browser as one of the person's. */
  trust(response: Response, email: string): void;
}

export function makeThrottle(settings: Settings, secret: string): Throttle {
  const browsers = makeBrowsers(settings, secret);
  const takeAddress = makeTaker(PER_ADDRESS);
  const makeTake = (allowed: Allowed, readKey: (request: Request, email: string) => string): Take => {
    const take = makeTaker(allowed);
    return async (request, email) => {
      const machine = addressKey(clientAddress(request, settings.TRUST_PROXY));
      const waitSeconds = takeAddress(machine) ?? take(readKey(request, email.toLowerCase()));
      if (waitSeconds !== null) throw new TooMany(waitSeconds);
    };
  };
  const ofPerson = (_request: Request, email: string) => createHash('sha256').update(oneAddress(email)).digest('hex');
  return {
    tries: makeTake(TRIES, (request, email) => browsers.recognise(request, email) ?? ofPerson(request, email)),
    signUps: makeTake(LINKS, ofPerson),
    resets: makeTake(LINKS, ofPerson),
    trust: browsers.trust,
  };
}

/** Takes one of what an id may have: the seconds to wait where none is left, else null. */
function makeTaker({ most, seconds }: Allowed): (id: string) => number | null {
  const windows = makeWindows(seconds);
  return (id) => {
    const { count, waitSeconds } = windows.take(id);
    return count > most ? waitSeconds : null;
  };
}
