import { type Firm, firm } from './releases/notice.ts';

/** Invented firms with everything that tells them apart. */
export const JOINERY: Firm = firm('Harbour Lane Joinery Ltd', {
  number: '99000101',
  street: '4 Harbour Lane, Saltby',
  postcode: 'ZE1 4JD',
});
export const ROOFING: Firm = firm('Pellworth Roofing Limited', {
  number: '99000202',
  street: 'Unit 9, Kiln Trading Estate, Pellworth',
  postcode: 'ZE2 8QR',
});
export const CLEANING: Firm = firm('Brightwater Cleaning Services Ltd', {
  number: '99000303',
  street: '17 Weir Street, Brightwater',
  postcode: 'ZE3 5TN',
});

/** The firm without its number, as most are published. */
export const unnumbered = ({ number: _, ...rest }: Firm): Firm => rest;

/** The firm under another id. */
export const under = (id: unknown, given: Firm): Firm => ({ ...given, id });

export const J: [string, string] = ['Harbour Lane Joinery Ltd', '99000101'];
export const R: [string, string] = ['Pellworth Roofing Limited', '99000202'];
export const C: [string, string] = ['Brightwater Cleaning Services Ltd', '99000303'];

/** A pool of providers with a number each. */
export const pool = (count: number): Firm[] =>
  Array.from({ length: count }, (_, index) =>
    firm(`Fenwold Care Provider ${index + 1} Ltd`, {
      id: `GB-CFS-${41_001 + index}`,
      number: String(99_005_001 + index),
      postcode: `ZE2 ${index % 9}DP`,
    }),
  );

export const poolNames = (count: number): [string, string][] =>
  pool(count).map(({ name = '', number = '' }) => [name, number]);

/** Providers without numbers, each at an address of its own. */
export const carers = (count: number): Firm[] =>
  Array.from({ length: count }, (_, index) =>
    firm(`Carer Group ${index + 1} Ltd`, {
      street: `${index + 1} Elm Road, Saltby`,
      postcode: `ZE${(index % 9) + 1} ${index % 9}AB`,
    }),
  );

export const carerNames = (count: number): string[] => carers(count).map(({ name = '' }) => name);
