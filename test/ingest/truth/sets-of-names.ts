import { DIFFERENT_COUNCILS } from './buyers/different-councils.ts';
import { DIFFERENT_OTHERS } from './buyers/different-others.ts';
import { SAME_CENTRAL } from './buyers/same-central.ts';
import { SAME_COUNCILS } from './buyers/same-councils.ts';
import { SAME_OTHERS } from './buyers/same-others.ts';
import { ABSENT_FORMS } from './companies/absent-forms.ts';
import { ABSENT_NAMES } from './companies/absent-names.ts';
import { FOUND_SPELLING } from './companies/found-spelling.ts';
import { FOUND_WRAPPING } from './companies/found-wrapping.ts';
import { KEPT_FIGURES } from './contacts/kept-figures.ts';
import { KEPT_WORDS } from './contacts/kept-words.ts';
import { STRUCK_NAMES } from './contacts/struck-names.ts';
import { STRUCK_MAIL, STRUCK_TELEPHONE } from './contacts/struck-reach.ts';
import type { BuyerPair, CompanyCase, ContactCase } from './types.ts';

export const BUYER_PAIRS: readonly BuyerPair[] = [
  ...SAME_CENTRAL,
  ...SAME_COUNCILS,
  ...SAME_OTHERS,
  ...DIFFERENT_COUNCILS,
  ...DIFFERENT_OTHERS,
];

export const COMPANY_CASES: readonly CompanyCase[] = [
  ...FOUND_SPELLING,
  ...FOUND_WRAPPING,
  ...ABSENT_FORMS,
  ...ABSENT_NAMES,
];

export const CONTACT_CASES: readonly ContactCase[] = [
  ...STRUCK_MAIL,
  ...STRUCK_TELEPHONE,
  ...STRUCK_NAMES,
  ...KEPT_WORDS,
  ...KEPT_FIGURES,
];
