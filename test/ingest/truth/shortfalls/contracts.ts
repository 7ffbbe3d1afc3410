import { because, type Shortfalls } from './because.ts';

export const SUPPLIER_SHORTFALLS: Shortfalls = {
  ...because('an award that names nobody is warned of, though its notice lists one supplier', [
    'one supplier: the losing bidders, and no list in the award',
  ]),
};

export const CORRECTION_SHORTFALLS: Shortfalls = {
  ...because('of three notices it is open which two are one', ['corrected: three notices within a day']),
};
