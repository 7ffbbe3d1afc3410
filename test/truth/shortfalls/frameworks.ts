import { because, type Shortfalls } from './because.ts';

export const FRAMEWORK_SHORTFALLS: Shortfalls = {
  ...because('only the flag is read, and the details beside it are not', [
    'field: the details stand without the flag (UK6)',
  ]),
  ...because('what sets it up is said in words that are not read', [
    'words: weight management service (today)',
    'words: vehicle hire (today)',
    'words: flexible purchasing system for send placements (today)',
  ]),
  ...because("the word stands in the title and means another thing, or another body's framework", [
    'none: .net framework developers (today)',
    'none: timber framework for the market hall (today)',
    'none: framework management software (today)',
    'none: advice on procuring a new repairs framework (today)',
    'none: dps licence renewal (today)',
    'none: study of the dynamic market for electric cars (today)',
  ]),
  ...because('"not a framework agreement" is read as one', ['none: road resurfacing (today)']),
};

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
