import { BUYER_KINDS } from '../../../schema/catalogue/enums.ts';
import { BUYER_SCOPES } from '../../../schema/names/public-bodies.ts';
import { COMPANY_STATUSES } from '../../../schema/reference/company-status.ts';
import { CPV_DIVISIONS } from '../../../schema/reference/cpv.ts';
import { listRegions, NATIONS } from '../../../schema/reference/regions.ts';
import type { Operation } from '../../contract/operation.ts';
import { searchBuyers } from '../../operations/search/buyers.ts';
import { searchCompanies } from '../../operations/search/companies.ts';
import { labelBuyerKind, labelNation, labelPlain } from '../components/labels.ts';

/** A filter of a directory as a field of its form. */
export interface DirectoryField {
  /** The input of the operation. */
  name: string;
  label: string;
  /** The typed value; absent where one of the choices is selected. */
  kind?: 'words' | 'pounds' | 'day';
  /** What to type. */
  hint?: string;
  choices?: readonly Choice[];
}

type Choice = readonly [value: string, label: string];

/** The specifics of the list of companies, or of buyers. */
export interface Directory {
  kind: 'company' | 'buyer';
  path: '/companies' | '/buyers';
  section: 'companies' | 'buyers';
  title: string;
  lead: string;
  /** What to type, for screen readers and in the empty field. */
  label: string;
  hint: string;
  /** Singular and plural of what it lists. */
  what: readonly [one: string, many: string];
  /** How the sum of one organisation's values is described. */
  valueWords: string;
  fields: readonly DirectoryField[];
}

const plain = (values: readonly string[]): Choice[] => values.map((value) => [value, labelPlain(value)]);
const REGIONS: readonly Choice[] = listRegions()
  .filter(({ code }) => code.length === 3)
  .map(({ code, name }) => [code, name]);
const DIVISIONS: readonly Choice[] = CPV_DIVISIONS.map(({ code, name }) => [code, name]);
const YES_OR_NO: readonly Choice[] = [
  ['true', 'Yes'],
  ['false', 'No'],
];
/** Ranges for an organisation's sum, in pounds. */
const SUMS: readonly Choice[] = [
  ['100000', '£100,000'],
  ['1000000', '£1 million'],
  ['10000000', '£10 million'],
  ['100000000', '£100 million'],
];

export const COMPANIES: Directory = {
  kind: 'company',
  path: '/companies',
  section: 'companies',
  title: 'Companies',
  lead: 'Suppliers of the public sector, those with most contracts first, and every company on the register by its name or number.',
  label: 'Company name or number',
  hint: 'Name or number',
  what: ['company', 'companies'],
  valueWords: 'won',
  fields: [
    { name: 'region', label: 'Region', choices: REGIONS },
    { name: 'postcode', label: 'Postcode', kind: 'words', hint: 'Such as LS1, or several' },
    { name: 'status', label: 'Status', choices: plain(COMPANY_STATUSES) },
    { name: 'cpv', label: 'What it supplies', choices: DIVISIONS },
    { name: 'sme', label: 'Small or medium-sized', choices: YES_OR_NO },
    { name: 'won', label: 'Has contracts', choices: YES_OR_NO },
    { name: 'won_value_min', label: 'Won at least', choices: SUMS },
    { name: 'won_from', label: 'Won since', kind: 'day' },
    { name: 'won_to', label: 'Won until', kind: 'day' },
    { name: 'sic', label: 'Nature of business', kind: 'words', hint: 'SIC codes or their first digits' },
    { name: 'incorporated_from', label: 'Incorporated since', kind: 'day' },
    { name: 'incorporated_to', label: 'Incorporated until', kind: 'day' },
  ],
};
export const BUYERS: Directory = {
  kind: 'buyer',
  path: '/buyers',
  section: 'buyers',
  title: 'Buyers',
  lead: 'Councils, departments, trusts, schools and others who buy with public money, those with most contracts first.',
  label: 'Name or abbreviation of a public body',
  hint: 'Name or abbreviation',
  what: ['buyer', 'buyers'],
  valueWords: 'awarded',
  fields: [
    { name: 'kind', label: 'Kind of body', choices: BUYER_KINDS.map((kind) => [kind, labelBuyerKind(kind)]) },
    { name: 'nation', label: 'Nation', choices: NATIONS.map((nation) => [nation, labelNation(nation)]) },
    { name: 'region', label: 'Region', choices: REGIONS },
    { name: 'scope', label: 'How far it acts', choices: plain(BUYER_SCOPES) },
    { name: 'cpv', label: 'What it buys', choices: DIVISIONS },
  ],
};

const OPERATIONS: Readonly<Record<Directory['kind'], Operation>> = {
  company: searchCompanies as unknown as Operation,
  buyer: searchBuyers as unknown as Operation,
};

/** The operation that a directory lists with. */
export function operationOf({ kind }: Directory): Operation {
  return OPERATIONS[kind];
}

/** The fields whose filters the operation takes. */
export function fieldsOf(directory: Directory): readonly DirectoryField[] {
  const { shape } = operationOf(directory).input;
  return directory.fields.filter(({ name }) => name in shape);
}
