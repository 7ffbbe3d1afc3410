import type { ContactCase } from '../types.ts';

type Contact = ContactCase['contact'];

/** Invented persons; their numbers are those that the regulator keeps for drama. */
export const NOBODY: Contact = {};
export const MARY: Contact = {
  name: 'Mary Penhale',
  email: 'mary.penhale@brackham.gov.uk',
  telephone: '01632 960123',
  faxNumber: '01632 960199',
};
export const named = (name: string): Contact => ({ name });

const shared = (contact: Contact, text: string, part: string, why: string, doubtful?: string) => ({
  name: `${why}: ${part}`,
  contact,
  text,
  why,
  ...(doubtful === undefined ? {} : { doubtful }),
});

/** The part of the text must not be published. */
export const struck = (contact: Contact, text: string, part: string, why: string, doubtful?: string): ContactCase => ({
  ...shared(contact, text, part, why, doubtful),
  expect: 'struck',
  struck: part,
});

/** The part of the text must still stand when it is published. */
export const kept = (contact: Contact, text: string, part: string, why: string, doubtful?: string): ContactCase => ({
  ...shared(contact, text, part, why, doubtful),
  expect: 'kept',
  kept: part,
});
