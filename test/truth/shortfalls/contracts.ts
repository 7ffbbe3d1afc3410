import { because, type Shortfalls } from './because.ts';

export const SUPPLIER_SHORTFALLS: Shortfalls = {
  ...because('the two are merged, and neither number is kept', ['shared id: one name, two company numbers']),
  ...because('names under one id are compared before their entities are read', [
    'numbered: an escaped name in the reference',
    'spelling: an escaped ampersand (2020)',
    'spelling: an escaped ampersand (today)',
    'spelling: an ampersand escaped twice (today)',
    'spelling: an escaped apostrophe (today)',
    'spelling: reference and party, escaped text',
  ]),
  ...because('a postcode parts two sightings of one company number', [
    'one supplier: two branches with one company number under id 0',
    'one supplier: the firm has moved between two notices of one process',
  ]),
  ...because('a bidder counts as another organisation, and is warned of', [
    'one supplier: the losing bidders, and no list in the award',
  ]),
};

export const CORRECTION_SHORTFALLS: Shortfalls = {
  ...because('another period parts two publications', ['corrected: the contract runs a year longer']),
  ...because('another title parts two publications', ['corrected: the title has AWARD at its end']),
  ...because('of three notices it is open which two are one', ['corrected: three notices within a day']),
};
