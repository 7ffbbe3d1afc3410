import { because, type Shortfalls } from './because.ts';

export const FRAMEWORK_SHORTFALLS: Shortfalls = {};

/** By ocid. */
export const LABEL_SHORTFALLS: Shortfalls = {
  ...because('the call-offs are described, the word is never said', [
    'ocds-b5fd17-2ceb8792-adc8-11e6-9901-0019b9f3037b',
  ]),
  ...because('"for the framework for the hire of cranes" is read as a purchase under it', [
    'ocds-b5fd17-36aa0033-adc8-11e6-9901-0019b9f3037b',
  ]),
  ...because('a provider agreement that others keep joining', ['ocds-b5fd17raw-46f35718-d827-4699-b56e-88b2ed6a3138']),
};
