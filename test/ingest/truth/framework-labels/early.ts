import type { FrameworkLabel } from '../types.ts';

/** Labels read off the recordings, Contracts Finder, December 2014 to February 2015: the ocid, what it is, and why in a few words of our own. */
export const EARLY_LABELS: FrameworkLabel[] = [
  {
    ocid: 'ocds-b5fd17-2c68ee05-adc8-11e6-9901-0019b9f3037b',
    label: 'framework',
    why: 'an open approved list of school advisers, no work guaranteed',
  },
  {
    ocid: 'ocds-b5fd17-2c6bc272-adc8-11e6-9901-0019b9f3037b',
    label: 'market',
    why: 'a purchasing system open throughout four years',
  },
  {
    ocid: 'ocds-b5fd17-2c6eb32c-adc8-11e6-9901-0019b9f3037b',
    label: 'framework',
    why: 'a panel of outside lawyers is appointed under an agreement',
  },
  {
    ocid: 'ocds-b5fd17-2c74ba3c-adc8-11e6-9901-0019b9f3037b',
    label: 'framework',
    why: 'a standing list of public health providers',
  },
  {
    ocid: 'ocds-b5fd17-2c77bbd7-adc8-11e6-9901-0019b9f3037b',
    label: 'framework',
    why: 'a list of approved providers kept up to date',
  },
  {
    ocid: 'ocds-b5fd17-2c7b1669-adc8-11e6-9901-0019b9f3037b',
    label: 'none',
    why: 'two nursery concessions; the framework is the early years curriculum',
  },
  {
    ocid: 'ocds-b5fd17-2c7e9c36-adc8-11e6-9901-0019b9f3037b',
    label: 'none',
    why: 'works to door entry; the panel is a piece of equipment',
  },
  {
    ocid: 'ocds-b5fd17-2c83869b-adc8-11e6-9901-0019b9f3037b',
    label: 'none',
    why: 'one advice service; the framework is a way of intervening',
  },
  {
    ocid: 'ocds-b5fd17-2c868356-adc8-11e6-9901-0019b9f3037b',
    label: 'none',
    why: 'a quotation for one training service',
  },
  {
    ocid: 'ocds-b5fd17-2caa2211-adc8-11e6-9901-0019b9f3037b',
    label: 'market',
    why: "schools' cleaning, a purchasing system by its title",
  },
  {
    ocid: 'ocds-b5fd17-2cbeb292-adc8-11e6-9901-0019b9f3037b',
    label: 'unsure',
    why: 'called a framework, yet one solution for two forces',
  },
  {
    ocid: 'ocds-b5fd17-2cc1cb75-adc8-11e6-9901-0019b9f3037b',
    label: 'unsure',
    why: 'a national collaborative contract; its panels are of citizens',
  },
  {
    ocid: 'ocds-b5fd17-2cda6ead-adc8-11e6-9901-0019b9f3037b',
    label: 'none',
    why: 'dynamic is the name of a learning environment',
  },
  {
    ocid: 'ocds-b5fd17-2cddb436-adc8-11e6-9901-0019b9f3037b',
    label: 'framework',
    why: 'three contractors on a select list, ordered from as needed',
  },
  {
    ocid: 'ocds-b5fd17-2ce13e8a-adc8-11e6-9901-0019b9f3037b',
    label: 'framework',
    why: 'a standing list for reactive maintenance',
  },
  {
    ocid: 'ocds-b5fd17-2ce564d5-adc8-11e6-9901-0019b9f3037b',
    label: 'framework',
    why: 'a supplementary agreement of several education providers',
  },
  {
    ocid: 'ocds-b5fd17-2ce876f4-adc8-11e6-9901-0019b9f3037b',
    label: 'none',
    why: 'insurance classes, each a policy of its own',
  },
  {
    ocid: 'ocds-b5fd17-2ceb8792-adc8-11e6-9901-0019b9f3037b',
    label: 'framework',
    why: 'lots of providers, direct call-off or further competition',
  },
  {
    ocid: 'ocds-b5fd17-2cf19ccd-adc8-11e6-9901-0019b9f3037b',
    label: 'framework',
    why: 'an approved provider list for placements',
  },
  {
    ocid: 'ocds-b5fd17-2d0d90a4-adc8-11e6-9901-0019b9f3037b',
    label: 'none',
    why: 'waste lots of one housing group, a contract each',
  },
  {
    ocid: 'ocds-b5fd17-2d107612-adc8-11e6-9901-0019b9f3037b',
    label: 'none',
    why: 'one preferred contractor for cleaning',
  },
  {
    ocid: 'ocds-b5fd17-2d16bc06-adc8-11e6-9901-0019b9f3037b',
    label: 'market',
    why: 'care home lets through a purchasing system',
  },
  {
    ocid: 'ocds-b5fd17-2d3057d4-adc8-11e6-9901-0019b9f3037b',
    label: 'none',
    why: 'one electrical job; RM belongs to a building form',
  },
  {
    ocid: 'ocds-b5fd17-2d3f7519-adc8-11e6-9901-0019b9f3037b',
    label: 'framework',
    why: 'consultants for a consortium of landlords, others may join',
  },
  {
    ocid: 'ocds-b5fd17-3680426d-adc8-11e6-9901-0019b9f3037b',
    label: 'framework',
    why: 'a framework with a single provider is one',
  },
  {
    ocid: 'ocds-b5fd17-36aa0033-adc8-11e6-9901-0019b9f3037b',
    label: 'framework',
    why: 'crane hire for public bodies of the region',
  },
  {
    ocid: 'ocds-b5fd17-36ad0a97-adc8-11e6-9901-0019b9f3037b',
    label: 'none',
    why: 'lamps for one borough; approved means tested',
  },
  {
    ocid: 'ocds-b5fd17-36bc881d-adc8-11e6-9901-0019b9f3037b',
    label: 'unsure',
    why: 'concession of approved contractors with mini-competitions',
  },
  {
    ocid: 'ocds-b5fd17-36c8febc-adc8-11e6-9901-0019b9f3037b',
    label: 'framework',
    why: 'a tender phase that renews a framework contract',
  },
  { ocid: 'ocds-b5fd17-36d94fc1-adc8-11e6-9901-0019b9f3037b', label: 'none', why: 'hosting of systems in lots' },
  {
    ocid: 'ocds-b5fd17-3712f3a7-adc8-11e6-9901-0019b9f3037b',
    label: 'framework',
    why: 'regional list of firms, schools hold mini-competitions',
  },
];
